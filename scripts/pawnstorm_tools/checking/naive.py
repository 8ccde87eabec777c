"""The rules in a slow, obvious form, against which the compiled rules, the engine's boards and its kernels are tested.

It imports nothing of the project and uses no bitboards. A board is a tuple of strings, one for each rank from rank 1 up, with P
and p as in FEN, and a dot for an empty square. White always moves up. A move is its text ("e2e4"), which is enough in games where
only one pawn can go from one square to another.
"""

import re
from itertools import count
from typing import NamedTuple

PAWN = {"w": "P", "b": "p"}
OTHER = {"w": "b", "b": "w"}


class Game(NamedTuple):
    """One game on one board, as plain parameters.

    rows: the ranks that a side fills at the start, counted from its own side; 1 is its first rank.
    """

    files: int
    ranks: int
    rows: tuple
    double_step: bool = False
    en_passant: bool = False
    quiet_diagonals: bool = False


class Position(NamedTuple):
    """A board, and whose turn it is.

    ep: the square that a double step has just passed over, if a pawn can capture on it now; else "-".
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


# Family -> (function that makes its games, widths, heights).
FAMILIES = {
    "twoflags": (twoflags, range(3, 9), range(5, 9)),
    "breakthrough": (breakthrough, range(2, 9), range(4, 9)),
    "hexapawn": (hexapawn, range(1, 9), range(3, 9)),
}
# Full name, such as twoflags5x6 -> Game, for all games of all sizes.
GAMES = {
    f"{family}{files}x{ranks}": make(files, ranks)
    for family, (make, widths, heights) in FAMILIES.items()
    for files in widths
    for ranks in heights
}


def start(game):
    """The start position of a game, with White to move."""
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
    """The moves of the pawn on this square, even if the game is over. The pawn must belong to the side to move."""
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
    """The moves of all pawns of the side to move, even if the game is over."""
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
    """The legal moves; none if the game is over."""
    return [] if opponent_on_far_rank(position) else side_moves(position)


def over(position):
    """Whether the game is over. The side to move has then lost: it has no pawn or no move, or the opponent is on its far rank."""
    return not moves(position)


def play(position, move):
    """The position after a legal move. The letter of a promotion is ignored."""
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
    """The position with `passed` as its en passant square if a pawn can capture there; otherwise the position as it is."""
    granted = position._replace(ep=passed)
    takes = position.game.en_passant and any(move.endswith(passed) for move in side_moves(granted))
    return granted if takes else position


def mirror(position):
    """The mirror image of a position: its files in reverse order."""
    board = tuple(row[::-1] for row in position.board)
    ep = position.ep if position.ep == "-" else mirror_text(position.game.files, position.ep)
    return position._replace(board=board, ep=ep)


def mirror_text(files, text):
    """The name of a square or a move on the mirrored board. files: the board's width."""
    return "".join("abcdefgh"[files - 1 - "abcdefgh".index(c)] if c.isalpha() else c for c in text)


def parse_fen(game, text):
    """The position of a well-formed FEN. Fields after the en passant square are ignored."""
    rows, side, _, ep = text.split()[:4]
    board = tuple(re.sub("[1-8]", lambda digit: "." * int(digit[0]), row) for row in reversed(rows.split("/")))
    assert len(board) == game.ranks and all(len(row) == game.files for row in board), text
    return with_ep(Position(game, board, side), ep)


def fen(position):
    """The FEN of a position, in four fields: board, side, castling (always "-"), en passant square."""
    rows = [re.sub("[.]+", lambda dots: str(len(dots[0])), row) for row in reversed(position.board)]
    return " ".join(["/".join(rows), position.side, "-", position.ep])


def perft(position, depth):
    """The number of lines of exactly `depth` moves. A finished game has no moves."""
    if depth == 0:
        return 1
    return sum(perft(play(position, move), depth - 1) for move in moves(position))


class Solver:
    """Exhaustive search to a bounded number of plies, with a memo of the results for each position."""

    def __init__(self):
        self.proven = {}
        self.disproven = {}
        self.next = {}

    def wins(self, position, plies):
        """Whether the side to move can force a win in at most this many plies."""
        return plies >= 1 and self._known(position, "wins", plies, any, self.loses)

    def loses(self, position, plies):
        """Whether the side to move loses in at most this many plies, whatever it plays."""
        return over(position) if plies == 0 else self._known(position, "loses", plies, all, self.wins)

    def children(self, position):
        """All positions after one move. Those that end the game come first, so that a win in one ply is found at once."""
        if position not in self.next:
            after = [play(position, move) for move in moves(position)]
            self.next[position] = sorted(after, key=lambda child: not over(child))
        return self.next[position]

    def _known(self, position, claim, plies, quantifier, child_claim):
        """Whether the claim "wins" or "loses" holds within a number of plies.

        A claim that holds within n plies also holds within more. A claim that fails within n plies also fails within fewer.
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
    """Solve a position on a small board; returns (winner, plies).

    winner: "w" or "b". plies: the length of the game if the winner wins as soon as possible, and the loser
    loses as late as possible.
    """
    solver = Solver()
    for plies in count():
        if solver.loses(position, plies):
            return OTHER[position.side], plies
        if solver.wins(position, plies):
            return position.side, plies
