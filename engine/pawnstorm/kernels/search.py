"""Negamax with principal variation search: the tree below the root.

All scores are for the side to move. A win n plies from the root scores WIN - n, whatever proves it: a pawn on the far
rank, the capture of the last enemy pawn, an opponent without a move, or a race (engine/pawnstorm/kernels/race.py). A
race only bounds the length of the win, so its score is a bound and is stored as one. Pruning skips no move of a node
that ends up lost. So a loss is always proven against every move, and every win is proven too.
"""

import numpy as np
from numba import types

from pawnstorm.core.parameters import (
    FUTILITY_BASE,
    FUTILITY_MARGIN,
    FUTILITY_MAX_DEPTH,
    HISTORY_BONUS,
    HISTORY_BONUS_MAX,
    IIR_MIN_DEPTH,
    LMP_BASE,
    LMP_MAX_DEPTH,
    LMP_SCALE,
    LMP_WORSENING,
    LMR_ADVANCE,
    LMR_BASE,
    LMR_CUT,
    LMR_DEPTH_CAP,
    LMR_DIVISOR,
    LMR_HISTORY,
    LMR_LOSING,
    LMR_MIN_DEPTH,
    LMR_MIN_MOVES,
    LMR_PV,
    LMR_WORSENING,
    LOSING_MAX_DEPTH,
    NULL_DEPTH_DIVISOR,
    NULL_EVAL_DIVISOR,
    NULL_EVAL_MAX,
    NULL_MIN_DEPTH,
    NULL_REDUCTION,
    QUIESCENCE_PLIES,
    RFP_IMPROVING,
    RFP_MARGIN,
    RFP_MAX_DEPTH,
)
from pawnstorm.core.state import MAX_PLY, MIN_WIN_SCORE, NO_EVAL, WIN
from pawnstorm.kernels.bits import stopped
from pawnstorm.kernels.evaluate import evaluate
from pawnstorm.kernels.kernel import EIGHT, ONE, SEVEN, SIXTEEN, STATE, TABLE, ZERO, i32, i64, kernel, u16, u64
from pawnstorm.kernels.movepick import (
    ADVANCE_BONUS,
    KILLER_SCORE,
    LOSING_PENALTY,
    THREE,
    TWO,
    WORD16,
    first_move_index,
    pick_best,
    quiet_history,
    score_moves,
    update_quiet_stats,
)
from pawnstorm.kernels.network import set_line_position
from pawnstorm.kernels.node import check_stop, update_pv
from pawnstorm.kernels.position import SIX, SQUARE, flip, make_move
from pawnstorm.kernels.quiescence import ALL, quiesce
from pawnstorm.kernels.race import race_loss_plies, race_win_plies
from pawnstorm.kernels.table import (
    EXACT,
    LOWER,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    entry_static_eval,
    hash_key,
    prefetch_bucket,
    probe,
    store,
)
from pawnstorm.kernels.threats import opponent_wins, wins_now

QS_MAX_PLIES = np.int32(QUIESCENCE_PLIES)  # in positions from games, quiescence ends before that


@kernel(i64(i32, i64, STATE))
def late_move_reduction(depth, move_count, state):
    """Base reduction of move number `move_count`, in 1024ths of a ply; callers adjust it by what they know of the move."""
    return i64(state.logs[min(depth, LMR_DEPTH_CAP)]) * i64(state.logs[move_count]) * 1024 // LMR_DIVISOR


@kernel(i32(i64, i32, STATE))
def is_improving(ply, static_eval, state):
    """Whether the static score is better than two plies ago (four if that one is unknown); 1 if neither is known."""
    before = i32(NO_EVAL)
    if ply >= 2:
        before = state.static_evals[ply - 2]
    if before == NO_EVAL and ply >= 4:
        before = state.static_evals[ply - 4]
    return i32(before == NO_EVAL or static_eval > before)


@kernel(types.none(u64, u64, u64, u64, STATE, TABLE))
def prefetch_child(own, opp, ep, move, state, table):
    """Start loading the bucket of the position after a move."""
    own, opp, ep = make_move(own, opp, ep, move, state)
    prefetch_bucket(hash_key(own, opp, ep), state, table)


