"""Line and Analysis: what a search expects, and its lines while it runs."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from pawnstorm.games.notation import line_text
from pawnstorm.games.position import Board as Position
from pawnstorm.search.limits import Info, mate_in
from pawnstorm.system import clock


@dataclass(frozen=True)
class Line:
    """A line of moves that the engine expects, with its score, from the point of view of the side to move.

    Attributes:
        score: Centipawns; positive if the side to move is better. A proven win within n plies is 30000 - n, and a
            proven loss within n plies is n - 30000.
        mate: If the side to move is proven to win, the number of moves that it needs at most. If it is proven to lose,
            minus the number of moves that the opponent needs at most. Otherwise None.
        depth: Plies that were searched in full.
        seldepth: Plies of the longest line that was searched.
        nodes: Positions searched so far, for all lines together.
        time: Seconds since the search began.
        pv: The moves, with best play by both sides (the principal variation). A proven win or loss continues to the end
            of the game, if the moves to it are known.
        multipv: The line's place among those that were asked for: 1 for the best one.
    """

    score: int
    mate: int | None
    depth: int
    seldepth: int
    nodes: int
    time: float
    pv: tuple[str, ...]
    multipv: int = 1


class Run:
    """One search from its start to its end, as the engine keeps it.

    position    what is searched
    best        (best move, expected reply), None until the end, or if the engine was closed before
    stopping    whether it was told to end

    It refers to no Analysis, so that one that nobody uses any more is noticed, and after its end to no engine.
    """

    def __init__(self, position: Position, multipv: int, deliver: Callable[[Info | None], object]) -> None:
        self.position, self._multipv, self._deliver = position, multipv, deliver
        self._infos: list[Info] = []
        self.best: tuple[int, int | None] | None = None
        self.stopping = False
        self._stop: Callable[[], object] | None = None
        self._ended = threading.Event()

    def begin(self, stop: Callable[[], object]) -> None:
        """The search has begun; stop() ends it."""
        self._stop = stop
        if self.ended:
            self._stop = None

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def stop(self) -> None:
        """End the search soon."""
        self.stopping = True
        stop = self._stop
        if stop is not None:
            stop()

    def wait(self) -> None:
        """Wait for the end. Ctrl-C stops the search, and is raised when it has ended."""
        try:
            while not clock.wait(self._ended, clock.POLL):
                pass  # short waits: an interrupt without a signal takes effect between them
        except BaseException:
            self.stop()
            clock.wait(self._ended)
            raise

    @property
    def lines(self) -> list[Line]:
        """The latest line of each of the best moves so far, best first."""
        return [line_of(info, number) for number, info in enumerate(self._infos[: self._multipv], 1)]

    def result(self) -> tuple[list[Line], tuple[int, int | None]]:
        """(lines, (best move, expected reply)), after the end. Raises RuntimeError if the engine was closed before."""
        if self.best is None:
            raise RuntimeError("the engine was closed during the search")
        return self.lines, self.best

    # Called from the search's thread.

    def on_info(self, info: Info) -> None:
        """Keep the latest line of each move, best first."""
        if info.bound:
            return
        rank = info.multipv - 1
        others = [old for old in self._infos[rank:] if old.pv[:1] != info.pv[:1]]
        self._infos = [*self._infos[:rank], info, *others]
        self._deliver(info)

    def on_best(self, board: Position, best: int, ponder: int | None) -> None:
        self.best = best, ponder
        self.end()

    def end(self) -> None:
        """The search has ended."""
        if not self.ended:
            self._ended.set()
            self._stop = None
            self._deliver(None)


def line_of(info: Info, number: int) -> Line:
    """The Line of a report, which is number `number` of the lines."""
    return Line(
        score=info.score,
        mate=mate_in(info.score),
        depth=info.depth,
        seldepth=info.seldepth,
        nodes=info.nodes,
        time=info.milliseconds / 1000,
        pv=tuple(line_text(info.board, info.pv).split()),
        multipv=number,
    )


def stop_unused(run: Run) -> None:
    """Stop the search of an analysis that nobody uses any more, from a finalizer. That may run anywhere, also where the
    locks are held that stopping takes: so another thread stops it.
    """
    if not run.ended:
        run.stopping = True
        try:
            _thread.start_new_thread(run.stop, ())
        except RuntimeError:
            pass  # no thread can be started; a new search stops it, and the process may be about to end


class Analysis(Iterator[Line]):
    """The lines of a running search, as `Engine.analysis()` returns it; an iterator that ends when the search ends.

    Each line of each depth comes once, best first; `Line.multipv` tells them apart. A line that is not read yet is kept.
    At the end of a `with` block the search is stopped, as it is if nobody refers to the analysis any more. While it runs,
    other searches of the engine raise RuntimeError. Ctrl-C, while the iterator waits for a line, stops the search too.
    """

    def __init__(self, run: Run, reports: SimpleQueue[Info | None]) -> None:
        self._run, self._reports = run, reports

    @property
    def lines(self) -> list[Line]:
        """The latest line of each of the best moves so far, best first, read or not. There are at most `multipv`."""
        return self._run.lines

    def __next__(self) -> Line:
        info = self._next_info()
        if info is None:
            self._reports.put(None)  # for the next call
            raise StopIteration
        return line_of(info, info.multipv)

    def _next_info(self) -> Info | None:
        try:
            while True:
                try:
                    return self._reports.get(timeout=clock.POLL)
                except Empty:
                    pass  # short waits, as in Run.wait()
        except BaseException:
            self.close()
            raise

    def stop(self) -> None:
        """Tell the search to end soon, and return at once. Lines that have come before can still be read. May be called from
        any thread.
        """
        self._run.stop()

    def wait(self) -> list[Line]:
        """Wait until the search ends, and return its last lines, best first.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed. The search has ended.
        """
        self._run.wait()
        return self.lines

    def close(self) -> None:
        """Stop the search and wait for its end; the engine can then search again."""
        self.stop()
        self._run.wait()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        stop_unused(self._run)
