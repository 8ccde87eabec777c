"""Negamax with principal variation search: one root iteration, the tree below it, and quiescence.

All scores are seen by the side to move. A win n plies from the root scores WIN - n, whatever proves it: a pawn on the far rank, the
last enemy pawn taken, an opponent without a move, or a race that running alone decides (engine/race.py). A race only bounds the length
of the win, so its score is a bound and is stored as one. No pruning skips a move at a node that ends up lost: a lost score is always
proven against every move, and so is every win.
"""

import numpy as np

from engine.bits import popcount, stopped
from engine.evaluate import evaluate
from engine.kernel import EIGHT, ONE, SEVEN, SIXTEEN, STATE, TABLE, ZERO, i32, i64, kernel, u64
from engine.movegen import count_moves
from engine.movepick import (FAR, HISTORY_LIMIT, KILLER, LOSING, THREE, TWO, WORD16, first_pick, list_moves, next_pick, refuted)
from engine.position import SIX, SQUARE, attacks, attacks_down, flip, make_move
from engine.race import outrun, runs
from engine.state import MAX_PLY, WIN, WIN_BOUND
from engine.table import (EXACT, LOWER, UPPER, entry_bound, entry_depth, entry_move, entry_score,
                          entry_static, fetch, hash_key, probe, store)

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
QUIET_PLIES = np.int32(10)   # how far quiescence goes; in games it ends by itself before


@kernel(i32(STATE))
def halted(state):
    """Not 0 where the search was asked to stop, or has now used up its nodes."""
    if state.nodes >= state.node_limit:
        state.stop = 1
    return stopped(state)


@kernel(u64(u64, u64, u64, STATE))
def wins_now(own, opp, ep, state):
    """Not 0 where a move ends the game at once: onto the far rank, or taking the last enemy pawn."""
    empty = state.board & ~(own | opp)
    sideways = attacks(own)
    home = (sideways & (opp | state.diagonals & empty) | (own << EIGHT) & empty) & state.goal
    if popcount(opp) == ONE:
        # An en passant capture takes the last pawn too, unless the game leaves the victim standing.
        home |= sideways & (opp | (ep & (state.ep_victims << EIGHT)))
    return home


@kernel(u64(u64, u64, STATE))
def threats(own, opp, state):
    """Home squares that the opponent could step or capture onto if it were to move: not 0 means that it wins next unless stopped."""
    empty = state.board & ~(own | opp)
    sideways = attacks_down(opp)
    return (sideways & (own | state.diagonals & empty) | (opp >> EIGHT) & empty) & state.home


@kernel(i32(u64, i64, STATE))
def extend_line(move, ply, state):
    """state.pv[ply] becomes the move and the line behind it; returns its length."""
    length = state.pv_length[ply + 1]
    state.pv[ply, 0] = move
    for index in range(length):
        state.pv[ply, index + 1] = state.pv[ply + 1, index]
    state.pv_length[ply] = length + 1
    return i32(length + 1)


@kernel(i32(u64, u64, u64, i32, i32, i32, i64, STATE, TABLE))
def quiesce(own, opp, ep, left, alpha, beta, ply, state, table):
    """Fail-soft score of a position by captures alone, and by every move where the opponent is about to win.

    left: plies that it may still go on; boards crowded with pawns have captures without end.
    """
    state.pv_length[ply] = 0
    if halted(state):
        return i32(0)
    if wins_now(own, opp, ep, state):
        return i32(WIN - ply - 1)
    if ply > state.seldepth:
        state.seldepth = ply
    plies = runs(own, opp, state)
    if plies:
        return i32(WIN - ply - plies)
    plies = outrun(own, opp, ep, state)
    if plies:
        return i32(ply + plies - WIN)
    if left == 0 or ply >= MAX_PLY - 2:
        return evaluate(own, opp, state)
    best = i32(ply - WIN)
    wanted = ALL
    if not threats(own, opp, state):
        best = evaluate(own, opp, state)
        if best >= beta:
            return best
        if best > alpha:
            alpha = best
        wanted = opp | ep
    index = first_pick(u64(ply))
    end = list_moves(wanted, ZERO, own, opp, ep, ZERO, u64(ply), (u64(state.side) ^ u64(ply)) & ONE, state)
    while index < end:
        move = u64(next_pick(index, end, state)) & WORD16
        index += ONE
        state.nodes += ONE
        new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
        score = i32(-quiesce(new_own, new_opp, new_ep, i32(left - 1), i32(-beta), i32(-alpha), i64(ply + 1), state, table))
        if score > best:
            best = score
            if score > alpha:
                if beta - alpha > 1:
                    extend_line(move, ply, state)
                alpha = score
                if score >= beta:
                    break
    return best


