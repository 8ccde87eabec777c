"""The winner's moves from a solver's table: the plans of a strategy's records, and the positions to which they lead.

A record is a row of three words, uint64:

    own, opp    the position seen by the winner, as in engine/pawnstorm/kernels/position.py
    plan        as in a proof (checking/prooffile.py), but with squares seen by the winner: one move of a pawn, or a
                whole race. As long as none is known, all bits are 0 but those for en passant
"""

import numpy as np
from numba.types import Array, UniTuple

from pawnstorm.core.state import MAX_MOVES
from pawnstorm.kernels.bits import lsb
from pawnstorm.kernels.dfpn import static_proof
from pawnstorm.kernels.kernel import EIGHT, NINE, ONE, SEVEN, SIXTEEN, STATE, ZERO, i64, u16, u64
from pawnstorm.kernels.movegen import count_moves, generate_moves
from pawnstorm.kernels.pn_table import (
    canonical,
    delta,
    entry_work,
    is_proven,
    phi,
    proof_bucket_index,
    proof_key,
    proven_plies,
)
from pawnstorm.kernels.position import SIX, SQUARE, attacks_down, make_move
from pawnstorm.kernels.race import advance_reach, advance_runners, find_walls
from pawnstorm.kernels.threats import wins_now
from pawnstorm_tools.common.machinecode import compiled
from pawnstorm_tools.solving.kernels.table_walk import ROWS, WORDS, probe
from pawnstorm_tools.solving.kernels.unlisted import needs_record

OWN, OPP, PLAN, FIELDS = 0, 1, 2, 3
MAX_PLAN_MOVES = 7  # moves that a plan can hold
FOUR, FILE = np.uint64(4), np.uint64(15)
EP_BITS = FILE << FOUR  # bits of a plan
MOVES = Array(u16, 1, "C")


@compiled(u64(ROWS, i64, u64, u64, u64, STATE))
def backtrack(sets, step, target, own, opp, state):
    """The plan that leads to `target` in `step` moves. sets: as race_plan() fills them."""
    plan = np.uint64(step)
    while step > 0:
        plan |= lsb(target) << (EIGHT + SIX * np.uint64(step))
        taken = opp if step == 1 else ZERO
        for shift in (EIGHT, SEVEN, NINE, SIXTEEN):
            source = (target >> shift) & sets[step - 1, 0]
            if source and advance_runners(source, own, sets[step, 1], sets[step, 2], taken, state) & target:
                target = source
                break
        step -= 1
    return plan | lsb(target) << EIGHT


@compiled(u64(u64, u64, STATE))
def race_plan(own, opp, state):
    """The plan of a race that race_win_plies() finds won; 0 if it finds none. Repeats the flood of that function, and traces
    the runner's path back.
    """
    # Of each step: the runners after it, and the enemy's reach during it with the squares that this attacks.
    sets = np.zeros((MAX_PLAN_MOVES + 1, 3), np.uint64)
    reach, guarded, walls = opp, attacks_down(opp), find_walls(own, opp, state)
    sets[0, 0] = own & ~walls
    for step in range(1, MAX_PLAN_MOVES + 1):
        sets[step, 1], sets[step, 2] = reach, guarded
        arrived = advance_runners(sets[step - 1, 0], own, reach, guarded, opp if step == 1 else ZERO, state)
        if arrived & state.goal:
            return backtrack(sets, step, ONE << lsb(arrived & state.goal), own, opp, state)
        sets[step, 0] = arrived & ~guarded
        if not sets[step, 0]:
            return ZERO
        reach = advance_reach(reach, guarded, walls, own, state)
        if reach & state.home:
            return ZERO
        walls &= ~reach
        guarded = attacks_down(reach)
    return ZERO


@compiled(u64(u64))
def one_move(move):
    """The plan of a single move."""
    return ONE | (move & SQUARE) << EIGHT | ((move >> SIX) & SQUARE) << (EIGHT + SIX)


@compiled(u64(u64))
def planned_move(plan):
    """The first move of a plan; 0 if there is no plan."""
    return (plan >> EIGHT & SQUARE) | (plan >> (EIGHT + SIX) & SQUARE) << SIX


