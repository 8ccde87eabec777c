"""Data files with entries for many positions of one game: a header, and a table of entries that is sorted by keys.

    header     a line as in games/datafile.py, whose numbers end with: entries N check CRC-32 of the rest
    places     four bytes for each bucket of keys: the number of entries before the bucket
    keys       four bytes for each entry, ascending in each bucket; several entries of one position have the same key
    entries    a whole number for each key, in the same order; all numbers are little endian

A key has 64 bits. The highest bucket_bits(N) of them are the number of its bucket. The file stores the next 32. The table may
mistake a position that it lacks for one that it has. This happens for at most one in 130 million of the positions that it
lacks.

A position and its mirror image share their entries, which are stored for the lesser of the two, as in
engine/pawnstorm/kernels/pn_table.py.
"""

import os
from functools import cache

from pawnstorm.core.state import State
from pawnstorm.games.datafile import BadFile, verify
from pawnstorm.games.rules import UnknownGame, get_rules

PRIME = (1 << 64) - 59
KEY = 4  # bytes of a key in a file, and of a bucket's place
BUCKET = 5  # a bucket has 2 ** (BUCKET - 1) to 2 ** BUCKET keys on average; a table with fewer keys has one bucket
LARGEST = 1 << 30  # bytes of a file


def mirror_move(rules, move):
    """The mirror image of a move."""
    last = rules.files - 1
    return move & ~(7 << 6 | 7) | last - (move & 7) | last - (move >> 6 & 7) << 6


def key(board):
    """The key of a canonical Board: a universal hash, so that similar positions get different keys."""
    return (board.own * 0x9E3779B97F4A7C15 + board.opp * 0xC2B2AE3D27D4EB4F + board.ep * 0xD6E8FEB86659FD93) % PRIME


def bucket_bits(count):
    """How many bits the number of a bucket has in a table of `count` entries."""
    return max(0, count.bit_length() - BUCKET)


def split(key, count):
    """(number of the key's bucket, the 32 bits of the key that the file stores), in a table of `count` entries."""
    bits = bucket_bits(count)
    return key >> 64 - bits, key >> 32 - bits & 0xFFFFFFFF


def size(count, width):
    """The size in bytes of a table of `count` entries, without the header. width: the size of an entry in bytes."""
    return (KEY << bucket_bits(count)) + count * (KEY + width)


def signature(rules):
    """Values that are equal if two Rules are the same game, whatever its name."""
    return rules.files, *(getattr(rules, name) for name in State.RULES_FIELDS)


def named_rules(path, form, name):
    """The Rules of the game that the first line of a file names. form: the file's Format. Raises BadFile."""
    try:
        return get_rules(name)
    except UnknownGame as error:
        raise BadFile(f"{path} is not a valid {form.noun}: {error}") from error


class PositionTable:
    """The table in a file, with `count` entries. Raises BadFile, OSError.

    game        the full name of its game
    numbers     the numbers in the header
    """

    def __init__(self, path, form, width):
        """form: the Format of the file; width: bytes of an entry."""
        self._width = width
        name, self.numbers, self._data = form.read(path, lambda numbers: min(size(numbers[-2], width), LARGEST))
        *_, self.count, check = self.numbers
        rules = named_rules(path, form, name)
        self.game, self._signature = rules.full_name, signature(rules)
        self._keys = KEY << bucket_bits(self.count)  # where the keys begin
        expected = size(self.count, width)
        verify(path, self._data, expected, check, f"{expected} bytes after its first line,")

    def entries(self, board):
        """The entries of a position; [] if the table has none or is of another game."""
        if signature(board.rules) != self._signature:
            return []
        bucket, wanted = split(key(board.canonical()), self.count)
        first, end = self._place(bucket), self._place(bucket + 1)
        return [self._entry(place) for place in range(first, end) if self._key(place) == wanted]

    def _place(self, bucket):
        """The number of entries before a bucket."""
        return min(self._number(KEY * bucket, KEY), self.count) if KEY * bucket < self._keys else self.count

    def _key(self, place):
        return self._number(self._keys + KEY * place, KEY)

    def _entry(self, place):
        return self._number(self._keys + KEY * self.count + self._width * place, self._width)

    def _number(self, first, width):
        return int.from_bytes(self._data[first : first + width], "little")


@cache
def opened(kind, path):
    """The table in a file, which is read only once; None if there is no such file. Raises BadFile, OSError.

    kind: the class of the table, a subclass of PositionTable.
    """
    return kind(path) if os.path.exists(path) else None


def seen_from(board, move):
    """Convert a move of the canonical position to a move on `board`: the same move or its mirror image."""
    return move if board.canonical().bitboards == board.bitboards else mirror_move(board.rules, move)
