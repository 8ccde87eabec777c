"""What is known of a solved game, out of files that scripts/strategy.py makes: in its book the winner's strategy, in its
opening the lost positions of the first plies.

In a book the winner has a move in every position that its strategy leads to and that takes the solver
(engine/pawnstorm/kernels/dfpn.py), with an empty table, more than `leaf_nodes` expansions. Each reply is followed, down to
positions that take fewer, which are left to the solver. The loser has the reply that leaves most of the strategy to be
gone through.

An opening has every lost position up to some ply, without a move; a position is won where a move leads to one of them.

Both are tables of positions (games/position_table.py), with one entry of three bytes for each:
from | to << 6 | plies << 12, seen by the side to move; 0 is no move.

    pawnstorm book 1 GAME leaf N entries N check CRC-32 of the rest

scripts/pawnstorm_tools/solving/book_maker.py writes books, and the page reads them in playing_page/worker/book.js.
"""

import os
from collections import namedtuple

from pawnstorm.games.datafile import Format
from pawnstorm.games.position_table import PositionTable, opened, seen_from

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FORMAT = Format("book", "pawnstorm book 1", ("leaf", "entries", "check"))
ENTRY = 3  # bytes
MOVE = 0xFFF

Entry = namedtuple("Entry", "move plies value")
Entry.__doc__ = """What a book knows of a position, seen by the side to move.

move    that wins, or resists longest; None in an opening
plies   to the end of the game at the latest
value   1 it wins, -1 it loses
"""


class Book(PositionTable):
    """A file's strategy, of `count` positions. Raises BadFile, OSError.

    leaf_nodes: expansions with which the solver proves a winner's position that has no entry.
    """

    def __init__(self, path):
        super().__init__(path, FORMAT, ENTRY)
        self.leaf_nodes = self.numbers[0]

    def probe(self, board):
        """The Entry of a position, None where the strategy does not come to it."""
        for data in self.entries(board):
            move, plies = data & MOVE, data >> 12
            value = 1 if plies & 1 else -1
            if not move:
                return Entry(None, plies, value)
            move = seen_from(board, move)
            return Entry(move, plies, value) if move in board.moves() else None
        return None

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


def for_game(rules, kind="book"):
    """The Book of a game, or its "opening"; None where it has none. Raises BadFile, OSError."""
    return opened(Book, os.path.join(FOLDER, f"{rules.full_name}.{kind}"))
