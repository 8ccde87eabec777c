"""The workers of a cluster, with the interface that solving/jobs.py needs. They run engine/pawnstorm/proof/cluster_job.py.

Each worker has AHEAD jobs: while it does one, the next has already arrived. solving/jobs.py sees it as AHEAD workers.
"""

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import cluster_job
from pawnstorm_tools.cluster.workers import RefusedWorker, Workers

AHEAD = 2


class JobWorkers(Workers):
    """Workers that prove positions of a game, each with a table of `mebibytes` MiB. Raises ClusterError."""

    PROGRAM, MODULE, SOURCES = (
        "solve.py",
        "pawnstorm.proof.cluster_job",
        "the package installed there, or a worker that is started in a clone",
    )

    OVERDUE = 600.0  # on an idle machine a job takes a few seconds

    def __init__(self, where, name, mebibytes, threads):
        super().__init__(where, threads)
        self._name, self._mebibytes = name, mebibytes

    def send(self, worker, position, nodes):
        self.submit(worker, "solve", *position, nodes)

    def slots(self, info):
        return AHEAD

    def setup(self, info):
        limit = info["memory_limit"] >> 20
        if limit and 2 * self._mebibytes > limit:
            # When the table is full, dask would hold back the worker's jobs, or end the worker.
            raise RefusedWorker(
                f"its memory limit of {limit} MiB is too low for a table of {self._mebibytes} MiB: "
                f"expected at least {2 * self._mebibytes} MiB, or --memory-limit 0"
            )
        return self._name, self._mebibytes, info["nthreads"]

    def read(self, words, answer):
        *position, nodes = words
        return cluster_job.parse_answer(answer, Board(get_rules(self._name), *position, False), nodes)

    def accept(self, answer):
        if answer != cluster_job.VERSION:
            raise RefusedWorker("its engine has other sources or networks; expected the same as here")
