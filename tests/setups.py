"""Random setups of pawns, for what is compared with exhaustive play."""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  the kernels out of the cache, which takes a second and not twenty

# isort: split

import numpy as np
import pytest
from numba import njit

from pawnstorm.kernels.bits import lsb, popcount
from pawnstorm.kernels.kernel import EIGHT, ONE, ZERO
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.position import attacks, make_move

# Of Breakthrough: (game, pawns on the board at most, so that exhaustive play stays quick; random games)
BREAKTHROUGH = [
    ("breakthrough2x4", 5, 300),
    *(
        pytest.param(*each, marks=pytest.mark.compiled)
        for each in [
            ("breakthrough2x7", 8, 3000),
            ("breakthrough3x5", 9, 3000),
            ("breakthrough4x4", 11, 3000),
            ("breakthrough4x5", 7, 2000),
            ("breakthrough5x4", 9, 3000),
            ("breakthrough5x5", 6, 2000),
            ("breakthrough3x6", 7, 2000),
        ]
    ),
]


@pytest.fixture(autouse=True)
def words_wrap():
    """Without the compiler NumPy would warn where machine words wrap."""
    with np.errstate(over="ignore"):
        yield


@njit
def pick(bitboard):
    """A random bit of a set that is not empty."""
    for _ in range(np.random.randint(0, np.int64(popcount(bitboard)))):
        bitboard &= bitboard - ONE
    return ONE << lsb(bitboard)


@njit
def thrown(own_pawns, opp_pawns, state):
    """A random setup in which nobody has arrived; where a pawn can have made a double step just now, now and then it
    has.
    """
    own, opp = ZERO, ZERO
    for _ in range(own_pawns):
        own |= pick(state.board & ~(state.goal | own))
    for _ in range(opp_pawns):
        opp |= pick(state.board & ~(state.home | own | opp))
    empty = state.board & ~(own | opp)
    passed = (opp << EIGHT) & state.ep_squares & empty & (empty >> EIGHT) & attacks(own)
    if passed and np.random.randint(0, 2):
        return own, opp, pick(passed)
    return own, opp, ZERO


def first_of(is_false):
    """A function that finds the first position with a false claim in random games from a setup, or from thrown ones
    where that is empty; else zeros. Positions of more than `most` pawns are passed over.

    is_false(own, opp, ep, state, memo, tally, *more): whether one is made of an unfinished position; compiled
    """

    @njit
    def first_false(games, seed, own_start, opp_start, most, state, memo, tally, *more):
        np.random.seed(seed)
        for _ in range(games):
            own, opp, ep = own_start, opp_start, ZERO
            if own == ZERO:
                pawns = np.random.randint(2, most + 1)
                mine = np.random.randint(1, pawns)
                own, opp, ep = thrown(mine, pawns - mine, state)
            count = generate_moves(own, opp, ep, state)
            while count:
                move = np.uint64(state.moves[np.random.randint(0, count)])
                if np.int64(popcount(own | opp)) <= most and is_false(own, opp, ep, state, memo, tally, *more):
                    return own, opp, ep
                own, opp, ep = make_move(own, opp, ep, move, state)
                count = generate_moves(own, opp, ep, state)
        return ZERO, ZERO, ZERO

    return first_false
