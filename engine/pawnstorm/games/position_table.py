"""Data files that know something of many positions of one game: a sorted table of keys, and the entries of each key.

    a line     as games/datafile.py has it, with the numbers ... entries N check CRC-32 of the rest
    keys       eight bytes for each entry, ascending; several entries of one position have the same key
    entries    a whole number for each key, in the same order; all numbers are little endian

A position and its mirror image share their entries, those of the lesser, as in engine/pawnstorm/kernels/pn_table.py.
"""

from pawnstorm.core.state import State
from pawnstorm.games.datafile import BadFile, verify
from pawnstorm.games.rules import UnknownGame, get_rules

PRIME = (1 << 64) - 59
KEY = 8  # bytes
LARGEST = 1 << 30  # bytes of a file


def mirror_move(rules, move):
    """A move as the mirror image has it."""
    last = rules.files - 1
    return move & ~(7 << 6 | 7) | last - (move & 7) | last - (move >> 6 & 7) << 6


def key(board):
    """The key of a canonical Board: a universal hash, so that positions that look alike do not get the same."""
    return (board.own * 0x9E3779B97F4A7C15 + board.opp * 0xC2B2AE3D27D4EB4F + board.ep * 0xD6E8FEB86659FD93) % PRIME


def _signature(rules):
    """What two Rules that are the same game have in common, whatever they are called."""
    return rules.files, *(getattr(rules, name) for name in State.RULES_FIELDS)


class PositionTable:
    """A file's table, of `count` entries. Raises BadFile, OSError.

    game        the full name of the game that it is of
    numbers     those of its first line
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
        """The entries of a position, [] if the table has none, or is of another game."""
        if _signature(board.rules) != self._signature:
            return []
        wanted = key(board.canonical())
        first = place = self._first(wanted)
        while place < self.count and self._key(place) == wanted:
            place += 1
        return [self._entry(number) for number in range(first, place)]

    def _first(self, wanted):
        """The number of keys that are smaller."""
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


def seen_from(board, move):
    """A move of the position that has the entries, as the board has it: itself, or its mirror image."""
    return move if board.canonical().bitboards == board.bitboards else mirror_move(board.rules, move)
