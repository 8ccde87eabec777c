"""Move order: the table's move, captures by how near the victim is to our home rank, killers, then history; last, what loses a pawn."""

import numpy as np

from engine.bits import lowest
from engine.kernel import EIGHT, NINE, NOT_A, NOT_H, ONE, SEVEN, SIXTEEN, STATE, ZERO, i32, i64, kernel, u64
from engine.movegen import TARGETS, targets
from engine.position import SIX, SQUARE, encode

THREE = np.uint64(3)
TWO = np.uint64(2)
FIRST, CAPTURE, KILLER, LOSING = 1 << 30, 1 << 26, 1 << 24, 1 << 16
HISTORY_LIMIT = 1 << 14


@kernel(i64(u64))
def history_index(move):
    """0 to 255: target square and direction of the step."""
    source, target = move & SQUARE, (move >> SIX) & SQUARE
    return i64(target << TWO | ((target - source) & THREE))


@kernel(TARGETS(u64, u64))
def losing(own, opp):
    """For each kind of move, as in movegen.targets, squares on which the pawn that arrives is lost for nothing in return.

    All pawns are worth the same, so an exchange is a matter of counting: the one that moved falls where more enemies attack its
    square than pawns defend it. A pawn that comes diagonally has itself left one of the two squares that defend.
    """
    west, east = ((opp & NOT_A) >> NINE), ((opp & NOT_H) >> SEVEN)
    once, twice = west | east, west & east
    from_east, from_west = (own & NOT_A) << SEVEN, (own & NOT_H) << NINE
    straight = (once & ~(from_east | from_west)) | (twice & ~(from_east & from_west))
    return (once & ~from_west) | twice, straight, (once & ~from_east) | twice, straight


@kernel(i32(u64, u64, u64, u64, u64, i64, STATE))
def list_moves(quiet_mask, own, opp, ep, first_move, ply, state):
    """Write the position's captures, and the quiet moves onto quiet_mask, with their order into row `ply`; returns their number."""
    sets = targets(own, opp, ep, state)
    lost = losing(own, opp)
    wanted = opp | ep | quiet_mask
    shifts = (SEVEN, EIGHT, NINE, SIXTEEN)
    side = (state.side ^ ply) & 1
    count = i32(0)
    for kind in range(4):
        left = sets[kind] & wanted
        while left:
            target = lowest(left)
            left &= left - ONE
            move = encode(target - shifts[kind], target)
            bit = ONE << target
            if move == first_move:
                order = i64(FIRST)
            elif bit & (opp | ep):
                order = i64(CAPTURE) + (i64(7) - i64(target >> THREE)) * 1024
                if not bit & lost[kind]:
                    order += 4096
            elif move == u64(state.killers[ply, 0]):
                order = i64(KILLER) + 1
            elif move == u64(state.killers[ply, 1]):
                order = i64(KILLER)
            else:
                order = i64(state.history[side, history_index(move)])
                if bit & lost[kind]:
                    order -= LOSING
            state.moves[ply, count] = move
            state.order[ply, count] = order
            count = i32(count + 1)
    return count


@kernel(u64(i32, i32, i64, STATE))
def next_move(index, count, ply, state):
    """Bring the best of the moves from `index` on to `index` and return it."""
    best = index
    for other in range(index + 1, count):
        if state.order[ply, other] > state.order[ply, best]:
            best = other
    move, order = state.moves[ply, best], state.order[ply, best]
    state.moves[ply, best], state.order[ply, best] = state.moves[ply, index], state.order[ply, index]
    state.moves[ply, index], state.order[ply, index] = move, order
    return u64(move)


@kernel(i32(u64, i32, i64, STATE))
def reward(move, bonus, ply, state):
    """Move the history of a quiet move towards HISTORY_LIMIT (bonus > 0) or its negative; returns 0."""
    side = (state.side ^ ply) & 1
    index = history_index(move)
    value = i64(state.history[side, index])
    state.history[side, index] = value + bonus - value * abs(i64(bonus)) // HISTORY_LIMIT
    return i32(0)
