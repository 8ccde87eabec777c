"""One run of the solver on this machine, as solve.py and strategy.py start it."""

import sys
import time

from common.bar import tqdm
from pawnstorm.engine.proof import waiting
from pawnstorm.engine.proof.prover import NO_LIMIT
from solving import autosave, table_save
from solving.errors import TooLong


class Run:
    """One run of the solver: what it has spent, its file, of so many MiB at most (None: the usual), and its progress."""

    def __init__(self, prover, name, path, every, keep=None):
        self.prover, self.name, self._path = prover, name, path
        self._most = keep and (keep << 20) // table_save.ENTRY
        self.nodes, self.seconds = 0, 0.0  # by all earlier proofs and runs
        self._began = None  # when the running proof did
        self._saving = autosave.Autosave(path, every, self._write)
        if path and path.exists():
            about = table_save.load(path, prover.table, name)
            self.nodes, self.seconds = about["nodes"], about["seconds"]

    def prove(self, board, label, within=NO_LIMIT):
        """The Proof of a board, which tells a winner; within as Prover.prove()'s. Raises TooLong."""
        self._began = time.monotonic()
        with tqdm(
            desc=label,
            unit=" positions",
            unit_scale=True,
            file=sys.stderr,
            initial=self.nodes,
            mininterval=0.5,
            leave=within == NO_LIMIT,
        ) as bar:

            def show():
                proof = self.prover.known(board, within)
                bar.n = self.nodes + self.prover.nodes
                numbers = "proven" if proof.value else f"proof {proof.phi}, disproof {proof.delta}"
                bar.set_postfix_str(f"{numbers}, table {table_save.fill(self.prover.table):.0%}", False)
                bar.update(0)
                self._saving.tick()

            try:
                proof = waiting.prove(self.prover, board, show, within=within)
            finally:
                self.nodes, self.seconds = self._spent()
                self._began = None
        if not proof.value:
            raise TooLong("lines from here are longer than the solver's stack: expected a position with fewer pawns")
        return proof

    def save(self):
        """Write the table, where a file was asked for; where that fails, it is told."""
        self._saving.save()

    def close(self):
        """Write the table, unless save() has done it. Raises OSError."""
        self._saving.close()

    def _spent(self):
        """(nodes, seconds) of all proofs, with what the running one has taken so far."""
        if self._began is None:
            return self.nodes, self.seconds
        return self.nodes + self.prover.nodes, self.seconds + time.monotonic() - self._began

    def _write(self):
        nodes, seconds = self._spent()
        about = {"game": self.name, "nodes": nodes, "seconds": seconds}
        table_save.save(self._path, self.prover.table, about, self._most)
