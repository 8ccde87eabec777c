"""The static score of a position, for the side to move: a weighted sum of counts of its pawns minus the opponent's.

Every term is a popcount of a mask, so one shape serves every game; only the weights differ (engine/weights.py).
"""

import numpy as np

from engine.bits import popcount
from engine.kernel import EIGHT, NOT_A, NOT_H, ONE, SIXTEEN, STATE, i32, i64, kernel, u64
from engine.position import attacks, attacks_down, flip

RANK = np.uint64(0xFF)
THIRTY_TWO = np.uint64(32)
EDGES = np.uint64(0x8181818181818181)
CENTRE = np.uint64(0x3C3C3C3C3C3C3C3C)

# Where a term's weight lies in state.weights; those by rank take eight, the own first rank first.
PAWN, PASSED, PROTECTED, HANGING, PHALANX, EDGE, CENTRAL, MOBILE, FILE, TEMPO = 0, 8, 16, 24, 32, 33, 34, 35, 36, 37


@kernel(u64(u64))
def south_fill(bitboard):
    """Every square of the set and all below it on its file."""
    bitboard |= bitboard >> EIGHT
    bitboard |= bitboard >> SIXTEEN
    return bitboard | (bitboard >> THIRTY_TWO)


@kernel(i64(u64, i64, STATE))
def by_rank(bitboard, first, state):
    """Sum over ranks of the set's count times the rank's weight, weights from state.weights[first]."""
    total = i64(0)
    for rank in range(8):
        total += i64(popcount(bitboard & RANK)) * state.weights[first + rank]
        bitboard >>= EIGHT
    return total


@kernel(i64(u64, u64, STATE))
def one_side(own, opp, state):
    """The sum of one side's terms, seen by it."""
    own_attacks = attacks(own)
    opp_attacks = attacks_down(opp)
    # Passed: no enemy ahead on its own or a neighbouring file.
    ahead = south_fill(opp >> EIGHT)
    ahead |= ((ahead & NOT_A) >> ONE) | ((ahead & NOT_H) << ONE)
    total = by_rank(own, PAWN, state)
    passed = own & ~ahead
    if passed:
        total += by_rank(passed, PASSED, state)
    total += by_rank(own & own_attacks, PROTECTED, state)
    hanging = own & opp_attacks & ~own_attacks
    if hanging:
        total += by_rank(hanging, HANGING, state)
    total += i64(popcount(own & ((own & NOT_H) << ONE))) * state.weights[PHALANX]
    total += i64(popcount(own & EDGES)) * state.weights[EDGE]
    total += i64(popcount(own & CENTRE)) * state.weights[CENTRAL]
    total += i64(popcount((own << EIGHT) & state.board & ~(own | opp))) * state.weights[MOBILE]
    return total + i64(popcount(south_fill(own) & state.home)) * state.weights[FILE]


@kernel(i32(u64, u64, STATE))
def evaluate(own, opp, state):
    """Centipawns, for the side to move, between -20000 and 20000; says nothing about wins."""
    shift = state.flip_shift
    score = one_side(own, opp, state) - one_side(flip(opp, shift), flip(own, shift), state) + state.weights[TEMPO]
    return i32(max(i64(-20000), min(i64(20000), score)))
