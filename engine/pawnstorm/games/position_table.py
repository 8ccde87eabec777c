"""Data files with entries for many positions of one game: a header, a sorted table of keys, and a table of entries.

    header     a line as in games/datafile.py, whose numbers end with: entries N check CRC-32 of the rest
    keys       eight bytes for each entry, ascending; several entries of one position have the same key
    entries    a whole number for each key, in the same order; all numbers are little endian

A position and its mirror image share their entries, which are stored for the lesser of the two, as in
engine/pawnstorm/kernels/pn_table.py.
"""

import os
from functools import cache

from pawnstorm.core.state import State
from pawnstorm.games.datafile import BadFile, verify
from pawnstorm.games.rules import UnknownGame, get_rules

PRIME = (1 << 64) - 59
KEY = 8  # bytes
LARGEST = 1 << 30  # bytes of a file


def mirror_move(rules, move):
    """The mirror image of a move."""
    last = rules.files - 1
    return move & ~(7 << 6 | 7) | last - (move & 7) | last - (move >> 6 & 7) << 6


def key(board):
    """The key of a canonical Board: a universal hash, so that similar positions get different keys."""
    return (board.own * 0x9E3779B97F4A7C15 + board.opp * 0xC2B2AE3D27D4EB4F + board.ep * 0xD6E8FEB86659FD93) % PRIME


def _signature(rules):
    """Values that are equal if two Rules are the same game, whatever its name."""
    return rules.files, *(getattr(rules, name) for name in State.RULES_FIELDS)


class PositionTable:
    """The table in a file, with `count` entries. Raises BadFile, OSError.

    game        the full name of its game
    numbers     the numbers in the header
    """

    def __init__(self, path, form, width):
        """form: the Format of the file; width: bytes of an entry."""
        self._width = width
        name, self.numbers, self._data = form.read(path, lambda numbers: min(numbers[-2] * (KEY + width), LARGEST))
        *_, self.count, check = self.numbers
        try:
            rules = get_rules(name)
        except UnknownGame as error:
            raise BadFile(f"{path} is no {form.noun}: {error}") from error
        self.game, self._signature = rules.full_name, _signature(rules)
        size = self.count * (KEY + width)
        verify(path, self._data, size, check, f"{size} bytes after its first line,")

    def entries(self, board):
        """The entries of a position; [] if the table has none or is of another game."""
        if _signature(board.rules) != self._signature:
            return []
        wanted = key(board.canonical())
        first = place = self._first(wanted)
        while place < self.count and self._key(place) == wanted:
            place += 1
        return [self._entry(number) for number in range(first, place)]

    def _first(self, wanted):
        """The number of keys smaller than `wanted`."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            if self._key(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def _key(self, place):
        return int.from_bytes(self._data[KEY * place : KEY * place + KEY], "little")

    def _entry(self, place):
        first = KEY * self.count + self._width * place
        return int.from_bytes(self._data[first : first + self._width], "little")


@cache
def opened(kind, path):
    """The table in a file, which is read only once; None if there is no such file. Raises BadFile, OSError.

    kind: the class of the table, a subclass of PositionTable.
    """
    return kind(path) if os.path.exists(path) else None


def seen_from(board, move):
    """A move of the canonical position as a move on `board`: itself or its mirror image."""
    return move if board.canonical().bitboards == board.bitboards else mirror_move(board.rules, move)
