"""The solver inside the engine: what it proves is right, is told as a mate, and is played; and it keeps out of searches
that exclude it.
"""

import random
import time

import pytest
from boards import after, walk
from engine_player import Player
from processes import wait_until
from search_claims import truth
from test_solver import random_boards

from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import pv_completion, time_sliced_solver
from pawnstorm.proof.prover import Prover
from pawnstorm.proof.time_sliced_solver import TimeSlicedSolver
from pawnstorm.search.limits import mate_in
from pawnstorm_tools.solving.decisions import leaf_test

pytestmark = pytest.mark.compiled
BOARDS = [("twoflags5x5", 20), ("breakthrough4x4", 20)]


@pytest.fixture
def eager(monkeypatch):
    """A solver that gets nearly all of the time, from the first millisecond on."""
    for name in ("DIAGONAL", "STRAIGHT"):
        monkeypatch.setattr(time_sliced_solver, f"SHARE_{name}", 0.95)
        monkeypatch.setattr(time_sliced_solver, f"RAMP_{name}", 1)
    monkeypatch.setattr(time_sliced_solver, "SLICE", 50)
    monkeypatch.setattr(time_sliced_solver, "FIRST_SLICE", 50)
    monkeypatch.setattr(time_sliced_solver, "FIRST_STEP", 50)


def test_losing_moves_lose(eager):
    """Before it is known who wins a board, by a proof of each of them from nothing."""
    rng, met = random.Random(31), 0
    for _ in range(12):
        board = walk(Board.start(get_rules("twoflags6x6")), 3, rng)
        one = TimeSlicedSolver(Prover(1), board, board.moves(), head_start=10**15)
        while not one.proof.value:
            answers = iter((False, True))
            one.run_slices(board.moves()[0], lambda: next(answers))
            if one.proof.value == 0 and len(one.losing_moves) > 2:
                break
        for move in one.losing_moves:
            met += 1
            assert Prover(1).prove(board.push(move)).value == 1
    assert met


def test_solver_takes_no_more_than_its_share(monkeypatch):
    spent = []
    prover, board = Prover(1), Board.start(get_rules("breakthrough"))
    one = TimeSlicedSolver(prover, board, board.moves())
    monkeypatch.setattr(prover, "prove", lambda board, nodes: spent.append(nodes) or time.sleep(0.001))
    prover._states[0].nodes = 0
    start = time.monotonic()
    while (passed := time.monotonic() - start) < 0.3:
        one.run_slices(board.moves()[0], lambda: False)
        time.sleep(0.01)
    share = time_sliced_solver.SHARE_DIAGONAL * passed / (time_sliced_solver.RAMP_DIAGONAL * 1e-9 + passed)
    assert len(spent) * 0.001 < passed * share + 0.005


def test_stopped_solver_returns(eager):
    board = Board.start(get_rules("breakthrough"))
    one = TimeSlicedSolver(Prover(1), board, board.moves(), head_start=10**12)
    asked = []
    one.run_slices(board.moves()[0], lambda: asked.append(1) or len(asked) > 5)
    assert len(asked) == 6 and not one.proof.value


def test_head_start_begins_even_if_there_is_no_time():
    """But only once, and not without a head start."""
    board = Board.start(get_rules("twoflags4x5"))
    for head_start, value in ((1, Prover(1).prove(board).value), (0, 0)):
        one = TimeSlicedSolver(Prover(1), board, board.moves(), head_start)
        one.run_slices(board.moves()[0], lambda: True)
        assert one.proof.value == value
    board = Board.start(get_rules("breakthrough"))
    one = TimeSlicedSolver(Prover(1), board, board.moves(), 1)
    for _ in range(3):
        one.run_slices(board.moves()[0], lambda: True)
    assert one.nodes < 1.1 * time_sliced_solver.FIRST_SLICE


def test_head_start_goes_on_while_the_proof_is_near():
    """Beyond half of FIRST_SLICE, without time."""
    long = 0
    for board in random_boards("twoflags7x7", 300, 33):
        alone = Prover(1)
        if alone.prove(board).value and 1000 < alone.nodes < 1500:
            one = TimeSlicedSolver(Prover(1), board, board.moves(), 1)
            one.run_slices(board.moves()[0], lambda: True)
            assert one.proof.value and one.nodes > 1000
            long += 1
    assert long > 3


def test_head_start_suffices_for_what_a_book_leaves():
    """Without time: what a solver with an empty table proves within so many expansions, a head start proves too."""
    rng, root, long, leaf = random.Random(34), Board.start(get_rules("twoflags7x7")), 0, 3000
    for board in (walk(root, 4, rng) for _ in range(200)):
        if leaf_test(Prover(1), board, leaf).plies and not Prover(1).prove(board, 2000).value:
            one = TimeSlicedSolver(Prover(1), board, board.moves(), 1, leaf)
            one.run_slices(board.moves()[0], lambda: True)
            assert one.proof.value > 0 and one.nodes > 2000
            long += 1
    assert long > 3


