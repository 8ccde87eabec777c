"""Engine: searches in this process. Limit: when a search ends. PlayResult: the move that a search has chosen."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import NoReturn, TypeVar

from pawnstorm.analysis import Analysis, Line, Run
from pawnstorm.board import Board, position_of, side
from pawnstorm.core import native
from pawnstorm.games.notation import move_text
from pawnstorm.games.position import Board as Position
from pawnstorm.numbers import MAX_LIMIT, check_number
from pawnstorm.search.engine import Engine as Search
from pawnstorm.search.limits import Info, Limits
from pawnstorm.search.settings import ELO, HASH, MULTIPV, THREADS
from pawnstorm.system import signals

INTEGER_LIMITS = ("depth", "nodes", "mate", "remaining_moves")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Limit:
    """The limits of a search. It ends at the first limit that it reaches. None means no limit of that kind.

    Give at least one of `time`, `depth`, `nodes`, `mate`, `white_clock` and `black_clock`. To play by a clock, give the
    clock of the side to move; the engine decides how much of it to use for this move. The names are those of
    `chess.engine.Limit` in python-chess.

    Args:
        time: Seconds for this search.
        depth: Plies to search.
        nodes: Positions to search.
        mate: Look for the shortest win within this number of moves of the side to move. The search ends when it has
            found that win or proven that there is none.
        white_clock: Seconds left on White's clock.
        black_clock: Seconds left on Black's clock.
        white_inc: Seconds added to White's clock after each of its moves.
        black_inc: Seconds added to Black's clock after each of its moves.
        remaining_moves: Moves of the side to move until more time is added to its clock. By default the clock is for the
            rest of the game.

    Raises:
        TypeError: `depth`, `nodes`, `mate` or `remaining_moves` is not an int, or another value is not a number.
        ValueError: A time is negative or not finite, another value is below 1, or no limit that ends a search is given.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    white_clock: float | None = None
    black_clock: float | None = None
    white_inc: float | None = None
    black_inc: float | None = None
    remaining_moves: int | None = None

    def __post_init__(self) -> None:
        given = {name: value for name, value in vars(self).items() if value is not None}
        for name, value in given.items():
            check_number(name, value, whole=name in INTEGER_LIMITS)
        if not given.keys() - {"white_inc", "black_inc", "remaining_moves"}:
            raise ValueError("a limit needs one of time, depth, nodes, mate, white_clock and black_clock")


@dataclass(frozen=True)
class PlayResult:
    """The move that the engine chose, and why.

    Attributes:
        move: The move to play.
        ponder: The reply that the engine expects, or None if it expects none.
        line: The last line that the search reported. It begins with a move other than `move` if the search ended just
            after the best move had changed.
    """

    move: str
    ponder: str | None
    line: Line


