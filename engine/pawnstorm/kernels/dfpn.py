"""Depth-first proof-number search (df-pn), which proves whether a position is won, and by which move.

At every node, phi (the proof number) is the smallest delta (disproof number) of its children, and delta is the sum of
their phis. The search always expands the leaf that could prove or disprove the root most cheaply. It stays below a
child until the child's numbers pass thresholds, which leave room for growth (1 + epsilon: Pawlewicz and Lew 2007).

A leaf is decided statically if possible: by an immediate win, a race (engine/pawnstorm/kernels/race.py), a win within
the last rows (engine/pawnstorm/kernels/endings.py) or a lack of moves. Otherwise its numbers are initialised (df-pn+,
Nagai and Imai 1999). If the game has a solver's network, they follow from the effort that it predicts for each proof.
If not, they follow from the static score; delta is multiplied by the number of replies, and the steps still to go raise
both numbers. In these games no position comes up twice in a line, so every number in the table is valid wherever the
position is met. A position's phi and delta are packed into one word (engine/pawnstorm/kernels/pn_table.py).

`ply_limit` is NO_LIMIT, or the number of plies, from the position, within which one side has to win. If it is odd, that side
is to move; if it is even, the other side is. If the limit passes without a win, the other side has won. The limit is part of
the key: a position has one entry for each limit.

Threads share the table. Each marks the positions that it works on. Another thread then prefers the second best child if
that costs little more.
"""

import numpy as np
from numba import types

from pawnstorm.core.parameters import (
    PN_EFFORT,
    PN_EPSILON_SHIFT,
    PN_EVEN,
    PN_HALVING,
    PN_MOST,
    PN_NETWORK_HALVING,
    PN_NETWORK_LEAD,
    PN_NETWORK_MOST,
    PN_ODDS,
    PN_OTHERS,
    PN_REPLIES_SHIFT,
    PN_SHARING_SHIFT,
    PN_STEPS,
)
from pawnstorm.core.state import INFINITE_NUMBER, MAX_MOVES, MAX_PLY, MAX_PROOF_NUMBER, MAX_PROOF_PLIES
from pawnstorm.kernels.bits import lsb, msb, popcount, prefetch_nta, stopped
from pawnstorm.kernels.endings import attack_lead, ending_loss_plies, ending_win_plies
from pawnstorm.kernels.evaluate import evaluate
from pawnstorm.kernels.kernel import EIGHT, NINE, ONE, SEVEN, SIXTEEN, STATE, TABLE, ZERO, i32, i64, kernel, u64
from pawnstorm.kernels.movegen import count_moves, generate_moves, targets
from pawnstorm.kernels.movepick import WORD16
from pawnstorm.kernels.network import set_line_position, solver_outputs
from pawnstorm.kernels.pn_table import (
    canonical_move,
    delta,
    entry_thread,
    is_mirrored,
    is_proven,
    look_up,
    pack,
    pack_loss,
    pack_win,
    phi,
    proof_bucket_index,
    proof_key,
    proven_move,
    proven_plies,
    store,
)
from pawnstorm.kernels.position import encode_move, flip, make_move, mirror, rank_sum
from pawnstorm.kernels.race import race_loss_plies, race_win_plies
from pawnstorm.kernels.threats import wins_now

CHILD_KEYS = MAX_PLY * MAX_MOVES // 2  # where the children's keys begin in state.move_stack; their words come first
LIMIT_SALT = np.uint64(0xD1B54A32D192ED03)  # an odd number; it gives each limit of a position its own key


@kernel(u64(u64, u64, u64, STATE))
def static_proof(own, opp, ep, state):
    """The word of a position that is decided without search, or 0."""
    if wins_now(own, opp, ep, state):
        return pack_win(ZERO, i64(1))
    longest = i64(race_win_plies(own, opp, state))
    if longest:
        return pack_win(ZERO, longest)
    longest = i64(race_loss_plies(own, opp, ep, state))
    if longest:
        return pack_loss(ZERO, longest)
    if count_moves(own, opp, ep, state) == ZERO:
        return pack_loss(ZERO, i64(0))
    longest = ending_win_plies(own, opp, state)
    if longest:
        return pack_win(ZERO, longest)
    longest = ending_loss_plies(own, opp, state)
    if longest:
        return pack_loss(ZERO, longest)
    return ZERO


@kernel(types.boolean(u64, u64, i64, STATE))
def cannot_win_in(own, opp, moves_left, state):
    """Whether side `own` certainly cannot win within `moves_left` moves; always false if the game can end by a lack of moves."""
    steps = i64(state.ranks) - 1 - (i64(msb(own)) >> 3)
    return state.quiet_diagonals != ZERO and steps > moves_left and i64(popcount(opp)) > moves_left