@kernel(i32(u64, u64, u64, i32, i32, i32, i64, i32, i32, STATE, TABLE))
def negamax(own, opp, ep, depth, alpha, beta, ply, null_allowed, cut_node, state, table):
    """Fail-soft score of a position for the side to move.

    alpha < beta. Returns s: s <= alpha means that the true score is at most s, s >= beta that it is at least s. Any
    other s is the score, and state.pv[ply] its line. null_allowed is 0 after a null move, so that two null moves never
    follow each other. cut_node is 1 if a move is expected to reach beta. After state.stop the result means nothing, and
    nothing is stored.
    """
    state.pv_length[ply] = 0
    # Step 1. Asked to stop, or out of nodes.
    if check_stop(state):
        return i32(0)
    if depth <= 0 or ply >= MAX_PLY - 2:
        return quiesce(own, opp, ep, QS_MAX_PLIES, alpha, beta, ply, state, table)
    # Step 2. A win in one. The position itself can only be over by a lack of moves: its parent would have seen any
    # other end.
    if wins_now(own, opp, ep, state):
        return i32(WIN - ply - 1)
    # Step 3. Mate distance pruning: no line from here can beat a shorter win that is already known.
    alpha = max(alpha, i32(ply - WIN))
    beta = min(beta, i32(WIN - ply - 1))  # the opponent may be left without a move
    if alpha >= beta:
        return alpha
    # Step 4. Whether the opponent wins next unless it is stopped.
    threatened = opponent_wins(own, opp, state) != ZERO
    key = hash_key(own, opp, ep)
    prefetch_bucket(key, state, table)
    if ply > state.seldepth:
        state.seldepth = ply
    is_pv = beta - alpha > 1

    # Step 5. Races. A bound that does not cut narrows the window. The search still looks for a shorter win.
    race_min, race_max = i32(-WIN), i32(WIN)
    plies = race_win_plies(own, opp, state)
    if plies:
        race_min = i32(WIN - ply - plies)
        if race_min >= beta:
            return race_min
        alpha = max(alpha, race_min)
    else:
        plies = race_loss_plies(own, opp, ep, state)
        if plies:
            race_max = i32(ply + plies - WIN)
            if race_max <= alpha:
                return race_max
            beta = min(beta, race_max)

    # Step 6. The transposition table.
    data = probe(key, state, table)
    table_move = entry_move(data)
    if data and not is_pv and entry_depth(data) >= depth:
        score, bound = entry_score(data, i32(ply)), entry_bound(data)
        if (bound & LOWER and score >= beta) or (bound & UPPER and score <= alpha):
            return score
    if table_move != ZERO and depth > 1:
        prefetch_child(own, opp, ep, table_move, state, table)

    set_line_position(own, opp, ply, state)

    # Step 7. The static score, and the pruning that it allows. Nothing is pruned if a win or a loss is at stake.
    static_eval = i32(0)
    can_prune = (
        not is_pv and not threatened and state.full_width == 0 and beta < MIN_WIN_SCORE and alpha > -MIN_WIN_SCORE
    )
    if not threatened:
        static_eval = entry_static_eval(data) if data else evaluate(own, opp, ply, state)
    improving = i32(0) if threatened else is_improving(ply, static_eval, state)
    state.static_evals[ply] = i32(NO_EVAL) if threatened else static_eval
    if can_prune:
        # Reverse futility pruning: the side to move is so far ahead that in a few plies the opponent will neither catch
        # up nor reach the far rank.
        if (
            depth <= RFP_MAX_DEPTH
            and static_eval - RFP_MARGIN * depth + RFP_IMPROVING * improving >= beta
            and not opp & ((TWO << ((u64(depth) >> ONE) * EIGHT + SEVEN)) - ONE)
        ):
            return static_eval
        # Null move: the score is good enough even after a pass. Only games with quiet diagonal steps allow this: there,
        # having to move is never a burden.
        if state.quiet_diagonals and null_allowed and depth >= NULL_MIN_DEPTH and static_eval >= beta:
            eval_reduction = min((static_eval - beta) // NULL_EVAL_DIVISOR, NULL_EVAL_MAX)
            reduction = NULL_REDUCTION + depth // NULL_DEPTH_DIVISOR + eval_reduction
            state.current_moves[ply + 1] = 0
            score = i32(
                -negamax(
                    flip(opp, state.flip_shift),
                    flip(own, state.flip_shift),
                    ZERO,
                    i32(depth - reduction),
                    i32(-beta),
                    i32(-beta + 1),
                    i64(ply + 1),
                    i32(0),
                    i32(1 - cut_node),
                    state,
                    table,
                )
            )
            if stopped(state):
                return i32(0)
            if score >= beta:
                return beta if score > MIN_WIN_SCORE else score
    # Step 8. Internal iterative reduction: without a move from the table, a deep node is searched a ply shallower.
    if depth >= IIR_MIN_DEPTH and table_move == ZERO and state.full_width == 0:
        depth = i32(depth - 1)

    # Step 9. The moves in order. Futility pruning: if the static score is hopeless near the leaves, quiet moves that
    # bring no pawn near the far rank are listed only if all others lose. Before a node may be called lost, every move
    # must be searched.
    last_ranks = state.goal | (state.goal >> EIGHT) | (state.goal >> SIXTEEN)
    futile = (
        can_prune and depth <= FUTILITY_MAX_DEPTH and static_eval + FUTILITY_BASE + FUTILITY_MARGIN * depth <= alpha
    )
    best, best_move = race_min, ZERO
    old_alpha = alpha
    side = (u64(state.side) ^ u64(ply)) & ONE
    first = first_move_index(u64(ply))
    index, picked_ahead = first, ALL
    target_mask = opp | ep | last_ranks if futile else ALL
    end = score_moves(target_mask, ALL, last_ranks, own, opp, ep, table_move, u64(ply), side, state)
    state.killers[(u64(ply) << ONE) + TWO] = 0
    state.killers[(u64(ply) << ONE) + THREE] = 0
    move_count = 0
    lmp_count = (LMP_BASE + LMP_SCALE * depth * depth) * (16 if improving else LMP_WORSENING) >> 8
    while True:
        if index == end:
            if not futile or best > -MIN_WIN_SCORE:
                break
            futile = False
            end = score_moves(~target_mask, ALL, last_ranks, own, opp, ep, table_move, u64(ply), side, state)
            index, picked_ahead = first, ALL
            if index == end:
                break
        if index != picked_ahead:
            pick_best(index, end, state)
        pick = state.move_stack[index]
        move, move_score = u64(pick) & WORD16, pick >> 16
        quiet = move_score < KILLER_SCORE
        quiet_no_advance = quiet and move_score < ADVANCE_BONUS >> 1  # does not go onto one of the last ranks
        new_depth = i32(depth - 1)
        # Step 10. Late move pruning: near the leaves, late quiet moves and quiet moves that lose a pawn are skipped,
        # unless all moves so far lose. The order puts only such moves after this one, so the loop ends.
        if can_prune and quiet_no_advance and best > -MIN_WIN_SCORE and depth <= LMP_MAX_DEPTH:
            if move_count >= lmp_count or (depth <= LOSING_MAX_DEPTH and move_score < -LOSING_PENALTY >> 1):
                break
        index += ONE
        move_count += 1
        # The next move is picked now, so that its bucket is in the cache when this one has been searched. Without that,
        # a fifth of the time is spent waiting for the table. At an expected cut node, the first move searched is usually
        # the last.
        if depth > 1 and index < end and (move_count > 1 or not cut_node):
            picked_ahead = index
            prefetch_child(own, opp, ep, u64(pick_best(index, end, state)) & WORD16, state, table)
        state.nodes += ONE
        state.current_moves[ply + 1] = u16(move)
        new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
        # Step 11. Late move reductions: late moves are first searched at reduced depth, with a null window. A move that
        # raises alpha is searched again at full depth, and with the full window if its score is inside.
        score = i32(0)
        full_window = is_pv and move_count == 1
        if not full_window:
            reduction = i32(0)
            if (
                depth >= LMR_MIN_DEPTH
                and move_count >= LMR_MIN_MOVES
                and quiet
                and not threatened
                and state.full_width == 0
            ):
                scaled_reduction = late_move_reduction(depth, move_count, state) + LMR_BASE
                if is_pv:
                    scaled_reduction -= LMR_PV
                if cut_node:
                    scaled_reduction += LMR_CUT
                if not improving:
                    scaled_reduction += LMR_WORSENING
                if not quiet_no_advance:
                    scaled_reduction -= LMR_ADVANCE
                elif move_score < -LOSING_PENALTY >> 1:
                    scaled_reduction += LMR_LOSING
                reduction = i32((scaled_reduction - ((quiet_history(move_score) * LMR_HISTORY) >> 10)) >> 10)
                reduction = max(i32(0), min(reduction, i32(new_depth - 1)))
            score = i32(
                -negamax(
                    new_own,
                    new_opp,
                    new_ep,
                    i32(new_depth - reduction),
                    i32(-alpha - 1),
                    i32(-alpha),
                    i64(ply + 1),
                    i32(1),
                    i32(1),
                    state,
                    table,
                )
            )
            if reduction > 0 and score > alpha:
                score = i32(
                    -negamax(
                        new_own,
                        new_opp,
                        new_ep,
                        new_depth,
                        i32(-alpha - 1),
                        i32(-alpha),
                        i64(ply + 1),
                        i32(1),
                        i32(1 - cut_node),
                        state,
                        table,
                    )
                )
            full_window = is_pv and score > alpha and score < beta
        if full_window:
            score = i32(
                -negamax(
                    new_own,
                    new_opp,
                    new_ep,
                    new_depth,
                    i32(-beta),
                    i32(-alpha),
                    i64(ply + 1),
                    i32(1),
                    i32(0),
                    state,
                    table,
                )
            )
        if stopped(state):
            return i32(0)
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if is_pv:
                    update_pv(move, ply, state)
                if score >= beta:
                    # Step 12. A quiet move that cuts off becomes a killer and gains history.
                    if not (ONE << ((move >> SIX) & SQUARE)) & (opp | ep):
                        bonus = i64(min(depth * depth * HISTORY_BONUS, HISTORY_BONUS_MAX))
                        update_quiet_stats(move, bonus, first, index - ONE, u64(ply), side, state)
                    break
    if move_count == 0:
        return i32(ply - WIN)  # no move at all

    # Step 13. Store; a score that rests on a race is a bound.
    bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
    if best <= race_min:
        best, bound = race_min, LOWER
    if best >= race_max:
        best, bound = race_max, UPPER
    store(key, best_move, best, depth, i32(bound), static_eval, i32(ply), state, table)
    return best
