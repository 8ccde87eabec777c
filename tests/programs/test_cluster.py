"""Proofs that many workers share: the tree of their jobs against exhaustive play, and real clusters as users start them."""
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import zlib

import numpy as np
import psutil
import pytest

import client
import exhaustive
from clusters import scheduler, workers_of  # noqa: F401  a fixture

from cluster import workers
from proving import cluster, jobs, savefile, toptree

from engine import job
from engine.board import Board
from engine.notation import parse_fen, parse_move
from engine.prover import Proof, Prover
from engine.rules import game

SOLVE = [sys.executable, str(client.ROOT / "scripts" / "solve.py"), "--hash", "64"]
pytestmark = pytest.mark.compiled


class Crew:
    """Workers that answer in any order, after any time, and lose a share of their jobs.

    at: what they do, worker -> words of job.solve; watch() is called before they answer.
    """

    def __init__(self, name, count=4, lose=0.0, seed=1):
        self.count, self.at, self.watch = count, {}, lambda: None
        self._setup, self._lose, self._rng = (name, 1, 1), lose, random.Random(seed)

    def idle(self):
        return [worker for worker in range(self.count) if worker not in self.at]

    def send(self, worker, position, nodes):
        assert worker not in self.at and position not in self.positions()
        self.at[worker] = *position, nodes

    def positions(self):
        return {words[:3] for words in self.at.values()}

    def wait(self, seconds):
        self.watch()
        ended = self._rng.sample(sorted(self.at), self._rng.randint(0, len(self.at)))
        return [(worker, self.do(*self.at.pop(worker))) for worker in ended]

    def do(self, *words):
        return None if self._rng.random() < self._lose else job.solve(self._setup, *words)


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A table that knows nothing."""
    monkeypatch.setattr(job, "_kept", (None, None))


def master(name, crew, path=None):
    return jobs.Master(game(name), crew, path, 60.0, 1, 1)


def assert_true(proof, board, memo):
    """A proof tells the winner, and a bound of the right parity that is not below the exact length."""
    state = exhaustive.record(board.rules)
    value = int(exhaustive.value(np.uint64(board.own), np.uint64(board.opp), np.uint64(board.ep), state, memo))
    assert proof.value == (1 if value > 0 else -1)
    assert proof.plies >= abs(value) and (proof.plies - abs(value)) % 2 == 0


@pytest.fixture(scope="module", params=["breakthrough3x5", "breakthrough4x4", "twoflags4x6", "hexapawn5x5"])
def small(request):
    """A small board, and the memo of its exhaustive values."""
    return request.param, exhaustive.memory(22)


@pytest.mark.parametrize("least, count, lose", [(1, 1, 0.0), (3, 4, 0.3), (40, 16, 0.1)])
def test_start_and_first_moves_equal_exhaustive_play(small, least, count, lose, monkeypatch):
    monkeypatch.setattr(jobs, "LEAST", least)
    name, memo = small
    run, start = master(name, Crew(name, count, lose)), Board.start(game(name))
    for board in [start] + [start.push(move) for move in start.moves()]:
        assert_true(run.prove(board, name), board, memo)
        line = run.prover.line(board)
        for move in line:
            board = board.push(move)
        assert line and board.over()
    assert 0 < run.jobs <= run.nodes


def test_line_is_proven_again_from_the_leaves_of_the_tree_upwards(monkeypatch):
    """No search for it is as large as the proof is."""
    monkeypatch.setattr(jobs, "LEAST", 200)
    run, board = master("breakthrough4x5", Crew("breakthrough4x5")), Board.start(game("breakthrough4x5"))
    run.prove(board, "")
    searches, prove = [], Prover._prove

    def counted(prover, *words):
        proof = prove(prover, *words)
        searches.append(prover.nodes)
        return proof

    monkeypatch.setattr(Prover, "_prove", counted)
    assert run.prover.line(board)
    assert 0 < max(searches) < run.nodes / 20


def test_numbers_are_those_of_the_children_at_any_time(monkeypatch):
    """Whatever order the answers come in: each node has the numbers of its children, and is busy where all jobs below are in flight."""
    monkeypatch.setattr(jobs, "LEAST", 2)
    crew = Crew("breakthrough4x4", 8, 0.2)
    run, checked = master("breakthrough4x4", crew), 0

    def watch():
        nonlocal checked
        flying = crew.positions()
        for node in run.tree.nodes.values():
            if node.children:
                assert node.proven or not node.work_out()
                checked += 1
            else:
                assert node.busy == (node.key in flying and not node.proven)

    crew.watch = watch
    assert run.prove(Board.start(game("breakthrough4x4")), "").value == -1
    assert checked > 500


def test_full_disk_ends_no_proof(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(savefile, "write", full)
    run = jobs.Master(game("breakthrough4x4"), Crew("breakthrough4x4"), tmp_path / "tree", 0.0, 1, 1)
    assert run.prove(Board.start(game("breakthrough4x4")), "").value == -1
    assert capsys.readouterr().err.count("not saved for now: no space left") == 1
    with pytest.raises(OSError, match="no space left"):
        run.close()


def test_finished_game_is_lost():
    board = parse_fen(game("breakthrough"), "8/8/8/8/8/8/8/p6P w - - 0 1")
    run = master("breakthrough", Crew("breakthrough"))
    assert run.prove(board, "")[:2] == (-1, 0) and run.prover.line(board) == []


def expanded(name, jobs_done, seed=1):
    """A tree, and its root, after so many jobs of one position each."""
    tree, crew = toptree.TopTree(game(name)), Crew(name, seed=seed)
    root = tree.node(Board.start(game(name)))
    for _ in range(jobs_done):
        leaf = tree.take(root)
        answer = crew.do(*leaf.key, 1)
        tree.report(leaf, answer.proof, answer.children)
    return tree, root


def numbers(tree):
    return {key: (node.phi, node.delta, node.plies, node.busy, {child.key for child in node.children}) for key, node in tree.nodes.items()}


def test_jobs_in_flight_are_for_different_leaves_and_lost_ones_leave_no_trace():
    tree, root = expanded("breakthrough5x5", 40)
    before, leaves = numbers(tree), []
    while leaf := tree.take(root):
        leaves.append(leaf)
    assert len(set(leaves)) == len(leaves) > 100 and root.busy
    assert not any(leaf.children for leaf in leaves)
    for leaf in random.Random(2).sample(leaves, len(leaves)):
        tree.give_back(leaf)
    assert numbers(tree) == before


def test_next_job_goes_elsewhere_while_one_is_in_flight():
    """Three children; the second job is for the one that costs least beside the first, as long as it costs less than twice as much."""
    tree = toptree.TopTree(game("hexapawn"))
    root = tree.node(Board.start(game("hexapawn")))
    side, middle = Proof(0, None, None, 6, 4), Proof(0, None, None, 6, 5)
    tree.report(tree.take(root), Proof(0, None, None, 4, 12), [side, middle, side])
    first, second = tree.take(root), tree.take(root)
    assert (first.delta, second.delta) == (4 * toptree.WEIGHT, 5 * toptree.WEIGHT)   # the third is the first's mirror image
    assert tree.take(root) is None and (root.phi, root.delta) == (8, 24)
    tree.report(second, Proof(-1, 2, None, 1, 0), ())
    assert root.proven and root.plies == 3
    tree.report(first, Proof(0, None, None, 9, 9), [Proof(0, None, None, 1, 1)] * len(first.board.moves()))   # late, and harmless
    assert root.plies == 3 and tree.known(Board.start(game("hexapawn"))) == Proof(1, 3, None, 0, 16777215)


def test_position_mirror_image_and_other_colour_are_one_node():
    tree = toptree.TopTree(game("twoflags6x6"))
    node = tree.node(parse_fen(game("twoflags6x6"), "6/1ppp1p/4p1/P5/1PPPPP/6 w - - 0 1"))
    assert tree.node(parse_fen(game("twoflags6x6"), "6/p1ppp1/1p4/5P/PPPPP1/6 w - - 0 1")) is node
    assert tree.node(parse_fen(game("twoflags6x6"), "6/1ppppp/p5/4P1/1PPP1P/6 b - - 0 1")) is node
    assert tree.node(parse_fen(game("twoflags6x6"), "6/1ppppp/p5/3P2/1PP1PP/6 b - - 0 1")) is not node


@pytest.mark.parametrize("name", ["twoflags", "breakthrough5x6", "hexapawn4x7"])
def test_steps_left_fall_with_each_ply(name):
    rng, board = random.Random(3), Board.start(game(name))
    while board.moves():
        after = board.push(rng.choice(board.moves()))
        assert 0 <= toptree.steps(after) < toptree.steps(board)
        board = after


def test_tree_is_restored_from_its_records_with_nothing_in_flight():
    tree, root = expanded("breakthrough4x5", 60)
    before = numbers(tree)
    for _ in range(5):
        tree.take(root)
    other = toptree.TopTree(tree.rules)
    other.restore(tree.records())
    assert numbers(other) == before and any(node.proven for node in other.nodes.values())
    for records in (tree.records()[:-1], np.array([(1, 1, 0, 1, 1, 0, 0)], toptree.RECORD)):
        with pytest.raises(ValueError, match="record"):
            toptree.TopTree(tree.rules).restore(records)


def test_budgets_grow_with_the_run_and_end_at_some_seconds():
    run = master("hexapawn", Crew("hexapawn", 2))
    assert run._budget(0) == jobs.LEAST
    run._speed[0] = 1e6
    run.nodes = 2 * jobs.PART * 3 * jobs.LEAST
    assert run._budget(0) == 3 * jobs.LEAST and run._budget(1) == jobs.LEAST   # the other's speed is not known yet
    run.nodes *= 1000
    assert run._budget(0) == jobs.SECONDS * 1e6


@pytest.mark.parametrize("where", ["foo", "", "local", "local:", "local:0", "local:-1", "local:two", "tcp://", "tcp://host", "host:8786",
                                   "tcp://host:port", "tcp://a b:1", "udp://host:8786", "tcp://host:8786/x"])
def test_words_that_mean_no_cluster_are_named(where):
    with pytest.raises(workers.ClusterError, match=re.escape(f"'{where}': expected local:N")):
        cluster.Cluster(where, "hexapawn", 1, 1)


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(workers.ClusterError, match=r"dask.distributed.*expected after pip install '.\[cluster\]'"):
        cluster.Cluster("local:2", "hexapawn", 1, 1)


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "tcp://127.0.0.1:99999", "tcp://no.such.host.invalid:8786"])
def test_scheduler_that_is_not_there_is_named(where, monkeypatch):
    monkeypatch.setattr(workers, "TIMEOUT", 0.5)
    with pytest.raises(workers.ClusterError, match=f"cannot join {where}: expected a `dask scheduler` there"):
        cluster.Cluster(where, "hexapawn", 1, 1).wait(0.1)


def solve(*words, timeout=120):
    return subprocess.run([*SOLVE, *words], capture_output=True, text=True, timeout=timeout)


def told(done):
    """What a run printed, word -> rest of the line; the moves apart."""
    assert done.returncode == 0, done.stderr
    rows = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    return {key: rest for key, rest in rows if key != "move"}, [rest for key, rest in rows if key == "move"]


@pytest.mark.parametrize("where", ["foo", ""])
def test_bad_words_end_the_program_with_one_line(where):
    done = solve("--cluster", where)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and f"'{where}'" in done.stderr


HEADER = b'{"file": "pawnstorm proof tree 2", "game": "hexapawn", "nodes": 3, "jobs": 1, "seconds": 0.5}\n'


@pytest.mark.parametrize("content", [b"", b"{}\n", HEADER + bytes(39), HEADER.replace(b"3", b"null") + bytes(40),
                                     b'{"file": "pawnstorm proof tree 2", "game": "hexapawn"}\n',
                                     HEADER.replace(b"hexapawn", b"hexapawn4x4"), b'{"file": ["pawnstorm"]}\n',
                                     HEADER + b"\xff" * toptree.RECORD.itemsize])
def test_file_that_is_no_tree_of_this_game_is_refused_and_kept(content, tmp_path):
    path = tmp_path / "tree"
    content += zlib.crc32(content).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(savefile.BadSave, match=f"{path}.*(expected|record)"):
        master("hexapawn", Crew("hexapawn"), path)
    assert path.read_bytes() == content


def test_tree_and_table_are_not_taken_for_each_other(tmp_path):
    table, tree = tmp_path / "table", tmp_path / "tree"
    solve("--variant", "hexapawn", "--save", str(table))
    run = master("hexapawn", Crew("hexapawn"), tree)
    run.prove(Board.start(game("hexapawn")), "")
    run.close()
    done = solve("--variant", "hexapawn", "--save", str(table), "--cluster", "local:1")
    assert done.returncode == 2 and f"{table} is the table of a run without --cluster: expected" in done.stderr
    done = solve("--variant", "hexapawn", "--save", str(tree))
    assert done.returncode == 2 and f"{tree} is the tree of a run with --cluster: expected" in done.stderr
    # What is proven needs no cluster any more.
    facts, _ = told(solve("--variant", "hexapawn", "--save", str(tree), "--cluster", "tcp://127.0.0.1:1"))
    assert facts["winner"].startswith("Black")


def test_local_cluster_proves_a_start_and_its_moves():
    facts, moves = told(solve("--variant", "twoflags6x6", "--cluster", "local:2", "--moves"))
    assert facts["winner"].startswith("Black, in at most ")
    board = Board.start(game("twoflags6x6"))
    for text in facts["line"].split():
        board = board.push(parse_move(board, text))
    assert board.over() and not board.black and len(facts["line"].split()) <= int(facts["winner"].split()[-2])
    assert len(moves) == 12 and all("Black wins" in line for line in moves)


class Running:
    """A run on two local workers that saves often."""

    def __init__(self, path, jobs_done):
        self.path = path
        self.process = subprocess.Popen(
            [*SOLVE, "--variant", "breakthrough5x5", "--cluster", "local:2", "--save", str(path), "--every", "0.1"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        self.reach(jobs_done)

    def reach(self, jobs_done):
        """Wait until so many jobs have been done, and saved."""
        deadline = time.monotonic() + 60
        while not self.path.exists() or self.about()["jobs"] < jobs_done:
            assert self.process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)

    def about(self):
        return json.loads(self.path.read_bytes().partition(b"\n")[0])

    def workers(self):
        return workers_of(self.process)


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
@pytest.mark.parametrize("end, code", [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_ended_run_goes_on_from_its_tree(end, code, tmp_path):
    run = Running(tmp_path / "tree", 10)
    workers = run.workers()
    if end == signal.SIGKILL:
        run.process.kill()
    else:
        os.killpg(run.process.pid, end)   # as a terminal does
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
    """One worker lacks the package, one may not have enough memory, one has two threads; all are ordinary `dask worker`s."""
    address, worker, blind, _ = scheduler
    worker("--memory-limit", "0", "--nthreads", "1", "--preload", blind)
    done = solve("--variant", "twoflags6x6", "--cluster", address)
    assert done.returncode == 2 and f"no worker of {address} can have a job" in done.stderr.splitlines()[-1]
    assert "'engine'" in done.stderr and "expected the package installed there" in done.stderr.splitlines()[-1]
    worker("--memory-limit", "100MiB", "--nthreads", "1")
    worker("--memory-limit", "0", "--nthreads", "2")
    facts, _ = told(solve("--variant", "twoflags6x6", "--cluster", address))
    assert facts["winner"].startswith("Black")


@pytest.mark.slow
def test_scheduler_that_goes_is_told_when_the_tree_has_been_saved(scheduler, tmp_path):
    address, worker, _, process = scheduler
    worker("--memory-limit", "0", "--nthreads", "1")
    path = tmp_path / "tree"
    run = subprocess.Popen([*SOLVE, "--variant", "breakthrough5x5", "--cluster", address, "--save", str(path), "--every", "0.1"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not path.exists() or json.loads(path.read_bytes().partition(b"\n")[0])["jobs"] < 5:
        assert run.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    _, err = run.communicate(timeout=90)
    assert run.returncode == 2 and f"the scheduler of {address} has gone" in err.splitlines()[-1] and path.exists()
