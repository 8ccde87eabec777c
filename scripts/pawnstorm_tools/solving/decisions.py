"""What a winner's strategy does in each position of the winner: it leaves the position to the solver, or it has a move.

A file keeps the decisions (record_log.py). A run that was stopped continues from it, and a run with another --leaf reuses what it
can. If two records have the same position, the later one counts.
"""

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from pawnstorm.games.position import Board
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.solving.record_log import RecordLog

MAGIC = "pawnstorm strategy 1"
STEP = 250  # expansions of a portion, as in engine/pawnstorm/proof/time_sliced_solver.py
SMALL = 1  # MiB of the table of a solver that stands in for the engine's; it keeps all of some thousand expansions
SAMPLE = 1000  # expansions from the start position; after so many, solvers that work differently have different numbers

RECORD = np.dtype([("own", "<u8"), ("opp", "<u8"), ("ep", "<u8"), ("nodes", "<u4"), ("plies", "<u2"), ("move", "<u2")])
"""A position seen by the side to move, and the Decision about it."""
MOST_NODES = (1 << 32) - 1  # that a RECORD can hold


class Decision(NamedTuple):
    """What is known of a position of the winner.

    nodes   expansions that a solver with an empty table needs to prove the win; if plies is 0, a number that did not suffice
    plies   upper bound of the plies to the end of the game, by that proof; 0 if there is no proof
    move    the winner's move; 0 if none was needed yet
    """

    nodes: int
    plies: int
    move: int


UNKNOWN = Decision(0, 0, 0)


class Decisions:
    """The Decisions about positions of a game, by their bitboards. If there is a path, they are read from the file, and new ones
    are appended to it. Raises OSError, and BadSave if the file is of another kind, game or solver.
    """

    def __init__(self, rules, path=None):
        run = {"game": rules.full_name, "solver": solver_sample(rules)} if path else {}
        self._log = RecordLog(path, MAGIC, run, RECORD)
        self._found = {
            tuple(bitboards): Decision(nodes, plies, move)
            for *bitboards, nodes, plies, move in self._log.records.tolist()
        }

    def of(self, board):
        """The Decision about a board; UNKNOWN if there is none."""
        return self._found.get(board.bitboards, UNKNOWN)

    def is_tested(self, board, nodes):
        """Whether it is known that a solver proves the board within `nodes` expansions, or known that it does not."""
        found = self.of(board)
        return found.plies > 0 or found.nodes >= nodes

    def is_leaf(self, board, nodes):
        """Whether it is known that a solver proves the board within `nodes` expansions."""
        found = self.of(board)
        return 0 < found.plies and found.nodes <= nodes

    def kept_move(self, board, nodes):
        """The winner's move, if it is known, and if the board is known to be no leaf within `nodes` expansions; otherwise 0."""
        return self.of(board).move if self.is_tested(board, nodes) and not self.is_leaf(board, nodes) else 0

    def moves(self, nodes):
        """{bitboards: move} of the positions that have a move and are not known to be leaves within `nodes` expansions."""
        return {
            bitboards: move
            for bitboards, (needed, plies, move) in self._found.items()
            if move and not (plies and needed <= nodes)
        }

    def add(self, boards, decisions):
        """Note the Decisions about boards."""
        self._found.update(zip((board.bitboards for board in boards), decisions))
        rows = [(*board.bitboards, *decision) for board, decision in zip(boards, decisions)]
        self._log.append(np.array(rows, RECORD))

    def close(self):
        self._log.close()


def solver_sample(rules):
    """[value, phi, delta] of a game's start position after SAMPLE expansions."""
    proof = Prover(SMALL).prove(Board.start(rules), SAMPLE)
    return [proof.value, proof.phi, proof.delta]


class LeafTests:
    """Tests whether a solver with an empty table proves that positions are won, as the engine must in a game."""

    def __init__(self, threads):
        self._pool, self._provers = ThreadPoolExecutor(threads), SimpleQueue()
        for _ in range(threads):
            self._provers.put(Prover(SMALL))

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self._pool.shutdown(cancel_futures=True)

    def run(self, boards, nodes):
        """The Decisions about boards within `nodes` expansions, in order. Their moves are 0."""
        return list(self._pool.map(lambda board: self._test(board, nodes), boards))

    def _test(self, board, nodes):
        prover = self._provers.get()
        try:
            return leaf_test(prover, board, nodes)
        finally:
            self._provers.put(prover)


def leaf_test(prover, board, nodes):
    """The Decision about a board within `nodes` expansions of a prover. The Decision's move is 0.

    First the prover's table is emptied. The prover works in portions of STEP expansions, as it does in a game. After a portion
    it gives up if the proof number of the board exceeds `nodes`, or if the board is proven lost.
    """
    prover.clear()
    spent = 0
    for done in range(0, nodes, STEP):
        proof = prover.prove(board, min(STEP, nodes - done))
        spent += prover.nodes
        if proof.value > 0:
            return Decision(min(spent, nodes), proof.plies, 0)
        if proof.value or proof.phi > nodes:
            break
    return Decision(nodes, 0, 0)
