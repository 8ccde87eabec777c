"""What the native library offers: each function works on the record alone, so that its C signature stays plain.

A function's name here is its symbol there. Positions come and go in state.own, state.opp and state.ep.
"""

from engine import evaluate, movegen, position, race, search, solver
from engine.kernel import STATE, TABLE, i32, kernel, u64


@kernel(i32(STATE))
def core_moves(state):
    """Write the legal moves of the state's position into state.moves; returns their number, 0 if it is finished."""
    return movegen.moves(state.own, state.opp, state.ep, state)


@kernel(i32(u64, STATE))
def core_make(move, state):
    """Replace the state's position by the one after a legal move, seen by the opponent. Returns 0."""
    state.own, state.opp, state.ep = position.make_move(state.own, state.opp, state.ep, move, state)
    return i32(0)


@kernel(u64(i32, STATE))
def core_perft(depth, state):
    """Number of lines of `depth` plies from the state's position."""
    return movegen.perft(state.own, state.opp, state.ep, depth, state)


@kernel(i32(STATE))
def core_evaluate(state):
    """The static score of the state's position, in centipawns for the side to move."""
    return evaluate.evaluate(state.own, state.opp, state)


@kernel(i32(STATE))
def core_race(state):
    """engine.race.race of the state's position: plies within which running alone wins (positive) or loses (negative), or 0."""
    return race.race(state.own, state.opp, state.ep, state)


@kernel(i32(i32, i32, i32, STATE, TABLE))
def core_search(depth, alpha, beta, state, table):
    """engine.search.search_root of the state's position."""
    return search.search_root(depth, alpha, beta, state, table)


@kernel(u64(STATE, TABLE))
def core_solve(state, table):
    """engine.solver.solve of the state's position."""
    return solver.solve(state, table)


@kernel(i32(STATE, TABLE))
def core_line(state, table):
    """engine.solver.line from the state's position, of the solver's table."""
    return solver.line(state, table)


EXPORTS = (core_moves, core_make, core_perft, core_evaluate, core_race, core_search, core_solve, core_line)
