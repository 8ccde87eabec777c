"""AsyncEngine: an Engine for programs that use asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

from pawnstorm.analysis import Line, Run, line_of, stop_unused
from pawnstorm.board import Board, position_of
from pawnstorm.engine import Engine, Limit, PlayResult, limits_of, play_result
from pawnstorm.search.limits import Info
from pawnstorm.search.settings import MULTIPV


class AsyncAnalysis(AsyncIterator[Line]):
    """An asynchronous iterator over the lines of a search while it runs, made by `AsyncEngine.analysis()`.

    It works as `Analysis` does, with two differences. The search begins when you await the first line or the end, or enter an
    `async with` block. And it stops if a task that waits for a line, or for the end, is cancelled.
    """

    def __init__(self, start: Callable[[Callable[[Info | None], object]], Run]) -> None:
        self._start, self._stopped = start, False
        self._run: Run | None = None
        self._starting: asyncio.Future[Run] | None = None
        self._reports: asyncio.Queue[Info | None] = asyncio.Queue()
        self._ended = asyncio.Event()

    @property
    def lines(self) -> list[Line]:
        """The latest line of each of the best moves so far, best first, at most `multipv`. Reading this consumes no line."""
        return [] if self._run is None else self._run.lines

    def stop(self) -> None:
        """Make the search end soon, and return at once. The lines that it has found by then can still be read."""
        self._stopped = True
        if self._run is not None:
            self._run.stop()

    async def wait(self) -> list[Line]:
        """Wait until the search ends, and return its last lines, best first."""
        return (await self._finished()).lines

    async def close(self) -> None:
        """Stop the search and wait for its end; the engine can then search again."""
        await self._end()

    async def __anext__(self) -> Line:
        await self._begin()
        try:
            info = await self._reports.get()
        except asyncio.CancelledError:
            await self._end()
            raise
        if info is None:
            self._reports.put_nowait(None)  # for the next call
            raise StopAsyncIteration
        return line_of(info, info.multipv)

    async def __aenter__(self) -> AsyncAnalysis:
        await self._begin()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def __del__(self) -> None:
        if self._run is not None:
            stop_unused(self._run)

    async def _finished(self) -> Run:
        """Wait until the search ends, and return its Run."""
        run = await self._begin()
        try:
            await self._ended.wait()
        except asyncio.CancelledError:
            await self._end()
            raise
        return run

    async def _begin(self) -> Run:
        """Start the search if no task has started it yet. Returns its Run once it has begun."""
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._launch())
        try:
            return await asyncio.shield(self._starting)
        except asyncio.CancelledError:
            await self._end()
            raise

    async def _launch(self) -> Run:
        """Start the search in a thread, since the call that starts a short search may return only when the search has ended."""
        loop, reports, ended = asyncio.get_running_loop(), self._reports, self._ended

        def receive(info: Info | None) -> None:
            reports.put_nowait(info)
            if info is None:
                ended.set()

        def deliver(info: Info | None) -> None:
            try:
                loop.call_soon_threadsafe(receive, info)
            except RuntimeError:
                pass  # the event loop is closed: no task waits any more

        def start() -> Run:
            run = self._run = self._start(deliver)
            if self._stopped:  # read after _run is set, since stop() sets _stopped before it reads _run
                run.stop()
            return run

        try:
            return await asyncio.to_thread(start)
        except BaseException:
            self._starting = None
            raise

    async def _end(self) -> None:
        """Stop the search and wait for its end, which comes soon.

        If the task that waits is cancelled meanwhile, CancelledError is raised after the end.
        """
        self.stop()
        cancelled = None
        while True:
            try:
                if self._starting is not None and not self._starting.done():
                    await asyncio.wait([self._starting])
                elif self._run is not None and not self._ended.is_set():
                    await self._ended.wait()
                else:
                    break
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled


class AsyncEngine:
    """An `Engine` whose searches do not block the event loop of asyncio.

    Use it in an `async with` block, or await `close()`, to free its memory. An engine does one search at a time, but several
    engines may search at once. If a task that waits for a search is cancelled, for example by the timeout of
    `asyncio.wait_for()`, the search ends before the cancellation takes effect. Then the engine can be used again. Example::

        async with pawnstorm.AsyncEngine() as engine:
            result = await engine.play(board, pawnstorm.Limit(time=1))
            async for line in engine.analysis(board, pawnstorm.Limit(depth=12)):
                print(line.score, *line.pv)

    It takes the arguments of `Engine`, and raises the same errors. The constructor of a process's first engine blocks while it
    loads the core. In a clone of the repository, it may have to compile the core first.
    """

    def __init__(self, *, hash: int = 16, threads: int = 1, elo: int | None = None, own_book: bool = True) -> None:
        self._engine = Engine(hash=hash, threads=threads, elo=elo, own_book=own_book)
        self._own_book = own_book

    async def play(self, board: Board, limit: Limit) -> PlayResult:
        """Search for the move to play, as `Engine.play()` does."""
        return play_result(await self._search(board, limit, 1, self._own_book))

    async def analyse(self, board: Board, limit: Limit, multipv: int = 1) -> list[Line]:
        """Search for the best lines, as `Engine.analyse()` does."""
        return (await self._search(board, limit, MULTIPV.parse(multipv), own_book=False)).result()[0]

    def analysis(self, board: Board, limit: Limit | None = None, multipv: int = 1) -> AsyncAnalysis:
        """Return the lines of a search while it runs, as `Engine.analysis()` does."""
        position = position_of(board)
        limits = limits_of(limit, position, endless=True)
        return AsyncAnalysis(partial(self._engine._start, position, limits, MULTIPV.parse(multipv), False))

    async def new_game(self) -> None:
        """Discard the results of earlier searches, as `Engine.new_game()` does."""
        await asyncio.to_thread(self._engine.new_game)

    async def close(self) -> None:
        """Free the engine's memory, as `Engine.close()` does. A running search ends."""
        await asyncio.to_thread(self._engine.close)

    async def __aenter__(self) -> AsyncEngine:
        self._engine._open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _search(self, board: Board, limit: Limit, multipv: int, own_book: bool) -> Run:
        """Search to the end, and return the Run."""
        position = position_of(board)
        search = AsyncAnalysis(partial(self._engine._start, position, limits_of(limit, position), multipv, own_book))
        return await search._finished()