@kernel(u64(u64, u64, u64, i64, STATE))
def static_proof_within(own, opp, ep, ply_limit, state):
    """The word of a position that is decided statically under a limit, or 0.

    One side has to win within `ply_limit` plies from here. A static win of this side does not count if it may take longer. If
    this side certainly cannot win in time, the other side has won.
    """
    word = static_proof(own, opp, ep, state)
    if ply_limit < 0:
        return word
    if ply_limit & 1:
        if word == ZERO or (phi(word) == 0 and proven_plies(delta(word)) > ply_limit):
            return pack_loss(ZERO, i64(0)) if cannot_win_in(own, opp, (ply_limit + 1) >> 1, state) else ZERO
    elif word == ZERO or (delta(word) == 0 and proven_plies(phi(word)) > ply_limit):
        if count_moves(own, opp, ep, state) == ZERO:  # a race may have hidden the lack of moves
            return pack_loss(ZERO, i64(0))
        over = ply_limit == 0 or cannot_win_in(flip(opp, state.flip_shift), own, ply_limit >> 1, state)
        return pack_win(ZERO, i64(1)) if over else ZERO
    return word


@kernel(u64(u64, u64, u64, i64, STATE))
def limited_key(own, opp, ep, ply_limit, state):
    """The key of a position under a limit; without a limit, the position's own key."""
    return proof_key(own, opp, ep, state) ^ u64(ply_limit + 1) * LIMIT_SALT


@kernel(i64(i64, i64))
def exp2_quarters(quarters, most):
    """About 4 * 2 ** (quarters / 4), at least 1; quarters are capped at `most`."""
    quarters = max(i64(-8), min(most, quarters))
    octave = quarters >> 2
    mantissa = 4 + (quarters & 3)
    return mantissa << octave if octave >= 0 else mantissa >> -octave


@kernel(i64(u64, u64, STATE))
def steps_left(own, opp, state):
    """Sum over all pawns of the ranks ahead of them: a measure of how long the game may last."""
    return i64(popcount(own)) * (i64(state.ranks) - 1) - i64(rank_sum(own)) + i64(rank_sum(opp))


@kernel(u64(u64, u64, u64, i64, STATE))
def initial_word(own, opp, ep, ply, state):
    """The word of a position that has not been expanded.

    The proof numbers come from the solver's network, which predicts the effort of either proof. In games without such a
    network they come from the score. ply: the ply at which network.set_line_position() records the position. If it is not
    0, the previous position of the line must already be recorded at ply - 1.
    """
    set_line_position(own, opp, ply, state)
    if state.solver_network:
        odds, if_won, if_lost = solver_outputs(own, opp, ply, state)
        ahead = PN_NETWORK_LEAD * attack_lead(own, opp, state)
        win = (PN_EFFORT * i64(if_won) - PN_ODDS * i64(odds)) >> 10
        loss = (PN_EFFORT * i64(if_lost) + PN_ODDS * i64(odds)) >> 10
        return pack(exp2_quarters(win - ahead, i64(PN_NETWORK_MOST)), exp2_quarters(loss + ahead, i64(PN_NETWORK_MOST)))
    halving = i64(PN_NETWORK_HALVING) if state.network else i64(PN_HALVING)
    quarters = i64(evaluate(own, opp, ply, state)) * 4 // halving + attack_lead(own, opp, state)
    even = PN_EVEN + (PN_STEPS * steps_left(own, opp, state) >> 4)
    replies = i64(count_moves(own, opp, ep, state))
    effort = exp2_quarters(even + quarters, i64(PN_MOST)) * replies + (1 << PN_REPLIES_SHIFT) - 1
    return pack(exp2_quarters(even - quarters, i64(PN_MOST)), effort >> PN_REPLIES_SHIFT)


@kernel(u64(u64, i64, STATE, TABLE))
def update_child(key, index, state, table):
    """Update a child's word, at state.move_stack[index], from the table, if the table has it. key: the child's key.

    Returns the number of the thread that works below the child, or 0.
    """
    data = look_up(key, state, table)
    if data:
        state.move_stack[index] = i64((data & ~WORD16) | (u64(state.move_stack[index]) & WORD16))
    return entry_thread(data)


