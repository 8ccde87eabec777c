"""The kernels that the native core exports. None takes bitboards as arguments, so the C signatures stay plain.

engine/pawnstorm/core/exports.py declares their names, which are also the symbols, and their signatures. state.own,
state.opp and state.ep hold the position, both before and after a call.
"""

from pawnstorm.core.exports import EXPORTS
from pawnstorm.kernels import batch, dfpn, endings, evaluate, line_book, movegen, network, position, race, root
from pawnstorm.kernels.kernel import STATE, TABLE, i32, i64, kernel, u64

TYPES = {"i32": i32, "u64": u64, "state": STATE, "table": TABLE, "rows": TABLE}


def export(function):
    """Compile a kernel with the signature that is declared for its name."""
    result, *arguments = (TYPES[name] for name in EXPORTS[function.__name__])
    return kernel(result(*arguments))(function)


@export
def core_moves(state):
    """Write the legal moves of the state's position into state.moves; returns their number, 0 if it is finished."""
    return movegen.generate_moves(state.own, state.opp, state.ep, state)


@export
def core_make(move, state):
    """Replace the state's position by the one after a legal move, seen by the opponent. Returns 0."""
    state.own, state.opp, state.ep = position.make_move(state.own, state.opp, state.ep, move, state)
    return i32(0)


@export
def core_perft(depth, state):
    """Number of lines of `depth` plies from the state's position."""
    return movegen.perft(state.own, state.opp, state.ep, depth, state)


@export
def core_evaluate(state):
    """The static score of the state's position, in centipawns for the side to move."""
    network.set_line_position(state.own, state.opp, i64(0), state)
    return evaluate.evaluate(state.own, state.opp, i64(0), state)


@export
def core_race(state):
    """race.race of the state's position: plies within which the mover wins (positive) or loses (negative) a race, or 0."""
    return race.race(state.own, state.opp, state.ep, state)


@export
def core_search(depth, alpha, beta, state, table):
    """root.search_root of the state's position."""
    return root.search_root(depth, alpha, beta, state, table)


@export
def core_solve(state, table):
    """dfpn.solve of the state's position."""
    return dfpn.solve(state, table)


@export
def core_line(state, table):
    """dfpn.proof_line from the state's position, by the solver's table."""
    return dfpn.proof_line(state, table)


@export
def core_endings(state, table):
    """endings.make_endings: fill `table` with the entries of the state's game."""
    return endings.make_endings(state, table)


@export
def core_evaluate_many(count, rows, state):
    """batch.evaluate_rows."""
    return batch.evaluate_rows(count, rows, state)


@export
def core_solve_many(count, rows, state, table):
    """batch.solve_rows."""
    return batch.solve_rows(count, rows, state, table)


@export
def core_read_line_book(plies, state, table):
    """line_book.read_book."""
    return line_book.read_book(plies, state, table)


@export
def core_look_up_line_book(state, table):
    """line_book.look_up."""
    return line_book.look_up(state, table)