def test_hopeless_head_start_ends_early():
    """The start position of Breakthrough is not proven soon, and its proof number shows it at once."""
    board = Board.start(get_rules("breakthrough"))
    one = TimeSlicedSolver(Prover(1), board, board.moves(), 1)
    one.run_slices(board.moves()[0], lambda: True)
    assert time_sliced_solver.FIRST_STEP <= one.nodes < time_sliced_solver.FIRST_SLICE * 3 / 4
    assert one.proof.phi > time_sliced_solver.FIRST_SLICE - one.nodes


@pytest.mark.parametrize("name, count", BOARDS)
def test_timed_search_proves_and_plays_the_truth(name, count, eager):
    """Whatever is told as a mate has the right sign and a bound that is not too short; a won position is not thrown
    away.
    """
    one, by_solver = Player(mebibytes=16), 0
    for board in random_boards(name, count, 32):
        one.engine.new_game()
        best, value = one.play(board, movetime=1000), truth(board)  # it ends with the proof
        mate = mate_in(one.infos[-1].score)
        assert mate is not None and (mate > 0) == (value > 0) and abs(mate) >= (abs(value) + 1) // 2
        assert after(board, one.infos[-1].pv).is_game_over() and one.infos[-1].pv[0] == best
        if value > 0:
            assert truth(board.push(best)) <= 0
        by_solver += one.engine._control.solver.proof.value != 0
    assert by_solver


@pytest.mark.parametrize("name, winner_black", [("twoflags6x6", True), ("twoflags7x6", True)])
def test_won_game_is_played_to_its_end_from_the_first_proof_on(name, winner_black, eager):
    rng, one = random.Random(33), Player(mebibytes=8)
    for _ in range(3):
        one.engine.new_game()
        board, proven = Board.start(get_rules(name)), False
        while not board.is_game_over():
            if board.black_to_move == winner_black:
                best = one.play(board, movetime=1000 if not proven else 200)  # it ends with the proof
                if proven:
                    assert one.infos[-1].score > MIN_WIN_SCORE
                proven = proven or one.infos[-1].score > MIN_WIN_SCORE
            else:
                best = rng.choice(board.moves())
            board = board.push(best)
        assert board.black_to_move != winner_black and proven


@pytest.mark.parametrize(
    "limits, settings",
    [
        ({"depth": 6}, {}),
        ({"nodes": 5000}, {}),
        ({"mate": 3}, {}),
        ({"movetime": 30, "searchmoves": [8 | 16 << 6]}, {}),
        ({"movetime": 30}, {"multipv": 2}),
        ({"movetime": 30}, {"elo": 1500}),
    ],
)
def test_searches_without_a_solver(limits, settings, monkeypatch):
    monkeypatch.setattr(Prover, "prove", lambda *words: pytest.fail("the solver was asked"))
    Player(**settings).play(Board.start(get_rules("breakthrough")), **limits)


# `go mate infinite`.


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name, sign", [("twoflags7x6", -1), ("twoflags7x7", 1), ("breakthrough4x5", -1)])
def test_mate_infinite_ends_with_a_proof(name, sign, threads):
    one, board = Player(threads, mebibytes=16), Board.start(get_rules(name))
    best = one.play(board, prove=True)
    assert mate_in(one.infos[-1].score) * sign > 0 and best == one.infos[-1].pv[0]
    end = after(board, one.infos[-1].pv)
    assert end.is_game_over() and end.black_to_move == (sign > 0)


def test_mate_infinite_can_be_stopped():
    one = Player()
    one.go(Board.start(get_rules("breakthrough")), prove=True)
    wait_until(lambda: len(one.infos) > 3, "a report of the fourth iteration")
    one.engine.stop()
    one.answer()
    assert mate_in(one.infos[-1].score) is None


def test_another_game_empties_the_table():
    prover = Prover(1)
    assert prover.prove(Board.start(get_rules("twoflags5x6"))).value == -1
    assert prover.probe(Board.start(get_rules("hexapawn5x5"))).value == 0
    assert prover.probe(Board.start(get_rules("twoflags5x6"))).value == 0


def test_line_is_looked_for_among_so_many_positions(monkeypatch):
    """A race won in five plies has thousands of ways to last seventeen. None is found so soon, but an end that comes earlier."""
    board = parse_fen(get_rules("twoflags"), "8/8/8/2PPPpPp/pPPP4/8/6P1/8 w - - 0 14")
    looked, race = [], pv_completion.native.race
    monkeypatch.setattr(pv_completion.native, "race", lambda *position: looked.append(position) or race(*position))
    line = pv_completion.complete_pv(board, [], 17)
    assert len(line) < 17 and pv_completion.MAX_POSITIONS < len(looked) <= 2 * pv_completion.MAX_POSITIONS
    assert after(board, line).is_game_over()
    monkeypatch.setattr(pv_completion, "MAX_POSITIONS", 5)
    assert pv_completion.complete_pv(board, line[:1], 17) == line[:1]


@pytest.mark.parametrize("limits", [{"nodes": 1000}, {"depth": 3}, {"searchmoves": [48 | 56 << 6]}])
def test_mate_infinite_with_another_limit_ends_by_either(limits):
    board = (
        parse_fen(get_rules("twoflags"), "8/P6p/8/8/8/8/8/8 w - - 0 1")
        if "searchmoves" in limits
        else Board.start(get_rules("breakthrough"))
    )
    one = Player()
    one.play(board, prove=True, **limits)
    assert len(one.infos) < 20
