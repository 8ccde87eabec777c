"""Line: the moves that a search expects, with a score. Analysis: the Lines of a search while it runs."""

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
        multipv: The rank of the line among those of the same depth: 1 for the best one.
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
    """One search of an Engine, from its start to its end.

    position    the position that is searched
    best        (best move, expected reply), set at the end; it stays None if closing the engine has ended the search
    stopping    whether stop() was called

    A Run does not refer to its Analysis, so that Python can finalize an Analysis that is no longer used. After its end, it does
    not refer to the engine either.
    """

    def __init__(self, position: Position, multipv: int, deliver: Callable[[Info | None], object]) -> None:
        self.position, self._multipv, self._deliver = position, multipv, deliver
        self._infos: list[Info] = []
        self.best: tuple[int, int | None] | None = None
        self.stopping = False
        self._stop: Callable[[], object] | None = None
        self._ended = threading.Event()

    def begin(self, stop: Callable[[], object]) -> None:
        """Record that the search has begun. stop: the function that ends it."""
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
        """Wait for the end. Ctrl-C stops the search; KeyboardInterrupt is raised when it has ended."""
        try:
            while not clock.wait(self._ended, clock.POLL):
                pass  # short waits, since _thread.interrupt_main() sends no signal: its interrupt takes effect between them
        except BaseException:
            self.stop()
            clock.wait(self._ended)
            raise

    @property
    def lines(self) -> list[Line]:
        """The latest line of each of the best moves so far, best first."""
        return [line_of(info, number) for number, info in enumerate(self._infos[: self._multipv], 1)]

    def result(self) -> tuple[list[Line], tuple[int, int | None]]:
        """(lines, (best move, expected reply)) of a search that has ended.

        Raises RuntimeError if closing the engine has ended it.
        """
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
        """Record that the search has ended, and deliver None."""
        if not self.ended:
            self._ended.set()
            self._stop = None
            self._deliver(None)


def line_of(info: Info, number: int) -> Line:
    """The Line of a search's report. number: its rank, 1 for the best."""
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
    """Stop the search of an analysis that is no longer used. A finalizer calls this.

    A finalizer may run while its thread holds the locks that stopping needs, so another thread stops the search.
    """
    if not run.ended:
        run.stopping = True
        try:
            _thread.start_new_thread(run.stop, ())
        except RuntimeError:
            pass  # no thread can be started, for example while the process ends; the next search stops this one


class Analysis(Iterator[Line]):
    """An iterator over the lines of a search while it runs, made by `Engine.analysis()`. It ends when the search ends.

    For each depth, each line comes once, the best first; `Line.multipv` is its rank. The best line comes again if a proof
    changes it after that. Lines are kept until you read them.
    The search stops at the end of a `with` block, at Ctrl-C while the iterator waits for a line, and when nothing refers to
    the analysis any more. While it runs, the engine's other searches raise RuntimeError.
    """

    def __init__(self, run: Run, reports: SimpleQueue[Info | None]) -> None:
        self._run, self._reports = run, reports

    @property
    def lines(self) -> list[Line]:
        """The latest line of each of the best moves so far, best first, at most `multipv`. Reading this consumes no line."""
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
        """Make the search end soon, and return at once. Any thread may call this.

        The lines that the search has found by then can still be read.
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