@kernel(i64(u64, u64, u64, i64, i64, i64, STATE, TABLE))
def expand(own, opp, ep, ply_limit, ply, first, state, table):
    """Write the children of a position, each as word | move, from state.move_stack[first] on.

    Returns the index after the last child.

    The children's keys go to state.move_stack[CHILD_KEYS + first] and on. ply_limit is the children's limit. A child that
    is lost statically is written alone, since it decides the position. The table is read first, since what it holds
    need not be computed again. The network is asked last.
    """
    sets = targets(own, opp, ep, state)
    shifts = (SEVEN, EIGHT, NINE, SIXTEEN)
    end = first
    for kind in range(4):
        left = sets[kind]
        while left:
            target = lsb(left)
            left &= left - ONE
            move = encode_move(target - shifts[kind], target)
            new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
            key = limited_key(new_own, new_opp, new_ep, ply_limit, state)
            prefetch_nta(table, proof_bucket_index(key, state))
            state.move_stack[end] = i64(move)
            state.move_stack[CHILD_KEYS + end] = i64(key)
            end += 1
    for index in range(first, end):
        move = u64(state.move_stack[index])
        update_child(u64(state.move_stack[CHILD_KEYS + index]), index, state, table)
        if u64(state.move_stack[index]) == move:
            new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
            word = static_proof_within(new_own, new_opp, new_ep, ply_limit, state)
            if word and delta(word) == 0:
                state.move_stack[first] = i64(word | move)
                return first + 1
            state.move_stack[index] = i64(word | move)
    set_line_position(own, opp, ply, state)
    for index in range(first, end):
        move = u64(state.move_stack[index])
        if move <= WORD16:
            new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
            state.move_stack[index] = i64(initial_word(new_own, new_opp, new_ep, ply + 1, state) | move)
    return end


@kernel(i64(i64, i64))
def combine(total, largest):
    """A position's delta. total: the sum of the phi of all replies; largest: the largest of them.

    If several replies share a proof, the sum counts its work once for each of these replies. On narrow boards this error
    grows with the depth, to many times the work that is left. There a PN_OTHERS below 16 is better.
    """
    if PN_OTHERS < 16:
        total = largest + ((total - largest) * PN_OTHERS >> 4)
    return min(total, i64(MAX_PROOF_NUMBER))


@kernel(i64(i64, i64, i64, i64))
def reply_limit(threshold, total, child_phi, foremost):
    """The phi at which a reply raises combine()'s result to the threshold, if the other replies keep their phi.

    total: the present sum of the phi of all replies. child_phi: the present phi of this reply. foremost: the largest phi
    of the other replies.
    """
    if PN_OTHERS == 16:
        return max(threshold - min(total, i64(MAX_PROOF_NUMBER)), i64(1)) + child_phi
    others = total - child_phi
    limit = threshold - (others * PN_OTHERS >> 4)  # if this is the largest reply then
    if limit <= foremost:
        limit = ((threshold - foremost) * 16 + PN_OTHERS - 1) // max(PN_OTHERS, 1) - (others - foremost)
    return max(limit, child_phi + 1)


@kernel(u64(u64, u64, u64, u64, i64, i64, i64, i64, i64, STATE, TABLE))
def prove(own, opp, ep, key, ply_limit, phi_threshold, delta_threshold, ply, first, state, table):
    """Expand below a position until phi or delta reaches its threshold; returns the position's word.

    The position must not be decided statically. ply: plies from the root. first: the first free index of
    state.move_stack. After state.stop the word holds what is known so far.
    """
    if first > CHILD_KEYS - MAX_MOVES or ply > MAX_PLY - 2:
        state.stop = 1  # only boards that were crowded with pawns by hand have such long lines
        return initial_word(own, opp, ep, ply, state)
    nodes_before = i64(state.nodes)
    state.nodes += ONE
    shared = state.thread_count > 1
    ply_limit -= ply_limit > 0
    end = expand(own, opp, ep, ply_limit, ply, first, state, table)
    while True:
        best, second, min_delta, second_delta = i64(-1), i64(-1), i64(INFINITE_NUMBER), i64(INFINITE_NUMBER)
        phi_sum, most_plies, longest_resistance = i64(0), i64(0), ZERO
        largest, runner_up = i64(0), i64(0)
        for index in range(first, end):
            child = u64(state.move_stack[index])
            child_phi, child_delta = phi(child), delta(child)
            if child_phi == 0:
                if proven_plies(child_delta) >= most_plies:
                    most_plies, longest_resistance = proven_plies(child_delta), child & WORD16
                continue
            phi_sum += child_phi
            if PN_OTHERS < 16:
                runner_up = max(runner_up, min(largest, child_phi))
                largest = max(largest, child_phi)
            if child_delta < min_delta:
                second, second_delta = best, min_delta
                best, min_delta = index, child_delta
            elif child_delta < second_delta:
                second, second_delta = index, child_delta
        if best < 0:
            word = pack_loss(canonical_move(longest_resistance, own, opp, ep, state), most_plies + 1)
            break
        child = u64(state.move_stack[best])
        if min_delta == 0:
            word = pack_win(canonical_move(child & WORD16, own, opp, ep, state), proven_plies(phi(child)) + 1)
            break
        combined = combine(phi_sum, largest)
        word = pack(min_delta, combined)
        if (
            min_delta >= phi_threshold
            or combined >= delta_threshold
            or state.nodes >= state.node_limit
            or stopped(state)
        ):
            break
        if shared:
            working_thread = update_child(u64(state.move_stack[CHILD_KEYS + best]), best, state, table)
            if (u64(state.move_stack[best]) ^ child) & ~WORD16:
                continue
            if (
                working_thread
                and working_thread != u64(state.thread_number)
                and second >= 0
                and second_delta <= min_delta + (min_delta >> PN_SHARING_SHIFT) + 1
            ):
                best, min_delta = second, second_delta
                child = u64(state.move_stack[best])
        if first == 0 or (shared and nodes_before + 1 == i64(state.nodes)):
            # For the other threads; at the root, for a watcher of the progress.
            store(key, word, i64(0), u64(state.thread_number), state, table)
        child_threshold = min(phi_threshold, max(min_delta, second_delta) + (second_delta >> PN_EPSILON_SHIFT) + 1)
        move, child_phi = child & WORD16, phi(child)
        foremost = runner_up if child_phi == largest else largest
        new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
        reply = prove(
            new_own,
            new_opp,
            new_ep,
            u64(state.move_stack[CHILD_KEYS + best]),
            ply_limit,
            reply_limit(delta_threshold, phi_sum, child_phi, foremost),
            child_threshold,
            ply + 1,
            end,
            state,
            table,
        )
        state.move_stack[best] = i64((reply & ~WORD16) | move)
    store(key, word, i64(state.nodes) - nodes_before, ZERO, state, table)
    return word


