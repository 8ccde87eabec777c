"""evaluate(), evaluate_many() and solve_many(): the same as one at a time, right by exhaustive play that shares no code, and
what their docstrings promise.
"""

import random
import signal
import sys
import threading
from collections import Counter
from functools import cache

import numpy as np
import pytest
from boards import playout
from test_interface_engine import FINISHED, WON, interrupt_after

import pawnstorm
from pawnstorm import Board, ParseError, UnknownGame, batches, evaluate, evaluate_many, solve, solve_many
from pawnstorm.core import native
from pawnstorm.core.batch import ROW_WORDS, Batch
from pawnstorm.core.state import State
from pawnstorm.games.notation import fen
from pawnstorm.games.rules import GAMES, get_rules
from pawnstorm_tools.checking import naive

ALL_GAMES = sorted({get_rules(name).name for name in GAMES} | {"twoflags-ghost", "twoflags-noep"})
SMALL = ["hexapawn", "hexapawn4x4", "breakthrough2x5", pytest.param("breakthrough3x4", marks=pytest.mark.slow)]
SMALL += ["twoflags3x5", "twoflags3x6"]
if native.PLAIN_PYTHON:
    ALL_GAMES, SMALL = ["twoflags", "breakthrough", "breakthrough5x5", "hexapawn"], ["hexapawn"]


def game_boards(name, count, seed):
    """`count` boards of random games, of each the last, which is over, and up to four before."""
    chance, found = random.Random(f"{name} {seed}"), []
    while len(found) < count:
        line = playout(get_rules(name), chance)
        found += [line[-1], *chance.sample(line[:-1], min(4, len(line) - 1))]
    return [Board(name, fen(position)) for position in found[:count]]


def planes(boards):
    return np.stack([board.to_array() for board in boards])


# Scores.


@pytest.mark.parametrize("name", ALL_GAMES)
def test_scores_of_a_batch_are_those_of_one_at_a_time(name):
    boards = game_boards(name, 40, 1)
    expected = [
        -30000 if board.winner else native.evaluate(board._position.rules, *board._position.bitboards)
        for board in boards
    ]
    assert [evaluate(board) for board in boards] == expected and expected.count(-30000) >= 8
    scores = evaluate_many(boards)
    assert scores.dtype == np.int32 and scores.tolist() == expected
    assert evaluate_many(planes(boards), name).tolist() == expected
    assert max(abs(score) for score in expected if score != -30000) <= 20000


@pytest.mark.parametrize("name", ["breakthrough", "twoflags", "breakthrough5x5"])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_large_batch_keeps_its_order(name, threads):
    """Larger than a slice, so that threads have several each."""
    boards = game_boards(name, 50, 2)
    scores = [evaluate(board) for board in boards]
    order = np.random.default_rng(1).integers(len(boards), size=200 if native.PLAIN_PYTHON else 100_000)
    array = planes(boards)[order]
    before = array.copy()
    assert (evaluate_many(array, name, threads=threads) == np.array(scores)[order]).all()
    assert (array == before).all()


def test_scores_are_those_of_the_side_to_move():
    """A position and the same with colours exchanged have one score."""
    ahead = "8/8/3P4/8/8/8/p7/7P w - - 0 1"
    exchanged = "7p/P7/8/8/8/3p4/8/8 b - - 0 1"
    assert evaluate(Board("breakthrough", ahead)) == evaluate(Board("breakthrough", exchanged))


# Proofs.


@cache
def exact(position):
    """(1 or -1, plies) of a position of scripts/pawnstorm_tools/checking/naive.py: who wins, and how long it takes if the
    winner hurries and the loser delays.
    """
    replies = [exact(naive.play(position, move)) for move in naive.moves(position)]
    wins = [plies for value, plies in replies if value < 0]
    if wins:
        return 1, 1 + min(wins)
    return -1, 1 + max((plies for _, plies in replies), default=-1)


def reachable(game):
    """All positions that can follow from the start of a game."""
    found, new = set(), [naive.start(game)]
    while new:
        position = new.pop()
        if position not in found:
            found.add(position)
            new += [naive.play(position, move) for move in naive.moves(position)]
    return sorted(found)


