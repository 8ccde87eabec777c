"""Where the system denies a thread or memory, the engine says so and answers with what it has."""

import errno
import io
import mmap
import threading
from unittest.mock import Mock

import pytest
from engine_player import Player, start

from pawnstorm.proof.prover import Prover
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm.search.search_control import FIRST_ITERATION_NODES
from pawnstorm.system.threads import SMALL_STACK, stacks_of, start_all
from pawnstorm_protocol.uci import UCIEngine

pytestmark = pytest.mark.compiled  # as plain Python even the short search takes minutes
BOARD = start("breakthrough4x5")


def rationed(monkeypatch, owner, name, error):
    """A function of a count that lets so many more calls succeed; those after them raise the error."""
    real, left = getattr(owner, name), []

    def call(*words, **flags):
        if not left:
            raise error
        left.pop()
        return real(*words, **flags)

    def set_left(count):
        left[:] = [None] * count
        monkeypatch.setattr(owner, name, call)

    return set_left


@pytest.fixture
def allow(monkeypatch):
    """allow(count) lets so many more threads start; after them the system denies every one."""
    return rationed(monkeypatch, threading.Thread, "start", RuntimeError("can't start new thread"))


@pytest.fixture
def deny(monkeypatch):
    """deny(count) lets so many more mappings of memory be made; after them the system denies every one."""
    return rationed(monkeypatch, mmap, "mmap", OSError(errno.ENOMEM, "Cannot allocate memory"))


@pytest.mark.parametrize("helpers", [0, 1, 2])
def test_search_goes_on_with_the_threads_that_have_started(helpers, allow):
    player = Player(threads=4)
    allow(1 + helpers)
    player.play(BOARD, depth=6)
    (said,) = player.troubles
    assert f"only {1 + helpers} of 4 search threads" in said


def test_nodes_are_shared_by_the_threads_that_have_started(allow):
    player = Player(threads=4)
    allow(1)
    player.play(BOARD, nodes=20_000)
    assert 19_000 < player.engine.nodes < 22_000


def test_denied_threads_are_asked_for_again_by_the_next_search(allow):
    player = Player(threads=3)
    allow(1)
    player.play(BOARD, depth=4)
    allow(3)
    player.play(BOARD, depth=4)
    assert player.troubles == []


TIMED = [{"movetime": 10_000}, {"clock": (60_000, 0)}, {"clock": (None, 0)}, {"depth": 60, "movetime": 10_000}]


@pytest.mark.parametrize(
    "threads, limits",
    [
        *((0, limits) for limits in [{"depth": 5}, {"nodes": 3000}, {"mate": 2}, {"prove": True}, *TIMED]),
        *((1, limits) for limits in TIMED),
    ],
    ids=str,
)  # one: for the clock, which is asked for first
def test_search_without_a_thread_is_short_and_answers(threads, limits, allow):
    player = Player(threads=2)
    allow(threads)
    player.play(BOARD, **limits)
    assert len(player.troubles) == 1 and "no thread can be started for the search" in player.troubles[0]
    assert player.engine.nodes <= 2 * FIRST_ITERATION_NODES


PONDER = {"ponder": True, "clock": (60_000, 0)}


@pytest.mark.parametrize("end, limits", [("stop", PONDER), ("ponderhit", PONDER), ("stop", {"infinite": True})])
def test_endless_search_without_a_thread_answers_when_it_is_asked_to(end, limits, allow):
    player = Player()
    allow(0)
    player.go(BOARD, **limits)
    assert player.bests == [] and player.engine.searching
    getattr(player.engine, end)()
    player.answer()
    player.engine.stop()
    assert len(player.bests) == 1


def test_nothing_is_told_after_quit_without_a_thread(allow):
    player = Player()
    allow(0)
    player.go(BOARD, infinite=True)
    player.engine.quit()
    assert player.bests == [] and not player.engine.searching


def test_ponderhit_without_a_thread_for_the_clock_ends_the_search(allow):
    player = Player()
    allow(1)
    player.go(BOARD, ponder=True, clock=(10**9, 0))
    player.engine.ponderhit()
    player.answer()
    assert "for the clock" in player.troubles[0]


def test_search_after_one_without_a_thread_is_as_ever(allow):
    player = Player()
    allow(0)
    player.play(BOARD, clock=(60_000, 0))
    allow(2)
    player.play(BOARD, movetime=20)
    assert player.troubles == []


def test_bench_without_a_thread_counts_the_same_nodes(allow):
    expected, _ = bench(Engine(), 3)
    allow(0)
    troubles = []
    assert bench(Engine(on_warning=troubles.append), 3)[0] == expected and troubles


def test_trouble_that_nobody_listens_to_goes_to_stderr(allow, capsys):
    engine = Engine()
    allow(0)
    engine.go(BOARD, Limits(depth=2))
    assert "no thread" in capsys.readouterr().err


