"""Time controls: how long an engine may think, the words after `go`, and the clock of a side.

All times are in nanoseconds of one monotonic clock. In text, they are in seconds on the command line and in milliseconds in UCI.
"""

import re
from dataclasses import dataclass

from pawnstorm_protocol.client.pump import MILLISECOND, SECOND, now_ns  # noqa: F401  one clock for everybody

# How long an engine without a time limit (`nodes=`, `depth=`) may take for a move before it counts as hanging.
UNTIMED_LIMIT = 60 * SECOND
LONGEST = 10**9
"""The longest time on the command line, in seconds."""
TIME = r"(?:[0-9]+:)?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
TC_PATTERN = re.compile(rf"(?:([0-9]{{1,9}})/)?({TIME})(?:\+({TIME}))?")


@dataclass(frozen=True)
class TimeControl:
    """One engine's limits. Times are in nanoseconds. An absent limit is None or 0.

    base, increment, moves    a clock of `base`, plus `increment` after each move, plus `base` again after every `moves`
                              moves
    move_time                 a fixed time for each move, instead of a clock
    first_move                the fixed time for the first move of each game, if that differs from move_time
    nodes, depth              sent with every go, alone or together with a time
    margin                    how far a time may be exceeded before the game is lost
    """

    base: int | None = None
    increment: int = 0
    moves: int = 0
    move_time: int | None = None
    first_move: int | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: int = 0

    def __str__(self):
        words = []
        if self.base is not None:
            moves = f"{self.moves}/" if self.moves else ""
            words.append(f"{moves}{self.base / SECOND:g}+{self.increment / SECOND:g}")
        if self.move_time is not None:
            words.append(f"st={self.move_time / SECOND:g}")
        if self.first_move is not None:
            words.append(f"first={self.first_move / SECOND:g}")
        words += [f"{name}={value}" for name, value in (("nodes", self.nodes), ("depth", self.depth)) if value]
        return " ".join(words)


def parse_seconds(text):
    """Read a time, in seconds or as minutes:seconds, as nanoseconds. Raises ValueError, which says what is expected."""
    if not re.fullmatch(TIME, text):
        raise ValueError("expected seconds or minutes:seconds, as in 0.5 or 1:30")
    minutes, _, rest = text.rpartition(":")
    value = 60 * float(minutes or 0) + float(rest)
    if value > LONGEST:
        raise ValueError(f"expected at most {LONGEST} seconds")
    return round(value * SECOND)


def parse_tc(text):
    """Read `[moves/]time[+increment]`, such as `1+0.01`, `40/60` or `1:30+1`, as (base, increment, moves).

    Raises ValueError, as parse_seconds() does. A base of 0 is refused, as in cutechess-cli, because the increment is added
    after a move. (fastchess adds it before the first move too.)
    """
    found = TC_PATTERN.fullmatch(text)
    if not found:
        raise ValueError("expected [moves/]time[+increment], as in 1+0.01, 40/60 or 1:30+1")
    moves, base, increment = found.groups()
    if moves and not int(moves):
        raise ValueError("expected at least 1 move before the /")
    if not parse_seconds(base):
        raise ValueError("expected a time above 0: the increment comes after the first move")
    return parse_seconds(base), parse_seconds(increment or "0"), int(moves or 0)


class Clock:
    """One side's clock in one game."""

    def __init__(self, time_control):
        self.time_control = time_control
        self.left = time_control.base
        self.moves_to_go = time_control.moves
        self.begun = False  # whether a move was made

    @property
    def move_time(self):
        """The fixed time for the next move; None if there is none."""
        control = self.time_control
        return control.move_time if self.begun or control.first_move is None else control.first_move

    def allowed(self):
        """The nanoseconds that the next move may take, including the margin."""
        if self.move_time is not None:
            return self.move_time + self.time_control.margin
        if self.left is not None:
            return self.left + self.time_control.margin
        return UNTIMED_LIMIT + self.time_control.margin

    def spend(self, elapsed):
        """Subtract a finished move's time from the clock, and add the time that the move earns. elapsed <= allowed()."""
        self.begun = True
        if self.left is None:
            return
        self.left = max(0, self.left - elapsed) + self.time_control.increment
        if self.time_control.moves:
            self.moves_to_go -= 1
            if self.moves_to_go == 0:
                self.moves_to_go = self.time_control.moves
                self.left += self.time_control.base


def go_words(white, black, mine):
    """The words after `go` for the side whose clock is `mine`, one of the two."""
    words = []
    if mine.move_time is not None:
        words.append(f"movetime {max(1, mine.move_time // MILLISECOND)}")
    elif mine.left is not None:
        running = [(colour, clock) for colour, clock in (("w", white), ("b", black)) if clock.left is not None]
        words += [f"{colour}time {max(1, clock.left // MILLISECOND)}" for colour, clock in running]
        words += [f"{colour}inc {clock.time_control.increment // MILLISECOND}" for colour, clock in running]
        if mine.moves_to_go:
            words.append(f"movestogo {mine.moves_to_go}")
    if mine.time_control.nodes:
        words.append(f"nodes {mine.time_control.nodes}")
    if mine.time_control.depth:
        words.append(f"depth {mine.time_control.depth}")
    return " ".join(words)