@pytest.mark.parametrize("name", SMALL)
def test_every_position_of_small_boards_is_proven_as_exhaustive_play_has_it(name):
    positions = reachable(naive.GAMES[get_rules(name).full_name])
    boards = [Board(name, naive.fen(position)) for position in positions]
    values, lengths = np.array([exact(position) for position in positions]).T
    for threads in (1, 2):
        found = solve_many(boards, hash=1, threads=threads)
        assert (found.value.dtype, found.plies.dtype, found.nodes.dtype) == (np.int8, np.int16, np.int64)
        assert (found.value == values).all()
        assert (found.plies >= lengths).all() and ((found.plies - lengths) % 2 == 0).all()
        over = np.array([board.winner is not None for board in boards])
        assert over.any() and (found.plies[over] == 0).all() and (found.nodes[over] == 0).all()


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["breakthrough4x5", "twoflags5x6"])
def test_wins_are_those_of_solve(name):
    boards = [board for board in game_boards(name, 60, 3) if not board.winner][::2]
    found = solve_many(planes(boards), name, nodes=None)
    solutions = [solve(board, hash=16) for board in boards]
    assert found.value.tolist() == [1 if one.winner == board.turn else -1 for one, board in zip(solutions, boards)]
    assert {-1, 1} == set(found.value.tolist()) and found.nodes.sum() > 0


@pytest.mark.compiled
def test_threads_prove_the_same():
    boards = game_boards("breakthrough4x5", 300, 4)
    one, several = solve_many(boards), solve_many(boards, threads=3)
    assert (one.value == several.value).all() and (one.value != 0).all()


@pytest.mark.compiled
def test_limit_leaves_hard_positions_open_and_no_others():
    hard, easy = Board("breakthrough"), Board("breakthrough", "8/8/8/8/8/8/p6P/8 w - - 0 1")
    found = solve_many([hard, easy, hard], nodes=50)
    assert found.value.tolist() == [0, -1, 0] and found.plies[0] == 0 and 50 <= found.nodes[0] <= 51


def test_proof_is_reused_within_a_batch():
    found = solve_many([Board("hexapawn")] * 3)
    assert found.nodes[0] > 0 and found.nodes[1:].tolist() == [0, 0] and len(set(found.plies.tolist())) == 1


@pytest.mark.compiled
def test_interrupt_ends_a_batch_of_proofs():
    interrupt_after(0.2, lambda: solve_many([Board("breakthrough")] * 2, nodes=None, threads=2))


# Slices.


def marked(call_once, count, threads, **sizes):
    """Rows of which a call marks each; state.stop after a slice is what the call says."""
    rows = np.zeros((count, ROW_WORDS), np.uint64)

    def call(number, part, state):
        done = call_once(number, state)
        for index in range(done):
            part[ROW_WORDS * index] += 1
        return done

    Batch(call, rows, [State() for _ in range(threads)], **{"least": 3, "most": 50, **sizes}).run()
    return rows[:, 0].tolist()


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("count", [1, 2, 3, 17, 1000])
def test_each_row_is_done_once(count, threads):
    assert marked(lambda number, state: number, count, threads) == [1] * count


def test_slice_that_ends_early_is_continued():
    """As where one position has lines too long for the solver."""

    def one_at_a_time(number, state):
        assert not state.stop
        state.stop = 1
        return 1

    assert marked(one_at_a_time, 100, 2) == [1] * 100


def test_slices_get_smaller_so_that_no_thread_waits_long():
    sizes = []
    marked(lambda number, state: sizes.append(number) or number, 1000, 2, least=1, most=64)
    assert max(sizes) == 64 and sizes[-1] == 1 and len(sizes) < 100 and sum(sizes) == 1000


