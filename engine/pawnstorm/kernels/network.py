"""The static score by a neural network of one hidden layer: Breakthrough on the boards that have one.

Inputs are the pawns: 128 of colour and square, once as the side to move sees them and once as its opponent does, both
through the same weights. The two hidden layers, WIDTH each, are clamped to [0, ACTIVE], squared (SCReLU), and multiplied
by one of BUCKETS sets of output weights, chosen by the number of pawns.

A move changes two or three inputs, so the hidden layers are kept for each ply of the line and follow from those a ply
before (efficiently updatable: Nasu 2018); only where a score is asked for, since many positions need none. Rows of
int16 at state.network:

    0 to 127    weights of the inputs: own pawn on square s is input s, the opponent's 64 + s, as the view has it
    128, 129    zeros, and what an empty board has
    130 on      output weights, a row for each view: 130 + 2 * bucket + view, the mover's first
    behind      BUCKETS centipawns that are added, and the centipawns of a score of 1

A solver's network has ESTIMATES outputs: as many times BUCKETS pairs of rows, and behind them, for each output, BUCKETS
numbers that are added, and then what a 1 counts, for each again. They are in 256ths: of the logarithm of the odds, and
of that, to the base 2, of the positions that the solver expands to prove a win, and a loss.

Weights are in units of 1 / ACTIVE before the hidden layer and 1 / OUTPUT_UNIT behind. engine/pawnstorm/evaluation/networks.py
loads a network; scripts/train.py makes it, and scripts/learn.py a solver's.
"""

from numba import types

from pawnstorm.core.state import ACTIVE, BUCKETS, EMPTY, ESTIMATES, NOTHING, OUTPUT, OUTPUT_UNIT, WIDTH
from pawnstorm.kernels.accumulator import change_row, set_row, sum_up
from pawnstorm.kernels.bits import lowest, popcount, short
from pawnstorm.kernels.kernel import ONE, STATE, i32, i64, kernel, u64
from pawnstorm.kernels.position import flip

OPPONENT = 64  # the first row of the opponent's pawns
BEHIND, SOLVER_BEHIND = (WIDTH * (OUTPUT + 2 * BUCKETS * outputs) for outputs in (1, ESTIMATES))
UNIT = ACTIVE * ACTIVE * OUTPUT_UNIT
TOP = 56  # what turns a square's number into that of the same file from the other side, on eight ranks


@kernel(i32(u64, u64, i64, STATE))
def push(own, opp, ply, state):
    """Note the position that the line has at this ply, before evaluate() is asked for it or for one below; returns 0.

    One move, or none, lies between it and the position of the ply before.
    """
    state.line_own[ply], state.line_opp[ply] = own, opp
    if state.accumulated >= ply:
        state.accumulated = ply - 1
    return i32(0)


@kernel(i32(STATE))
def refresh(state):
    """Make the hidden layers of ply 0; returns 0."""
    own, opp = state.line_own[0], state.line_opp[0]
    turned = i64(state.flip_shift)
    for view in range(2):
        set_row(state, i64(view), i64(EMPTY))
    for side in range(2):
        left = opp if side else own
        while left:
            square = i64(lowest(left))
            left &= left - ONE
            seen, other = square + OPPONENT * side, (square ^ TOP) - turned + OPPONENT * (1 - side)
            change_row(state, i64(0), i64(0), seen, i64(NOTHING), i64(NOTHING))
            change_row(state, i64(1), i64(1), other, i64(NOTHING), i64(NOTHING))
    return i32(0)


@kernel(i32(i64, STATE))
def apply_move(ply, state):
    """Make the hidden layers of a ply from those of the ply before; returns 0."""
    turned = state.flip_shift
    own, opp = state.line_own[ply], state.line_opp[ply]
    own_before, opp_before = flip(state.line_opp[ply - 1], turned), flip(state.line_own[ply - 1], turned)
    moved_to, moved_from, captured = opp & ~opp_before, opp_before & ~opp, own_before & ~own
    added = removed = other_added = other_removed = captured_input = other_captured = i64(NOTHING)
    if moved_to:
        square = i64(lowest(moved_to))
        added, other_added = square + OPPONENT, (square ^ TOP) - i64(turned)
        square = i64(lowest(moved_from))
        removed, other_removed = square + OPPONENT, (square ^ TOP) - i64(turned)
    if captured:
        square = i64(lowest(captured))
        captured_input, other_captured = square, (square ^ TOP) - i64(turned) + OPPONENT
    change_row(state, 2 * ply, 2 * ply - 1, added, removed, captured_input)
    change_row(state, 2 * ply + 1, 2 * ply - 2, other_added, other_removed, other_captured)
    return i32(0)


@kernel(i32(i64, STATE))
def update(ply, state):
    """Make the hidden layers of a ply that push() knows; returns 0."""
    reached = i64(state.accumulated)
    if reached < 0:
        refresh(state)
        reached = i64(0)
    while reached < ply:
        reached += 1
        apply_move(reached, state)
    state.accumulated = reached
    return i32(0)


@kernel(i64(u64, u64))
def bucket_of(own, opp):
    """The number of the set of output weights of a position."""
    return min((i64(popcount(own | opp)) - 1) >> 2, i64(BUCKETS - 1))


@kernel(i32(i64, i64, u64, u64, STATE))
def output_of(ply, row, added, scale, state):
    """An output at a ply: its rows of weights begin with `row`; added, scale: where these numbers lie."""
    total = i64(sum_up(state, 2 * ply, row)) + i64(sum_up(state, 2 * ply + 1, row + 1))
    return i32(total * i64(short(state.network, scale)) // UNIT + i64(short(state.network, added)))


@kernel(i32(u64, u64, i64, STATE))
def network(own, opp, ply, state):
    """Centipawns for the side to move, of a game that has a network; push() knows the position at this ply."""
    update(ply, state)
    bucket = bucket_of(own, opp)
    return output_of(ply, OUTPUT + 2 * bucket, u64(BEHIND + bucket), u64(BEHIND + BUCKETS), state)


@kernel(types.UniTuple(i32, ESTIMATES)(u64, u64, i64, STATE))
def estimates(own, opp, ply, state):
    """The outputs of a solver's network."""
    update(ply, state)
    bucket = bucket_of(own, opp)
    row, added, scale = OUTPUT + 2 * bucket, SOLVER_BEHIND + bucket, SOLVER_BEHIND + ESTIMATES * BUCKETS
    return (
        output_of(ply, row, u64(added), u64(scale), state),
        output_of(ply, row + 2 * BUCKETS, u64(added + BUCKETS), u64(scale + 1), state),
        output_of(ply, row + 4 * BUCKETS, u64(added + 2 * BUCKETS), u64(scale + 2), state),
    )