@kernel(i32(u64, u64, u64, i32, i32, i32, i64, i32, STATE, TABLE))
def negamax(own, opp, ep, depth, alpha, beta, ply, can_pass, state, table):
    """Fail-soft score of a position for the side to move.

    alpha < beta. Returns s: s <= alpha means that the true score is at most s, s >= beta at least s, otherwise s is the score.
    state.pv[ply] is the line of a score between the two. can_pass is 0 behind a null move: nobody passes twice in a row.
    After state.stop the value means nothing and nothing is stored.
    """
    state.pv_length[ply] = 0
    # Step 1. Asked to stop, or out of nodes.
    if halted(state):
        return i32(0)
    if depth <= 0 or ply >= MAX_PLY - 2:
        return quiesce(own, opp, ep, QUIET_PLIES, alpha, beta, ply, state, table)
    # Step 2. Decided at once. The position itself is not over, but for a lack of moves: its parent would have seen that.
    if wins_now(own, opp, ep, state):
        return i32(WIN - ply - 1)
    # Step 3. No line from here can beat a shorter win that is known already.
    alpha = max(alpha, i32(ply - WIN))
    beta = min(beta, i32(WIN - ply - 1))   # the opponent may be left without a move
    if alpha >= beta:
        return alpha
    # Step 4. Does the opponent win next, if nothing stops it?
    threatened = threats(own, opp, state) != ZERO
    key = hash_key(own, opp, ep)
    fetch(key, state, table)
    if ply > state.seldepth:
        state.seldepth = ply
    is_pv = beta - alpha > 1

    # Step 5. Races. A bound that does not cut narrows the window; a shorter win is still looked for.
    floor, ceiling = i32(-WIN), i32(WIN)
    plies = runs(own, opp, state)
    if plies:
        floor = i32(WIN - ply - plies)
        if floor >= beta:
            return floor
        alpha = max(alpha, floor)
    else:
        plies = outrun(own, opp, ep, state)
        if plies:
            ceiling = i32(ply + plies - WIN)
            if ceiling <= alpha:
                return ceiling
            beta = min(beta, ceiling)

    # Step 6. The transposition table.
    data = probe(key, state, table)
    table_move = entry_move(data)
    if data and not is_pv and entry_depth(data) >= depth:
        score, bound = entry_score(data, i32(ply)), entry_bound(data)
        if (bound & LOWER and score >= beta) or (bound & UPPER and score <= alpha):
            return score

    # Step 7. The static score, and what it allows to skip. Never where a win or a loss is at stake.
    static = i32(0)
    prunes = not is_pv and not threatened and state.exact == 0 and beta < WIN_BOUND and alpha > -WIN_BOUND
    if not threatened:
        static = entry_static(data) if data else evaluate(own, opp, state)
    if prunes:
        # So far ahead that the opponent will not catch up in a few plies, nor come home in them.
        if depth <= 7 and static - 65 * depth >= beta and not opp & ((TWO << ((u64(depth) >> ONE) * EIGHT + SEVEN)) - ONE):
            return static
        # Null move: good enough even for one who passes. Only where a move is never a burden, with quiet diagonal steps.
        if state.diagonals and can_pass and depth >= 3 and static >= beta:
            reduction = 3 + depth // 4 + min((static - beta) // 150, 3)
            score = i32(-negamax(flip(opp, state.flip_shift), flip(own, state.flip_shift), ZERO, i32(depth - reduction),
                                 i32(-beta), i32(-beta + 1), i64(ply + 1), i32(0), state, table))
            if stopped(state):
                return i32(0)
            if score >= beta:
                return beta if score > WIN_BOUND else score
    # Step 8. Without a move from the table a deep search first deserves a shallower one.
    if depth >= 4 and table_move == ZERO and state.exact == 0:
        depth = i32(depth - 1)

    # Step 9. The moves in order. Where the static score is hopeless near the leaves, quiet moves that bring no pawn near the far rank
    # are listed only if all others lose: then every move must be tried before the node may be called lost.
    far = state.goal | (state.goal >> EIGHT) | (state.goal >> SIXTEEN)
    hopeless = prunes and depth <= 6 and static + 60 + 70 * depth <= alpha
    best, best_move = floor, ZERO
    old_alpha = alpha
    side = (u64(state.side) ^ u64(ply)) & ONE
    first = first_pick(u64(ply))
    index = first
    wanted = opp | ep | far if hopeless else ALL
    end = list_moves(wanted, far, own, opp, ep, table_move, u64(ply), side, state)
    state.killers[(u64(ply) << ONE) + TWO] = 0
    state.killers[(u64(ply) << ONE) + THREE] = 0
    tried = 0
    while True:
        if index == end:
            if not hopeless or best > -WIN_BOUND:
                break
            hopeless = False
            end = list_moves(~wanted, far, own, opp, ep, table_move, u64(ply), side, state)
            index = first
            if index == end:
                break
        pick = next_pick(index, end, state)
        move, order = u64(pick) & WORD16, pick >> 16
        quiet = order < KILLER
        near = quiet and order < FAR - LOSING - HISTORY_LIMIT
        new_depth = i32(depth - 1)
        # Step 10. Late quiet moves near the leaves are skipped unless all so far lose; the list's order leaves only such behind.
        if prunes and near and best > -WIN_BOUND and depth <= 6:
            if tried >= 4 + depth * depth or (depth <= 4 and order < -HISTORY_LIMIT):
                break
        index += ONE
        tried += 1
        state.nodes += ONE
        new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
        # Step 11. Late moves first at reduced depth, with a null window; then as far as they prove worth it.
        score = i32(0)
        full = is_pv and tried == 1
        if not full:
            reduction = i32(0)
            if depth >= 3 and tried >= 3 and quiet and not threatened and state.exact == 0:
                reduction = i32((state.logs[min(depth, 63)] * state.logs[tried]) // 131072)
                if is_pv:
                    reduction = i32(reduction - 1)
                if near and order < -HISTORY_LIMIT:
                    reduction = i32(reduction + 1)
                if not near:
                    reduction = i32(reduction - 1)
                reduction = max(i32(0), min(reduction, i32(new_depth - 1)))
            score = i32(-negamax(new_own, new_opp, new_ep, i32(new_depth - reduction), i32(-alpha - 1), i32(-alpha),
                                 i64(ply + 1), i32(1), state, table))
            if reduction > 0 and score > alpha:
                score = i32(-negamax(new_own, new_opp, new_ep, new_depth, i32(-alpha - 1), i32(-alpha),
                                     i64(ply + 1), i32(1), state, table))
            full = is_pv and score > alpha and score < beta
        if full:
            score = i32(-negamax(new_own, new_opp, new_ep, new_depth, i32(-beta), i32(-alpha), i64(ply + 1), i32(1), state, table))
        if stopped(state):
            return i32(0)
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if is_pv:
                    extend_line(move, ply, state)
                if score >= beta:
                    # Step 12. Remember what refuted.
                    if not (ONE << ((move >> SIX) & SQUARE)) & (opp | ep):
                        refuted(move, i64(min(depth * depth * 8, 1200)), first, index - ONE, u64(ply), side, state)
                    break
    if tried == 0:
        return i32(ply - WIN)   # no move at all

    # Step 13. Store; a score that rests on a race is a bound.
    bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
    if best <= floor:
        best, bound = floor, LOWER
    if best >= ceiling:
        best, bound = ceiling, UPPER
    store(key, best_move, best, depth, i32(bound), static, i32(ply), state, table)
    return best


@kernel(i32(i32, i32, i32, STATE, TABLE))
def search_root(depth, alpha, beta, state, table):
    """One iteration: the score of the state's position within a window, over the root moves from state.root_first on.

    state.moves[0] holds the root moves, best first as far as known; a move that raises alpha is brought to root_first, and its line
    is state.pv[0]. The score is fail-soft, as negamax's. At least one root move is left. Nothing counts after state.stop.
    """
    state.pv_length[0] = 0
    for killer in range(4):
        state.killers[killer] = 0
    best = i32(-WIN)
    for index in range(state.root_first, state.root_count):
        move = u64(state.moves[index])
        state.nodes += ONE
        own, opp, ep = make_move(state.own, state.opp, state.ep, move, state)
        new_depth = i32(depth - 1)
        score = i32(0)
        full = index == state.root_first
        if count_moves(own, opp, ep, state) == ZERO:
            score = i32(WIN - 1)
            full = False
            state.pv_length[1] = 0
        elif not full:
            reduction = i32(0)
            if depth >= 3 and index >= 4 and state.exact == 0:
                reduction = i32(max(0, min(state.logs[min(depth, 63)] * state.logs[index + 1] // 131072 - 1, new_depth - 1)))
            score = i32(-negamax(own, opp, ep, i32(new_depth - reduction), i32(-alpha - 1), i32(-alpha), i64(1), i32(1), state, table))
            if reduction > 0 and score > alpha:
                score = i32(-negamax(own, opp, ep, new_depth, i32(-alpha - 1), i32(-alpha), i64(1), i32(1), state, table))
            full = score > alpha and score < beta
        if full:
            score = i32(-negamax(own, opp, ep, new_depth, i32(-beta), i32(-alpha), i64(1), i32(1), state, table))
        if stopped(state):
            return i32(0)
        if score > best:
            best = score
            if score > alpha or index == state.root_first:
                extend_line(move, i64(0), state)
                state.root_score = score
                for later in range(index, state.root_first, -1):
                    state.moves[later] = state.moves[later - 1]
                state.moves[state.root_first] = move
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best
