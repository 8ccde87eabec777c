"""The book and the opening of a solved game, read from files that scripts/strategy.py makes.

A book has the winner's strategy, and follows every reply of the loser. For each position of the winner that this strategy
reaches, the book has a move if the position is hard to prove. That is: with an empty table, the solver
(engine/pawnstorm/kernels/dfpn.py) needs more than `leaf_nodes` expansions for it. Easier positions are left to the solver.

For a position of the loser, the book names only one reply: the one after which the largest part of the strategy remains. It
names none if no reply leads to a further move of the book. If a book would be too large, a line book (line_book.py) takes its
place.

An opening has every lost position up to some ply, and names no moves. A position is won if a move leads to one of them.

Both are tables of positions (games/position_table.py), with one entry of two bytes for each position:
plies | number << PLIES_BITS. The legal moves of the stored position are sorted by from | to << 6, as the side to move sees the
board. The number is the move's place in this list, counted from 1. If it is 0, there is no move.

    pawnstorm book 2 GAME leaf N entries N check CRC-32 of the rest

scripts/pawnstorm_tools/solving/book_maker.py writes books, and the page reads them in playing_page/worker/book.js.
"""

import os

from pawnstorm.games.datafile import Format
from pawnstorm.games.position_table import PositionTable, opened, seen_from
from pawnstorm.proof.line_book import LineBook
from pawnstorm.proof.strategy import Entry, Strategy

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FORMAT = Format("book", "pawnstorm book 2", ("leaf", "entries", "check"))
ENTRY = 2  # bytes
PLIES_BITS = 9


def pack(board, move, plies):
    """The entry of a canonical Board, as an int. move: a legal move, or 0 if the entry names none."""
    return plies | (1 + sorted(board.moves()).index(move) if move else 0) << PLIES_BITS


class Book(Strategy, PositionTable):
    """The book or the opening in a file, with `count` positions. Raises BadFile, OSError.

    leaf_nodes: the most expansions that the solver needs to prove a position of the winner that has no entry.
    """

    def __init__(self, path):
        super().__init__(path, FORMAT, ENTRY)
        self.leaf_nodes = self.numbers[0]

    def probe(self, board):
        """The Entry of a position; None if the strategy does not lead to it."""
        for data in self.entries(board):
            number, plies = data >> PLIES_BITS, data & (1 << PLIES_BITS) - 1
            value = 1 if plies & 1 else -1
            if not number:
                return Entry(None, plies, value)
            moves = sorted(seen_from(board, move) for move in board.moves())
            return Entry(seen_from(board, moves[number - 1]), plies, value) if number <= len(moves) else None
        return None

    def winning_moves(self, board):
        """The moves that win by this book, as {move: upper bound of the plies to the end of the game}.

        A move wins if the book says that the opponent loses after it.
        """
        after = {move: self.probe(board.push(move)) for move in board.moves()}
        return {move: entry.plies + 1 for move, entry in after.items() if entry is not None and entry.value < 0}


def read(path):
    """The Book or the LineBook in a file. Raises BadFile, OSError, MemoryError."""
    return (LineBook if LineBook.is_in(path) else Book)(path)


def for_game(rules, kind="book"):
    """The book of a game, or its opening if kind is "opening"; None if it has none. Raises BadFile, OSError, MemoryError."""
    return opened(read, os.path.join(FOLDER, f"{rules.full_name}.{kind}"))
