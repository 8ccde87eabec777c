"""Engine searches in this process; Limit says when a search ends; Line and PlayResult are its results."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from pawnstorm.board import Board, position_of
from pawnstorm.core import native
from pawnstorm.games.notation import line_text, move_text
from pawnstorm.games.position import Board as Position
from pawnstorm.numbers import MAX_LIMIT, check_number
from pawnstorm.search.engine import Engine as Search
from pawnstorm.search.limits import Info, Limits, mate_in
from pawnstorm.search.settings import ELO, HASH, MULTIPV, THREADS
from pawnstorm.system import signals
from pawnstorm.system.clock import POLL

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
    """

    score: int
    mate: int | None
    depth: int
    seldepth: int
    nodes: int
    time: float
    pv: tuple[str, ...]


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

    Use it in a `with` block, or call `close()`, to free its memory. Only one thread may use an engine at a time, but
    several engines may search at once. If the system denies something that a search can do without, such as one more
    thread, the search goes on, and the logger "pawnstorm" gets a warning.

    Args:
        hash: MiB of memory for the results of searches, at most three quarters of the machine's memory. Searches of
            many minutes benefit from more than the default.
        threads: Threads that search together, 1 to 256.
        elo: The strength to play at, 800 to 3400; searches then use one thread. The default is full strength. A weaker
            player makes the same mistakes in every process, and other mistakes after each `new_game()`.
        own_book: Whether `play()` uses the book of a solved game (Two Flags on 8x8). It does so only at full strength,
            and only if all limits are times or clocks.

    Raises:
        ValueError: A value is out of bounds.
        MemoryError: The memory cannot be allocated.
        RuntimeError: The core cannot be compiled.
    """

    def __init__(self, *, hash: int = 16, threads: int = 1, elo: int | None = None, own_book: bool = True) -> None:
        native.core()
        self._search: Search | None = Search(self._on_info, self._on_best, logging.getLogger("pawnstorm").warning)
        self._search.set_hash(HASH.parse(hash))
        self._search.set_threads(THREADS.parse(threads))
        self._search.elo = None if elo is None else ELO.parse(elo)
        self._own_book = own_book
        self._infos: list[Info] = []
        self._best: tuple[int, int | None] | None = None
        self._use_lock = threading.Lock()  # held while a thread uses the search
        self._start_lock = threading.Lock()  # no search begins during or after close()

    def play(self, board: Board, limit: Limit) -> PlayResult:
        """Search for the move to play. The board is not changed.

        Args:
            board: A game that is not over.
            limit: When the search ends.

        Raises:
            ValueError: The game is over, or the limit has clocks but not that of the side to move.
            TypeError: An argument has the wrong type.
            RuntimeError: The engine is closed, or another thread is using it.
            KeyboardInterrupt: Ctrl-C was pressed. The search has ended; the engine can be used again.
        """
        position = position_of(board)
        lines, (move, ponder) = self._run(position, limit, 1, self._own_book)
        reply = None if ponder is None else move_text(position.push(move), ponder)
        return PlayResult(move_text(position, move), reply, lines[0])

    def analyse(self, board: Board, limit: Limit, multipv: int = 1) -> list[Line]:
        """Search for the best lines, each beginning with a different move; the best line comes first.

        The book of a solved game is not used. If the engine has an `elo`, the lines are what a player of that strength
        sees. Raises what `play()` raises, and ValueError if `multipv` is out of bounds.

        Args:
            board: A game that is not over. It is not changed.
            limit: When the search ends.
            multipv: How many lines to return, 1 to 64. If the position has fewer moves, there are fewer lines.
        """
        return self._run(position_of(board), limit, MULTIPV.parse(multipv), own_book=False)[0]

    def new_game(self) -> None:
        """Discard the results of earlier searches.

        This does not improve the moves. It makes searches repeatable: with one thread and a limit of depth or nodes, the
        same position gives the same lines.

        Raises:
            RuntimeError: The engine is closed, or another thread is using it.
        """
        self._exclusively(Search.new_game)

    def close(self) -> None:
        """Free the engine's memory. Its other methods then raise RuntimeError; closing it again does nothing.

        A search in another thread ends, and raises RuntimeError there.
        """
        with self._start_lock:
            search, self._search = self._search, None
            if search is not None:
                search.quit()
        if search is not None:
            search.wait()

    def __enter__(self) -> Engine:
        self._open()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        # For pickle and copy: their own error would only name a lock.
        raise TypeError("an Engine cannot be copied or pickled: expected another one, made by Engine()")

    def _exclusively(self, use: Callable[[Search], Result]) -> Result:
        """Return use(search), while the search is idle and no other thread uses it. Raises RuntimeError."""
        taken = False
        try:
            with signals.deferred():
                taken = self._use_lock.acquire(blocking=False)
            if not taken:
                raise RuntimeError("the engine is searching: expected one thread at a time, or an engine for each")
            search = self._open()
            search.wait()  # a second Ctrl-C may have left one running
            return use(search)
        finally:
            if taken:
                self._use_lock.release()

    def _open(self) -> Search:
        """The search. Raises RuntimeError if the engine is closed."""
        if self._search is None:
            raise RuntimeError("the engine is closed")
        return self._search

    def _run(
        self, position: Position, limit: Limit, multipv: int, own_book: bool
    ) -> tuple[list[Line], tuple[int, int | None]]:
        """Search; returns (lines, (best move, expected reply))."""
        if not isinstance(limit, Limit):
            raise TypeError(f"limit must be a pawnstorm.Limit, not {type(limit).__name__}")
        limits = _limits(limit, position.black_to_move)

        def searched(search: Search) -> tuple[list[Line], tuple[int, int | None]]:
            try:
                search.multipv, search.own_book = multipv, own_book
                self._infos, self._best = [], None
                with self._start_lock, signals.deferred():  # a search starts entirely or not at all
                    self._open().go(position, limits)
                while not search.wait(POLL):
                    pass  # short waits: an interrupt without a signal takes effect between them
            except BaseException:
                search.stop()
                search.wait()
                raise
            if self._best is None:
                raise RuntimeError("the engine was closed during the search")
            return [_line(info) for info in self._infos[:multipv]], self._best

        return self._exclusively(searched)

    # Called from the search's thread.

    def _on_info(self, info: Info) -> None:
        """Keep the latest line of each move, best first."""
        if info.bound:
            return
        rank = info.multipv - 1
        others = [old for old in self._infos[rank:] if old.pv[:1] != info.pv[:1]]
        self._infos = [*self._infos[:rank], info, *others]

    def _on_best(self, board: Position, best: int, ponder: int | None) -> None:
        self._best = best, ponder


def _limits(limit: Limit, black: bool) -> Limits:
    """The Limit as a search takes it, with the clock of the side to move. Raises ValueError if that is missing."""
    own = "black" if black else "white"
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


def _line(info: Info) -> Line:
    return Line(
        score=info.score,
        mate=mate_in(info.score),
        depth=info.depth,
        seldepth=info.seldepth,
        nodes=info.nodes,
        time=info.milliseconds / 1000,
        pv=tuple(line_text(info.board, info.pv).split()),
    )


def _milliseconds(seconds: float) -> int:
    return round(min(1000 * seconds, MAX_LIMIT))
