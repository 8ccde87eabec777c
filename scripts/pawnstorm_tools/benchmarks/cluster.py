"""What a cluster's scheduler and master can do: jobs a second and the share of idle workers, for proofs and for matches,
with any number of simulated workers.
"""

import contextlib
import dataclasses
import itertools
import math
import os
import statistics
import tempfile
import time
from pathlib import Path

from pawnstorm.games.position import Board
from pawnstorm.numbers import pluralize
from pawnstorm.proof import cluster_job
from pawnstorm_tools.benchmarks import simulated_match
from pawnstorm_tools.benchmarks.simulated_cluster import SimulatedCluster
from pawnstorm_tools.common import journal
from pawnstorm_tools.referee import commandline, match_run
from pawnstorm_tools.referee.cluster_match import ClusterMatch
from pawnstorm_tools.referee.local_match import record_header
from pawnstorm_tools.referee.schedule import Pairing
from pawnstorm_tools.solving.cluster_jobs import JobWorkers
from pawnstorm_tools.solving.jobs import MIN_BUDGET, Master

WARM = 5.0  # seconds at most with all workers before it is measured
TABLE = 16  # MiB for the workers of a process, whose searches are small
SHORTEST = 0.001  # seconds, less than a worker takes to get a game and to send it back
SPEEDS = 8  # jobs that are done to know how many positions a second one expands


class Elapsed(Exception):
    """It has been measured for long enough."""


class Gauge:
    """Counts the jobs of a cluster of `count` workers for some seconds, from a while after all have become ready."""

    def __init__(self, cluster, count, seconds):
        self._cluster, self._count, self._seconds = cluster, count, seconds
        self._ready = self._first = self._last = None  # a time, Readings
        self._jobs = 0

    def tick(self, ready, jobs):
        """So many workers are ready, so many jobs have ended since the last time. Raises Elapsed at the end."""
        now = time.monotonic()
        if self._first:
            self._jobs += jobs
            if now >= self._first.time + self._seconds:
                self._last = self._cluster.reading()
                raise Elapsed
        elif self._ready:
            self._first = self._cluster.reading() if now >= self._ready + min(WARM, self._seconds) else None
        elif ready == self._count:
            self._ready = now

    def result(self):
        """A line about what was measured until now."""
        workers = pluralize(self._count, "worker")
        if not self._first:
            return f"{workers}: all done before it could be measured"
        last = self._last or self._cluster.reading()
        seconds, busy, master, scheduler = (after - before for before, after in zip(self._first, last))
        return (
            f"{workers}: {self._jobs / seconds:.1f} jobs a second, a job {busy / max(1, self._jobs):.2f} s, "
            f"{100 * (1 - busy / self._count / seconds):.1f} % idle; "
            f"master {100 * master / seconds:.0f} % of a core, scheduler {100 * scheduler / seconds:.0f} %"
        )


class Watched:
    """Workers whose jobs a Gauge counts, and which are told a few more words."""

    def watch(self, gauge, *more):
        self._gauge, self._more = gauge, more
        return self

    def setup(self, about):
        return *super().setup(about), *self._more

    def wait(self, seconds):
        ended = super().wait(seconds)
        self._gauge.tick(self.count, len(ended))
        return ended


class ProofWorkers(Watched, JobWorkers):
    MODULE = "pawnstorm_tools.benchmarks.simulated_proof"


class MatchWorkers(Watched, ClusterMatch):
    MODULE = "pawnstorm_tools.benchmarks.simulated_match"

    def read(self, words, answer):
        """As ClusterMatch.read(), except that the opening and the limits are those of a game played earlier."""
        (record, lines), (slot, (*pairing, _)) = answer, words
        pairing = Pairing(*pairing, record["opening"])
        limits = record_header(pairing, self.names, self.settings.engines)["limits"]
        return super().read((slot, dataclasses.astuple(pairing)), (record | {"limits": limits}, lines))


def speeds(rules):
    """Positions a second that jobs here expand, on what follows a game's first moves."""
    start, found = Board.start(rules), []
    cluster_job.solve((rules.name, TABLE, 1), *start.bitboards, 1)  # makes the table of the last rows
    for move in itertools.islice(itertools.cycle(start.moves()), SPEEDS):
        answer = cluster_job.solve((rules.name, TABLE, 1), *start.push(move).bitboards, MIN_BUDGET)
        found.append(round(answer.nodes / answer.seconds))
    return tuple(found)


@contextlib.contextmanager
def measured(count, seconds):
    """(address, Gauge, folder for files) of a simulated cluster; prints what was measured when it is Elapsed, or at the
    end.
    """
    with (
        contextlib.closing(SimulatedCluster(count)) as cluster,
        tempfile.TemporaryDirectory(prefix="bench-cluster-") as folder,
    ):
        gauge = Gauge(cluster, count, seconds)
        with contextlib.suppress(Elapsed):
            yield cluster.address, gauge, folder
        print(gauge.result(), flush=True)


def proof(rules, counts, seconds, factor, speed):
    """Measure the proof of a game with each number of workers, and print."""
    found = (speed,) if speed else speeds(rules)
    print(f"{rules.name}: a worker expands {statistics.median(found):,.0f} positions a second", flush=True)
    for count in counts:
        with measured(count, seconds) as (address, gauge, folder):
            with contextlib.closing(ProofWorkers(address, rules.name, TABLE, 1).watch(gauge, factor, found)) as workers:
                Master(rules, workers, Path(folder, "tree"), 60.0, TABLE, 1).prove(Board.start(rules), rules.name)


def match(path, counts, seconds):
    """Measure a match like that of a results file with each number of workers, and print. Raises JournalError."""
    _, about, games = journal.read(path, "match", "game")
    if not games:
        raise journal.JournalError(f"{path} holds no game yet: expected the results of a match with one or more")
    length = statistics.mean(map(simulated_match.seconds, games.values()))
    print(f"{path}: a game takes {length:.2f} s", flush=True)
    engines = [value for name, value in about.items() if name.startswith("engine ")]
    words = [word for engine in engines for word in ("-engine", f"name={engine['name']}", "cmd=none", "st=1")]
    words += "-variant", about["variant"]
    a_round = len(engines) * (len(engines) - 1)  # games: each engine meets each other with both colours
    for count in counts:
        wanted = count * (3 * WARM + 2 * seconds) / max(length, SHORTEST)  # more than can be played in that time
        rounds = math.ceil(min(wanted, commandline.MAX_GAMES - a_round) / a_round)
        with (
            measured(count, seconds) as (address, gauge, folder),
            open(os.devnull, "w") as nothing,
            contextlib.redirect_stdout(nothing),
        ):
            files = "-resume", os.path.join(folder, "results"), "-pgnout", os.path.join(folder, "games.pgn")
            settings = commandline.parse([*words, "-rounds", str(rounds), "-cluster", address, *files])
            names = [engine.name for engine in settings.engines]
            with contextlib.closing(MatchWorkers(settings).watch(gauge, os.path.abspath(path), names)) as workers:
                match_run.play(workers, settings, [settings.rules.start_fen], None)
