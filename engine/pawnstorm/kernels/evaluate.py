"""The static score of a position, for the side to move: what each of its pawns is worth, minus the same for the
opponent.

A game that has a file of its own in engine/pawnstorm/evaluation/data is evaluated by that instead: 8x8 Two Flags by n-tuples
(engine/pawnstorm/kernels/ntuple.py), boards of Breakthrough by neural networks (engine/pawnstorm/kernels/network.py).
What follows is for all others.

A pawn is worth what a table says of its square and its class: how many enemies can still get in its way (none, one,
two, more), and whether it is protected, attacked, and lost if taken now (for one that is not attacked: protected
twice). To this come the patterns of the two home rows and a few counts. The side to move has tables of its own, since
it is the one that can still save or take. Every weight is a pair, for the full board and for the empty one, packed into
one number as midgame << 16 + endgame; in between, the number of pawns decides. The numbers are tuned (scripts/tune.py)
and come from engine/pawnstorm/evaluation/weights.py.
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
    """Where a pawn's weight lies in a side's table, 0 to 2047:

    guards << 9 | weak << 8 | attacked << 7 | protected << 6 | square
    """
    stoppers = min(popcount(state.stopper_masks[square] & opp), THREE)
    pawn_class = (stoppers << ONE | weak >> square & ONE) << ONE | attacked >> square & ONE
    return (pawn_class << ONE | protected >> square & ONE) << SIX | square


@kernel(u64(u64, u64))
def weak_pawns(own, opp):
    """Of the attacked own pawns those that an exchange on their square loses; of the others those protected twice."""
    west, east = (own & NOT_A) << SEVEN, (own & NOT_H) << NINE
    down_west, down_east = (opp & NOT_A) >> NINE, (opp & NOT_H) >> SEVEN
    attacked, twice = down_west | down_east, west & east
    return own & ((attacked & ~(west | east)) | (down_west & down_east & ~twice) | (twice & ~attacked))


@kernel(types.UniTuple(i32, FEATURE_COUNT)(u64, u64, STATE))
def count_features(own, opp, state):
    """How often a side has each counted feature.

    1 for the side itself; pairs side by side; possible pushes; files with a pawn; squares that its pawns can still step
    onto, straight on, before they meet anything or are attacked.
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
    """The packed sum of one side's weights, seen by it; side is 0 for the one to move."""
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
    """Centipawns, for the side to move, between -SCORE_LIMIT and SCORE_LIMIT; says nothing about wins.

    ply: of the line that is being searched, where network.set_line_position() has noted the position.
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
