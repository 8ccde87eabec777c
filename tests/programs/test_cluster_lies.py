"""Workers of a cluster that attack or lie: nothing that they send is run, nothing false is believed, and the others do the
work.
"""

import contextlib
import os

import client
import pytest
from clusters import started
from matches import fake, play_words, words

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.cluster.joining import ClusterError
from pawnstorm_tools.referee import cluster_match, commandline, schedule
from pawnstorm_tools.solving import cluster_jobs, jobs

GAME, ROUNDS = "breakthrough4x5", 10
pytestmark = [pytest.mark.compiled, pytest.mark.slow]
sizes = iter(range(2, 100))  # MiB, a new one for each proof: workers keep the table for the next proof of a setup


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """What started() gives, after one worker has joined."""
    with started(tmp_path_factory.mktemp("cluster")) as found:
        found[1]("--no-nanny")
        yield found


@pytest.fixture
def evil(honest, tmp_path):
    """(the scheduler's address, begin). begin(way) starts a worker that is evil in this way, and returns the file with the
    ids of the processes that have run its code.
    """
    address, start, *_ = honest
    processes = []

    def begin(way):
        file = tmp_path / "ran"
        words = "--no-nanny", "--name", "evil", "--preload", str(client.ROOT / "tests" / "evil_worker.py")
        processes.append(start(*words, EVIL=way, EVIL_FILE=str(file)))
        file.touch()
        return file

    yield address, begin
    for process in processes:
        process.kill()
        process.wait()


def prove(address, monkeypatch):
    """Have the cluster prove a start by many small jobs, and check the proof."""
    monkeypatch.setattr(jobs, "MIN_BUDGET", 200)
    monkeypatch.setattr(jobs, "RATE", 10**9)
    rules, size = get_rules(GAME), next(sizes)
    with contextlib.closing(cluster_jobs.JobWorkers(address, GAME, size, 1)) as workers:
        while workers.count < 2:
            workers.wait(0.1)
        run = jobs.Master(rules, workers, None, 60.0, size, 1)
        assert run.prove(Board.start(rules), GAME).value == -1
        assert run.jobs > 20


def play(address):
    """[the records of a match on the cluster, the records expected], each in the order of the games."""
    line = words(fake("good"), fake("good"), "-rounds", ROUNDS)
    expected = play_words(line)
    settings = commandline.parse([*line, "-cluster", address])
    with contextlib.closing(cluster_match.ClusterMatch(settings)) as match:
        while match.count < 2:
            match.wait(0.1)
        match.check_engines()
        records = list(match.run(schedule.of_match(settings, [settings.rules.start_fen])))
    return [[texts(record) for record in sorted(one, key=lambda one: one["game"])] for one in (records, expected)]


def texts(record):
    return record["game"], record["result"], [move[0] for move in record["moves"]]


def assert_not_run_here(file):
    assert str(os.getpid()) not in file.read_text().split()


WRONG, SILENT = "its answer is wrong: ", "it has ended a job without an answer"


@pytest.mark.parametrize(
    "way, told",
    [
        ("serialized", WRONG + "the JSON object must be str"),
        ("event", SILENT),
        ("pickled", WRONG),
        ("error", "dask has given up one of its jobs"),
        ("type", None),
        ("warn", None),
        ("print", None),
        ("stop", None),
    ],
)
def test_no_pickle_of_a_worker_is_read(way, told, evil, monkeypatch, capfd):
    address, begin = evil
    file = begin(way)
    prove(address, monkeypatch)
    out, err = capfd.readouterr()
    assert_not_run_here(file)
    assert err.count("no jobs for worker tcp://") == bool(told) and (told or "") in err
    assert "EVIL" not in out + err


def test_pickle_that_the_scheduler_sends_on_ends_the_run(evil, monkeypatch):
    """dask's scheduler unpickles what a worker sends; our clients do not."""
    address, begin = evil
    file = begin("relay")
    with pytest.raises(ClusterError, match="the scheduler of .* has sent a pickle that names builtins.exec: expected"):
        prove(address, monkeypatch)
    assert_not_run_here(file)


@pytest.mark.parametrize(
    "way, told", [("short", WRONG), ("nonsense", WRONG), ("silent", SILENT), ("other job", SILENT), ("twice", None)]
)
def test_proof_does_not_depend_on_a_worker_that_lies(way, told, evil, monkeypatch, capsys):
    address, begin = evil
    begin(way)
    prove(address, monkeypatch)
    err = capsys.readouterr().err
    assert err.count("no jobs for worker tcp://") == bool(told) and (told or "") in err


def test_proof_does_not_rest_on_false_proofs(evil, monkeypatch, capsys):
    """A false proof is detected only if it matters, which is chance here; test_cluster_tree.py makes it matter."""
    address, begin = evil
    begin("swapped")
    prove(address, monkeypatch)
    err = capsys.readouterr().err
    assert err.count("no jobs for") == err.count(WRONG + "the side to move ") <= 1


def test_worker_that_hangs_loses_its_job_to_the_others(evil, monkeypatch, capsys):
    monkeypatch.setattr(cluster_jobs.JobWorkers, "OVERDUE", 5.0)
    address, begin = evil
    begin("hang")
    prove(address, monkeypatch)
    assert "it has not answered a job in 5 seconds" in capsys.readouterr().err


@pytest.mark.parametrize(
    "way, told",
    [("illegal", WRONG + "move 1: "), ("log", WRONG), ("silent", SILENT), ("other job", SILENT), ("twice", None)],
)
def test_match_has_no_game_of_a_worker_that_lies(way, told, evil, capsys):
    address, begin = evil
    begin(way)
    records, expected = play(address)
    assert records == expected
    err = capsys.readouterr().err
    assert err.count("no jobs for worker tcp://") == bool(told) and (told or "") in err
