"""One iteration at the root: negamax (engine/pawnstorm/kernels/search.py) searches each root move from state.root_first on."""

from pawnstorm.core.parameters import LMR_MIN_DEPTH, LMR_ROOT, LMR_ROOT_MIN_MOVES
from pawnstorm.core.state import WIN
from pawnstorm.kernels.bits import stopped
from pawnstorm.kernels.evaluate import evaluate
from pawnstorm.kernels.kernel import ONE, STATE, TABLE, ZERO, i32, i64, kernel, u16, u64
from pawnstorm.kernels.movegen import count_moves
from pawnstorm.kernels.network import set_line_position
from pawnstorm.kernels.node import update_pv
from pawnstorm.kernels.position import make_move
from pawnstorm.kernels.search import late_move_reduction, negamax


@kernel(i32(i32, i32, i32, STATE, TABLE))
def search_root(depth, alpha, beta, state, table):
    """Fail-soft score of the state's position, by one iteration over the root moves from state.root_first on.

    state.moves holds the root moves, the best known first. A move that raises alpha moves to root_first. state.pv[0] is the
    line of the move at root_first. There must be a root move at root_first. After state.stop the returned score means nothing.
    """
    state.pv_length[0] = 0
    set_line_position(state.own, state.opp, i64(0), state)
    for killer in range(4):
        state.killers[killer] = 0
    state.static_evals[0] = evaluate(state.own, state.opp, i64(0), state)
    best = i32(-WIN)
    for index in range(state.root_first, state.root_count):
        move = u64(state.moves[index])
        state.nodes += ONE
        own, opp, ep = make_move(state.own, state.opp, state.ep, move, state)
        state.current_moves[1] = u16(move)
        new_depth = i32(depth - 1)
        score = i32(0)
        full = index == state.root_first
        if count_moves(own, opp, ep, state) == ZERO:
            score = i32(WIN - 1)
            full = False
            state.pv_length[1] = 0
        elif not full:
            reduction = i32(0)
            if depth >= LMR_MIN_DEPTH and index >= LMR_ROOT_MIN_MOVES - 1 and state.full_width == 0:
                reduction = i32((late_move_reduction(depth, i64(index + 1), state) - LMR_ROOT) >> 10)
                reduction = i32(max(0, min(reduction, new_depth - 1)))
            score = i32(
                -negamax(
                    own,
                    opp,
                    ep,
                    i32(new_depth - reduction),
                    i32(-alpha - 1),
                    i32(-alpha),
                    i64(1),
                    i32(1),
                    i32(1),
                    state,
                    table,
                )
            )
            if reduction > 0 and score > alpha:
                score = i32(
                    -negamax(
                        own, opp, ep, new_depth, i32(-alpha - 1), i32(-alpha), i64(1), i32(1), i32(1), state, table
                    )
                )
            full = score > alpha and score < beta
        if full:
            score = i32(
                -negamax(own, opp, ep, new_depth, i32(-beta), i32(-alpha), i64(1), i32(1), i32(0), state, table)
            )
        if stopped(state):
            return i32(0)
        if score > best:
            best = score
            if score > alpha or index == state.root_first:
                update_pv(move, i64(0), state)
                state.root_score = score
                for later in range(index, state.root_first, -1):
                    state.moves[later] = state.moves[later - 1]
                state.moves[state.root_first] = move
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best
