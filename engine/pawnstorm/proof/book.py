"""What is known of a solved game, out of files that scripts/strategy.py makes: in its book the winner's strategy, in its
opening the lost positions of the first plies.

In a book the winner has a move in every position that its strategy leads to and that takes the solver
(engine/pawnstorm/kernels/dfpn.py), with an empty table, more than `leaf_nodes` expansions. Each reply is followed, down to
positions that take fewer, which are left to the solver. The loser has the reply that leaves most of the strategy to be
gone through.

An opening has every lost position up to some ply, without a move; a position is won where a move leads to one of them.

    a line     pawnstorm book 1 GAME leaf N entries N check CRC-32 of the rest
    keys       eight bytes for each position, ascending; all numbers are little endian
    entries    three bytes each, in the same order: from | to << 6 | plies << 12, seen by the side to move; 0 is no move

A position and its mirror image have one entry, that of the lesser, as in engine/pawnstorm/kernels/pn_table.py.

scripts/pawnstorm_tools/solving/book_maker.py writes books, and the page reads them in playing_page/worker/book.js.
"""

import os
from collections import namedtuple

from pawnstorm.core.state import State
from pawnstorm.games.datafile import BadFile, Format, verify
from pawnstorm.games.rules import UnknownGame, get_rules

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FORMAT = Format("book", "pawnstorm book 1", ("leaf", "entries", "check"))
PRIME = (1 << 64) - 59
KEY, ENTRY = 8, 3  # bytes
MOVE = 0xFFF
LARGEST = 1 << 30  # bytes of a file

Entry = namedtuple("Entry", "move plies value")
Entry.__doc__ = """What a book knows of a position, seen by the side to move.

move    that wins, or resists longest; None in an opening
plies   to the end of the game at the latest
value   1 it wins, -1 it loses
"""


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


def _size(numbers):
    """Bytes of a book after its first line."""
    return min(numbers[1] * (KEY + ENTRY), LARGEST)


class Book:
    """A file's strategy, of `count` positions. Raises BadFile, OSError.

    game: the full name of the game that it is of; leaf_nodes: expansions with which the solver proves a winner's position
    that has no entry.
    """

    def __init__(self, path):
        name, (self.leaf_nodes, self.count, check), self._data = FORMAT.read(path, _size)
        try:
            rules = get_rules(name)
        except UnknownGame as error:
            raise BadFile(f"{path} is no book: {error}") from error
        self.game, self._signature = rules.full_name, _signature(rules)
        size = self.count * (KEY + ENTRY)
        verify(path, self._data, size, check, f"{size} bytes after its first line,")

    def probe(self, board):
        """The Entry of a position, None where the strategy does not come to it."""
        if _signature(board.rules) != self._signature:
            return None
        canonical = board.canonical()
        place = self._find(key(canonical))
        if place < 0:
            return None
        first = KEY * self.count + ENTRY * place
        data = int.from_bytes(self._data[first : first + ENTRY], "little")
        move, plies = data & MOVE, data >> 12
        value = 1 if plies & 1 else -1
        if not move:
            return Entry(None, plies, value)
        if canonical.bitboards != board.bitboards:
            move = mirror_move(board.rules, move)
        return Entry(move, plies, value) if move in board.moves() else None

    def winning_moves(self, board):
        """{move: plies to the end at the latest} of the moves that bring about a position that this tells to be lost."""
        after = {move: self.probe(board.push(move)) for move in board.moves()}
        return {move: entry.plies + 1 for move, entry in after.items() if entry is not None and entry.value < 0}

    def line(self, board):
        """The moves of the strategy from a position on, as far as it goes."""
        line = []
        while (entry := self.probe(board)) and entry.move:
            line.append(entry.move)
            board = board.push(entry.move)
        return line

    def _find(self, wanted):
        """The place of a key, -1 where it is not there."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            found = int.from_bytes(self._data[KEY * middle : KEY * middle + KEY], "little")
            if found == wanted:
                return middle
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        return -1


_opened = {}


def for_game(rules, kind="book"):
    """The Book of a game, or its "opening"; None where it has none. Raises BadFile, OSError."""
    name = f"{rules.full_name}.{kind}"
    if name not in _opened:
        path = os.path.join(FOLDER, name)
        _opened[name] = Book(path) if os.path.exists(path) else None
    return _opened[name]
