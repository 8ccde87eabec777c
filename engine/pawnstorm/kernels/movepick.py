"""Move order: the table's move, then captures, then killers, then the other moves by history.

Safe captures, and captures near the mover's home rank, come before other captures.

A pick is one int64, order << 16 | move, so that the best of a list is its greatest number. The picks of a position lie
in state.move_stack from MAX_MOVES * ply on.
"""

import numpy as np

from pawnstorm.core.parameters import CAPTURE_RANK, CAPTURE_SAFE, CONTINUATION, HISTORY_LIMIT
from pawnstorm.core.state import MAX_MOVES
from pawnstorm.kernels.bits import lsb
from pawnstorm.kernels.kernel import EIGHT, NINE, NOT_A, NOT_H, ONE, SEVEN, SIXTEEN, STATE, i32, i64, kernel, u16, u64
from pawnstorm.kernels.movegen import TARGETS, targets
from pawnstorm.kernels.position import SIX, SQUARE, encode_move

TWO, THREE = np.uint64(2), np.uint64(3)
WORD16 = np.uint64(0xFFFF)
PICKS_PER_PLY = np.uint64(MAX_MOVES)
# The orders of the table's move, captures and killers. The order of any other quiet move is its history, within
# +-3 * HISTORY_LIMIT. ADVANCE_BONUS is added if it goes onto one of the last ranks. LOSING_PENALTY is subtracted if it
# loses a pawn.
TABLE_MOVE_SCORE, CAPTURE_SCORE, KILLER_SCORE, ADVANCE_BONUS, LOSING_PENALTY = (
    1 << 30,
    1 << 26,
    1 << 24,
    1 << 20,
    1 << 18,
)


@kernel(u64(u64))
def first_move_index(ply):
    """Index of a ply's first pick."""
    return ply * PICKS_PER_PLY


@kernel(u64(u64, u64))
def history_index(side, move):
    """The index of a move in a history, 0 to 511. It combines the side to move (0 for White), the target square and the
    direction of the step.
    """
    source, target = move & SQUARE, (move >> SIX) & SQUARE
    return side << EIGHT | target << TWO | ((target - source) & THREE)


@kernel(u64(u64, STATE))
def continuation_index(ply, state):
    """The index in state.continuation_history at which the history for this ply begins.

    There is one history for each target square of the last move. At the root and after a null move, the result is 0, the offset
    for square 0, onto which no pawn moves.
    """
    return ((u64(state.current_moves[ply]) >> SIX) & SQUARE) << NINE


@kernel(i64(i64))
def quiet_history(move_score):
    """The history of a quiet move other than a killer: its move score, without bonus and penalty."""
    if move_score > ADVANCE_BONUS >> 1:
        move_score -= ADVANCE_BONUS
    return move_score + LOSING_PENALTY if move_score < -LOSING_PENALTY >> 1 else move_score


@kernel(TARGETS(u64, u64))
def losing_targets(own, opp):
    """For each kind of move, as in movegen.targets, the squares on which the pawn that arrives is lost for nothing.

    All pawns are worth the same, so an exchange is a matter of counting: the pawn that moved is lost if more enemies
    attack its square than own pawns defend it. A pawn that arrives diagonally has itself left one of the two squares
    that defend its target.
    """
    west, east = ((opp & NOT_A) >> NINE), ((opp & NOT_H) >> SEVEN)
    once, twice = west | east, west & east
    from_east, from_west = (own & NOT_A) << SEVEN, (own & NOT_H) << NINE
    straight = (once & ~(from_east | from_west)) | (twice & ~(from_east & from_west))
    return (once & ~from_west) | twice, straight, (once & ~from_east) | twice, straight


@kernel(u64(u64, u64, u64, u64, u64, u64, u64, u64, u64, STATE))
def score_moves(target_mask, losing_mask, last_ranks, own, opp, ep, table_move, ply, side, state):
    """Write a pick (a move and its order score) for each move to a square of `target_mask`. Returns the index after the last.

    losing_mask: of the moves that lose a pawn (losing_targets), only those to these squares are written. last_ranks: quiet
    moves to these squares come before other quiet moves. table_move: the move from the table, or 0.
    """
    sets = targets(own, opp, ep, state)
    lost = losing_targets(own, opp)
    taking = opp | ep
    shifts = (SEVEN, EIGHT, NINE, SIXTEEN)
    end = first_move_index(ply)
    continuation_start = continuation_index(ply, state)
    killer, second_killer = u64(state.killers[ply << ONE]), u64(state.killers[(ply << ONE) | ONE])
    for kind in range(4):
        left = sets[kind] & target_mask & (losing_mask | ~lost[kind])
        while left:
            target = lsb(left)
            left &= left - ONE
            move = encode_move(target - shifts[kind], target)
            bit = ONE << target
            if bit & taking:
                move_score = i64(CAPTURE_SCORE + 7 * CAPTURE_RANK) - i64(target >> THREE) * CAPTURE_RANK
                if not bit & lost[kind]:
                    move_score += CAPTURE_SAFE
            elif move == killer:
                move_score = i64(KILLER_SCORE) + 1
            elif move == second_killer:
                move_score = i64(KILLER_SCORE)
            else:
                index = history_index(side, move)
                move_score = i64(state.history[index]) + (
                    (i64(state.continuation_history[continuation_start + index]) * CONTINUATION) >> 5
                )
                if bit & lost[kind]:
                    move_score -= LOSING_PENALTY
                if bit & last_ranks:
                    move_score += ADVANCE_BONUS
            if move == table_move:
                move_score = i64(TABLE_MOVE_SCORE)
            state.move_stack[end] = (move_score << 16) | i64(move)
            end += ONE
    return end


@kernel(i64(u64, u64, STATE))
def pick_best(first, end, state):
    """Swap the best pick of [first, end) to `first` and return it."""
    best, value = first, state.move_stack[first]
    index = first + ONE
    while index < end:
        other = state.move_stack[index]
        if other > value:
            best, value = index, other
        index += ONE
    state.move_stack[best] = state.move_stack[first]
    state.move_stack[first] = value
    return value


@kernel(i32(u64, i64, u64, u64, STATE))
def update_history(move, bonus, side, continuation_start, state):
    """Change both histories of a quiet move: towards HISTORY_LIMIT if bonus > 0, else towards -HISTORY_LIMIT; returns 0."""
    index = history_index(side, move)
    value = i64(state.history[index])
    state.history[index] = value + bonus - value * abs(bonus) // HISTORY_LIMIT
    value = i64(state.continuation_history[continuation_start + index])
    state.continuation_history[continuation_start + index] = value + bonus - value * abs(bonus) // HISTORY_LIMIT
    return i32(0)


@kernel(i32(u64, i64, u64, u64, u64, u64, STATE))
def update_quiet_stats(move, bonus, first, index, ply, side, state):
    """Record a cutoff by a quiet move; returns 0.

    The move becomes a killer and gains history. The quiet moves searched before it lose history, except the table's move.
    Their picks are at the indices from `first` up to but not including `index`.
    """
    if u64(state.killers[ply << ONE]) != move:
        state.killers[(ply << ONE) | ONE] = state.killers[ply << ONE]
        state.killers[ply << ONE] = u16(move)
    continuation_start = continuation_index(ply, state)
    update_history(move, bonus, side, continuation_start, state)
    while first < index:
        pick = state.move_stack[first]
        if pick >> 16 <= KILLER_SCORE + 1:
            update_history(u64(pick) & WORD16, i64(-bonus), side, continuation_start, state)
        first += ONE
    return i32(0)
