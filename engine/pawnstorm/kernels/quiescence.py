"""Quiescence: captures are searched until none is left, so that no score is taken in the middle of an exchange.

In games with quiet diagonal steps, such as Breakthrough, only captures that win a pawn are searched: an even exchange
changes the score little.
"""

import numpy as np

from pawnstorm.core.state import MAX_PLY, WIN
from pawnstorm.kernels.evaluate import evaluate
from pawnstorm.kernels.kernel import ONE, STATE, TABLE, ZERO, i32, i64, kernel, u64
from pawnstorm.kernels.movepick import WORD16, first_move_index, pick_best, score_moves
from pawnstorm.kernels.network import set_line_position
from pawnstorm.kernels.node import check_stop, update_pv
from pawnstorm.kernels.position import make_move
from pawnstorm.kernels.race import race_loss_plies, race_win_plies
from pawnstorm.kernels.threats import opponent_wins, wins_now

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)  # squares


@kernel(i32(u64, u64, u64, i32, i32, i32, i64, STATE, TABLE))
def quiesce(own, opp, ep, plies_left, alpha, beta, ply, state, table):
    """Fail-soft score of a position for the side to move; a bound if it does not lie between alpha and beta. Only captures
    are searched, or every move if the opponent threatens to win.

    plies_left: the most plies to search. On boards crowded with pawns, the captures would go on too long without it.
    """
    state.pv_length[ply] = 0
    if check_stop(state):
        return i32(0)
    if wins_now(own, opp, ep, state):
        return i32(WIN - ply - 1)
    if ply > state.seldepth:
        state.seldepth = ply
    plies = race_win_plies(own, opp, state)
    if plies:
        return i32(WIN - ply - plies)
    plies = race_loss_plies(own, opp, ep, state)
    if plies:
        return i32(ply + plies - WIN)
    set_line_position(own, opp, ply, state)
    if plies_left == 0 or ply >= MAX_PLY - 2:
        return evaluate(own, opp, ply, state)
    best = i32(ply - WIN)
    target_mask = losing_mask = ALL
    if not opponent_wins(own, opp, state):
        best = evaluate(own, opp, ply, state)
        if best >= beta:
            return best
        if best > alpha:
            alpha = best
        target_mask = opp | ep
        if state.quiet_diagonals:
            losing_mask = ZERO
    index = first_move_index(u64(ply))
    side = (u64(state.side) ^ u64(ply)) & ONE
    end = score_moves(target_mask, losing_mask, ZERO, own, opp, ep, ZERO, u64(ply), side, state)
    while index < end:
        move = u64(pick_best(index, end, state)) & WORD16
        index += ONE
        state.nodes += ONE
        new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
        score = i32(
            -quiesce(new_own, new_opp, new_ep, i32(plies_left - 1), i32(-beta), i32(-alpha), i64(ply + 1), state, table)
        )
        if score > best:
            best = score
            if score > alpha:
                if beta - alpha > 1:
                    update_pv(move, ply, state)
                alpha = score
                if score >= beta:
                    break
    return best
