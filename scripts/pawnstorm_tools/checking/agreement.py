"""Compares the compiled rules (pawnrules.py) with the slow ones (naive.py), and converts positions between their forms."""

import numpy as np

from pawnstorm_tools.checking import naive, pawnrules


class RulesDiffer(Exception):
    """The compiled rules and scripts/pawnstorm_tools/checking/naive.py disagree. The text says where, and about what."""


def name(square):
    """The name of a numbered square, a1 = 0, b1 = 1, a2 = 8."""
    return naive.square(square % 8, square // 8)


def squares(word):
    """The numbers of the squares in a set."""
    return [square for square in range(64) if int(word) >> square & 1]


def to_words(position):
    """Convert a naive position to the form of pawnrules: (white, black, ep, whether White is to move)."""
    sets = {".": 0, "P": 0, "p": 0}
    for rank, row in enumerate(position.board):
        for file, piece in enumerate(row):
            sets[piece] |= 1 << 8 * rank + file
    file, rank = (0, 0) if position.ep == "-" else naive.coordinates(position.ep)
    ep = 0 if position.ep == "-" else 1 << 8 * rank + file
    return np.uint64(sets["P"]), np.uint64(sets["p"]), np.uint64(ep), position.side == "w"


def position(game, white, black, ep, white_to_move):
    """Convert a position from the form of pawnrules to a naive position."""
    board = [["."] * game.files for _ in range(game.ranks)]
    for piece, word in (("P", white), ("p", black)):
        for square in squares(word):
            board[square // 8][square % 8] = piece
    return naive.Position(
        game, tuple(map("".join, board)), "w" if white_to_move else "b", name(squares(ep)[0]) if ep else "-"
    )


def compare(found, rules):
    """Raise RulesDiffer if the compiled rules and the slow ones disagree about a naive position.

    This compares its moves, the positions after them, and whether the game is over.
    """
    white, black, ep, white_to_move = to_words(found)
    rows = np.zeros((pawnrules.MAX_MOVES, 3), np.uint64)
    count = pawnrules.successors(white, black, ep, white_to_move, rules, rows)
    goes = {
        pawn: pawnrules.pawn_targets(np.uint64(1 << pawn), white, black, ep, white_to_move, rules)
        for pawn in squares(white if white_to_move else black)
    }
    moves = naive.moves(found)
    for what, ours, theirs in (
        ("whether the game is over", count == 0, naive.over(found)),
        (
            "where pawns go",
            sorted(name(pawn) + name(to) for pawn in goes for to in squares(goes[pawn])),
            sorted(naive.side_moves(found)),
        ),
        (
            "what the moves lead to",
            sorted(map(tuple, rows[:count].tolist())),
            sorted(tuple(map(int, to_words(naive.play(found, move))[:3])) for move in moves),
        ),
    ):
        if ours != theirs:
            raise RulesDiffer(
                f"the compiled rules and scripts/pawnstorm_tools/checking/naive.py disagree about {what} in {naive.fen(found)}"
            )


class Line:
    """A line of play by the rules of naive. It raises RulesDiffer if the compiled rules differ in one of its positions."""

    def __init__(self, start, rules):
        self.moves, self.position, self.rules = [], start, rules
        compare(start, rules)

    def play(self, move):
        """Play a move; returns whether it is legal."""
        if move not in naive.moves(self.position):
            return False
        self.moves, self.position = [*self.moves, move], naive.play(self.position, move)
        compare(self.position, self.rules)
        return True

    def reply(self, fits):
        """Play the first move that leads to a position for which fits(position) is true."""
        self.play(next(move for move in naive.moves(self.position) if fits(naive.play(self.position, move))))
