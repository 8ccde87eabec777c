"""Numeric settings of an engine, with their bounds: for the UCI options, and for Python's Engine and solve()."""

from collections import namedtuple

from pawnstorm.core.hashtable import MAX_MEBIBYTES
from pawnstorm.numbers import parse_int
from pawnstorm.strength import levels


class Setting(namedtuple("Setting", "name default low high")):
    """A whole number with bounds. name: the name of the UCI option."""

    __slots__ = ()

    def parse(self, value):
        """The value, an int or its text, as an int. Raises ValueError if it is out of bounds."""
        return parse_int(str(value), self.low, self.high, f"for option {self.name}")


HASH = Setting("Hash", 16, 1, MAX_MEBIBYTES)
"""MiB of all tables together."""
THREADS = Setting("Threads", 1, 1, 256)
MULTIPV = Setting("MultiPV", 1, 1, 64)
OVERHEAD = Setting("Move Overhead", 10, 0, 10_000)
"""Milliseconds of each move reserved for communication with the referee."""
ELO = Setting("UCI_Elo", 1500, levels.LOWEST, levels.HIGHEST)
