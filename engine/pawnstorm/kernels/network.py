"""The static score by a neural network of one hidden layer: Breakthrough on the boards that have one.

There is an input for each pawn: its colour, its square, and whether pawns of its colour protect it from the file to its left and
from the file to its right (PAWN_KINDS kinds). There are two views of the board, that of the side to move and that of its
opponent, with the same weights. The two hidden layers, HIDDEN_WIDTH each, are clamped to [0, MAX_ACTIVATION], squared (SCReLU),
and multiplied by one of OUTPUT_BUCKETS sets of output weights, chosen by the number of pawns.

A move changes few inputs: those of the pawn that moves, of a pawn that it takes, and of the pawns that either protects. So the
hidden layers are kept for each ply of the line and updated from those of the ply before (efficiently updatable: Nasu 2018), but
only if a score is needed, since many positions need none. Rows of int16 at state.network:

    0 to 511    weights of the inputs: colour * 256 + kind * 64 + square, as the view has it. Colour 0 is the view's own.
                The kind is 1 if a pawn on the file to the left protects this one, plus 2 if one on the right does.
    512         the biases of the hidden layer
    513 on      output weights, a row for each view: 513 + 2 * bucket + view, the mover's first
    after them  OUTPUT_BUCKETS centipawns that are added, and the centipawns of a score of 1

A solver's network has SOLVER_OUTPUTS outputs: as many times OUTPUT_BUCKETS pairs of rows, and after them, for each
output, OUTPUT_BUCKETS numbers that are added, and then what a 1 counts, for each again. They are in 256ths: of the
logarithm of the odds, and of that, to the base 2, of the positions that the solver expands to prove a win, and a loss.

Weights are in units of 1 / MAX_ACTIVATION before the hidden layer and 1 / OUTPUT_SCALE after.
engine/pawnstorm/evaluation/networks.py loads a network; scripts/train.py makes it, and scripts/learn.py a solver's. The
trainer numbers the inputs likewise (inputs() of scripts/pawnstorm_tools/training/network_training.py).
"""

import numpy as np
from numba import types

from pawnstorm.core.state import (
    BIAS_ROW,
    HIDDEN_WIDTH,
    MAX_ACTIVATION,
    MAX_CHANGED_INPUTS,
    OUTPUT_BUCKETS,
    OUTPUT_ROW,
    OUTPUT_SCALE,
    PAWN_KINDS,
    SOLVER_OUTPUTS,
)
from pawnstorm.kernels.bits import load_i16, lsb, popcount
from pawnstorm.kernels.kernel import NINE, NOT_A, NOT_H, ONE, SEVEN, STATE, i32, i64, kernel, u64
from pawnstorm.kernels.position import SIX, flip
from pawnstorm.kernels.vector_rows import add_rows, change_rows, init_accumulator, screlu_dot

OPPONENT_ROWS = 64 * PAWN_KINDS  # the first row of the opponent's pawns
BIASES, SOLVER_BIASES = (HIDDEN_WIDTH * (OUTPUT_ROW + 2 * OUTPUT_BUCKETS * outputs) for outputs in (1, SOLVER_OUTPUTS))
OUTPUT_DIVISOR = MAX_ACTIVATION * MAX_ACTIVATION * OUTPUT_SCALE
PROTECTED = types.UniTuple(u64, 2)
# Where rows begin in state.changed_rows: those removed, and those of the opponent's view
REMOVED_ROWS, OTHER_VIEW = np.int64(MAX_CHANGED_INPUTS), 2 * MAX_CHANGED_INPUTS
FLIP_RANKS = 56  # what turns a square's number into that of the same file from the other side, on eight ranks


@kernel(i32(u64, u64, i64, STATE))
def set_line_position(own, opp, ply, state):
    """Record the position at this ply of the line. To be called before evaluate() is called at this ply or a deeper one.
    Returns 0.

    One move, or none, lies between it and the position of the ply before.
    """
    state.line_own[ply], state.line_opp[ply] = own, opp
    if state.accumulated_ply >= ply:
        state.accumulated_ply = ply - 1
    return i32(0)


@kernel(PROTECTED(u64))
def protected_upwards(pawns):
    """Squares protected by pawns that move up: from the file to their left, and from the file to their right."""
    return (pawns & NOT_H) << NINE, (pawns & NOT_A) << SEVEN


@kernel(PROTECTED(u64))
def protected_downwards(pawns):
    """Squares protected by pawns that move down: from the file to their left, and from the file to their right."""
    return (pawns & NOT_H) >> SEVEN, (pawns & NOT_A) >> NINE


@kernel(i32(i64, u64, u64, u64, i64, STATE))
def add_pawns(view, pawns, left, right, first_row, state):
    """Add one colour's inputs to a view's hidden layer at ply 0; left, right: squares protected from that side."""
    add_rows(state, view, pawns & ~left & ~right, first_row)
    add_rows(state, view, pawns & left & ~right, first_row + 64)
    add_rows(state, view, pawns & ~left & right, first_row + 128)
    add_rows(state, view, pawns & left & right, first_row + 192)
    return i32(0)


