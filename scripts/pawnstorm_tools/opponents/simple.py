"""Two players that do not search, for every game: random moves, and captures first."""

from pawnstorm.games.rules import GAMES
from pawnstorm_tools.opponents.base import Player
from pawnstorm_tools.opponents.pawns import attacked_down


class Random(Player):
    """Any legal move."""

    games = GAMES

    def think(self, board, roots, limits, budget):
        budget.spent()
        yield 1, 0, [self.chance.choice(roots)]


class Greedy(Player):
    """Captures, else the most advanced safe push, else the most advanced push; chance decides between equals.

    Of several captures one that lands furthest up. A push is any move that takes nothing, the diagonal steps of
    Breakthrough included, and as advanced as the rank it reaches; it is safe where no enemy can take on that square, or
    in passing, at once.
    """

    games = GAMES

    def think(self, board, roots, limits, budget):
        budget.spent()
        best = max(map(lambda move: rank(board, move), roots))
        yield 1, 0, [self.chance.choice([move for move in roots if rank(board, move) == best])]


def rank(board, move):
    """How much Greedy likes a move; more is better."""
    target = 1 << (move >> 6)
    child = board.push(move)
    takes = child.own.bit_count() < board.opp.bit_count()
    # After a move that ends the game nobody takes anything.
    safe = child.over() or not (child.ep or target & attacked_down(board.opp))
    return takes, safe or takes, move >> 9
