"""The rules written the slow, obvious way: what the compiled rules, the engine's boards and its kernels are tested against.

It imports nothing of the project and uses no bitboards. A board is a tuple of strings, one a rank from rank 1 up, with
P, p and a dot as in FEN; White always moves up it. A move is its text ("e2e4"), which is enough in games where only one
pawn can go from one square to another.
"""

import re
from itertools import count
from typing import NamedTuple

PAWN = {"w": "P", "b": "p"}
OTHER = {"w": "b", "b": "w"}


class Game(NamedTuple):
    """One game on one board, as plain parameters.

    rows: the ranks that a side fills at the start, counted from its own side, 1 is its first.
    """

    files: int
    ranks: int
    rows: tuple
    double_step: bool = False
    en_passant: bool = False
    quiet_diagonals: bool = False


class Position(NamedTuple):
    """A board and whose turn it is. ep: the square that a double step has just passed over, if a pawn can take on it
    now, else "-".
    """

    game: Game
    board: tuple
    side: str
    ep: str = "-"


def twoflags(files=8, ranks=8):
    return Game(files, ranks, rows=(2,), double_step=True, en_passant=True)


def breakthrough(files=8, ranks=8):
    return Game(files, ranks, rows=(1, 2), quiet_diagonals=True)


def hexapawn(files=3, ranks=3):
    return Game(files, ranks, rows=(1,))


# Family -> how its games are made, and the widths and heights that they are played on.
FAMILIES = {
    "twoflags": (twoflags, range(3, 9), range(5, 9)),
    "breakthrough": (breakthrough, range(2, 9), range(4, 9)),
    "hexapawn": (hexapawn, range(1, 9), range(3, 9)),
}
# Every game of every size by its full name, as in twoflags5x6.
GAMES = {
    f"{family}{files}x{ranks}": make(files, ranks)
    for family, (make, widths, heights) in FAMILIES.items()
    for files in widths
    for ranks in heights
}


def start(game):
    """The position from which a game is played: White to move."""
    board = ["." * game.files] * game.ranks
    for row in game.rows:
        board[row - 1] = "P" * game.files
        board[game.ranks - row] = "p" * game.files
    return Position(game, tuple(board), "w")


def square(file, rank):
    """The name of a square from its file and rank, both counted from 0."""
    return "abcdefgh"[file] + str(rank + 1)


def coordinates(name):
    """File and rank, both counted from 0, of a named square."""
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def direction(side):
    return 1 if side == "w" else -1


def far_rank(game, side):
    return game.ranks - 1 if side == "w" else 0


def pawn_moves(position, file, rank):
    """Moves of the side's pawn on this square, by the way pawns step; whether the game is over does not matter here."""
    game, board, side, ep = position
    ahead = rank + direction(side)
    if not 0 <= ahead < game.ranks:
        return []
    moves = []
    origin = square(file, rank)
    if board[ahead][file] == ".":
        moves.append(origin + square(file, ahead))
        second_rank = 1 if side == "w" else game.ranks - 2
        if game.double_step and rank == second_rank and board[ahead + direction(side)][file] == ".":
            moves.append(origin + square(file, ahead + direction(side)))
    for beside in (file - 1, file + 1):
        if not 0 <= beside < game.files:
            continue
        target = square(beside, ahead)
        enemy = board[ahead][beside] == PAWN[OTHER[side]]
        free = board[ahead][beside] == "."
        passing = game.en_passant and target == ep
        if enemy or (free and game.quiet_diagonals) or passing:
            moves.append(origin + target)
    return moves


def side_moves(position):
    """Moves of all pawns of the side to move, whether or not the game is over."""
    mine = PAWN[position.side]
    return [
        move
        for rank, row in enumerate(position.board)
        for file, piece in enumerate(row)
        if piece == mine
        for move in pawn_moves(position, file, rank)
    ]


def opponent_on_far_rank(position):
    other = OTHER[position.side]
    return PAWN[other] in position.board[far_rank(position.game, other)]


def moves(position):
    """Legal moves; none when the game is over."""
    return [] if opponent_on_far_rank(position) else side_moves(position)


