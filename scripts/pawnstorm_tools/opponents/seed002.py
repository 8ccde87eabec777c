"""seed002: Two Flags in C#, plain iterative deepening whose values fade with distance.

What the description leaves open, and what is played here:

- The game's time is what the clock shows at the first move, two minutes without a clock. A thirtieth of it goes to every
  move, however many there are.
- The search is alpha-beta, with windows that fade as values do. A win ends no iteration.

Its author reports depth 10 to 11 at 4 s a move, in C#; here it is 5 in the opening, then 7 and more.
"""

from pawnstorm_tools.opponents.base import GAME_TIME, Player, deepen
from pawnstorm_tools.opponents.pawns import rank_sum

WIN = 2**31 - 1
FADE = 0.96
DEEPEST = 25


def evaluate(board):
    """Own pawns less the enemy's, and 0.1 for each row by which a pawn of either side is above the middle of the board.

    A pawn below the middle counts negatively. The side to move sees its own pawns moving up, so Black's view is
    (B - W) + 0.1 (-D_B - D_W), with D the sum of rank - 4.5 over a side's pawns.
    """
    own, opp = board.own, board.opp
    everybody = own | opp
    return own.bit_count() - opp.bit_count() + 0.1 * (rank_sum(everybody) - 3.5 * everybody.bit_count())


class Seed002(Player):
    games = ("twoflags", "pawnsonly")

    def new_game(self):
        self.game_time = None

    def seconds(self, clock):
        if self.game_time is None:
            self.game_time = GAME_TIME if clock is None else clock
        return self.game_time / 30 * 0.98

    def think(self, board, roots, limits, budget):
        self.budget = budget
        return deepen(lambda depth: self.choose(board, roots, depth), limits.depth or DEEPEST, budget)

    def choose(self, board, roots, depth):
        """(value, one of the moves that have it) of a search `depth` plies deep."""
        best, equals = -float("inf"), []
        for move in roots:
            child = board.push(move)
            replies = child.moves()
            if replies:
                # A hair below the best: a move as good as it must show its exact value.
                floor = best - 1e-6 * max(1, abs(best)) if equals else best
                value = -FADE * self.search(child, replies, depth - 1, -float("inf"), -floor / FADE)
            else:
                value = WIN
            if value > best:
                best, equals = value, []
            if value == best:
                equals.append(move)
        return best, self.rng.choice(equals)

    def search(self, board, moves, depth, alpha, beta):
        """Fail-soft alpha-beta value for the side to move, whose moves are given: the game is not over."""
        self.budget.check()
        if depth == 0:
            return evaluate(board)
        best = -float("inf")
        for move in moves:
            child = board.push(move)
            replies = child.moves()
            if not replies:
                return WIN  # the winning ply does not fade
            value = -FADE * self.search(child, replies, depth - 1, -beta / FADE, -alpha / FADE)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        return best