@kernel(u64(STATE, TABLE))
def solve(state, table):
    """The word of the state's position; 0 if nothing is known.

    The position is proven unless state.stop or state.node_limit ended the search early. The search begins with the position
    or its mirror image, whichever is_mirrored() prefers, so that both lead to the same search.
    """
    own, opp, ep = u64(state.own), u64(state.opp), u64(state.ep)
    if opp & state.home:
        return pack_loss(ZERO, i64(0))
    if is_mirrored(own, opp, ep, state):
        shift = u64(state.mirror_shift)
        own, opp, ep = mirror(own, shift), mirror(opp, shift), mirror(ep, shift)
    ply_limit = i64(state.ply_limit)
    word = static_proof_within(own, opp, ep, ply_limit, state)
    if word:
        return word
    key = limited_key(own, opp, ep, ply_limit, state)
    word = look_up(key, state, table) & ~WORD16
    if not is_proven(word) and state.nodes < state.node_limit:
        word = prove(
            own, opp, ep, key, ply_limit, i64(INFINITE_NUMBER), i64(INFINITE_NUMBER), i64(0), i64(0), state, table
        )
    if not is_proven(word):
        return word
    own, opp, ep = u64(state.own), u64(state.opp), u64(state.ep)
    if phi(word) == 0:
        return pack_win(canonical_move(proven_move(delta(word)), own, opp, ep, state), proven_plies(delta(word)))
    return pack_loss(canonical_move(proven_move(phi(word)), own, opp, ep, state), proven_plies(phi(word)))


@kernel(u64(u64, u64, u64, STATE, TABLE))
def proven_word(own, opp, ep, state, table):
    """The word of a position, if it is over or proven statically or by the table; otherwise 0."""
    if opp & state.home or own == ZERO:
        return pack_loss(ZERO, i64(0))
    word = static_proof(own, opp, ep, state)
    if word == ZERO:
        word = look_up(proof_key(own, opp, ep, state), state, table)
    return word if is_proven(word) else ZERO


@kernel(i32(STATE, TABLE))
def proof_line(state, table):
    """Write the line of a proven position into state.pv[0]; returns the number of its moves.

    The line has the winner's quickest known moves against the longest resistance. It ends with the game, or earlier if
    the table has lost an entry that is needed: that of a winning move, or that of any of the loser's moves. The position
    at the end of the line is left in the state.
    """
    own, opp, ep = u64(state.own), u64(state.opp), u64(state.ep)
    length = i32(0)
    wins = phi(proven_word(own, opp, ep, state, table)) == 0
    while length < MAX_PLY:
        best, best_plies, sure = ZERO, i64(MAX_PROOF_PLIES + 1) if wins else i64(-1), True
        for index in range(generate_moves(own, opp, ep, state)):
            move = u64(state.moves[index])
            new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
            word = proven_word(new_own, new_opp, new_ep, state, table)
            if word == ZERO:
                sure = sure and wins
            elif wins and delta(word) == 0 and proven_plies(phi(word)) < best_plies:
                best, best_plies = move, proven_plies(phi(word))
            elif not wins and phi(word) == 0 and proven_plies(delta(word)) > best_plies:
                best, best_plies = move, proven_plies(delta(word))
        if best == ZERO or not sure:
            break
        state.pv[0, length] = best
        length = i32(length + 1)
        own, opp, ep = make_move(own, opp, ep, best, state)
        wins = not wins
    state.own, state.opp, state.ep = own, opp, ep
    return length
