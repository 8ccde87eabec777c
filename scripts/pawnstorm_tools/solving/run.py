"""One run of the solver on this machine, as solve.py and strategy.py start it."""

import time

from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import NO_LIMIT, UNLIMITED
from pawnstorm_tools.solving import TooLong, progress, savefile, table_save


class Run:
    """One run of the solver: what it has spent, its file and its progress.

    max_mebibytes: the maximum size of the file (None: the default). reprove: whether the run makes its first proof again,
    without trusting the file that it read. This is not needed if the caller later follows every move of the proof to its end.
    """

    def __init__(self, prover, name, path, save_seconds, max_mebibytes=None, reprove=True):
        self.prover, self.name, self._path = prover, name, path
        self._most = max_mebibytes and (max_mebibytes << 20) // table_save.ENTRY
        self.nodes, self.seconds = 0, 0.0  # by all earlier proofs and runs
        self._began = None  # when the running proof began; None if none is running
        self._saving = savefile.Autosave(path, save_seconds, self._write)
        self._unverified = False  # whether the table has proofs that must be made again
        if path and path.exists():
            header = table_save.load(path, prover.table, name)
            self.nodes, self.seconds, self._unverified = header["nodes"], header["seconds"], reprove

    def prove(self, board, label, ply_limit=NO_LIMIT, prepare=lambda prove: None):
        """The Proof of a board, with a winner; ply_limit: as for Prover.prove(). If the table was read from a file, and
        `reprove` is set, the first proof is made twice, the second time without trusting the table. Raises TooLong.

        prepare(prove) is called before each of these proofs, and may prove other positions first, by prove(board, label,
        nodes=UNLIMITED). With a limit on the nodes, such a Proof may have no winner.
        """
        proof = self._prepare_and_prove(board, label, ply_limit, prepare)
        if self._unverified:
            self._unverified = False
            table_save.unprove(self.prover.table)
            proof = self._prepare_and_prove(board, f"{label}, proven again", ply_limit, prepare)
        return proof

    def _prepare_and_prove(self, board, label, ply_limit, prepare):
        prepare(self._prove)
        return self._prove(board, label, ply_limit=ply_limit)

    def _prove(self, board, label, nodes=UNLIMITED, ply_limit=NO_LIMIT):
        """The Proof of a board, trusting the table; with a winner, if the nodes are not limited."""
        self._began = time.monotonic()
        leave = ply_limit == NO_LIMIT and nodes == UNLIMITED
        with progress.PositionsBar(desc=label, initial=self.nodes, leave=leave) as bar:

            def show():
                proof = self.prover.probe(board, ply_limit)
                bar.n = self.nodes + self.prover.nodes
                table = f"table {table_save.fill_ratio(self.prover.table):.0%}"
                bar.set_postfix_str(", ".join([*progress.proof_numbers(proof), table]), False)
                bar.update(0)
                self._saving.tick()

            try:
                proof = interruptible.prove(self.prover, board, show, nodes, ply_limit)
            finally:
                self.nodes, self.seconds = self._spent()
                self._began = None
        if not proof.value and nodes == UNLIMITED:
            raise TooLong
        return proof

    def save(self):
        """Write the table, if the run has a file. If this fails, prints the reason, but only of the run's first failure."""
        self._saving.save()

    def close(self):
        """Write the table, unless save() has done it. Raises OSError."""
        self._saving.close()

    def _spent(self):
        """(nodes, seconds) of all proofs, including the running one so far."""
        if self._began is None:
            return self.nodes, self.seconds
        return self.nodes + self.prover.nodes, self.seconds + time.monotonic() - self._began

    def _write(self):
        nodes, seconds = self._spent()
        header = {"game": self.name, "nodes": nodes, "seconds": seconds}
        table_save.save(self._path, self.prover.table, header, self._most)
