"""Engine: searches in this process; Limit, when a search ends; Line and PlayResult, what it returns."""

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
    """When a search ends: as soon as one of these is reached. None means no such limit; one is needed, besides the
    increments and remaining_moves. The names are those of python-chess.

    time                        seconds for this search
    depth                       plies
    nodes                       positions
    mate                        looks for the shortest win within so many moves, and ends when it is found or refuted
    white_clock, black_clock    seconds left for all moves to come, of which the engine takes what this one deserves
    white_inc, black_inc        seconds added after each move
    remaining_moves             moves until the clocks are set again

    Raises TypeError and ValueError.
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
    """How a search expects the game to go on, all seen by the side to move.

    score       centipawns, more is better for the side to move; a proven win in n plies is 30000 - n, a loss n - 30000
    mate        moves within which the side to move is proven to win, negative if it loses; None if neither is proven
    depth       plies that were searched in full
    seldepth    plies that were looked at in the longest line
    nodes       positions searched so far, for all lines together
    time        seconds since the search began
    pv          the moves, best play by both sides; to the game's end if that is proven and the end was found
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
    """move is to be played; ponder is the reply that the engine expects, or None; line is what the search reported
    last. The line begins with another move if time ended just when the best one had changed.
    """

    move: str
    ponder: str | None
    line: Line


class Engine:
    """The engine in this process, to be used by one thread at a time; several engines may search at once.

    hash        MiB of memory for what it has found so far; a search of many minutes deserves more than the default
    threads     threads that search together
    elo         the strength to play at, 800 to 3400, with one thread; None for full strength. Such a player errs alike
                in every process, and otherwise after each new_game()
    own_book    whether it uses the strategy and the opening of a solved game where play() has a limit of time and nothing
                else

    Raises ValueError for values out of bounds, MemoryError if there is no such memory, and RuntimeError if the core
    cannot be compiled. What the system denies a search, such as a thread, goes to the log "pawnstorm" as a warning.

    Use it in a `with` block, or call close(): its memory is then given back.
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
        self._start_lock = threading.Lock()  # no search begins after close(), or half before it

    def play(self, board: Board, limit: Limit) -> PlayResult:
        """The move to play. The board is left as it is.

        Raises ValueError if the game is over or the limit lacks the clock of the side to move, and RuntimeError if the
        engine is closed or searching. Ctrl-C ends the search and raises KeyboardInterrupt; the engine stays usable.
        """
        position = position_of(board)
        lines, (move, ponder) = self._run(position, limit, 1, self._own_book)
        reply = None if ponder is None else move_text(position.push(move), ponder)
        return PlayResult(move_text(position, move), reply, lines[0])

    def analyse(self, board: Board, limit: Limit, multipv: int = 1) -> list[Line]:
        """The best lines, the best first; fewer than `multipv` if there are fewer moves. Does not use the book.

        With an elo these are the lines as such a player sees them. Raises what play() raises.
        """
        return self._run(position_of(board), limit, MULTIPV.parse(multipv), own_book=False)[0]

    def new_game(self) -> None:
        """Forget all that was found so far. Never needed for the quality of the moves; makes searches repeatable."""
        self._exclusively(Search.new_game)

    def close(self) -> None:
        """End a search that another thread waits for, which raises RuntimeError there, and give the memory back. To
        close an engine twice does no harm.
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
        # For pickle and copy, which would fail at a lock and name that.
        raise TypeError("an Engine cannot be copied or pickled: expected another one, made by Engine()")

    def _exclusively(self, use: Callable[[Search], Result]) -> Result:
        """use(the search), while it is idle and no other thread uses it. Raises RuntimeError."""
        taken = False
        try:
            with signals.deferred():
                taken = self._use_lock.acquire(blocking=False)
            if not taken:
                raise RuntimeError("the engine is searching: expected one thread at a time, or an engine for each")
            search = self._open()
            search.wait()  # for one that a second Ctrl-C left to its end
            return use(search)
        finally:
            if taken:
                self._use_lock.release()

    def _open(self) -> Search:
        """The search of an engine that is not closed. Raises RuntimeError."""
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
                with self._start_lock, signals.deferred():  # a search is begun or it is not
                    self._open().go(position, limits)
                while not search.wait(POLL):
                    pass  # an interrupt that is no signal ends no wait
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
