"""What a book of a solved game says of a position, and what follows from it."""

from collections import namedtuple

Entry = namedtuple("Entry", "move plies value")
Entry.__doc__ = """A position's entry in a book, for the side to move.

move    the move that wins, or that resists longest; None in an opening
plies   upper bound of the plies to the end of the game
value   1 if the side to move wins, -1 if it loses
"""


class Strategy:
    """A book, whose probe(board) returns the Entry of a position, or None if the strategy does not lead to it."""

    def winning_moves(self, board):
        """{move: most plies to the end of the game} of the moves after which the side to move loses, by this book."""
        after = {move: self.probe(board.push(move)) for move in board.moves()}
        return {move: entry.plies + 1 for move, entry in after.items() if entry is not None and entry.value < 0}

    def line(self, board):
        """The moves of the strategy from a position to the strategy's end."""
        line = []
        while (entry := self.probe(board)) and entry.move:
            line.append(entry.move)
            board = board.push(entry.move)
        return line
