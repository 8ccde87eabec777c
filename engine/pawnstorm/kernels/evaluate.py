"""The static score of a position: the weights of the pawns of the side to move, minus the weights of the opponent's pawns.

Some games are evaluated by a network in engine/pawnstorm/evaluation/data instead: 8x8 Two Flags by n-tuples
(engine/pawnstorm/kernels/ntuple.py), some boards of Breakthrough by neural networks
(engine/pawnstorm/kernels/network.py). The following is about all other games.

A table holds the weight of a pawn by its square and its class. The class has the number of enemies that can still get
in the pawn's way (none, one, two, more), and whether the pawn is protected, attacked, and weak. An attacked pawn is
weak if an exchange on its square loses it. For a pawn that is not attacked, the bit for weak means that it is protected
twice. The patterns of the two home rows and a few counts are added. The side to move has tables of its own, since it
can still save or take a pawn.

Every weight is a pair, one for the full board and one for the empty board, packed into one number as
midgame << 16 + endgame. The number of pawns interpolates between the two. The weights are tuned (scripts/tune.py) and
come from engine/pawnstorm/evaluation/weights.py.
"""

import numpy as np
from numba import types

from pawnstorm.core.state import FEATURE_COUNT
from pawnstorm.kernels.bits import lsb, popcount
from pawnstorm.kernels.kernel import EIGHT, NINE, NOT_A, NOT_H, ONE, SEVEN, STATE, ZERO, i32, i64, kernel, u64
from pawnstorm.kernels.network import evaluate_network
from pawnstorm.kernels.ntuple import evaluate_ntuple
from pawnstorm.kernels.position import SIX, attacks, attacks_down, flip, south_fill

SCORE_LIMIT = 20000  # far from any score of a win
RANK_MASK = np.uint64(0xFF)
THREE = np.uint64(3)
PAWN_WEIGHTS_PER_SIDE, ROW_WEIGHTS_PER_SIDE = np.uint64(2048), np.uint64(512)


@kernel(u64(u64, u64, u64, u64, u64, STATE))
def pawn_index(square, protected, attacked, weak, opp, state):
    """Index of a pawn's weight in a side's table, 0 to 2047:

    stoppers << 9 | weak << 8 | attacked << 7 | protected << 6 | square
    """
    stoppers = min(popcount(state.stopper_masks[square] & opp), THREE)
    pawn_class = (stoppers << ONE | weak >> square & ONE) << ONE | attacked >> square & ONE
    return (pawn_class << ONE | protected >> square & ONE) << SIX | square


@kernel(u64(u64, u64))
def weak_pawns(own, opp):
    """Own pawns that are attacked and lost in an exchange on their square, or protected twice but not attacked."""
    west, east = (own & NOT_A) << SEVEN, (own & NOT_H) << NINE
    down_west, down_east = (opp & NOT_A) >> NINE, (opp & NOT_H) >> SEVEN
    attacked, twice = down_west | down_east, west & east
    return own & ((attacked & ~(west | east)) | (down_west & down_east & ~twice) | (twice & ~attacked))


@kernel(types.UniTuple(i32, FEATURE_COUNT)(u64, u64, STATE))
def count_features(own, opp, state):
    """How often a side has each counted feature.

    The features are: a constant, always 1; pairs of pawns side by side; possible pushes; files with a pawn; and squares
    up to four steps straight ahead that its pawns can reach before they meet a pawn or an attacked square.
    """
    empty = state.board & ~(own | opp)
    pushes = (own << EIGHT) & empty
    free = empty & ~attacks_down(opp)
    front = pushes & free
    front |= (front << EIGHT) & free
    front |= (front << EIGHT) & free
    front |= (front << EIGHT) & free
    return (
        i32(1),
        i32(popcount(own & ((own & NOT_H) << ONE))),
        i32(popcount(pushes)),
        i32(popcount(south_fill(own) & state.home)),
        i32(popcount(front)),
    )


@kernel(i32(u64, u64, u64, STATE))
def evaluate_side(own, opp, side, state):
    """The packed sum of one side's weights. own and opp are as this side sees them; side is 0 for the side to move."""
    protected, attacked, weak = attacks(own), attacks_down(opp), weak_pawns(own, opp)
    total = i32(0)
    first = side * PAWN_WEIGHTS_PER_SIDE
    left = own
    while left:
        square = lsb(left)
        left &= left - ONE
        total = i32(total + state.pawn_weights[first + pawn_index(square, protected, attacked, weak, opp, state)])
    home = own >> u64(state.home_shift)
    rows = side * ROW_WEIGHTS_PER_SIDE
    total = i32(
        total
        + state.row_weights[rows + (home & RANK_MASK)]
        + state.row_weights[rows + (RANK_MASK + ONE) + (home >> EIGHT & RANK_MASK)]
    )
    counted, first_weight = count_features(own, opp, state), i64(side) * FEATURE_COUNT
    for number in range(FEATURE_COUNT):
        total = i32(total + counted[number] * state.count_weights[first_weight + number])
    return total


@kernel(i32(u64, u64, i64, STATE))
def evaluate(own, opp, ply, state):
    """Centipawns for the side to move, between -SCORE_LIMIT and SCORE_LIMIT; never the score of a win.

    ply: the ply of the running line at which network.set_line_position() has recorded the position.
    """
    if state.network:
        return i32(max(i64(-SCORE_LIMIT), min(i64(SCORE_LIMIT), i64(evaluate_network(own, opp, ply, state)))))
    if state.ntuple:
        return i32(max(i64(-SCORE_LIMIT), min(i64(SCORE_LIMIT), i64(evaluate_ntuple(own, opp, state)))))
    shift = state.flip_shift
    packed = i32(evaluate_side(own, opp, ZERO, state) - evaluate_side(flip(opp, shift), flip(own, shift), ONE, state))
    midgame = i64((packed + 32768) >> 16)
    endgame = i64(packed) - (midgame << 16)
    phase = min(i64(65536), i64(popcount(own | opp)) * i64(state.phase_scale))
    score = (midgame * phase + endgame * (65536 - phase)) >> 16
    return i32(max(i64(-SCORE_LIMIT), min(i64(SCORE_LIMIT), score)))
