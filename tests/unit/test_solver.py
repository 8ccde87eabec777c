"""The solver against exhaustive play, which shares nothing with it but move generation, and against known values."""

import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import exhaustive
import pytest
from boards import after, playout
from search_claims import truth, words

from pawnstorm.core.state import INFINITE_NUMBER
from pawnstorm.games import position_table
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.checking import naive
from pawnstorm_tools.programs import solve as program

# Winner of the start with best play, 1 the first player: FACTS of the literature, and exhaustive play. LENGTHS has more.
KNOWN = {
    "breakthrough3x6": 1,
    "breakthrough3x7": -1,
    "breakthrough4x5": -1,
    "twoflags4x6": -1,
    "twoflags5x6": -1,
    "twoflags6x6": -1,
    "twoflags7x6": -1,
}
# Plies of the game from the start with best play by both, from the literature and other solvers' tables; odd ones are won.
LENGTHS = {
    "breakthrough2x4": 8,
    "breakthrough2x5": 10,
    "breakthrough2x6": 15,
    "breakthrough2x7": 20,
    "breakthrough2x8": 25,
    "breakthrough3x4": 12,
    "breakthrough3x5": 18,
    "breakthrough4x4": 14,
    "breakthrough5x4": 16,
    "hexapawn8x3": 11,
    "hexapawn5x4": 14,
    "hexapawn6x4": 16,
    "hexapawn5x5": 19,
    "hexapawn4x6": 21,
    "hexapawn4x7": 24,
    "hexapawn3x8": 22,
}


def prove_within(prover):
    """A function as scripts/pawnstorm_tools/programs/solve.py wants it."""
    return lambda board, label, within: prover.prove(board, ply_limit=within)


@pytest.fixture(scope="module")
def prover():
    return Prover(16)


def assert_proven(proof, value):
    """A proof tells the winner, and a bound of the right parity that is not below the exact length."""
    assert proof.value == (1 if value > 0 else -1)
    assert proof.plies >= abs(value) and (proof.plies - abs(value)) % 2 == 0
    assert (proof.phi, proof.delta) == ((0, INFINITE_NUMBER) if value > 0 else (INFINITE_NUMBER, 0))


