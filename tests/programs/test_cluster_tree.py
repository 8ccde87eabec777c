"""Proofs that many workers share: the tree of their jobs against exhaustive play."""

import json
import random
import zlib

import evil_worker
import exhaustive
import numpy as np
import pytest
from clusters import Crew, LyingCrew, master

from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import cluster_job
from pawnstorm.proof.prover import INFINITE_NUMBER, Proof, Prover
from pawnstorm_tools.solving import jobs, savefile, top_tree

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A table that knows nothing."""
    monkeypatch.setattr(cluster_job, "_kept", (None, None))


def small_jobs(monkeypatch, least):
    """Jobs of so few positions, however fast the workers are."""
    monkeypatch.setattr(jobs, "MIN_BUDGET", least)
    monkeypatch.setattr(jobs, "RATE", 10**9)


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
    small_jobs(monkeypatch, least)
    name, memo = small
    run, start = master(name, Crew(name, count, lose)), Board.start(get_rules(name))
    for board in [start] + [start.push(move) for move in start.moves()]:
        assert_true(run.prove(board, name), board, memo)
        line = run.prover.line(board)
        for move in line:
            board = board.push(move)
        assert line and board.is_game_over()
    assert 0 < run.jobs <= run.nodes


WON, LOST = Proof(1, 9, None, 0, INFINITE_NUMBER), Proof(-1, 8, None, INFINITE_NUMBER, 0)
LIES = {
    "won": lambda answer: answer._replace(proof=WON, children=()),
    "lost": lambda answer: answer._replace(proof=LOST, children=()),
    "children won": lambda answer: answer._replace(children=(WON,) * len(answer.children)),
    "children lost": lambda answer: answer._replace(children=(LOST,) * len(answer.children)),
    "other numbers": lambda answer: answer._replace(
        children=tuple(
            known if known.value else known._replace(phi=1, delta=INFINITE_NUMBER) for known in answer.children
        )
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_worker_that_lies_changes_no_result(small, lie, monkeypatch):
    """Not even one that has finished jobs before it is found out."""
    name, memo = small
    small_jobs(monkeypatch, 10)
    start, lies = Board.start(get_rules(name)), 0
    for board in [start] + [start.push(move) for move in start.moves()]:
        crew = LyingCrew(name, LIES[lie])
        assert_true(master(name, crew).prove(board, name), board, memo)
        lies += crew.lies
        assert {worker for worker, _ in crew.refused} <= {0}
    assert lies


@pytest.mark.parametrize("lie", ["won", "lost", "children won", "children lost"])
def test_a_worker_that_lies_is_named(lie, monkeypatch):
    """As soon as its answer matters and can be checked. A tree that was saved with its answers does no harm either."""
    monkeypatch.setattr(jobs, "MIN_BUDGET", 10)
    name, refused = "breakthrough4x4", []
    start = Board.start(get_rules(name))
    after = [start.push(move) for move in start.moves()]
    for board in [start, *after, *(board.push(move) for board in after for move in board.moves())]:
        crew = LyingCrew(name, LIES[lie], 1)
        run = master(name, crew)
        root = run.tree.node(board)
        run._run_jobs(root, "")
        records, value = run.tree.records(), Prover(1).prove(board).value
        with monkeypatch.context() as patch:
            patch.setattr(jobs, "MIN_BUDGET", 10_000)
            assert run._prove_claims(board) == (not crew.refused)
        assert crew.refused or run.tree.known(board).value == value
        refused += crew.refused
        again = master(name, Crew(name))
        again.tree.restore(records)
        assert again.prove(board, "").value == value
    assert refused and all("its answer is wrong: the side to move " in why for _, why in refused)


def test_line_is_proven_again_from_the_leaves_of_the_tree_upwards(monkeypatch):
    """No search for it is as large as the proof is."""
    small_jobs(monkeypatch, 200)
    run, board = master("breakthrough4x5", Crew("breakthrough4x5")), Board.start(get_rules("breakthrough4x5"))
    searches, prove = [], Prover.prove

    def counted(prover, *words):
        proof = prove(prover, *words)
        searches.append(prover.nodes if prover is run.prover else 0)
        return proof

    monkeypatch.setattr(Prover, "prove", counted)
    run.prove(board, "")
    assert run.prover.line(board)
    assert 0 < max(searches) < run.nodes / 20


@pytest.mark.parametrize("nodes", [1, 100, 10**6])
def test_an_answer_is_read_as_it_was_sent_and_what_cannot_be_one_is_refused(nodes):
    board = Board.start(get_rules("breakthrough4x5"))
    answer = cluster_job.solve(("breakthrough4x5", 1, 1), *board.bitboards, nodes)
    data = json.loads(json.dumps(answer))
    assert cluster_job.parse_answer(data, board, nodes) == answer
    proof, children, spent, seconds = data
    for way in "much", "fast", "number":
        with pytest.raises(ValueError, match="positions expanded|seconds for|expected a list of proof"):
            cluster_job.parse_answer(evil_worker.lied(way, data), board, nodes)
    wrong = [[*data, 1], [proof, [*children, proof], spent, seconds], [proof, children, spent, float("nan")], {}, None]
    wrong += [[one, children, spent, seconds] for one in ([], 7, [2, *proof[1:]], [*proof[:3], -1, 1])]
    wrong += [[[1, 7, None, 3, 4], [], spent, seconds], [[1, None, None, 0, INFINITE_NUMBER], [], spent, seconds]]
    wrong += [
        [[1, 300, None, 0, INFINITE_NUMBER], [], spent, seconds],
        [[True, 7, None, 0, INFINITE_NUMBER], [], spent, seconds],
    ]
    for one in wrong:
        with pytest.raises(ValueError):
            cluster_job.parse_answer(one, board, nodes)


def test_numbers_are_those_of_the_children_at_any_time(monkeypatch):
    """Whatever order the answers come in: each node has the numbers of its children, and is busy where all jobs below
    are in flight.
    """
    small_jobs(monkeypatch, 2)
    crew = Crew("breakthrough4x4", 8, 0.2)
    run, checked = master("breakthrough4x4", crew), 0

    def watch():
        nonlocal checked
        flying = crew.positions()
        for node in run.tree.nodes.values():
            if node.children:
                assert node.proven or not node.update_numbers()
                checked += 1
            else:
                assert node.in_flight == (node.key in flying and not node.proven)

    crew.watch = watch
    assert run.prove(Board.start(get_rules("breakthrough4x4")), "").value == -1
    assert checked > 500


def test_full_disk_ends_no_proof(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(savefile, "write", full)
    run = jobs.Master(get_rules("breakthrough4x4"), Crew("breakthrough4x4"), tmp_path / "tree", 0.0, 1, 1)
    assert run.prove(Board.start(get_rules("breakthrough4x4")), "").value == -1
    assert capsys.readouterr().err.count("not saved for now: no space left") == 1
    with pytest.raises(OSError, match="no space left"):
        run.close()


def test_finished_game_is_lost():
    board = parse_fen(get_rules("breakthrough"), "8/8/8/8/8/8/8/p6P w - - 0 1")
    run = master("breakthrough", Crew("breakthrough"))
    assert run.prove(board, "")[:2] == (-1, 0) and run.prover.line(board) == []


def expanded(name, jobs_done, seed=1):
    """A tree, and its root, after so many jobs of one position each."""
    tree, crew = top_tree.TopTree(get_rules(name)), Crew(name, seed=seed)
    root = tree.node(Board.start(get_rules(name)))
    for _ in range(jobs_done):
        leaf = tree.select_leaf(root)
        answer = crew.do(*leaf.key, 1)
        tree.report(leaf, answer.proof, answer.children)
    return tree, root


def numbers(tree):
    return {
        key: (node.phi, node.delta, node.plies, node.in_flight, {child.key for child in node.children})
        for key, node in tree.nodes.items()
    }


def test_jobs_in_flight_are_for_different_leaves_and_lost_ones_leave_no_trace():
    tree, root = expanded("breakthrough5x5", 40)
    before, leaves = numbers(tree), []
    while leaf := tree.select_leaf(root):
        leaves.append(leaf)
    assert len(set(leaves)) == len(leaves) > 100 and root.in_flight
    assert not any(leaf.children for leaf in leaves)
    for leaf in random.Random(2).sample(leaves, len(leaves)):
        tree.release(leaf)
    assert numbers(tree) == before


def test_lost_job_of_a_leaf_that_was_proven_and_corrected_meanwhile_proves_nothing():
    """Its numbers are then worked out from its children; they were not multiplied for a job in flight."""
    board = Board.start(get_rules("hexapawn4x4"))
    tree = top_tree.TopTree(board.rules)
    root, least = tree.node(board), Proof(0, None, None, 1, 1)
    tree.report(tree.select_leaf(root), least, [least] * len(board.moves()))
    leaf = tree.select_leaf(root)
    tree.node(leaf.board, Proof(1, 5, None, 0, INFINITE_NUMBER), "a liar")
    tree.correct(leaf, least, [least] * len(leaf.board.moves()), jobs.LOCAL)
    before = numbers(tree)
    tree.release(leaf)
    assert not leaf.proven and numbers(tree) == before


def test_next_job_goes_elsewhere_while_one_is_in_flight():
    """Three children; the second job is for the one that costs least beside the first, as long as it costs less than
    twice as much.
    """
    tree = top_tree.TopTree(get_rules("hexapawn"))
    root = tree.node(Board.start(get_rules("hexapawn")))
    side, middle = Proof(0, None, None, 6, 4), Proof(0, None, None, 6, 5)
    tree.report(tree.select_leaf(root), Proof(0, None, None, 4, 12), [side, middle, side])
    first, second = tree.select_leaf(root), tree.select_leaf(root)
    # The third is the first's mirror image.
    assert (first.delta, second.delta) == (4 * top_tree.VIRTUAL_FACTOR, 5 * top_tree.VIRTUAL_FACTOR)
    assert tree.select_leaf(root) is None and (root.phi, root.delta) == (8, 24)
    tree.report(second, Proof(-1, 2, None, 1, 0), ())
    assert root.proven and root.plies == 3
    late, least = Proof(0, None, None, 9, 9), Proof(0, None, None, 1, 1)
    tree.report(first, late, [least] * len(first.board.moves()))
    assert root.plies == 3 and tree.known(Board.start(get_rules("hexapawn"))) == Proof(1, 3, None, 0, INFINITE_NUMBER)


def test_position_mirror_image_and_other_colour_are_one_node():
    tree = top_tree.TopTree(get_rules("twoflags6x6"))
    node = tree.node(parse_fen(get_rules("twoflags6x6"), "6/1ppp1p/4p1/P5/1PPPPP/6 w - - 0 1"))
    assert tree.node(parse_fen(get_rules("twoflags6x6"), "6/p1ppp1/1p4/5P/PPPPP1/6 w - - 0 1")) is node
    assert tree.node(parse_fen(get_rules("twoflags6x6"), "6/1ppppp/p5/4P1/1PPP1P/6 b - - 0 1")) is node
    assert tree.node(parse_fen(get_rules("twoflags6x6"), "6/1ppppp/p5/3P2/1PP1PP/6 b - - 0 1")) is not node


@pytest.mark.parametrize("name", ["twoflags", "breakthrough5x6", "hexapawn4x7"])
def test_steps_left_fall_with_each_ply(name):
    rng, board = random.Random(3), Board.start(get_rules(name))
    while board.moves():
        after = board.push(rng.choice(board.moves()))
        assert 0 <= top_tree.steps(after) < top_tree.steps(board)
        board = after


def test_tree_is_restored_from_its_records_with_nothing_in_flight():
    tree, root = expanded("breakthrough4x5", 60)
    before = numbers(tree)
    for _ in range(5):
        tree.select_leaf(root)
    other = top_tree.TopTree(tree.rules)
    other.restore(tree.records())
    assert numbers(other) == before and any(node.proven for node in other.nodes.values())
    two_on_a_square, en_passant = (1, 1, 0, 1, 1, 0, 0), (1, 1 << 8, 1 << 16, 1, 1, 0, 0)
    for records in (
        tree.records()[:-1],
        *(np.array([record], top_tree.RECORD) for record in (two_on_a_square, en_passant)),
    ):
        with pytest.raises(ValueError, match="record"):
            top_tree.TopTree(tree.rules).restore(records)


def test_budgets_grow_with_the_run_and_end_at_some_seconds():
    run = master("hexapawn", Crew("hexapawn", 2))
    assert run._budget(0) == jobs.MIN_BUDGET
    run._speed[0] = 1e6
    run.nodes = 2 * jobs.PART * 3 * jobs.MIN_BUDGET
    assert (
        run._budget(0) == 3 * jobs.MIN_BUDGET and run._budget(1) == jobs.MIN_BUDGET
    )  # the other's speed is not known yet
    run.nodes *= 1000
    assert run._budget(0) == jobs.JOB_SECONDS * 1e6


def test_many_workers_get_longer_jobs():
    run = master("hexapawn", Crew("hexapawn", 3 * jobs.RATE))
    assert run._budget(0) == jobs.MIN_BUDGET
    run._speed[0] = 1e6
    assert run._budget(0) == 3e6


HEADER = b'{"file": "pawnstorm proof tree 2", "game": "hexapawn", "nodes": 3, "jobs": 1, "seconds": 0.5}\n'


@pytest.mark.parametrize(
    "content",
    [
        HEADER + bytes(top_tree.RECORD.itemsize - 1),
        HEADER.replace(b"1", b"null"),
        HEADER.replace(b"hexapawn", b"hexapawn4x4"),
        b'{"file": ["pawnstorm"]}\n',
        HEADER + b"\xff" * top_tree.RECORD.itemsize,
    ],
)
def test_file_that_is_no_tree_of_this_game_is_refused_and_kept(content, tmp_path):
    path = tmp_path / "tree"
    content += zlib.crc32(content).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(savefile.BadSave, match=f"{path}.*(expected|record)"):
        master("hexapawn", Crew("hexapawn"), path)
    assert path.read_bytes() == content
