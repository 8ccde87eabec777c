"""Finds the positions of the winner that need no record in a proof (prooffile.py), because a pawn soon reaches the far rank.

The functions are compiled, and use only the rules of pawnrules.py. In all of them, the opponent of the side to move must not have
a pawn on its far rank. tests/unit/test_unlisted.py compares them with exhaustive play.
"""

from numba.types import Array, boolean
from numba.types import int64 as i64
from numba.types import uint64 as u64

from pawnstorm_tools.checking.pawnrules import (
    EAST,
    ONE,
    PUSH,
    RULES,
    WEST,
    ZERO,
    ahead,
    can_reach_far_rank,
    east,
    move_targets,
    on_far_rank,
    origin,
    successors,
    west,
)
from pawnstorm_tools.common.machinecode import compiled


@compiled(i64(u64, u64, u64, boolean, RULES, Array(u64, 3, "C")))
def wins_in_three(white, black, ep, white_to_move, rules, rows):
    """The number of plies, 1 or 3, in which the side to move can force a pawn to its far rank; else 0.

    For 3, a pawn must stand before the far rank after the first move. `rows` is room for the successors of two positions.
    """
    if can_reach_far_rank(white, black, ep, white_to_move, rules):
        return 1
    before = ahead(rules.top if white_to_move else rules.bottom, not white_to_move)
    for move in range(successors(white, black, ep, white_to_move, rules, rows[0])):
        white, black, ep = rows[0, move, 0], rows[0, move, 1], rows[0, move, 2]
        if before & (white if white_to_move else black):
            answered = False
            for reply in range(successors(white, black, ep, not white_to_move, rules, rows[1])):
                white, black, ep = rows[1, reply, 0], rows[1, reply, 1], rows[1, reply, 2]
                if on_far_rank(white, black, not white_to_move, rules) or not can_reach_far_rank(
                    white, black, ep, white_to_move, rules
                ):
                    answered = True
                    break
            if not answered:
                return 3
    return 0


@compiled(i64(i64, u64, u64, boolean, RULES))
def forced_win_moves(moves, white, black, white_to_move, rules):
    """The number of moves in which the side to move reaches its far rank by threats (see prooffile.py); 0 if over `moves`.

    The rules must be those of Breakthrough.

    A pawn before the far rank can always go there, because it can make a diagonal step, with or without a capture. A move to a
    square before the far rank wins if the opponent can neither capture the pawn there nor reach its own far rank first. Wins in
    more moves are found by a search: a move wins if the side to move reaches its far rank after every reply. The search skips
    two kinds of moves: moves after which a pawn of the opponent stands before the opponent's far rank, and moves after which
    the side to move would not reach its far rank even if the opponent passed.
    """
    far, near = (rules.top, rules.bottom) if white_to_move else (rules.bottom, rules.top)
    mine, theirs = (white, black) if white_to_move else (black, white)
    before, danger = ahead(far, not white_to_move), ahead(near, white_to_move)
    if mine & before:
        return 1
    if moves < 2:
        return 0
    attacked = ahead(west(theirs) | east(theirs), not white_to_move)
    if theirs & danger == ZERO:
        for kind in (PUSH, WEST, EAST):
            if move_targets(kind, mine, white, black, ZERO, white_to_move, rules) & before & ~attacked:
                return 2
    if moves < 3:
        return 0
    if moves > 3:
        fewer = forced_win_moves(moves - 1, white, black, white_to_move, rules)
        if fewer:
            return fewer
    for kind in (PUSH, WEST, EAST):
        left = move_targets(kind, mine, white, black, ZERO, white_to_move, rules)
        while left:
            to = left & ~(left - ONE)
            left ^= to
            mine2, theirs2 = mine ^ origin(kind, to, white_to_move) | to, theirs & ~to
            white2, black2 = (mine2, theirs2) if white_to_move else (theirs2, mine2)
            forced = theirs2 & danger == ZERO and forced_win_moves(moves - 1, white2, black2, white_to_move, rules) > 0
            for kind2 in (WEST, EAST, PUSH):
                left2 = move_targets(kind2, theirs2, white2, black2, ZERO, not white_to_move, rules) if forced else ZERO
                while left2:
                    to2 = left2 & ~(left2 - ONE)
                    left2 ^= to2
                    mine3, theirs3 = mine2 & ~to2, theirs2 ^ origin(kind2, to2, not white_to_move) | to2
                    white3, black3 = (mine3, theirs3) if white_to_move else (theirs3, mine3)
                    if forced_win_moves(moves - 1, white3, black3, white_to_move, rules) == 0:
                        forced, left2 = False, ZERO
            if forced:
                return moves
    return 0


@compiled(i64(i64, u64, u64, u64, boolean, RULES, Array(u64, 3, "C")))
def unlisted_win_plies(within, white, black, ep, white_to_move, rules, rows):
    """0 if the position needs a record; else a number of plies within which the side to move can reach its far rank.

    within: as in the proof's header. rows: as for wins_in_three().
    """
    moves = forced_win_moves(within, white, black, white_to_move, rules) if within > 2 else 0
    return 2 * moves - 1 if moves else wins_in_three(white, black, ep, white_to_move, rules, rows)
