"""Proofs on real clusters, as users start them."""

import os
import re
import shutil
import signal
import subprocess
import sys

import client
import cloudpickle
import psutil
import pytest
import solve_runs
from clusters import SOLVE, Crew, Running, master, scheduler  # noqa: F401  a fixture
from solve_runs import told

from pawnstorm.games.notation import parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.cluster import joining, workers
from pawnstorm_tools.solving import cluster_jobs

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize(
    "where", ["", "foo", "local:", "local:0", "local:two", "tcp://", "host:8786", "udp://host:8786"]
)
def test_words_that_mean_no_cluster_are_named(where):
    with pytest.raises(workers.ClusterError, match=re.escape(f"'{where}': expected local:N")):
        cluster_jobs.JobWorkers(where, "hexapawn", 1, 1)


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        workers.ClusterError,
        match=r"dask.distributed.*run pip install 'pawnstorm\[cluster\]' or, in a clone, pip install -e '.\[cluster\]'",
    ):
        cluster_jobs.JobWorkers("local:2", "hexapawn", 1, 1)


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "tcp://no.such.host.invalid:8786"])
def test_scheduler_that_is_not_there_is_named(where, monkeypatch):
    monkeypatch.setattr(joining, "TIMEOUT", 0.5)
    with pytest.raises(workers.ClusterError, match=f"cannot join {where}: expected a `dask scheduler` there"):
        cluster_jobs.JobWorkers(where, "hexapawn", 1, 1).wait(0.1)


CALL = "import cloudpickle, sys; print(cloudpickle.load(sys.stdin.buffer)(sys.argv[1]))"


@pytest.mark.parametrize("folder", ["", "scripts"])
def test_a_worker_uses_the_scripts_of_the_checkout_that_it_is_started_in(folder, tmp_path):
    for name in "engine", "protocol", "scripts":
        shutil.copytree(client.ROOT / name, tmp_path / name)
    (tmp_path / "scripts" / "pawnstorm_tools" / "common" / "jsonline.py").write_text(
        "def parse(word):\n    return f'{word} of a copy'\n"
    )
    sent = cloudpickle.dumps(workers.shipped("pawnstorm_tools.common.jsonline", "parse"))
    done = subprocess.run(
        [sys.executable, "-I", "-c", CALL, "line"], input=sent, cwd=tmp_path / folder, capture_output=True
    )
    assert (done.stdout, done.stderr) == (b"line of a copy\n", b"")
    sent = cloudpickle.dumps(workers.shipped("pawnstorm.numbers", "parse_int"))
    code = f"{CALL}; print(sys.modules['pawnstorm'].__file__)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, "7"], input=sent, cwd=tmp_path / folder, capture_output=True
    )
    assert done.stdout.decode().split() == ["7", str(tmp_path / "engine" / "pawnstorm" / "__init__.py")]


def test_a_worker_elsewhere_uses_the_scripts_of_the_checkout_that_is_installed(tmp_path):
    sent = cloudpickle.dumps(workers.shipped("pawnstorm_tools.referee.schedule", "meetings"))
    code = CALL.replace("(sys.argv[1])", "('gauntlet', 3), sys.modules['pawnstorm_tools.referee'].__file__")
    done = subprocess.run([sys.executable, "-I", "-c", code], input=sent, cwd=tmp_path, capture_output=True)
    there = client.ROOT / "scripts" / "pawnstorm_tools" / "referee" / "__init__.py"
    assert done.stdout.decode() == f"[(0, 1), (0, 2)] {there}\n"


class Interrupted:
    """A dask future whose __del__ a signal interrupts."""

    status = "lost"

    def cancel(self):
        pass

    def __del__(self):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("end", ["_collect", "_forget"])
def test_ctrl_c_is_heard_while_a_job_is_given_up(end):
    of_hexapawn = cluster_jobs.JobWorkers("local:2", "hexapawn", 1, 1)
    call = workers.Call(("worker", 0), "solve", (), True)
    call.future = Interrupted()
    of_hexapawn._workers["worker"] = of_hexapawn._called[call.key] = of_hexapawn._running[call.slot] = call
    with pytest.raises(KeyboardInterrupt):
        getattr(of_hexapawn, end)(call if end == "_collect" else "worker")


def solve(*words, timeout=120):
    return subprocess.run([*SOLVE, *words], capture_output=True, text=True, timeout=timeout)