@pytest.mark.parametrize("in_helper", [False, True])
def test_exception_ends_all_threads_and_is_passed_on(in_helper):
    calls, first = Counter(), threading.current_thread()
    failed = threading.Event()

    def call(number, state):
        mine = threading.current_thread()
        if in_helper == (mine is not first):
            failed.set()
            raise OSError("as a test wants it")
        assert failed.wait(20)
        calls[mine] += 1
        return number

    with pytest.raises(OSError, match="as a test wants it"):
        marked(call, 10_000, 2)
    assert sum(calls.values()) < 100


def test_interrupt_between_slices_ends_the_work():
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    calls = []

    def call(number, state):
        calls.append(number)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return number

    try:
        with pytest.raises(KeyboardInterrupt):
            marked(call, 1000, 1)
    finally:
        signal.signal(signal.SIGINT, usual)
    assert len(calls) == 3


# Faults.


def test_no_positions_give_no_results():
    assert evaluate_many([]).shape == (0,) and evaluate_many(np.zeros((0, 4, 8, 8)), "twoflags").shape == (0,)
    assert solve_many([]).value.shape == solve_many(iter([]), "hexapawn").plies.shape == (0,)


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ((np.zeros((1, 4, 8, 8)),), ValueError, "an array does not name its game: expected the game too"),
        ((np.zeros((1, 4, 8, 8)), "chess"), UnknownGame, "unknown game 'chess'"),
        ((np.zeros((1, 4, 8, 7)), "twoflags"), ValueError, r"shape \(1, 4, 8, 7\)"),
        ((np.zeros((1, 4, 8, 8)), "twoflags"), ParseError, "position 0"),
        ((Board(),), TypeError, "positions must be Boards or an array of their planes, not Board"),
        ((7,), TypeError, "not int"),
        (([Board(), "startpos"],), TypeError, "position 1 must be a pawnstorm.Board, not str"),
        (([Board(), Board("breakthrough")],), ValueError, "position 1 is a board of breakthrough: expected twoflags"),
        (([Board()], "breakthrough"), ValueError, "position 0 is a board of twoflags: expected breakthrough"),
        (([Board()], 8), TypeError, "game must be a str, not int"),
    ],
)
def test_positions_that_are_wrong_are_named(arguments, error, text):
    for function in (evaluate_many, solve_many):
        with pytest.raises(error, match=text):
            function(*arguments)


def test_wrong_position_far_on_in_an_array_is_named():
    array = np.repeat(planes([Board("hexapawn")]), batches.PART + 10, axis=0)
    assert evaluate_many(array, "hexapawn").shape == (batches.PART + 10,)
    array[batches.PART + 3, 0] = 1
    with pytest.raises(ParseError, match=f"position {batches.PART + 3}: "):
        evaluate_many(array, "hexapawn")


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({"threads": 0}, ValueError, "Threads"),
        ({"hash": 0}, ValueError, "Hash"),
        ({"nodes": 0}, ValueError, "nodes must be 1 or more"),
        ({"nodes": 1.5}, TypeError, "nodes must be an int, not float"),
    ],
)
def test_options_that_are_wrong_are_named(options, error, text):
    with pytest.raises(error, match=text):
        solve_many([Board("hexapawn")], **options)


@pytest.mark.parametrize("nodes", [2**64, 2**64 + 1, 10**400])
def test_more_nodes_than_a_machine_word_holds_are_no_limit(nodes):
    board = Board("breakthrough3x4")
    assert solve_many([board], nodes=nodes).value.tolist() == [-1] and solve(board, nodes=nodes).winner == "black"


def test_evaluate_takes_one_board_finished_or_not():
    assert evaluate(Board("twoflags", FINISHED)) == -30000 and evaluate(Board("twoflags", WON)) > -30000
    with pytest.raises(TypeError, match="board must be a pawnstorm.Board, not str"):
        evaluate("startpos")


def test_one_board_needs_no_numpy_and_a_batch_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "pawnstorm.planes")
    monkeypatch.delattr(pawnstorm, "planes")
    assert isinstance(evaluate(Board("hexapawn")), int)
    for function in (evaluate_many, solve_many):
        with pytest.raises(ImportError, match=r"pip install 'pawnstorm\[numpy\]'"):
            function([Board("hexapawn")])
