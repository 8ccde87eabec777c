"""Engine.analysis(): the lines of a search while it runs."""

import gc
import threading
import weakref
from dataclasses import replace

import pytest
from test_interface_engine import FINISHED, SMALL, SOON, interrupt_after

from pawnstorm import Analysis, Board, Engine, Limit
from pawnstorm.core import native

GAME, DEPTH = ("hexapawn4x4", 3) if native.PLAIN_PYTHON else ("breakthrough5", 6)


@pytest.fixture(scope="module")
def engine():
    with Engine(hash=1) as one:
        yield one


def assert_usable(engine):
    """The engine can search at once, and nothing else is searching."""
    assert engine.play(Board("hexapawn"), SMALL).move in Board("hexapawn").legal_moves
    assert not engine._search.searching


def without_time(lines):
    return [replace(line, time=0) for line in lines]


def test_lines_come_for_each_depth_and_the_last_are_those_of_analyse(engine):
    board = Board(GAME)
    engine.new_game()
    analysis = engine.analysis(board, Limit(depth=DEPTH), multipv=3)
    lines = list(analysis)
    assert isinstance(analysis, Analysis) and {line.depth for line in lines} == set(range(1, DEPTH + 1))
    last = [line for line in lines if line.depth == DEPTH]
    assert [line.multipv for line in last] == [1, 2, 3] and analysis.lines == analysis.wait() == last
    assert list(analysis) == [] and next(analysis, None) is None
    engine.new_game()
    assert without_time(engine.analyse(board, Limit(depth=DEPTH), multipv=3)) == without_time(last)


def test_analysis_without_a_limit_goes_on_until_stop(engine):
    """Also where nothing is left to find."""
    for board in (Board("hexapawn"), Board("breakthrough")):
        with engine.analysis(board) as analysis:
            assert next(analysis).depth == 1 and not analysis._run.ended
            analysis.stop()
            rest = list(analysis)
            assert analysis._run.ended and analysis.lines[0] == (rest or [analysis.lines[0]])[-1]
    assert_usable(engine)


def test_board_may_change_while_it_is_analysed(engine):
    board = Board(GAME)
    legal = board.legal_moves
    analysis = engine.analysis(board, Limit(depth=DEPTH))
    board.push(legal[0])
    assert {line.pv[0] for line in analysis} <= set(legal)


def test_engine_is_busy_until_its_analysis_is_told_to_stop(engine):
    board = Board("hexapawn")
    analysis = engine.analysis(board)
    for use in (
        lambda: engine.play(board, SMALL),
        lambda: engine.analyse(board, SMALL),
        lambda: engine.analysis(board),
        engine.new_game,
    ):
        with pytest.raises(RuntimeError, match="the engine is searching: expected one search at a time"):
            use()
    analysis.stop()
    assert_usable(engine)
    assert len(list(analysis)) > 0


def test_analysis_that_nobody_uses_any_more_ends(engine):
    for line in engine.analysis(Board()):
        assert line.depth == 1
        break
    assert_usable(engine)
    next(engine.analysis(Board()))
    engine.analysis(Board())
    assert_usable(engine)
    circle = [engine.analysis(Board())]
    circle.append(circle)
    run = circle[0]._run
    del circle
    gc.collect()
    assert run._ended.wait(SOON)


def test_analysis_may_be_collected_wherever_locks_are_held(engine):
    """The garbage collector runs in any thread, between any two lines."""
    analysis = engine.analysis(Board())
    run = analysis._run
    with engine._search.lock, engine._start_lock, engine._use_lock, run._ended._cond:
        del analysis
    assert run._ended.wait(SOON)
    assert_usable(engine)


def test_old_analysis_stops_no_new_one(engine):
    old = engine.analysis(Board("hexapawn"), SMALL)
    old.wait()
    with engine.analysis(Board("hexapawn")) as new:
        old.stop()
        old.close()
        del old
        assert not new._run.stopping and not new._run._ended.wait(0.05)
    assert new._run.ended


@pytest.mark.compiled
@pytest.mark.parametrize("use", [list, lambda analysis: analysis.wait()])
def test_interrupt_ends_an_analysis(engine, use):
    analysis = engine.analysis(Board())
    interrupt_after(0.2, lambda: use(analysis))
    assert analysis._run.ended
    assert_usable(engine)


def test_close_ends_an_analysis_without_an_error():
    engine = Engine(hash=1)
    analysis, lines = engine.analysis(Board("hexapawn")), []
    first = next(analysis)
    thread = threading.Thread(target=lambda: lines.extend(analysis), daemon=True)
    thread.start()
    engine.close()
    thread.join(SOON)
    assert not thread.is_alive() and first.depth == 1
    assert analysis.wait() == analysis.lines != [] and list(analysis) == []
    with pytest.raises(RuntimeError, match="the engine is closed"):
        engine.analysis(Board())


def test_closed_engine_gives_its_memory_back_though_its_analysis_is_kept():
    gc.collect()
    gc.disable()
    try:
        engine = Engine(hash=1)
        analysis = engine.analysis(Board("hexapawn"))
        table = weakref.ref(engine._search.memory.table)
        engine.close()
        assert table() is None and analysis.lines
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ((Board("twoflags", FINISHED),), ValueError, "the game is over, white has won"),
        ((Board(), Limit(black_clock=1)), ValueError, "white is to move: expected a limit with white_clock"),
        ((Board(), 3), TypeError, "limit must be a pawnstorm.Limit, not int"),
        ((Board(), SMALL, 65), ValueError, "MultiPV"),
    ],
)
def test_analysis_names_the_argument_that_is_wrong(engine, arguments, error, text):
    with pytest.raises(error, match=text):
        engine.analysis(*arguments)
    assert_usable(engine)
