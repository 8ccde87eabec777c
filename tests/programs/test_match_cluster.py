"""Matches on a dask cluster: the games of one machine, whatever happens to the workers."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys

import psutil
import pytest
from clusters import scheduler, started, workers_of  # noqa: F401  a fixture
from matches import MATCH, ROOT, fake, free_port, own_nodes, play_words, run_words, words
from processes import wait_until

from pawnstorm import pgn

ROUNDS = 15
pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def alone():
    """game -> its moves, of the same match without a cluster."""
    return {record["game"]: texts(record) for record in play_words(own_nodes(ROUNDS, "-concurrency", 2))}


def texts(record):
    return [move[0] for move in record["moves"]]


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def assert_same(path, alone):
    """The results at a path are the match's, each game once."""
    found = records(path)
    assert sorted(record["game"] for record in found) == sorted(alone)
    assert {record["game"]: texts(record) for record in found} == alone
    assert {record["reason"] for record in found} == {"normal"}


class Running:
    """A match in a process of its own, which keeps its results at `path`."""

    def __init__(self, path, *more):
        self.path = path
        self.process = subprocess.Popen(
            [sys.executable, str(MATCH), *own_nodes(ROUNDS, "-resume", path, *more)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def reach(self, games):
        """Wait until so many games have been played."""

        def reached():
            assert self.process.poll() is None, self.process.communicate()
            return self.path.exists() and len(records(self.path)) >= games

        wait_until(reached, f"{games} games")

    def engines(self):
        return [
            child
            for child in psutil.Process(self.process.pid).children(recursive=True)
            if "pawnstorm" in child.cmdline()
        ]

    def ended(self, code=0):
        out, err = self.process.communicate(timeout=120)
        assert self.process.returncode == code, err
        return out, err


def test_local_workers_play_the_games_of_one_machine_into_the_same_files(tmp_path):
    results, games, log = tmp_path / "r", tmp_path / "g.pgn", tmp_path / "log"
    line = words(fake("good"), fake("good"), "-rounds", 4, "-concurrency", 2, variant="breakthrough5", limit="nodes=10")
    expected = play_words(line)
    status, out, err = run_words(
        [*line, "-cluster", "local:2", "-resume", str(results), "-pgnout", str(games), "-debug", str(log)]
    )
    assert status == 0 and "Fake good against Fake good (2): 8 games" in out and "Faults  0" in out, err
    assert [texts(record) for record in sorted(records(results), key=lambda record: record["game"])] == [
        texts(one) for one in expected
    ]
    assert len(list(pgn.read(games))) == 8
    told = re.findall(r"^\S+ [12]\.([1-4]) < bestmove", log.read_text(), re.M)
    assert len(told) == sum(len(record["moves"]) for record in expected) and len(set(told)) > 1
    again = run_words([*line, "-cluster", "local:1", "-resume", str(results)])
    assert again[0] == 0 and "8 games" in again[1] and len(records(results)) == 8


@pytest.mark.slow
def test_killed_workers_change_nothing(alone, tmp_path):
    run = Running(tmp_path / "r", "-cluster", "local:2")
    run.reach(3)
    victim = workers_of(run.process)[0]
    victim.kill()
    run.reach(8)
    assert not psutil.pid_exists(victim.pid)
    for worker in workers_of(run.process):
        worker.kill()
    out, _ = run.ended()
    assert f"{2 * ROUNDS} games" in out and "Faults  0" in out
    assert_same(tmp_path / "r", alone)


@pytest.mark.slow
@pytest.mark.parametrize("end, code", [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_ended_match_leaves_nothing_running_and_goes_on(end, code, alone, tmp_path):
    run = Running(tmp_path / "r", "-cluster", "local:2")
    run.reach(3)
    left = [*run.engines(), *workers_of(run.process)]
    assert len(left) >= 4
    run.process.send_signal(end)
    out, err = run.ended(code)
    assert "Traceback" not in err and ("games left; the same command goes on" in out) == (code == 130)
    _, alive = psutil.wait_procs(left, timeout=10)
    assert not alive
    assert 3 <= len(records(tmp_path / "r")) < 2 * ROUNDS
    Running(tmp_path / "r", "-cluster", "local:2").ended()
    assert_same(tmp_path / "r", alone)


@pytest.mark.slow
def test_match_goes_on_when_its_scheduler_is_back(scheduler, alone, tmp_path):
    address, worker, _, process = scheduler
    for _ in range(2):
        worker()
    run = Running(tmp_path / "r", "-cluster", address)
    run.reach(3)
    left = psutil.Process(os.getpid()).children(recursive=True)
    left = [child for child in left if "pawnstorm" in child.cmdline()]
    process.kill()
    out, err = run.ended(2)
    assert f"the scheduler of {address} has gone" in err.splitlines()[-1] and "Traceback" not in err
    assert "games left; the same command goes on with them" in out
    assert left and not psutil.wait_procs(left, timeout=20)[1]
    (tmp_path / "again").mkdir()
    with started(tmp_path / "again", port=address.rpartition(":")[2]) as (_, worker, _, _):
        worker()
        Running(tmp_path / "r", "-cluster", address).ended()
    assert_same(tmp_path / "r", alone)


@pytest.mark.slow
def test_worker_that_is_back_under_its_address_is_made_ready_again(scheduler, alone, tmp_path):
    """A nanny starts it again at once, before anybody has seen that it was gone."""
    address, worker, _, _ = scheduler
    port = free_port()
    worker("--worker-port", str(port))
    run = Running(tmp_path / "r", "-cluster", address)
    run.reach(3)
    (victim,) = [
        child
        for child in psutil.Process(os.getpid()).children(recursive=True)
        if "spawn_main" in " ".join(child.cmdline())
    ]
    victim.kill()
    run.ended()
    assert_same(tmp_path / "r", alone)


@pytest.mark.slow
def test_worker_whose_nanny_is_killed_ends_and_changes_nothing(scheduler, alone, tmp_path):
    address, worker, _, _ = scheduler
    nannies = [worker() for _ in range(2)]
    run = Running(tmp_path / "r", "-cluster", address)
    run.reach(3)
    below = psutil.Process(nannies[0].pid).children(recursive=True)
    assert any("pawnstorm" in child.cmdline() for child in below)
    nannies[0].kill()
    nannies[0].wait()
    assert not psutil.wait_procs(below, timeout=20)[1]
    run.ended()
    assert_same(tmp_path / "r", alone)


@pytest.mark.slow
def test_worker_that_stands_still_loses_its_game_to_the_others(alone, tmp_path, monkeypatch):
    """The scheduler drops it, as it gets no heartbeat from it."""
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "3s")
    with started(tmp_path) as (address, worker, _, _):
        hung, _ = (worker("--no-nanny") for _ in range(2))
        run = Running(tmp_path / "r", "-cluster", address)
        run.reach(3)
        hung.send_signal(signal.SIGSTOP)
        run.ended()
        hung.send_signal(signal.SIGCONT)
    assert_same(tmp_path / "r", alone)


@pytest.mark.slow
def test_match_that_is_ended_on_a_cluster_goes_on_with_its_workers(scheduler, alone, tmp_path):
    """When a match is killed, its workers still play its games: these games do not count, and their engines end."""
    address, worker, _, _ = scheduler
    for _ in range(2):
        worker()
    for games, end in (3, signal.SIGKILL), (8, signal.SIGTERM), (12, signal.SIGINT):
        run = Running(tmp_path / "r", "-cluster", address)
        run.reach(games)
        run.process.send_signal(end)
        run.ended(-end if end == signal.SIGKILL else 130)
    Running(tmp_path / "r", "-cluster", address).ended()
    assert_same(tmp_path / "r", alone)


@pytest.mark.slow
def test_ctrl_c_is_heard_though_a_worker_hangs(scheduler, tmp_path):
    address, worker, _, _ = scheduler
    hung = worker("--no-nanny")
    run = Running(tmp_path / "r", "-cluster", address)
    run.reach(3)
    hung.send_signal(signal.SIGSTOP)
    wait_until(lambda: psutil.Process(hung.pid).status() == psutil.STATUS_STOPPED, "the stop of the worker")
    run.process.send_signal(signal.SIGINT)
    out, err = run.ended(130)
    hung.send_signal(signal.SIGCONT)
    assert "does not answer: its job may still run there" in err and "games left; the same command goes on" in out


@pytest.mark.slow
def test_workers_that_would_play_otherwise_are_named_and_left_alone(scheduler, alone, tmp_path):
    """One lacks the package, one is started in a checkout with other sources; with a good one the match is played."""
    address, worker, blind, _ = scheduler
    worker("--preload", blind)
    for folder in "engine", "protocol", "scripts":
        shutil.copytree(ROOT / folder, tmp_path / "other" / folder)
    with open(tmp_path / "other" / "scripts" / "pawnstorm_tools" / "referee" / "game.py", "a") as file:
        file.write("# another one\n")
    worker(cwd=tmp_path / "other")
    _, err = Running(tmp_path / "r", "-cluster", address).ended(2)
    assert f"no worker of {address} can have a job" in err.splitlines()[-1]
    worker()
    Running(tmp_path / "r", "-cluster", address).ended()
    assert_same(tmp_path / "r", alone)
    assert "None in sys.modules; expected a worker that is started in a clone" in err
    assert "its sources differ; expected the same as here" in err


@pytest.mark.slow
def test_engine_that_the_workers_lack_ends_the_match():
    status, _, err = run_words(words("./no-such-engine", fake("good"), "-cluster", "local:2"))
    told = err.splitlines()[-1]
    assert status == 2 and "can have a job" in told and "cannot run './no-such-engine'" in told


@pytest.mark.slow
def test_decided_test_ends_the_match(tmp_path):
    test = ("-rounds", 300, "-sprt", "elo0=0", "elo1=200", "-cluster", "local:2", "-resume", tmp_path / "r")
    status, out, err = run_words(words(fake("good"), fake("clumsy"), *test), timeout=200)
    assert status == 0 and "H1 accepted" in out and "games left" not in out, out + err
    assert len(records(tmp_path / "r")) < 600
