"""The static score by a neural network of one hidden layer, for the boards of Breakthrough that have a network.

There is an input for each pawn. It stands for the pawn's colour, square and kind. The kind, one of PAWN_KINDS, combines four
facts: whether a pawn of its colour protects it from the file to its left, whether one does from the file to its right, whether
a pawn of the other colour attacks it, and whether a pawn of the other colour stands on the square ahead of it.

There are two views of the board, that of the side to move and that of its opponent, with the same weights. The two hidden
layers, HIDDEN_WIDTH each, are clamped to [0, MAX_ACTIVATION], squared (SCReLU), and multiplied by one of OUTPUT_BUCKETS sets of
output weights, chosen by the number of pawns. The products are summed.

A move changes few inputs: those of the pawn that moves, of a pawn that it takes, and of their neighbours. So the
hidden layers are kept for each ply of the line and updated from those of the ply before (efficiently updatable: Nasu 2018), but
only if a score is needed, since many positions need none. Rows of int16 at state.network:

    0 to 2047   weights of the inputs: colour * 1024 + kind * 64 + square, as seen in the view. Colour 0 is the view's own.
                The kind is the sum of 1 if a pawn on the file to the left protects this one, 2 if one on the right does,
                4 if this pawn is attacked, and 8 if a pawn of the other colour blocks it.
    2048        the biases of the hidden layer
    2049 on     output weights, a row for each view: 2049 + 2 * bucket + view, the mover's first
    after them  for each bucket, the centipawns that are added to the sum; then the centipawns that a sum of 1 stands for

A solver's network has SOLVER_OUTPUTS outputs. It has OUTPUT_BUCKETS pairs of rows of output weights for each output.
After these come, for each output, OUTPUT_BUCKETS numbers that are added to the sum, and then, for each output, the number
that a sum of 1 stands for.
The outputs are logarithms in 256ths. The first is the logarithm to the base e of the odds that the side to move wins. The
second is the logarithm to the base 2 of the number of positions that the solver expands to prove a win. The third is the
same for a loss.

Weights are in units of 1 / MAX_ACTIVATION before the hidden layer and 1 / OUTPUT_SCALE after.
engine/pawnstorm/evaluation/networks.py loads a network; scripts/train.py makes it, and scripts/learn.py a solver's. The
trainer numbers the inputs in the same way (inputs() of scripts/pawnstorm_tools/training/network_training.py).
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
from pawnstorm.kernels.kernel import (
    EIGHT,
    FOUR,
    NINE,
    NOT_A,
    NOT_H,
    ONE,
    SEVEN,
    STATE,
    THREE,
    TWO,
    i32,
    i64,
    kernel,
    u64,
)
from pawnstorm.kernels.position import SIX, flip
from pawnstorm.kernels.vector_rows import add_rows, change_rows, init_accumulator, screlu_dot

BIASES, SOLVER_BIASES = (HIDDEN_WIDTH * (OUTPUT_ROW + 2 * OUTPUT_BUCKETS * outputs) for outputs in (1, SOLVER_OUTPUTS))
OUTPUT_DIVISOR = MAX_ACTIVATION * MAX_ACTIVATION * OUTPUT_SCALE
TRAITS = types.UniTuple(u64, 5)
# Where the removed rows, and the rows of the opponent's view, begin in state.changed_rows
REMOVED_ROWS, OTHER_VIEW = np.int64(MAX_CHANGED_INPUTS), 2 * MAX_CHANGED_INPUTS
SEEN_BY_OTHER = 64 * PAWN_KINDS | 56  # XOR with it turns a pawn's row into that of the other view, on eight ranks


@kernel(i32(u64, u64, i64, STATE))
def set_line_position(own, opp, ply, state):
    """Record the position at this ply of the line; returns 0.

    Call it before evaluate() at this ply or a deeper one. At most one move lies between the position and that of the
    ply before.
    """
    state.line_own[ply], state.line_opp[ply] = own, opp
    if state.accumulated_ply >= ply:
        state.accumulated_ply = ply - 1
    return i32(0)


@kernel(TRAITS(u64, u64))
def traits_of(own, opp):
    """Five sets of pawns. The first four are of either colour: protected from the file to their left, protected from the
    file to their right, attacked, and blocked by the other colour. The fifth is the opponent's pawns.
    """
    own_left, own_right = (own & NOT_H) << NINE, (own & NOT_A) << SEVEN
    opp_left, opp_right = (opp & NOT_H) >> SEVEN, (opp & NOT_A) >> NINE
    left, right = own_left & own | opp_left & opp, own_right & own | opp_right & opp
    attacked = (own_left | own_right) & opp | (opp_left | opp_right) & own
    return left, right, attacked, (own << EIGHT & opp) | (opp >> EIGHT & own), opp


@kernel(i64(u64, TRAITS))
def row_of(square, traits):
    """The row number of the pawn on a square, in the view of the side to move. traits: those that traits_of() returns."""
    left, right, attacked, blocked, opp = traits
    kind = left >> square & ONE | (right >> square & ONE) << ONE | (attacked >> square & ONE) << TWO
    kind |= (blocked >> square & ONE) << THREE | (opp >> square & ONE) << FOUR
    return i64(kind << SIX | square)


@kernel(i32(i64, u64, u64, STATE))
def add_inputs(view, own, opp, state):
    """Add all inputs of a view to its hidden layer at ply 0."""
    left, right, attacked, blocked, _ = traits_of(own, opp)
    for number in range(2 * PAWN_KINDS):
        pawns = opp if number >= PAWN_KINDS else own
        pawns &= (left if number & 1 else ~left) & (right if number & 2 else ~right)
        pawns &= (attacked if number & 4 else ~attacked) & (blocked if number & 8 else ~blocked)
        add_rows(state, view, pawns, i64(64 * number))
    return i32(0)


@kernel(i32(STATE))
def refresh_accumulator(state):
    """Make the hidden layers of ply 0; returns 0."""
    own, opp = state.line_own[0], state.line_opp[0]
    shift = state.flip_shift
    views = ((own, opp), (flip(opp, shift), flip(own, shift)))
    for view in range(2):
        init_accumulator(state, i64(view), i64(BIAS_ROW))
        add_inputs(i64(view), views[view][0], views[view][1], state)
    return i32(0)


@kernel(i64(u64, TRAITS, i64, STATE))
def list_rows(pawns, traits, first, state):
    """Write the row numbers of pawns to state.changed_rows; returns the number of pawns.

    Each pawn has a row number in each view. The numbers for the view of the side to move are written from index `first` on,
    those for the other view from index first + OTHER_VIEW on.
    """
    count, shift = i64(0), i64(state.flip_shift)
    while pawns:
        row = row_of(lsb(pawns), traits)
        pawns &= pawns - ONE
        state.changed_rows[first + count] = row
        state.changed_rows[first + OTHER_VIEW + count] = (row ^ SEEN_BY_OTHER) - shift
        count += 1
    return count


@kernel(i32(i64, STATE))
def update_from_previous_ply(ply, state):
    """Make the hidden layers of a ply from those of the ply before; returns 0."""
    shift = state.flip_shift
    own, opp = state.line_own[ply], state.line_opp[ply]
    own_before, opp_before = flip(state.line_opp[ply - 1], shift), flip(state.line_own[ply - 1], shift)
    now, before = traits_of(own, opp), traits_of(own_before, opp_before)
    changed = (own ^ own_before) | now[0] ^ before[0] | now[1] ^ before[1]
    changed |= now[2] ^ before[2] | now[3] ^ before[3] | now[4] ^ before[4]
    added = list_rows((own | opp) & changed, now, i64(0), state)
    removed = list_rows((own_before | opp_before) & changed, before, REMOVED_ROWS, state)
    change_rows(state, 2 * ply, 2 * ply - 1, i64(0), added, removed)
    change_rows(state, 2 * ply + 1, 2 * ply - 2, i64(OTHER_VIEW), added, removed)
    return i32(0)


@kernel(i32(i64, STATE))
def update_accumulators(ply, state):
    """Make the hidden layers of a ply whose position set_line_position() has recorded; returns 0."""
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
    """The index of the set of output weights that a position uses."""
    return min((i64(popcount(own | opp)) - 1) >> 2, i64(OUTPUT_BUCKETS - 1))


@kernel(i32(i64, i64, u64, u64, STATE))
def output_of(ply, row, added, scale, state):
    """One output of the network at a ply. row: the first of the output's two rows of weights.

    scale: index in state.network of the number by which the weighted sum is multiplied. added: index in state.network of the
    number that is then added.
    """
    total = i64(screlu_dot(state, 2 * ply, row)) + i64(screlu_dot(state, 2 * ply + 1, row + 1))
    return i32(total * i64(load_i16(state.network, scale)) // OUTPUT_DIVISOR + i64(load_i16(state.network, added)))


@kernel(i32(u64, u64, i64, STATE))
def evaluate_network(own, opp, ply, state):
    """Centipawns for the side to move, by the network. set_line_position() must have recorded the position at this ply."""
    update_accumulators(ply, state)
    bucket = output_bucket(own, opp)
    return output_of(ply, OUTPUT_ROW + 2 * bucket, u64(BIASES + bucket), u64(BIASES + OUTPUT_BUCKETS), state)


@kernel(types.UniTuple(i32, SOLVER_OUTPUTS)(u64, u64, i64, STATE))
def solver_outputs(own, opp, ply, state):
    """The outputs of a solver's network: the odds, the effort to prove a win, and the effort to prove a loss."""
    update_accumulators(ply, state)
    bucket = output_bucket(own, opp)
    row, added, scale = OUTPUT_ROW + 2 * bucket, SOLVER_BIASES + bucket, SOLVER_BIASES + SOLVER_OUTPUTS * OUTPUT_BUCKETS
    return (
        output_of(ply, row, u64(added), u64(scale), state),
        output_of(ply, row + 2 * OUTPUT_BUCKETS, u64(added + OUTPUT_BUCKETS), u64(scale + 1), state),
        output_of(ply, row + 4 * OUTPUT_BUCKETS, u64(added + 2 * OUTPUT_BUCKETS), u64(scale + 2), state),
    )