@compiled(u64(u64, u64, u64, MOVES, ROWS, WORDS, STATE))
def winning_move(own, opp, ep, legal, rows, words, state):
    """The winning move whose known proof took the least work; 0 if none is known.

    rows: scratch, at least (len(legal), 4) uint64.
    """
    asked = 0
    for number in range(len(legal)):
        new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(legal[number]), state)
        rows[number, 0] = static_proof(new_own, new_opp, new_ep, state)
        if rows[number, 0] == ZERO:
            key = proof_key(new_own, new_opp, new_ep, state)
            rows[number, 1], rows[asked, 2] = key, proof_bucket_index(key, state)
            asked += 1
    for row in range(asked):  # reads all buckets in one loop, so that the memory loads them at the same time
        rows[row, 3] = words[rows[row, 2]]
    best, least = ZERO, np.int64(1 << 60)
    for number in range(len(legal)):
        word, cost = rows[number, 0], np.int64(0)
        if word == ZERO:
            word = probe(rows[number, 1], state, words)
            cost = entry_work(word)
        if is_proven(word) and delta(word) == 0:
            cost = cost * 256 + proven_plies(phi(word))
            if cost < least:
                best, least = np.uint64(legal[number]), cost
    return best


@compiled(u64(u64, u64, u64, MOVES, STATE))
def static_plan(own, opp, ep, legal, state):
    """The plan of a move that wins at once, or of a won race; 0 if there is neither."""
    if wins_now(own, opp, ep, state):
        for number in range(len(legal)):
            new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(legal[number]), state)
            if count_moves(new_own, new_opp, new_ep, state) == ZERO:
                return one_move(np.uint64(legal[number]))
    return race_plan(own, opp, state)


@compiled(u64(u64))
def ep_file(ep):
    """The bits of a plan that name the file of an en passant square (a set); 0 if there is none."""
    return ((lsb(ep) & SEVEN) + ONE) << FOUR if ep else ZERO


@compiled(u64(u64, STATE))
def ep_square(plan, state):
    """The en passant square of a plan, as a set."""
    file = plan >> FOUR & FILE
    return ONE << (lsb(state.ep_squares) + file - ONE) if file else ZERO


@compiled(UniTuple(i64, 2)(ROWS, i64, Array(i64, 1, "C"), WORDS, STATE), nogil=True)
def plan_each(records, done, lost, words, state):
    """From record `done` on, write a plan into each record that has none. If a record's win is no longer in the table, put the
    record's index into `lost`; stop when `lost` is full.

    Returns (the index of the first record not examined, the count in `lost`).
    """
    rows, missing = np.empty((MAX_MOVES, 4), np.uint64), 0
    while done < len(records) and missing < len(lost):
        own, opp, ep_bits = records[done, OWN], records[done, OPP], records[done, PLAN] & EP_BITS
        if records[done, PLAN] == ep_bits:
            ep = ep_square(ep_bits, state)
            legal = state.moves[: generate_moves(own, opp, ep, state)].copy()
            plan = static_plan(own, opp, ep, legal, state)
            if plan == ZERO:
                move = winning_move(own, opp, ep, legal, rows, words, state)
                if move:
                    plan = one_move(move)
                else:
                    lost[missing] = done
                    missing += 1
            records[done, PLAN] = plan | ep_bits
        done += 1
    return done, missing


@compiled(i64(ROWS, i64, ROWS, ROWS, STATE), nogil=True)
def expand_plans(records, within, found, recent, state):
    """Write to `found` the positions to which the plans of `records` lead, as records without plans; returns their number.

    Positions that need no record are left out, and so are those in `recent`. found: has MAX_MOVES rows for each record.
    within: as in a proof's first line. recent: a cache of positions met before, (2^n, 3) uint64, to which new ones are added.
    """
    count, last = 0, np.uint64(len(recent) - 1)
    for done in range(len(records)):
        plan = records[done, PLAN]
        if plan & SEVEN == ONE:
            ep = ep_square(plan, state)
            own, opp, ep = make_move(records[done, OWN], records[done, OPP], ep, planned_move(plan), state)
            replies = state.moves[: generate_moves(own, opp, ep, state)].copy()
            for number in range(len(replies)):
                new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(replies[number]), state)
                new_own, new_opp, new_ep = canonical(new_own, new_opp, new_ep, state)
                met, ep_bits = recent[proof_key(new_own, new_opp, new_ep, state) & last], ep_file(new_ep)
                if met[OWN] != new_own or met[OPP] != new_opp or met[PLAN] != ep_bits:
                    met[OWN], met[OPP], met[PLAN] = new_own, new_opp, ep_bits
                    if needs_record(new_own, new_opp, new_ep, within, state):
                        found[count, OWN], found[count, OPP], found[count, PLAN] = new_own, new_opp, ep_bits
                        count += 1
    return count
