"""pawnstorm.Engine, Limit and solve(): what their docstrings promise."""

import copy
import gc
import inspect
import pickle
import signal
import threading
import time
import weakref
from dataclasses import replace

import pytest

from pawnstorm import Board, Engine, Limit, solve
from pawnstorm.core.state import WIN
from pawnstorm_protocol.options import OPTIONS

SOON = 20.0  # seconds that only a hang takes
WON = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"  # Black wins in three, by f6f5
FINISHED = "4P3/8/8/8/8/8/p7/8 b - - 0 1"
SMALL = Limit(depth=3)


@pytest.fixture(scope="module")
def engine():
    with Engine(hash=1) as one:
        yield one


def interrupt_after(seconds, function):
    """Call a function that a Ctrl-C ends, also where the tests run in the background of a shell, which ignores it."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, signal.raise_signal, (signal.SIGINT,))
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            function()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, usual)


# Limit.


@pytest.mark.parametrize(
    "limits, error, text",
    [
        ({}, ValueError, "needs one of time, depth"),
        ({"white_inc": 1, "remaining_moves": 3}, ValueError, "needs one of time, depth"),
        ({"time": -0.1}, ValueError, "time must be a finite number of seconds, 0 or more, not -0.1"),
        ({"time": float("nan")}, ValueError, "time must be"),
        ({"time": float("inf")}, ValueError, "time must be"),
        ({"time": "1"}, TypeError, "time must be a number, not str"),
        ({"depth": 0}, ValueError, "depth must be 1 or more, not 0"),
        ({"nodes": 1e6}, TypeError, "nodes must be an int, not float"),
        ({"mate": True}, TypeError, "mate must be an int, not bool"),
    ],
)
def test_limit_names_the_value_that_is_wrong(limits, error, text):
    with pytest.raises(error, match=text):
        Limit(**limits)


# Engine.


def test_defaults_are_those_of_the_options():
    given = {name: value.default for name, value in inspect.signature(Engine).parameters.items()}
    assert given == {"hash": OPTIONS["hash"].default, "threads": OPTIONS["threads"].default, "elo": None,
                     "own_book": OPTIONS["ownbook"].default}  # fmt: skip


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.02),
        Limit(time=0),
        Limit(depth=2),
        Limit(nodes=300),
        Limit(mate=1),
        Limit(white_clock=0.2),
        Limit(white_clock=0.2, black_clock=0, white_inc=0.01, remaining_moves=4),
        Limit(white_clock=0, black_clock=9),
        Limit(white_clock=1e308, depth=2),
        Limit(white_clock=10**400, depth=2, nodes=10**400),
    ],
)
@pytest.mark.parametrize("name", ["twoflags5x5", "breakthrough4x5"])
def test_play_ends_by_its_limit(engine, name, limit):
    board = Board(name)
    result = engine.play(board, limit)
    assert result.move in board.legal_moves and board == Board(name)
    board.push(result.move)
    assert result.ponder is None or result.ponder in board.legal_moves


@pytest.mark.compiled
def test_play_finds_the_win_and_its_line(engine):
    board = Board("twoflags", WON)
    result = engine.play(board, Limit(depth=12))
    assert result.move == "f6f5" and result.line.mate == 3 and result.line.score == WIN - len(result.line.pv)
    for move in result.line.pv:
        board.push(move)
    assert board.winner == "black" and result.ponder == result.line.pv[1]


def test_analysis_has_as_many_lines_as_asked_for_best_first(engine):
    board = Board("breakthrough4x5")
    lines = engine.analyse(board, SMALL, multipv=4)
    assert len(lines) == len({line.pv[0] for line in lines}) == 4
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert {line.depth for line in lines} == {3} and all(line.seldepth >= 3 and line.nodes > 0 for line in lines)
    assert all(move in board.legal_moves for move in (line.pv[0] for line in lines))
    assert len(engine.analyse(Board("hexapawn"), SMALL, multipv=64)) == 3 and len(engine.analyse(board, SMALL)) == 1


@pytest.mark.compiled
def test_lines_stay_apart_where_time_ends_in_the_middle(engine):
    """Whatever iteration was the last to be finished, no two lines begin alike."""
    board = Board("breakthrough")
    for milliseconds in range(5, 60, 5):
        lines = engine.analyse(board, Limit(time=milliseconds / 1000), multipv=5)
        assert len(lines) == len({line.pv[0] for line in lines}) == 5


def test_loss_is_a_negative_mate(engine):
    line = engine.analyse(Board("twoflags", "8/8/8/8/8/7P/p7/8 w - - 0 1"), SMALL)[0]
    assert line.mate == -1 and line.score == 2 - WIN


@pytest.mark.compiled
def test_searches_repeat_themselves_after_new_game():
    with Engine(hash=2) as engine:
        first = engine.analyse(Board("breakthrough5"), Limit(depth=7))[0]
        engine.new_game()
        again = engine.analyse(Board("breakthrough5"), Limit(depth=7))[0]
    assert replace(again, time=0) == replace(first, time=0)


@pytest.mark.compiled
def test_level_and_threads_and_book_are_heard():
    with Engine(elo=800) as weak, Engine() as strong, Engine(own_book=False, threads=2) as bookless:
        clock = Limit(time=0.1)
        assert weak.play(Board(), clock).line.nodes < 1000
        assert strong.play(Board(), clock).line.nodes == 0, "the book"
        assert bookless.play(Board(), clock).line.nodes > 0
        assert strong.analyse(Board(), clock)[0].nodes > 0, "analysis has no book"
        assert strong.play(Board(), clock).line.nodes == 0


@pytest.mark.parametrize(
    "options, text",
    [({"hash": 0}, "Hash"), ({"threads": 0}, "Threads"), ({"elo": 799}, "UCI_Elo"), ({"hash": 1.5}, "'1.5'")],
)
def test_engine_names_the_option_that_is_wrong(options, text):
    with pytest.raises(ValueError, match=text):
        Engine(**options)


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ((Board("twoflags", FINISHED), SMALL), ValueError, "the game is over, white has won"),
        ((Board(), Limit(black_clock=1)), ValueError, "white is to move: expected a limit with white_clock"),
        ((Board(), 3), TypeError, "limit must be a pawnstorm.Limit, not int"),
        (("startpos", SMALL), TypeError, "board must be a pawnstorm.Board, not str"),
    ],
)
def test_engine_names_the_argument_that_is_wrong(engine, arguments, error, text):
    for search in (engine.play, engine.analyse):
        with pytest.raises(error, match=text):
            search(*arguments)
    with pytest.raises(ValueError, match="MultiPV"):
        engine.analyse(Board(), SMALL, multipv=0)
    assert engine.play(Board("hexapawn"), SMALL).move in Board("hexapawn").legal_moves


def test_closed_engine_stays_closed():
    with Engine(hash=1) as engine:
        pass
    engine.close()
    engine.close()
    for use in (lambda: engine.play(Board(), SMALL), engine.new_game, engine.__enter__):
        with pytest.raises(RuntimeError, match="the engine is closed"):
            use()


@pytest.mark.compiled
def test_one_thread_at_a_time_and_close_ends_its_search():
    engine, raised = Engine(hash=1), []

    def search():
        try:
            engine.analyse(Board(), Limit(time=1000))
        except RuntimeError as error:
            raised.append(str(error))

    thread = threading.Thread(target=search)
    thread.start()
    until = time.monotonic() + SOON
    while not engine._search.searching and time.monotonic() < until:
        pass
    with pytest.raises(RuntimeError, match="searching"):
        engine.new_game()
    engine.close()
    thread.join(SOON)
    assert raised == ["the engine was closed during the search"]


def test_thread_that_comes_before_the_search_has_begun_is_refused(monkeypatch):
    """The first is held where it makes sure that the search is idle."""
    with Engine(hash=1) as engine:
        wait, held, go_on, found = engine._search.wait, threading.Event(), threading.Event(), []

        def hold(*seconds):
            if not held.is_set():
                held.set()
                go_on.wait(SOON)
            return wait(*seconds)

        monkeypatch.setattr(engine._search, "wait", hold)
        first = threading.Thread(target=lambda: found.append(engine.play(Board("hexapawn"), SMALL)), daemon=True)
        first.start()
        assert held.wait(SOON)
        try:
            with pytest.raises(RuntimeError, match="the engine is searching"):
                engine.play(Board("hexapawn"), SMALL)
        finally:
            go_on.set()
            first.join(SOON)
        assert found and engine.play(Board("hexapawn"), SMALL).move == found[0].move


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_engine_is_neither_copied_nor_pickled(engine, duplicate):
    with pytest.raises(TypeError, match="an Engine cannot be copied or pickled"):
        duplicate(engine)


@pytest.mark.compiled
@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.3])
def test_interrupt_leaves_the_engine_usable(seconds):
    with Engine(hash=1) as engine:
        interrupt_after(seconds, lambda: engine.analyse(Board(), Limit(time=1000)))
        assert not engine._search.searching
        assert engine.play(Board("breakthrough5"), Limit(depth=5)).move in Board("breakthrough5").legal_moves


@pytest.mark.compiled
def test_closed_engine_gives_its_memory_back_at_once():
    """Without waiting for the garbage collector, which knows nothing of the tables' size."""
    gc.collect()
    gc.disable()
    try:
        engine = Engine(hash=1)
        engine.analyse(Board(), Limit(time=0.02))
        table = weakref.ref(engine._search.memory.table)
        engine.close()
        assert table() is None
    finally:
        gc.enable()