def over(position):
    """True when the game is finished: the side to move has lost, since no pawn or no move is left to it or the opponent
    is home.
    """
    return not moves(position)


def play(position, move):
    """The position after a legal move; the letter of a promotion is ignored."""
    game, board, side, ep = position
    from_file, from_rank = coordinates(move[:2])
    to_file, to_rank = coordinates(move[2:4])
    squares = [list(row) for row in board]
    squares[from_rank][from_file] = "."
    squares[to_rank][to_file] = PAWN[side]
    if game.en_passant and move[2:4] == ep:
        squares[from_rank][to_file] = "."
    passed = "-"
    if game.en_passant and abs(to_rank - from_rank) == 2:
        passed = square(to_file, from_rank + direction(side))
    return with_ep(Position(game, tuple("".join(row) for row in squares), OTHER[side]), passed)


def with_ep(position, passed):
    """The position with the right to take on the passed square, if some pawn can do that."""
    granted = position._replace(ep=passed)
    takes = position.game.en_passant and any(move.endswith(passed) for move in side_moves(granted))
    return granted if takes else position


def mirror(position):
    """The position with its files in reverse order, a to h."""
    board = tuple(row[::-1] for row in position.board)
    ep = position.ep if position.ep == "-" else mirror_text(position.game.files, position.ep)
    return position._replace(board=board, ep=ep)


def mirror_text(files, text):
    """A square or a move as the mirrored board, so many files wide, names it."""
    return "".join("abcdefgh"[files - 1 - "abcdefgh".index(c)] if c.isalpha() else c for c in text)


def parse_fen(game, text):
    """The position of a well-formed FEN; anything after the en passant square is ignored."""
    rows, side, _, ep = text.split()[:4]
    board = tuple(re.sub("[1-8]", lambda digit: "." * int(digit[0]), row) for row in reversed(rows.split("/")))
    assert len(board) == game.ranks and all(len(row) == game.files for row in board), text
    return with_ep(Position(game, board, side), ep)


def fen(position):
    """Four fields: board, side, the castling field, which is always "-", and the en passant square."""
    rows = [re.sub("[.]+", lambda dots: str(len(dots[0])), row) for row in reversed(position.board)]
    return " ".join(["/".join(rows), position.side, "-", position.ep])


def perft(position, depth):
    """Lines of exactly this many moves; a finished game has none."""
    if depth == 0:
        return 1
    return sum(perft(play(position, move), depth - 1) for move in moves(position))


class Solver:
    """Exhaustive play to a bounded number of plies, with a memo of what is known of each position."""

    def __init__(self):
        self.proven = {}
        self.disproven = {}
        self.next = {}

    def wins(self, position, plies):
        """The side to move can force a win in at most this many plies."""
        return plies >= 1 and self._known(position, "wins", plies, any, self.loses)

    def loses(self, position, plies):
        """The side to move cannot avoid losing in at most this many plies."""
        return over(position) if plies == 0 else self._known(position, "loses", plies, all, self.wins)

    def children(self, position):
        """All positions one move on; those that end the game come first, so that a win in one is seen at once."""
        if position not in self.next:
            after = [play(position, move) for move in moves(position)]
            self.next[position] = sorted(after, key=lambda child: not over(child))
        return self.next[position]

    def _known(self, position, claim, plies, quantifier, child_claim):
        """Whether the claim holds: one that holds within n plies holds within more, one that fails within n fails
        within fewer.
        """
        key = position, claim
        if plies >= self.proven.get(key, plies + 1):
            return True
        if plies <= self.disproven.get(key, -1):
            return False
        holds = quantifier(child_claim(child, plies - 1) for child in self.children(position))
        (self.proven if holds else self.disproven)[key] = plies
        return holds


def solve(position):
    """(winner, plies): "w" or "b" and the length of the game when the winner hurries and the loser delays. For small
    boards only.
    """
    solver = Solver()
    for plies in count():
        if solver.loses(position, plies):
            return OTHER[position.side], plies
        if solver.wins(position, plies):
            return position.side, plies
