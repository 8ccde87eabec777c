"""The strategy in a book of a solved game: the entry of a position, and the moves that follow."""

from collections import namedtuple

Entry = namedtuple("Entry", "move plies value")
Entry.__doc__ = """A position's entry in a book, for the side to move.

move    the move that wins, or that resists longest; None in an opening
plies   upper bound of the plies to the end of the game
value   1 if the side to move wins, -1 if it loses
"""


class Strategy:
    """A book, whose probe(board) returns the Entry of a position, or None if the strategy does not lead to it."""

    def listed(self, board):
        """As probe(), but None for a position that is not in the book, even if a move leads to a lost position of the book."""
        return self.probe(board)

    def line(self, board):
        """The moves of the strategy from a position to the strategy's end."""
        line = []
        while (entry := self.probe(board)) and entry.move:
            line.append(entry.move)
            board = board.push(entry.move)
        return line
