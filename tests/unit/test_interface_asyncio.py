"""AsyncEngine: what an Engine does, while other tasks run."""

import asyncio
import gc

import pytest
from test_interface_analysis import DEPTH, GAME, without_time
from test_interface_engine import FINISHED, SMALL, SOON, interrupt_after

from pawnstorm import AsyncEngine, Board, Engine, Limit
from pawnstorm.core import native

ENDLESS = Limit(time=10**6)


def run(main):
    """Run main(engine), a coroutine function, with an engine of its own."""

    async def with_engine():
        async with AsyncEngine(hash=1, own_book=False) as engine:
            return await asyncio.wait_for(main(engine), 100)

    return asyncio.run(with_engine())


async def turns(count=100):
    """Let other tasks run so often. The test hangs where the event loop is blocked."""
    for _ in range(count):
        await asyncio.sleep(0)


async def begun(engine):
    """Wait until the engine is searching; returns its Run."""
    while engine._engine._run is None or engine._engine._run.ended:
        await asyncio.sleep(0)
    return engine._engine._run


async def assert_usable(engine):
    assert (await engine.play(Board("hexapawn"), SMALL)).move in Board("hexapawn").legal_moves


def test_results_are_those_of_an_engine():
    board, limit = Board(GAME), Limit(depth=DEPTH)
    with Engine(hash=1) as engine:
        lines, stream = engine.analyse(board, limit, multipv=2), None
        engine.new_game()
        stream = list(engine.analysis(board, limit, multipv=2))
        engine.new_game()
        played = engine.play(board, limit)

    async def main(engine):
        assert without_time(await engine.analyse(board, limit, multipv=2)) == without_time(lines)
        await engine.new_game()
        analysis = engine.analysis(board, limit, multipv=2)
        assert without_time([line async for line in analysis]) == without_time(stream)
        assert await analysis.wait() == analysis.lines and [line async for line in analysis] == []
        await engine.new_game()
        result = await engine.play(board, limit)
        assert (result.move, result.ponder) == (played.move, played.ponder)

    run(main)


@pytest.mark.parametrize(
    "limit", [Limit(time=0), Limit(time=0.002), Limit(time=0.05), Limit(nodes=100), Limit(white_clock=0.1)]
)
def test_play_ends_by_its_limit(limit):
    async def main(engine):
        assert (await engine.play(Board(GAME), limit)).move in Board(GAME).legal_moves

    run(main)


def test_other_tasks_run_during_a_search():
    """They take their turns while a search goes on that would not end before the test does."""

    async def main(engine):
        task = asyncio.create_task(engine.play(Board("breakthrough"), ENDLESS))
        search = await begun(engine)
        await turns(1000)
        assert not search.ended and not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert search.ended
        await assert_usable(engine)

    run(main)


def test_other_tasks_run_between_lines():
    async def main(engine):
        async with engine.analysis(Board("hexapawn4x4" if native.PLAIN_PYTHON else "breakthrough")) as analysis:
            async for line in analysis:
                await turns(1000)
                assert not analysis._run.ended
                if line.depth == 2:
                    break
        assert analysis._run.ended
        await assert_usable(engine)

    run(main)


@pytest.mark.parametrize("after", [0, 1, 2, 3, 5, 10, 50])
@pytest.mark.parametrize(
    "search",
    [
        lambda engine: engine.play(Board("breakthrough"), ENDLESS),
        lambda engine: engine.analysis(Board("breakthrough")).wait(),
        lambda engine: all_lines(engine.analysis(Board("breakthrough"))),
    ],
    ids=["play", "wait", "lines"],
)
def test_cancelled_task_stops_its_search_wherever_it_is(search, after):
    async def main(engine):
        task = asyncio.create_task(search(engine))
        await turns(after)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        last = engine._engine._run
        assert last is None or last.ended
        await assert_usable(engine)

    run(main)


@pytest.mark.parametrize("between", range(5))
@pytest.mark.parametrize("after", range(1, 6))
def test_task_that_is_cancelled_twice_stops_its_search(after, between):
    async def main(engine):
        task = asyncio.create_task(all_lines(engine.analysis(Board("breakthrough"))))
        await turns(after)
        task.cancel()
        await turns(between)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await assert_usable(engine)

    run(main)


def test_several_tasks_may_wait_for_one_analysis():
    async def main(engine):
        analysis = engine.analysis(Board("breakthrough"), Limit(depth=3))
        first, *results = await asyncio.gather(analysis.__anext__(), analysis.wait(), analysis.wait())
        assert first.depth == 1 and results == [analysis.lines, analysis.lines] and analysis.lines[0].depth == 3

    run(main)


