"""Scores or proofs of many positions in one call.

A row is three words. They hold a position before the call, and its result after it:

             word 0                   word 1                       word 2
    before   own                      opp                          ep
    scores   the score, an int64      opp                          ep
    proofs   the word of a proof      positions expanded for it    ep
"""

from pawnstorm.core.state import WIN
from pawnstorm.kernels.bits import stopped
from pawnstorm.kernels.dfpn import solve
from pawnstorm.kernels.evaluate import evaluate
from pawnstorm.kernels.kernel import ONE, STATE, TABLE, ZERO, i32, i64, kernel, u64
from pawnstorm.kernels.movegen import count_moves
from pawnstorm.kernels.network import set_line_position
from pawnstorm.kernels.pn_table import pack_loss

ROW = 3  # words


@kernel(i32(i32, TABLE, STATE))
def evaluate_rows(count, rows, state):
    """Write the static score of each of `count` rows, in centipawns for the side to move; returns count.

    The score of a finished game is -WIN.
    """
    for number in range(i64(count)):
        first = u64(ROW * number)
        own, opp, ep = rows[first], rows[first + ONE], rows[first + ONE + ONE]
        score = i32(-WIN)
        if count_moves(own, opp, ep, state):
            set_line_position(own, opp, i64(0), state)
            score = evaluate(own, opp, i64(0), state)
        rows[first] = u64(i64(score))
    return count


@kernel(i32(i32, TABLE, STATE, TABLE))
def solve_rows(count, rows, state, table):
    """Prove each of `count` rows as dfpn.solve() does, with at most state.node_limit expansions for each.

    A finished game is lost in 0 plies. Returns how many rows were done: fewer than `count` if state.stop was set, by another
    thread or by a position whose lines are too long for the solver. Such a position counts as done, without a proof.
    """
    done = i64(0)
    while done < i64(count) and not stopped(state):
        first = u64(ROW * done)
        state.own, state.opp, state.ep = rows[first], rows[first + ONE], rows[first + ONE + ONE]
        state.nodes = ZERO
        over = count_moves(state.own, state.opp, state.ep, state) == ZERO
        rows[first] = pack_loss(ZERO, i64(0)) if over else solve(state, table)
        rows[first + ONE] = state.nodes
        done += 1
    return i32(done)
