"""What a winner's strategy does in each position of the winner: it leaves the position to the solver, or it has a move.

A file keeps the decisions, so that a run that was stopped continues, and a run with another number of expansions left to
the solver has less to do. The first line is JSON and identifies the game and the solver. RECORDs follow, which are only
appended; of two with one position, the later counts.
"""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from pawnstorm.games.position import Board
from pawnstorm.proof.prover import Prover
from pawnstorm.system import files, pages
from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_tools.common import jsonline
from pawnstorm_tools.solving.savefile import BadSave

MAGIC = "pawnstorm strategy 1"
SMALL = 1  # MiB of the solver that stands in for the engine's: it loses nothing of some thousand expansions
SAMPLE = 1000  # expansions from the start position that tell one solver from another

RECORD = np.dtype([("own", "<u8"), ("opp", "<u8"), ("ep", "<u8"), ("nodes", "<u4"), ("plies", "<u2"), ("move", "<u2")])
"""A position seen by the side to move, and the Decision about it."""


class Decision(NamedTuple):
    """What is known of a position of the winner.

    nodes   expansions in which a solver with an empty table proves the win; if it has not, the number that did not suffice
    plies   to the end of the game, at most, by that proof; 0 if there is none
    move    the winner's move; 0 if none was needed yet
    """

    nodes: int
    plies: int
    move: int


UNKNOWN = Decision(0, 0, 0)


class Decisions:
    """The Decisions about positions of a game, by their bitboards. With a path, they are read from the file, and those that
    are added are appended to it. Raises BadSave if the file is of another game or solver, OSError.
    """

    def __init__(self, rules, path=None):
        self._found, self._file = {}, None
        if path:
            head = json.dumps({"file": MAGIC, "game": rules.full_name, "solver": solver_sample(rules)}).encode() + b"\n"
            if os.path.exists(path):
                self._load(path, head)
            self._file = AppendFile(path)
            if not os.path.getsize(path):
                self._file.write(head)

    def of(self, board):
        """The Decision about a board; UNKNOWN if there is none."""
        return self._found.get(board.bitboards, UNKNOWN)

    def is_tested(self, board, nodes):
        """Whether it is known if a solver proves the board within so many expansions."""
        found = self.of(board)
        return found.plies > 0 or found.nodes >= nodes

    def is_leaf(self, board, nodes):
        """Whether a solver is known to prove the board within so many expansions."""
        found = self.of(board)
        return 0 < found.plies and found.nodes <= nodes

    def add(self, boards, decisions):
        """Note the Decisions about boards."""
        self._found.update(zip((board.bitboards for board in boards), decisions))
        if self._file and boards:
            rows = [(*board.bitboards, *decision) for board, decision in zip(boards, decisions)]
            self._file.write(np.array(rows, RECORD).tobytes())

    def close(self):
        if self._file:
            self._file.close()

    def _load(self, path, head):
        try:
            with files.open_regular(path) as file:
                first = file.readline(len(head))
                if first and first != head:
                    raise _foreign(path, first)
                data = files.read_rest(file, pages.physical_mebibytes() << 20)
        except files.NotRegular:
            raise BadSave(f"{path} is no regular file: expected the decisions of a strategy") from None
        torn = len(data) % RECORD.itemsize
        if torn:  # a kill has cut off the last record
            os.truncate(path, os.path.getsize(path) - torn)
        for *bitboards, nodes, plies, move in np.frombuffer(data[: len(data) - torn], RECORD).tolist():
            self._found[tuple(bitboards)] = Decision(nodes, plies, move)


def _foreign(path, first):
    kind = "another game or solver" if jsonline.parse(first).get("file") == MAGIC else "another kind"
    return BadSave(f"{path} is of {kind}: expected a file that this command has written, or none")


def solver_sample(rules):
    """Numbers that tell one solver from another: df-pn's two after SAMPLE expansions from a game's start position."""
    proof = Prover(SMALL).prove(Board.start(rules), SAMPLE)
    return [proof.value, proof.phi, proof.delta]


class LeafTests:
    """Tests in which positions a solver with an empty table proves a win within some expansions, as the engine does in a game."""

    def __init__(self, threads):
        self._pool, self._provers = ThreadPoolExecutor(threads), SimpleQueue()
        for _ in range(threads):
            self._provers.put(Prover(SMALL))

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self._pool.shutdown(cancel_futures=True)

    def run(self, boards, nodes):
        """The Decisions about boards, all without a move."""
        return list(self._pool.map(lambda board: self._test(board, nodes), boards))

    def _test(self, board, nodes):
        prover = self._provers.get()
        try:
            prover.clear()
            proof = prover.prove(board, nodes)
            return Decision(prover.nodes, proof.plies, 0) if proof.value > 0 else Decision(nodes, 0, 0)
        finally:
            self._provers.put(prover)