class Engine:
    """An engine that searches in this process.

    Use it in a `with` block, or call `close()`, to free its memory. An engine does one search at a time, but several engines
    may search at once. If the system denies something that a search can do without, such as one more thread, the search goes on
    and the logger "pawnstorm" gets a warning.

    Args:
        hash: MiB of memory for the results of searches, at most three quarters of the machine's memory. Searches of
            many minutes benefit from more than the default.
        threads: Threads that search together, 1 to 256.
        elo: The strength to play at, 800 to 3400; searches then use one thread. The default is full strength. With an `elo`, the
            engine makes the same mistakes in every process, but different ones after each `new_game()`.
        own_book: Whether `play()` uses a book: the book of a solved game (Two Flags on 8x8, Breakthrough on 6x6), or the opening
            book of another game. It does so only at full strength, and only if all limits are times or clocks. If an opening
            book has several moves of about equal value, one of them is played at random.

    Raises:
        ValueError: A value is out of bounds.
        MemoryError: The memory cannot be allocated.
        RuntimeError: The core cannot be compiled.
    """

    def __init__(self, *, hash: int = 16, threads: int = 1, elo: int | None = None, own_book: bool = True) -> None:
        native.core()
        self._search: Search | None = Search(on_warning=logging.getLogger("pawnstorm").warning)
        self._search.set_hash(HASH.parse(hash))
        self._search.set_threads(THREADS.parse(threads))
        self._search.elo = None if elo is None else ELO.parse(elo)
        self._own_book = own_book
        self._run: Run | None = None  # the last search, or the running one
        self._use_lock = threading.Lock()  # held while a thread starts a search, or uses the search's memory
        self._start_lock = threading.Lock()  # no search begins during or after close()

    def play(self, board: Board, limit: Limit) -> PlayResult:
        """Search for the move to play. The board is not changed.

        Args:
            board: A game that is not over.
            limit: When the search ends.

        Raises:
            ValueError: The game is over, or the limit has clocks but not the clock of the side to move.
            TypeError: An argument has the wrong type.
            RuntimeError: The engine is closed, or it is searching.
            KeyboardInterrupt: Ctrl-C was pressed. The search has ended; the engine can be used again.
        """
        position = position_of(board)
        run = self._start(position, limits_of(limit, position), 1, self._own_book)
        run.wait()
        return play_result(run)

    def analyse(self, board: Board, limit: Limit, multipv: int = 1) -> list[Line]:
        """Search for the best lines, each beginning with a different move; the best line comes first.

        No book is used. If the engine has an `elo`, the lines are those that a player of that strength sees. Raises the errors of
        `play()`, and ValueError if `multipv` is out of bounds.

        Args:
            board: A game that is not over. It is not changed.
            limit: When the search ends.
            multipv: How many lines to return, 1 to 64. If the position has fewer moves, there are fewer lines.
        """
        position = position_of(board)
        run = self._start(position, limits_of(limit, position), MULTIPV.parse(multipv), own_book=False)
        run.wait()
        return run.result()[0]

    def analysis(self, board: Board, limit: Limit | None = None, multipv: int = 1) -> Analysis:
        """Start an analysis and return at once; the result gives the lines while the search runs::

            with engine.analysis(board) as analysis:
                for line in analysis:
                    print(line.depth, line.score, *line.pv)
                    if line.depth == 20:
                        break

        Args:
            board: A game that is not over. It is not changed, and you may play on it during the search.
            limit: When the search ends. Without a limit it goes on until `Analysis.stop()`.
            multipv: How many lines to look for, 1 to 64.
        """
        position = position_of(board)
        reports: SimpleQueue[Info | None] = SimpleQueue()
        limits = limits_of(limit, position, endless=True)
        return Analysis(self._start(position, limits, MULTIPV.parse(multipv), False, reports.put), reports)

    def new_game(self) -> None:
        """Discard the results of earlier searches.

        This does not improve the moves. It makes searches repeatable: with one thread, no `elo` and a limit of depth or
        nodes, the same position gives the same lines.

        Raises:
            RuntimeError: The engine is closed, or it is searching.
        """
        self._exclusively(Search.new_game)

    def close(self) -> None:
        """Free the engine's memory. Its other methods then raise RuntimeError; closing it again does nothing.

        A search in another thread ends, and raises RuntimeError there. An `Analysis` ends without an error.
        """
        with self._start_lock:
            search, self._search = self._search, None
            if search is not None:
                search.quit()
        if search is not None:
            search.wait()
            if self._run is not None:
                self._run.end()

    def __enter__(self) -> Engine:
        self._open()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        # For pickle and copy: their own error would only name a lock.
        raise TypeError("an Engine cannot be copied or pickled: make a new one with Engine()")

    def _exclusively(self, use: Callable[[Search], Result]) -> Result:
        """Call use(search) while the search is idle and no other thread uses it, and return the result.

        Raises RuntimeError if the engine is searching, in use by another thread, or closed.
        """
        taken = False
        try:
            with signals.deferred():
                taken = self._use_lock.acquire(blocking=False)
            run = self._run
            if taken and run is not None and run.stopping:
                run.stop()  # the thread that should stop it may not have done so yet
                run.wait()
            if not taken or (run is not None and not run.ended):
                raise RuntimeError("the engine is searching: expected one search at a time, or an engine for each")
            search = self._open()
            search.wait()
            return use(search)
        finally:
            if taken:
                self._use_lock.release()

    def _open(self) -> Search:
        """The search. Raises RuntimeError if the engine is closed."""
        if self._search is None:
            raise RuntimeError("the engine is closed")
        return self._search

    def _start(
        self,
        position: Position,
        limits: Limits,
        multipv: int,
        own_book: bool,
        deliver: Callable[[Info | None], object] = lambda info: None,
    ) -> Run:
        """Start a search. deliver: a function that the search's thread calls with each report, and with None at the end."""
        run = Run(position, multipv, deliver)

        def begin(search: Search) -> Run:
            search.multipv, search.own_book = multipv, own_book
            search.on_info, search.on_best = run.on_info, run.on_best
            try:
                with self._start_lock, signals.deferred():  # a search starts entirely or not at all
                    run.begin(partial(search.stop, self._open().go(position, limits)))
                    self._run = run
            except BaseException:
                run.stop()
                if self._run is run:
                    run.wait()
                raise
            return run

        return self._exclusively(begin)


def play_result(run: Run) -> PlayResult:
    """The PlayResult of a search that has ended. Raises RuntimeError if closing the engine has ended it."""
    (lines, (move, ponder)), position = run.result(), run.position
    reply = None if ponder is None else move_text(position.push(move), ponder)
    return PlayResult(move_text(position, move), reply, lines[0])


def limits_of(limit: Limit | None, position: Position, endless: bool = False) -> Limits:
    """The Limits of a search, with the clock of the side to move.

    If `endless` is true, the limit may be None, for a search without end. Raises ValueError if the limit has clocks but not the
    clock of the side to move, and TypeError if the limit is not a Limit.
    """
    if limit is None and endless:
        return Limits(infinite=True)
    if not isinstance(limit, Limit):
        raise TypeError(f"limit must be a pawnstorm.Limit, not {type(limit).__name__}")
    own = side(position.black_to_move)
    left, increment = getattr(limit, f"{own}_clock"), getattr(limit, f"{own}_inc")
    clocks = (limit.white_clock, limit.black_clock, limit.white_inc, limit.black_inc, limit.remaining_moves)
    if left is None and any(clock is not None for clock in clocks):
        raise ValueError(f"{own} is to move: expected a limit with {own}_clock")
    return Limits(
        depth=limit.depth or 0,
        nodes=limit.nodes or 0,
        mate=limit.mate or 0,
        movetime=None if limit.time is None else _milliseconds(limit.time),
        clock=None if left is None else (_milliseconds(left), _milliseconds(increment or 0)),
        moves_to_go=limit.remaining_moves or 0,
    )


def _milliseconds(seconds: float) -> int:
    return round(min(1000 * seconds, MAX_LIMIT))