# solve().


def test_small_game_is_solved():
    solution = solve(Board("hexapawn"), hash=1)
    assert solution.winner == "black" and solution.plies >= len(solution.line) and solution.nodes > 0
    board = Board("hexapawn")
    for move in solution.line:
        board.push(move)
    assert board.winner == "black"


@pytest.mark.compiled
def test_threads_solve_too():
    assert solve(Board("breakthrough4x5"), hash=8, threads=2).winner == "black"


@pytest.mark.parametrize("limit", [{"nodes": 5}, {"time": 0.05}])
def test_limit_leaves_it_open(limit):
    start = time.monotonic()
    assert solve(Board("breakthrough"), hash=1, **limit) is None
    assert time.monotonic() - start < SOON


@pytest.mark.compiled
def test_interrupt_ends_a_proof():
    interrupt_after(0.2, lambda: solve(Board("breakthrough"), hash=1))


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({"hash": 0}, ValueError, "Hash"),
        ({"threads": 0}, ValueError, "Threads"),
        ({"nodes": 0}, ValueError, "nodes must"),
        ({"time": -1}, ValueError, "time must"),
        ({"nodes": 1.5}, TypeError, "nodes must be an int, not float"),
        ({"time": "1"}, TypeError, "time must be a number, not str"),
    ],
)
def test_solve_names_the_value_that_is_wrong(options, error, text):
    with pytest.raises(error, match=text):
        solve(Board("hexapawn"), **options)


def test_finished_game_is_not_solved():
    with pytest.raises(ValueError, match="the game is over"):
        solve(Board("twoflags", FINISHED))
