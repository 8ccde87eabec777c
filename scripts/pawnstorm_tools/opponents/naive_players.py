"""The nine naive players of the Breakthrough report: seed004's search, 3 plies, one term each.

The report gives only the term of each player. So a finished game, too, is valued by the term: most of these players do not
know that they have won. Each term is the value for the player whose pawns move up (`own`). It does not depend on who is to
move. The first of equal moves is kept.
"""

from pawnstorm.core import native
from pawnstorm_tools.opponents.pawns import highest_row, lowest_row, rank_sum
from pawnstorm_tools.opponents.seed004 import Minimax

PLIES = 3


def pieces(own, opp, rules):
    """Own pawns less the enemy's."""
    return own.bit_count() - opp.bit_count()


def own_mobility(own, opp, rules):
    """The number of moves that the player would have if it were to move."""
    return len(native.moves(rules, own, opp, 0))


def mobility_difference(own, opp, rules):
    """The player's moves less the enemy's, each counted as if that side were to move."""
    return own_mobility(own, opp, rules) - own_mobility(rules.flip(opp), rules.flip(own), rules)


def greedy(own, opp, rules):
    """The sum of the row numbers of own pawns, less the same sum for the enemy. Each side counts rows from its own home row."""
    return rank_sum(own) - ((rules.ranks - 1) * opp.bit_count() - rank_sum(opp))


def reckless(own, opp, rules):
    """The row of our most advanced pawn."""
    return highest_row(own)


def defensive(own, opp, rules):
    """The row of the most advanced enemy, counted from our home row; one beyond the board if there is no enemy."""
    return lowest_row(opp) if opp else rules.ranks


def defensive_reckless(own, opp, rules):
    """The maximum of two numbers: the row of our most advanced pawn, and how far the most advanced enemy has come."""
    return max(highest_row(own), rules.ranks - 1 - defensive(own, opp, rules))


def proximity(own, opp, rules):
    """1 if the player has won, -1 if it has lost, otherwise 0."""
    if own & rules.goal or not opp:
        return 1
    return -1 if opp & rules.home or not own else 0


TERMS = {
    "naive-pieces": pieces,
    "naive-mobility-difference": mobility_difference,
    "naive-mobility": own_mobility,
    "naive-greedy": greedy,
    "naive-reckless": reckless,
    "naive-defensive": defensive,
    "naive-defensive-reckless": defensive_reckless,
    "naive-proximity": proximity,
}


def with_term(name):
    """A function that makes the player with that term."""
    return lambda rng: Minimax(rng, TERMS[name], PLIES, None)


def random_values(rng):
    """A player that gives each position a random value. Within a game, the same position has the same value."""
    return Minimax(rng, lambda own, opp, rules: rng.random(), PLIES, None)