@pytest.mark.parametrize("helpers", [0, 1])
def test_proof_goes_on_with_the_threads_that_have_started(helpers, allow):
    prover, board = Prover(1, threads=3), start("hexapawn4x4")
    allow(helpers)
    assert prover.prove(board).value == 1 and prover.line(board)


@pytest.mark.parametrize("line", ["go perft 2", "perft 2", "bench 1"])
def test_count_without_a_thread_is_refused_with_a_word(line, allow):
    sink = io.BytesIO()
    session = UCIEngine(io.BytesIO(f"{line}\nd\n".encode()), sink)
    allow(0)
    session.run()
    said = sink.getvalue().decode()
    assert said.startswith("info string nothing is counted: no thread")
    assert "Game: twoflags" in said, "the session has ended"


@pytest.mark.parametrize("limits", [{"depth": 5}, {"prove": True}, *TIMED], ids=str)
def test_go_without_memory_gives_a_move_without_a_search(limits, deny):
    player = Player(threads=2)
    player.engine.memory.table = None
    deny(0)
    player.play(BOARD, **limits)
    (said,) = player.troubles
    assert "without a search" in said


def test_move_without_a_search_takes_a_win(deny):
    """And `go infinite` waits for its stop, and a finished game has no move."""
    sink = io.BytesIO()
    session = UCIEngine(io.BytesIO(), sink)
    deny(0)
    for word, rest in [("position", "fen 8/4P3/8/8/p7/8/8/8 w"), ("go", "infinite"), ("isready", ""), ("stop", "")]:
        session._run_command(word, rest)
    session._run_command("position", "fen 4P3/8/8/8/p7/8/8/8 b")
    session._run_command("go", "movetime 100")
    lines = sink.getvalue().decode().splitlines()
    assert lines[1].startswith("info depth 1 ") and " score mate 1 " in lines[1] and lines[1].endswith(" pv e7e8")
    assert lines[2:4] == ["readyok", "bestmove e7e8"]
    assert lines[5] == "info depth 0 score mate 0" and lines[6] == "bestmove (none)"


def test_go_with_fewer_records_than_threads_goes_on_with_those(deny):
    player = Player(threads=3, elo=1500)
    player.play(BOARD, depth=2)
    player.engine.elo = None
    deny(1)
    player.play(BOARD, depth=4)
    assert "2 of 3 threads" in player.troubles[0]


@pytest.mark.parametrize("limits", [{"movetime": 1000}, {"depth": 5}, {"infinite": True}], ids=str)
@pytest.mark.parametrize("threads", [0, 2])
def test_memory_that_is_denied_within_a_search_ends_it_with_a_move(threads, limits, allow, monkeypatch):
    monkeypatch.setattr("pawnstorm.search.engine.iterative_deepening", Mock(side_effect=MemoryError))
    player = Player()
    allow(threads)
    player.go(BOARD, **limits)
    player.engine.stop()
    player.answer()
    assert player.troubles[-1] == "not enough memory; the move is given without a search"


def test_proof_goes_on_with_one_thread_where_memory_for_more_is_denied(monkeypatch):
    def denied(prover, threads):
        if threads > 1:
            raise MemoryError("a search thread's record cannot be allocated")
        return set_threads(prover, threads)

    set_threads = Prover.set_threads
    monkeypatch.setattr(Prover, "set_threads", denied)
    player = Player(threads=2)
    player.play(BOARD, prove=True)
    assert "1 of 2 threads" in player.troubles[0]


def test_threads_without_memory_are_refused_and_the_session_goes_on(deny):
    said = io.BytesIO()
    session = UCIEngine(io.BytesIO(), said)
    session._run_command("setoption", "name Threads value 2")
    deny(3)
    session._run_command("setoption", "name Threads value 9")
    assert b"info string a search thread's record cannot be allocated" in said.getvalue()
    assert session.values["Threads"] == session.engine._threads == len(session.engine.memory.states) == 2


def test_count_without_memory_ends_and_says_so(monkeypatch):
    said = io.BytesIO()
    session = UCIEngine(io.BytesIO(), said)
    monkeypatch.setattr("pawnstorm_protocol.uci.bench", Mock(side_effect=MemoryError))
    session._run_command("bench", "1")
    session._wait()
    assert b"info string not enough memory" in said.getvalue() and not session._busy()


@pytest.mark.parametrize("usual", [0, 1 << 20, 3 << 20])
@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_the_stacks_of_the_threads_of_others_are_as_before(usual, allowed, allow):
    before = threading.stack_size(usual)
    try:
        threads = [threading.Thread(target=lambda: None) for _ in range(2)]
        allow(allowed)
        assert start_all(threads, deep=True) == threads[:allowed]
        assert threading.stack_size(usual) == usual  # it sets the size, also without an argument
        with pytest.raises(OverflowError), stacks_of(SMALL_STACK):
            raise OverflowError
        assert threading.stack_size(usual) == usual
    finally:
        threading.stack_size(before)