def test_bad_words_end_the_program_with_one_line():
    done = solve_runs.solve("--cluster", "")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "''" in done.stderr


def test_tree_and_table_are_not_taken_for_each_other(tmp_path):
    table, tree = tmp_path / "table", tmp_path / "tree"
    solve_runs.solve("--variant", "hexapawn", "--save", table)
    run = master("hexapawn", Crew("hexapawn"), tree)
    run.prove(Board.start(get_rules("hexapawn")), "")
    run.close()
    done = solve_runs.solve("--variant", "hexapawn", "--save", table, "--cluster", "local:1")
    assert done.returncode == 2 and f"{table} is the table of a run without --cluster: expected" in done.stderr
    done = solve_runs.solve("--variant", "hexapawn", "--save", tree)
    assert done.returncode == 2 and f"{tree} is the tree of a run with --cluster: expected" in done.stderr
    # What is proven needs no cluster any more.
    facts, _ = told(solve_runs.solve("--variant", "hexapawn", "--save", tree, "--cluster", "tcp://127.0.0.1:1"))
    assert facts["winner"].startswith("Black")


def test_local_cluster_proves_a_start_and_its_moves():
    facts, moves = told(solve("--variant", "twoflags6x6", "--cluster", "local:2", "--moves"))
    assert facts["winner"].startswith("Black, in at most ")
    board = Board.start(get_rules("twoflags6x6"))
    for text in facts["line"].split():
        board = board.push(parse_move(board, text))
    assert (
        board.is_game_over()
        and not board.black_to_move
        and len(facts["line"].split()) <= int(facts["winner"].split()[-2])
    )
    assert len(moves) == 12 and all("Black wins" in line for line in moves)


@pytest.mark.slow
def test_killed_worker_does_not_change_the_result(tmp_path):
    run = Running(tmp_path / "tree", 10)
    victim = run.workers()[0]
    victim.kill()
    run.reach(30)
    for worker in run.workers():
        worker.kill()
    out, _ = run.process.communicate(timeout=120)
    assert run.process.returncode == 0 and "winner     Black" in out
    assert not psutil.pid_exists(victim.pid)


@pytest.mark.slow
@pytest.mark.parametrize("end, code", [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_ended_run_goes_on_from_its_tree(end, code, tmp_path):
    run = Running(tmp_path / "tree", 10)
    workers = run.workers()
    if end == signal.SIGINT:
        os.killpg(run.process.pid, end)  # as a terminal does
    else:
        run.process.send_signal(end)
    run.process.communicate(timeout=20)
    assert run.process.returncode == code
    gone, left = psutil.wait_procs(workers, timeout=10)
    assert len(gone) == 2 and not left
    before = run.about()
    assert before["jobs"] >= 10 and 0 < before["nodes"] < 2_500_000
    facts, _ = told(solve("--variant", "breakthrough5x5", "--cluster", "local:2", "--save", str(run.path)))
    assert facts["winner"].startswith("Black")
    assert int(facts["expanded"].split()[0].replace(",", "")) == run.about()["nodes"] > before["nodes"]


@pytest.mark.slow
def test_joined_scheduler_uses_the_workers_that_can(scheduler):
    """One worker lacks the package, one may not have enough memory, one has two threads; all are ordinary `dask
    worker`s.
    """
    address, worker, blind, _ = scheduler
    worker("--preload", blind)
    done = solve("--variant", "twoflags6x6", "--cluster", address)
    assert done.returncode == 2 and f"no worker of {address} can have a job" in done.stderr.splitlines()[-1]
    assert "pawnstorm_tools" in done.stderr and "expected the package installed there" in done.stderr.splitlines()[-1]
    worker("--memory-limit", "100MiB")
    worker("--nthreads", "2")
    facts, _ = told(solve("--variant", "twoflags6x6", "--cluster", address))
    assert facts["winner"].startswith("Black")


@pytest.mark.slow
def test_scheduler_that_goes_is_told_when_the_tree_has_been_saved(scheduler, tmp_path):
    address, worker, _, process = scheduler
    worker()
    run = Running(tmp_path / "tree", 5, where=address)
    process.kill()
    _, err = run.process.communicate(timeout=90)
    assert run.process.returncode == 2 and f"the scheduler of {address} has gone" in err.splitlines()[-1]
    assert run.path.exists()
