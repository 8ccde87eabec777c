"""A line book: the winner's moves of a solved game in the positions that games are likely to reach.

Each position of the book is reached from the root by moves of the book and replies of the loser. If the book does not have a
position of the winner, a move in that position wins if it leads to a position of the loser that the book has. If no move does,
the position is left to the search and the solver. In the loser's positions, the book names the reply that is followed by the
largest number of the book's moves. The file takes a little less than a byte for each move:

    pawnstorm linebook 1 GAME leaf N plies N moves N positions N check CRC-32 of the rest
    the moves, compressed (engine/pawnstorm/kernels/line_book.py), which are read into a table once

scripts/pawnstorm_tools/solving/line_book_writer.py writes line books.
"""

import ctypes

from pawnstorm.core import native
from pawnstorm.core.line_book_layout import END, LEFT, LISTED, MASK, SLOTS
from pawnstorm.core.state import MAX_PROOF_PLIES
from pawnstorm.games.datafile import BadFile, Format, verify
from pawnstorm.games.position import Board
from pawnstorm.games.position_table import named_rules, signature
from pawnstorm.proof.strategy import Entry, Strategy
from pawnstorm.system import files

FORMAT = Format("line book", "pawnstorm linebook 1", ("leaf", "plies", "moves", "positions", "check"))
MOST_POSITIONS = 1 << 23  # that a file may have; its table has 4/3 to 8/3 as many slots of 8 bytes
MOST_BYTES = 4  # of the data for each position; the whole file may have as many more


class LineBook(Strategy):
    """The line book in a file. Raises BadFile, OSError, MemoryError.

    game        the full name of its game
    leaf_nodes  the most expansions that the solver needs to prove a likely position of the winner that has no entry
    plies       upper bound of the plies of the whole game
    moves       the number of the winner's moves
    count       the number of positions in the table, including those of the loser in which no reply leads to a move
    """

    def __init__(self, path):
        self.game, numbers, data = FORMAT.read(
            path, lambda numbers: MOST_BYTES * min(numbers[3], MOST_POSITIONS) + MOST_BYTES
        )
        self.leaf_nodes, self.plies, self.moves, self.count, check = numbers
        if self.count > MOST_POSITIONS or self.plies > MAX_PROOF_PLIES:
            raise BadFile(
                f"{path} is damaged: expected at most {MOST_POSITIONS} positions and {MAX_PROOF_PLIES} plies in its first line"
            )
        rules = named_rules(path, FORMAT, self.game)
        self._signature = signature(rules)
        verify(path, data, len(data), check, f"{len(data)} bytes after its first line,")
        slots = 1 << (4 * self.count // 3).bit_length()
        words = -(-(SLOTS + slots + len(data) // 8 + 1) // 8) * 8
        try:
            self._book = (ctypes.c_uint64 * words)()
        except MemoryError:
            raise MemoryError(f"{path} cannot be read: expected {8 * words >> 20} MiB of free memory") from None
        self._buckets = words // 8  # the size for the plain kernels (engine/pawnstorm/core/native.py)
        self._book[END], self._book[MASK], self._book[LEFT] = len(data), slots - 1, self.count
        ctypes.memmove(ctypes.addressof(self._book) + 8 * (SLOTS + slots), data, len(data))
        read = native.core().read_line_book(self.plies, self._placed(Board.start(rules)), self._book)
        if read != self.moves or self._book[LEFT]:
            raise BadFile(f"{path} is damaged: expected {self.moves} moves in {self.count} positions")

    @classmethod
    def is_in(cls, path):
        """Whether a file can be read and begins as line books do."""
        try:
            with files.open_regular(path) as file:
                return file.read(len(FORMAT.magic)) == FORMAT.magic.encode()
        except (OSError, files.NotRegular):
            return False

    def probe(self, board):
        """The Entry of a position; None if the book names no move in it, and no move leads to a lost position of the book."""
        return self._entry(board, 0)

    def listed(self, board):
        return self._entry(board, LISTED)

    def _entry(self, board, wanted):
        """The Entry of a position; None if its word in the table names no move, or lacks a bit that is wanted."""
        if signature(board.rules) != self._signature:
            return None
        word = native.core().look_up_line_book(self._placed(board), self._book)
        move, plies = word >> 8 & 0xFFF, word & 0xFF
        return Entry(move, plies, 1 if plies & 1 else -1) if move and word & wanted == wanted else None

    def _placed(self, board):
        """A record with this board."""
        state = native.scratch(board.rules, *board.bitboards)
        state.buckets = self._buckets
        return state