def test_close_waits_for_a_search_that_another_task_is_starting():
    async def main(engine):
        analysis = engine.analysis(Board("breakthrough"))
        waiting = asyncio.create_task(analysis.wait())
        await turns(1)
        await analysis.close()
        await assert_usable(engine)
        await waiting

    run(main)


def test_analysis_that_could_not_start_may_be_tried_again():
    async def main(engine):
        other, analysis = engine.analysis(Board("breakthrough")), engine.analysis(Board("breakthrough"), SMALL)
        async with other:
            with pytest.raises(RuntimeError, match="the engine is searching"):
                await analysis.wait()
        assert await analysis.wait()

    run(main)


async def all_lines(analysis):
    return [line async for line in analysis]


def test_timeout_ends_a_search():
    async def main(engine):
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.play(Board("breakthrough"), ENDLESS), 0.1)
        assert engine._engine._run.ended
        await assert_usable(engine)

    run(main)


def test_several_engines_search_at_once():
    """Each goes on until all have begun."""

    async def main(first):
        async with (
            AsyncEngine(hash=1, own_book=False) as second,
            AsyncEngine(hash=1, threads=2, own_book=False) as third,
        ):
            engines = [first, second, third]
            tasks = [asyncio.create_task(engine.play(Board("breakthrough"), ENDLESS)) for engine in engines]
            runs = [await begun(engine) for engine in engines]
            assert len(set(runs)) == 3 and not any(search.ended for search in runs)
            for search in runs:
                search.stop()
            assert {(await task).move in Board("breakthrough").legal_moves for task in tasks} == {True}

    run(main)


def test_second_search_of_an_engine_is_refused():
    async def main(engine):
        async with engine.analysis(Board("hexapawn")) as analysis:
            for use in (engine.play(Board(), SMALL), engine.analyse(Board(), SMALL), engine.new_game()):
                with pytest.raises(RuntimeError, match="the engine is searching"):
                    await use
            with pytest.raises(RuntimeError, match="the engine is searching"):
                await all_lines(engine.analysis(Board()))
            analysis.stop()
        await assert_usable(engine)

    run(main)


def test_stop_before_the_search_begins_is_kept():
    async def main(engine):
        analysis = engine.analysis(Board("hexapawn"))
        analysis.stop()
        assert analysis.lines == []
        assert len(await all_lines(analysis)) > 0 and analysis._run.ended
        await engine.analysis(Board("hexapawn")).close()  # never begun
        await assert_usable(engine)

    run(main)


def test_analysis_that_nobody_uses_any_more_ends():
    async def main(engine):
        async for line in engine.analysis(Board("breakthrough")):
            assert line.depth == 1
            break
        await assert_usable(engine)

    run(main)


def test_close_ends_a_search():
    async def main(engine):
        task = asyncio.create_task(engine.play(Board("breakthrough"), ENDLESS))
        await begun(engine)
        await engine.close()
        with pytest.raises(RuntimeError, match="the engine was closed during the search"):
            await task
        with pytest.raises(RuntimeError, match="the engine is closed"):
            await engine.play(Board(), SMALL)
        with pytest.raises(RuntimeError, match="the engine is closed"):
            await engine.__aenter__()
        await engine.close()

    run(main)


def test_search_outlives_its_event_loop():
    """What it reports then reaches nobody; it must not end the process."""
    engine = AsyncEngine(hash=1)

    async def main():
        analysis = engine.analysis(Board("hexapawn"))
        await analysis.__anext__()
        return analysis

    analysis = asyncio.run(main())
    search = analysis._run
    assert not search.ended
    del analysis
    gc.collect()
    assert search._ended.wait(SOON)
    engine._engine.close()


@pytest.mark.compiled
def test_interrupt_ends_a_search():
    engine = AsyncEngine(hash=1, own_book=False)
    interrupt_after(0.3, lambda: asyncio.run(engine.play(Board("breakthrough"), ENDLESS)))
    assert engine._engine._run.ended
    asyncio.run(engine.close())


def test_faults_are_named_before_a_search_begins():
    async def main(engine):
        with pytest.raises(ValueError, match="the game is over, white has won"):
            await engine.play(Board("twoflags", FINISHED), SMALL)
        with pytest.raises(TypeError, match="limit must be a pawnstorm.Limit, not NoneType"):
            await engine.analyse(Board(), None)
        with pytest.raises(ValueError, match="MultiPV"):
            engine.analysis(Board(), multipv=0)

    run(main)
