"""`go mate infinite`: after a short search, the solver runs alone, with all threads, until it has proven who wins."""

from pawnstorm.core.state import WIN
from pawnstorm.proof.time_sliced_solver import TimeSlicedSolver
from pawnstorm.search.deepening import IterativeDeepening
from pawnstorm.search.limits import Limits

FIRST_DEPTH = 8  # of an ordinary search before the proof, which finds a move to play if the proof is stopped
NODES = 500_000  # positions that the solver expands between two checks of the clock and the stop flag


def proof_search(control, core, moves):
    """Prove who wins; returns [(score, line)] of the best move, and reports it.

    An ordinary search is made first. Its lines are reported every second, and are the result if the proof is stopped.
    """
    memory, board = control.memory, control.board
    lines = IterativeDeepening(control, core, Limits(depth=FIRST_DEPTH), moves).run()
    solver = control.solver = TimeSlicedSolver(memory.prover, board, moves)
    try:
        memory.prover.set_threads(len(memory.states))
    except MemoryError as error:
        control.on_warning(f"{error}; the solver goes on with {memory.prover.threads} of {len(memory.states)} threads")
    reported = 0
    while not solver.proof.value and not control.stopping:
        solver.prove_root(NODES)
        if control.elapsed - reported >= 1000:
            reported = control.elapsed
            control.report(FIRST_DEPTH, lines)
    memory.prover.set_threads(1)
    proof = solver.proof
    if proof.value:
        score = WIN - proof.plies if proof.value > 0 else proof.plies - WIN
        lines = [(score, memory.prover.line(board) or lines[0][1])]
        control.report(FIRST_DEPTH, lines)
    return lines
