"""Move generation, as sets of target squares, and perft.

A set holds all moves of one kind: bit t of `north` means that the pawn on t - 8 may go to t. There are four kinds:
north-west, north, north-east and the double step. If a game lacks a kind of move, its masks leave that set empty.
"""

from numba import types

from pawnstorm.kernels.bits import lsb, popcount, stopped
from pawnstorm.kernels.kernel import EIGHT, NINE, NOT_A, NOT_H, ONE, SEVEN, SIXTEEN, STATE, ZERO, i32, kernel, u64
from pawnstorm.kernels.position import encode_move, make_move

TARGETS = types.UniTuple(u64, 4)


@kernel(TARGETS(u64, u64, u64, STATE))
def targets(own, opp, ep, state):
    """(north-west, north, north-east, double step): target squares of the legal moves of a position that is not over."""
    empty = state.board & ~(own | opp)
    diagonal_targets = opp | ep | (empty & state.quiet_diagonals)
    north = (own << EIGHT) & empty
    double = (((own & state.double_step_squares) << EIGHT) & north) << EIGHT & empty
    return ((own & NOT_A) << SEVEN) & diagonal_targets, north, ((own & NOT_H) << NINE) & diagonal_targets, double


@kernel(u64(u64, u64, u64, STATE))
def count_moves(own, opp, ep, state):
    """Number of legal moves; also 0 if the opponent has a pawn on its far rank."""
    if opp & state.home:
        return ZERO
    west, north, east, double = targets(own, opp, ep, state)
    return popcount(west) + popcount(north) + popcount(east) + popcount(double)


@kernel(i32(u64, u64, i32, STATE))
def append_moves(source_shift, set_, count, state):
    """Append the moves of one set to the `count` moves in state.moves; returns the new count."""
    while set_:
        target = lsb(set_)
        set_ &= set_ - ONE
        state.moves[count] = encode_move(target - source_shift, target)
        count = i32(count + 1)
    return count


@kernel(i32(u64, u64, u64, STATE))
def generate_moves(own, opp, ep, state):
    """Write the legal moves into state.moves, north first; returns their number. A finished position has none."""
    if opp & state.home:
        return i32(0)
    west, north, east, double = targets(own, opp, ep, state)
    count = append_moves(EIGHT, north, i32(0), state)
    count = append_moves(SIXTEEN, double, count, state)
    count = append_moves(SEVEN, west, count, state)
    return append_moves(NINE, east, count, state)


@kernel(u64(u64, u64, u64, i32, STATE))
def perft(own, opp, ep, depth, state):
    """Number of lines of exactly `depth` plies; a finished position has no successors. The last ply is counted in bulk.

    After state.stop the number means nothing.
    """
    if depth <= 0:
        return ONE
    if depth == 1:
        return count_moves(own, opp, ep, state)
    if opp & state.home or (depth > 3 and stopped(state)):
        return ZERO
    total = ZERO
    sets = targets(own, opp, ep, state)
    shifts = (SEVEN, EIGHT, NINE, SIXTEEN)
    for kind in range(4):
        # A pawn on the goal ends the game: no line goes on from there.
        left = sets[kind] & ~state.goal
        while left:
            target = lsb(left)
            left &= left - ONE
            new_own, new_opp, new_ep = make_move(own, opp, ep, encode_move(target - shifts[kind], target), state)
            if depth == 2:
                total += count_moves(new_own, new_opp, new_ep, state)
            else:
                total += perft(new_own, new_opp, new_ep, i32(depth - 1), state)
    return total
