"""The settings of an engine that are numbers, with their bounds: of the UCI options, and of Python's Engine and solve()."""

from collections import namedtuple

from pawnstorm.core.hashtable import MAX_MEBIBYTES
from pawnstorm.numbers import whole
from pawnstorm.strength import levels


class Setting(namedtuple("Setting", "name default low high")):
    """A whole number. name: as the UCI option is called."""

    __slots__ = ()

    def checked(self, value):
        """The int that a value is, or a text spells. Raises ValueError if it is not within the bounds."""
        return whole(str(value), self.low, self.high, f"for option {self.name}")


HASH = Setting("Hash", 16, 1, MAX_MEBIBYTES)
"""MiB of the tables together."""
THREADS = Setting("Threads", 1, 1, 256)
MULTIPV = Setting("MultiPV", 1, 1, 64)
OVERHEAD = Setting("Move Overhead", 10, 0, 10_000)
"""Milliseconds of each move that the way to the referee takes."""
ELO = Setting("UCI_Elo", 1500, levels.LOWEST, levels.HIGHEST)