def random_boards(name, count, seed):
    """Unfinished positions of random games, after the first quarter: exhaustive play is quick from there."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        line = playout(get_rules(name), rng)
        later = line[len(line) // 4 : -1]
        found += rng.sample(later, min(3, len(later)))
    return found[:count]


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "breakthrough3x7")) for name in KNOWN]
)
def test_start_has_its_known_winner(name, prover):
    prover.clear()
    assert prover.prove(Board.start(get_rules(name))).value == KNOWN[name]


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name",
    [
        "breakthrough3x4",
        "breakthrough2x8",
        "twoflags3x5",
        "twoflags3x8",
        "twoflags4x6",
        "twoflags5x5",
        "hexapawn4x6",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("breakthrough4x4", "breakthrough3x5", "twoflags5x6", "hexapawn5x5", "hexapawn8x3")
        ),
    ],
)
def test_start_and_first_moves_equal_exhaustive_play(name, prover):
    prover.clear()
    start = Board.start(get_rules(name))
    for board in [start] + [start.push(move) for move in start.moves()]:
        assert_proven(prover.prove(board), truth(board))


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name, bits",
    [
        ("twoflags5x6", 22),
        *(pytest.param(name, 28, marks=pytest.mark.slow) for name in ("twoflags7x6", "breakthrough4x5")),
    ],
)
def test_winners_of_whole_boards_equal_exhaustive_play(name, bits):
    """Root and all first moves; of these two the lengths take too long."""
    prover, memo, start = Prover(64), exhaustive.winners(bits), Board.start(get_rules(name))
    for board in [start] + [start.push(move) for move in start.moves()]:
        wins = exhaustive.wins(*words(board), exhaustive.record(board.rules), memo)
        assert prover.prove(board).value == (1 if wins else -1)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    "name",
    [
        *(f"twoflags{files}x{ranks}" for ranks in (5, 6) for files in range(3, 8) if (files, ranks) != (7, 6)),
        *(f"breakthrough{files}x4" for files in range(2, 6)),
        *(f"breakthrough{files}x5" for files in range(2, 4)),
    ],
)
def test_whole_boards_equal_exhaustive_play(name):
    """Root and all first moves of every Two Flags board up to 7x6 and every Breakthrough board up to 5x4 and 4x5, but
    those two.
    """
    prover, memo, start = Prover(256), exhaustive.memory(27), Board.start(get_rules(name))
    for board in [start] + [start.push(move) for move in start.moves()]:
        proof, value = prover.prove(board), int(exhaustive.value(*words(board), exhaustive.record(board.rules), memo))
        assert_proven(proof, value)
        assert program.length(prove_within(prover), board, proof) == abs(value)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["breakthrough3x5", "breakthrough4x4", "twoflags4x6", "twoflags5x5", "hexapawn5x5"])
def test_limit_tells_wins_in_time_from_later_ones(name, prover):
    prover.clear()
    for board in random_boards(name, 10, 6):
        value = truth(board)
        for within in range(abs(value) + 4):
            # An odd limit is the mover's: it wins in time or has lost; an even one the opponent's.
            mover = value > 0 and within >= value if within % 2 else not (value < 0 and within >= -value)
            assert prover.prove(board, ply_limit=within).value == (1 if mover else -1), (fen(board), within)
        assert prover.prove(board).value == (1 if value > 0 else -1)


@pytest.mark.compiled
@pytest.mark.parametrize("name, length", LENGTHS.items())
def test_shortest_game_has_its_known_length(name, length, prover):
    prover.clear()
    board = Board.start(get_rules(name))
    proof = prover.prove(board)
    assert proof.value == (1 if length % 2 else -1)
    assert program.length(prove_within(prover), board, proof) == length
    line = program.shortest_line(prove_within(prover), board, length)
    assert after(board, line).is_game_over() and len(line) == length


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["breakthrough3x5", "breakthrough4x4", "twoflags4x6", "twoflags5x6", "hexapawn5x5"])
def test_positions_of_random_games_equal_exhaustive_play(name, prover):
    prover.clear()
    for board in random_boards(name, 15, 3):
        value = truth(board)
        proof = prover.prove(board)
        assert_proven(proof, value)
        line = prover.line(board)
        end = after(board, line)
        assert (
            0 < len(line) <= proof.plies
            and end.is_game_over()
            and (end.black_to_move == board.black_to_move) == (value < 0)
        )


def test_plain_and_small_positions_equal_naive_play(prover):
    """Few and small, so that the kernels can be run as plain Python too."""
    prover.clear()
    for board in random_boards("breakthrough3x4", 8, 4) + random_boards("twoflags3x5", 8, 4):
        position = naive.parse_fen(naive.GAMES[board.rules.name], fen(board))
        winner, plies = naive.solve(position)
        assert_proven(prover.prove(board), plies if winner == position.side else -plies)


def test_finished_position_is_lost(prover):
    prover.clear()
    board = parse_fen(get_rules("breakthrough"), "8/8/8/8/8/8/8/p6P w - - 0 1")
    assert board.is_game_over() and prover.prove(board)[:3] == (-1, 0, None) and prover.line(board) == []


def test_nothing_is_known_before_the_first_proof(prover):
    prover.clear()
    board = Board.start(get_rules("twoflags"))
    assert prover.probe(board)[:3] == (0, None, None) and prover.line(board) == []


@pytest.mark.compiled
def test_mirror_image_takes_the_same_search_and_is_known_with_the_position(prover):
    prover.clear()
    board = parse_fen(get_rules("twoflags6x6"), "6/1ppp1p/4p1/P5/1PPPPP/6 w - - 0 1")
    image = parse_fen(get_rules("twoflags6x6"), "6/p1ppp1/1p4/5P/PPPPP1/6 w - - 0 1")
    proof, nodes = prover.prove(board), prover.nodes
    assert proof.value and prover.probe(image)[:2] == proof[:2]
    prover.clear()
    mirrored = prover.prove(image)
    assert mirrored[:2] == proof[:2] and prover.nodes == nodes
    assert mirrored.move == position_table.mirror_move(board.rules, proof.move)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name, times", [("breakthrough4x5", 1), pytest.param("breakthrough5x5", 20, marks=pytest.mark.slow)]
)
def test_table_that_overflows_still_proves(name, times):
    """A table of 32,768 entries."""
    prover = Prover(1, share=2)
    assert prover.prove(Board.start(get_rules(name))).value == -1
    assert prover.nodes > times * (1 << 15)
    rng, board = random.Random(1), Board.start(get_rules(name))
    while not board.is_game_over():
        proof = prover.prove(board)
        assert proof.value == (-1 if not board.black_to_move else 1)
        line = prover.line(board)
        assert len(line) >= 1
        board = board.push(line[0] if board.black_to_move else rng.choice(board.moves()))
    assert not board.black_to_move


@pytest.mark.compiled
@pytest.mark.parametrize("threads", [2, 4])
def test_threads_find_the_same(threads):
    prover = Prover(16, threads)
    for name in ("twoflags6x6", "breakthrough4x5"):
        prover.clear()
        assert prover.prove(Board.start(get_rules(name))).value == KNOWN[name]
    prover.clear()
    for board in random_boards("twoflags5x6", 20, 5):
        assert_proven(prover.prove(board), truth(board))


@pytest.mark.compiled
def test_proof_of_one_thread_is_told_whatever_another_writes_over_it():
    """In a table that is new, memory is slow at first, and a thread may write what it knew before the other was done."""
    board = parse_fen(get_rules("twoflags4x6"), "4/pp1p/4/P1p1/1PPP/4 w - - 0 2")
    assert all(Prover(16, 2).prove(board).value == 1 for _ in range(200))


@pytest.mark.compiled
def test_budget_is_kept_and_work_goes_on_where_it_ended(prover):
    prover.clear()
    board, spent, proof = Board.start(get_rules("twoflags7x7")), 0, None
    for _ in range(2000):
        proof = prover.prove(board, 5000)
        assert prover.nodes <= 5001
        spent += prover.nodes
        if proof.value:
            break
        assert 0 < proof.phi and 0 < proof.delta
    assert proof.value == 1 and spent > 100_000


@pytest.mark.compiled
def test_stop_ends_the_work_at_once():
    prover = Prover(16, 2)
    timer = threading.Timer(0.3, prover.stop)
    timer.start()
    start = time.monotonic()
    proof = prover.prove(Board.start(get_rules("breakthrough")))
    assert time.monotonic() - start < 5 and proof.value == 0 and proof.phi > 0


def test_unknown_memory_is_refused():
    with pytest.raises(MemoryError, match="cannot be allocated"):
        Prover(1 << 30)


def test_interrupt_while_the_work_begins_stops_it(monkeypatch):
    """A Ctrl-C inside ThreadPoolExecutor.submit(), which has started its thread."""
    stopped, ended = threading.Event(), []

    class Stoppable:
        clear_stop, stop = staticmethod(lambda: None), staticmethod(stopped.set)

    def submit(pool, work):
        future = ThreadPoolExecutor.submit(pool, work)
        signal.raise_signal(signal.SIGINT)
        return future

    monkeypatch.setattr(interruptible, "ThreadPoolExecutor", type("Pool", (ThreadPoolExecutor,), {}))
    monkeypatch.setattr(interruptible.ThreadPoolExecutor, "submit", submit)
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            interruptible.run(Stoppable, lambda: ended.append(stopped.wait(10)))
    finally:
        signal.signal(signal.SIGINT, usual)
    assert ended == [True]
