"""Proves a position by jobs: gives the leaves of a top tree (top_tree.py) to workers and takes their answers.

Workers are not trusted. Once the tree shows a winner, this process proves again every leaf on which this result rests, and then
the position itself, using only its own table. So a worker that errs or lies can only cost time: if its answer is false, it
gets no more jobs, and the proof continues from the corrected tree.

Each worker has one job at a time. One object stands for all workers: JobWorkers of cluster_jobs.py, or one that a test makes.
It has these members:

    idle()                          names of the workers that wait for a job
    send(worker, position, nodes)   give it a job: (own, opp, ep) and a budget of positions
    wait(seconds)                   [(worker, pawnstorm.proof.cluster_job.Answer)] of jobs that have ended; None instead
                                    of the Answer if the worker has lost its job
    refuse(worker, why)             give no more jobs to a worker that gave a false answer
    count                           how many workers there are
"""

import time

import numpy as np

from pawnstorm.games.notation import fen
from pawnstorm.numbers import pluralize
from pawnstorm.proof import cluster_job, interruptible
from pawnstorm.proof.prover import NO_LIMIT, UNLIMITED, Prover
from pawnstorm_tools.solving import savefile
from pawnstorm_tools.solving.progress import PositionsBar
from pawnstorm_tools.solving.top_tree import RECORD, TopTree

MIN_BUDGET = 50_000  # positions in a budget, at least: they take several times as long as sending a job
PART = 64  # a budget is at most 1/PART of the positions that all jobs have expanded, divided by the number of workers
JOB_SECONDS = 5.0  # the longest that a job should take
RATE = 200  # jobs a second: a third of what the master and dask's scheduler can do with a core each
LOCAL = "here"  # the source of what this process has proven itself


class TreeProver(Prover):
    """The Prover with which this process repeats the proof that a tree holds.

    Master.prove() first makes it prove the leaves on which the tree's proof rests, one by one, with a limit on the nodes; then
    the position itself, without a limit.
    """

    def __init__(self, tree, mebibytes, threads):
        super().__init__(mebibytes, threads, endings=True)
        self._tree = tree

    def prove(self, board, nodes=UNLIMITED, ply_limit=NO_LIMIT):
        """As Prover.prove(). But if the tree has proven the position, and the nodes are not limited, this prover first proves
        the tree's leaves below the position, then the positions above them. Thus no search is larger than the workers' were.
        """
        for node in self._tree.support(board) if nodes == UNLIMITED else ():
            super().prove(node.board)
        return super().prove(board, nodes, ply_limit)

    def line(self, board, proving=True):
        """As Prover.line(). With `proving`, a board that the tree has proven is proven again first if the table no longer has
        it.
        """
        if proving and not self.probe(board).value and self._tree.known(board).value:
            self.prove(board)
        return super().line(board, proving)


class Master:
    """One run of the solver by workers: the tree, its file, what it has spent, and its progress."""

    def __init__(self, rules, workers, path, every, mebibytes, threads):
        self.name, self._workers, self._path = rules.name, workers, path
        self.tree = TopTree(rules)
        self.prover = TreeProver(self.tree, mebibytes, threads)
        self.nodes, self.jobs, self.seconds = 0, 0, 0.0  # by all earlier proofs and runs
        self._in_flight, self._speed = {}, {}  # worker -> the leaf of its job; worker -> positions a second
        self._saving = savefile.Autosave(path, every, self._write)
        if path and path.exists():
            self._load()

    def prove(self, board, label):
        """The Proof of a board, with a winner. This process makes it, and does not rely on the workers' answers."""
        root = self.tree.node(board)
        self._run_jobs(root, label)
        while not self._prove_claims(board):
            self._run_jobs(root, label)
        return interruptible.run(self.prover, lambda: self.prover.prove(board))

    def close(self):
        """Write the tree. Raises OSError."""
        self._saving.close()

    def _run_jobs(self, root, label):
        """Let the workers do jobs until the tree says who wins."""
        last = time.monotonic()
        with PositionsBar(desc=label, initial=self.nodes) as bar:
            while not root.proven:
                for worker, answer in self._workers.wait(0.2):
                    self._on_answer(worker, answer)
                self._send(root)
                now = time.monotonic()
                self.seconds, last = self.seconds + now - last, now
                bar.n = self.nodes
                bar.set_postfix_str(
                    f"proof {root.phi}, disproof {root.delta}, {pluralize(self.jobs, 'job')} done, "
                    f"{len(self._in_flight)} in flight, "
                    f"{pluralize(len(self.tree.nodes), 'position')} in the tree, {pluralize(self._workers.count, 'worker')}",
                    False,
                )
                bar.update(0)
                self._saving.tick()

    def _prove_claims(self, board):
        """Prove in this process what others claim about the leaves on which the proof of a board rests.

        Returns True if all claims are confirmed. At the first claim that is not, it corrects the tree and returns False: the
        claim is false, or its proof takes more positions than all jobs so far (or than MIN_BUDGET, if that is more).
        """
        claims = [node for node in self.tree.support(board) if not node.children and node.source != LOCAL]
        for node in PositionsBar(claims, "proving again", leave=False, delay=1.0):
            nodes, claimed = max(MIN_BUDGET, self.nodes), self.tree.known(node.board).value
            found = interruptible.run(
                self.prover, lambda board=node.board, nodes=nodes: cluster_job.solve_board(self.prover, board, nodes)
            )
            if found.proof.value == -claimed and node.source is not None:
                words = "wins" if claimed > 0 else "loses"
                self._workers.refuse(node.source, f"its answer is wrong: the side to move {words} in {fen(node.board)}")
            self.tree.correct(node, found.proof, found.children, LOCAL)
            if found.proof.value != claimed:
                return False
        return True

    def _send(self, root):
        """Give each idle worker a job, until no leaf is left."""
        for worker in self._workers.idle():
            leaf = self.tree.select_leaf(root)
            if not leaf:
                return
            self._in_flight[worker] = leaf
            self._workers.send(worker, leaf.key, self._budget(worker))

    def _budget(self, worker):
        """The number of positions for a worker's next job.

        It is small at first, so that all workers soon have something to do, and later enough for some seconds. With many
        workers it is large enough to keep the number of jobs a second within RATE.
        """
        count, speed = max(1, self._workers.count), self._speed.get(worker, 0)
        share = self.nodes // (PART * count)
        return max(MIN_BUDGET, int(speed * count / RATE), min(share, int(JOB_SECONDS * speed)))

    def _on_answer(self, worker, answer):
        leaf = self._in_flight.pop(worker)
        if not answer:
            self.tree.release(leaf)
            return
        self.tree.report(leaf, answer.proof, answer.children, worker)
        self.nodes, self.jobs = self.nodes + answer.nodes, self.jobs + 1
        if answer.nodes >= MIN_BUDGET:  # a smaller job does not show the speed
            self._speed[worker] = answer.nodes / answer.seconds

    def _load(self):
        header, data = savefile.read(self._path, savefile.TREE, self.name, RECORD.itemsize)
        try:
            self.tree.restore(np.frombuffer(data, RECORD))
        except ValueError as error:
            raise savefile.BadSave(f"{self._path} is not a complete saved file: {error}") from error
        self.nodes, self.jobs, self.seconds = header["nodes"], header["jobs"], header["seconds"]

    def _write(self):
        header = {"game": self.name, "nodes": self.nodes, "jobs": self.jobs, "seconds": self.seconds}
        savefile.write(self._path, savefile.TREE, header, [self.tree.records().tobytes()])