@kernel(i32(STATE))
def refresh_accumulator(state):
    """Make the hidden layers of ply 0; returns 0."""
    own, opp = state.line_own[0], state.line_opp[0]
    shift = state.flip_shift
    views = ((own, opp), (flip(opp, shift), flip(own, shift)))
    for view in range(2):
        init_accumulator(state, i64(view), i64(BIAS_ROW))
        left, right = protected_upwards(views[view][0])
        add_pawns(i64(view), views[view][0], left, right, i64(0), state)
        left, right = protected_downwards(views[view][1])
        add_pawns(i64(view), views[view][1], left, right, i64(OPPONENT_ROWS), state)
    return i32(0)


@kernel(i64(u64, u64, u64, i64, i64, i64, STATE))
def list_rows(pawns, left, right, first_row, first, count, state):
    """Append the rows of one colour's pawns, for both views, to the `count` rows at state.changed_rows[first]; returns the new
    count. left, right: squares protected from that side; first_row: the colour's first row in the view of the side to move.
    """
    shift = i64(state.flip_shift)
    while pawns:
        square = lsb(pawns)
        pawns &= pawns - ONE
        kind_row = i64((left >> square & ONE) << SIX | (right >> square & ONE) << SEVEN)
        state.changed_rows[first + count] = first_row + kind_row + i64(square)
        state.changed_rows[first + OTHER_VIEW + count] = (
            OPPONENT_ROWS - first_row + kind_row + (i64(square) ^ FLIP_RANKS) - shift
        )
        count += 1
    return count


@kernel(i32(i64, STATE))
def update_from_previous_ply(ply, state):
    """Make the hidden layers of a ply from those of the ply before; returns 0."""
    shift = state.flip_shift
    own, opp = state.line_own[ply], state.line_opp[ply]
    own_before, opp_before = flip(state.line_opp[ply - 1], shift), flip(state.line_own[ply - 1], shift)
    left, right = protected_upwards(own)
    left_before, right_before = protected_upwards(own_before)
    changed = (own ^ own_before) | (left ^ left_before) | (right ^ right_before)
    added = list_rows(own & changed, left, right, i64(0), i64(0), i64(0), state)
    removed = list_rows(own_before & changed, left_before, right_before, i64(0), REMOVED_ROWS, i64(0), state)
    left, right = protected_downwards(opp)
    left_before, right_before = protected_downwards(opp_before)
    changed = (opp ^ opp_before) | (left ^ left_before) | (right ^ right_before)
    added = list_rows(opp & changed, left, right, i64(OPPONENT_ROWS), i64(0), added, state)
    removed = list_rows(
        opp_before & changed, left_before, right_before, i64(OPPONENT_ROWS), REMOVED_ROWS, removed, state
    )
    change_rows(state, 2 * ply, 2 * ply - 1, i64(0), added, removed)
    change_rows(state, 2 * ply + 1, 2 * ply - 2, i64(OTHER_VIEW), added, removed)
    return i32(0)


@kernel(i32(i64, STATE))
def update_accumulators(ply, state):
    """Make the hidden layers of a ply that set_line_position() knows; returns 0."""
    reached = i64(state.accumulated_ply)
    if reached < 0:
        refresh_accumulator(state)
        reached = i64(0)
    while reached < ply:
        reached += 1
        update_from_previous_ply(reached, state)
    state.accumulated_ply = reached
    return i32(0)


@kernel(i64(u64, u64))
def output_bucket(own, opp):
    """The number of the set of output weights of a position."""
    return min((i64(popcount(own | opp)) - 1) >> 2, i64(OUTPUT_BUCKETS - 1))


@kernel(i32(i64, i64, u64, u64, STATE))
def output_of(ply, row, added, scale, state):
    """An output at a ply: its rows of weights begin with `row`; added, scale: where these numbers lie."""
    total = i64(screlu_dot(state, 2 * ply, row)) + i64(screlu_dot(state, 2 * ply + 1, row + 1))
    return i32(total * i64(load_i16(state.network, scale)) // OUTPUT_DIVISOR + i64(load_i16(state.network, added)))


@kernel(i32(u64, u64, i64, STATE))
def evaluate_network(own, opp, ply, state):
    """Centipawns for the side to move, of a game that has a network; set_line_position() knows the position at this ply."""
    update_accumulators(ply, state)
    bucket = output_bucket(own, opp)
    return output_of(ply, OUTPUT_ROW + 2 * bucket, u64(BIASES + bucket), u64(BIASES + OUTPUT_BUCKETS), state)


@kernel(types.UniTuple(i32, SOLVER_OUTPUTS)(u64, u64, i64, STATE))
def solver_outputs(own, opp, ply, state):
    """The outputs of a solver's network."""
    update_accumulators(ply, state)
    bucket = output_bucket(own, opp)
    row, added, scale = OUTPUT_ROW + 2 * bucket, SOLVER_BIASES + bucket, SOLVER_BIASES + SOLVER_OUTPUTS * OUTPUT_BUCKETS
    return (
        output_of(ply, row, u64(added), u64(scale), state),
        output_of(ply, row + 2 * OUTPUT_BUCKETS, u64(added + OUTPUT_BUCKETS), u64(scale + 1), state),
        output_of(ply, row + 4 * OUTPUT_BUCKETS, u64(added + 2 * OUTPUT_BUCKETS), u64(scale + 2), state),
    )
