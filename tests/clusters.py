"""For the tests: dask clusters, started as a user starts them, and workers of no cluster at all."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys

import client
import psutil
import pytest
import solve_runs
from processes import wait_until

from pawnstorm.games.rules import get_rules
from pawnstorm.proof import cluster_job
from pawnstorm_tools.solving import jobs


@pytest.fixture
def scheduler(tmp_path):
    """What started() gives."""
    with started(tmp_path) as found:
        yield found


@contextlib.contextmanager
def started(folder, host="127.0.0.1", port="0", tls=()):
    """Starts a scheduler and workers as a user does, the scheduler without our package. tls: further arguments of each.

    Gives (address, start of a worker, which returns its process when it has joined, what to preload in a worker that is
    to lack the package, the scheduler's process). A worker has one thread and unlimited memory unless its words say more.
    """
    started = []

    def start(program, sign, *words, cwd=client.ROOT, **more):
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words, "--no-dashboard", *tls]
        log = folder / f"{program}.{len(started)}"
        with open(log, "wb") as stderr:
            started.append(
                subprocess.Popen(command, cwd=cwd, env=os.environ | more, stdout=subprocess.DEVNULL, stderr=stderr)
            )
        wait_until(lambda: started[-1].poll() is not None or sign in log.read_text(), sign)
        assert sign in log.read_text(), log.read_text()
        return started[-1]

    blind = "import sys; sys.modules['pawnstorm_tools'] = sys.modules['pawnstorm'] = None"
    file = folder / "scheduler.json"
    where = ("--host", host, "--port", port, "--scheduler-file", str(file))
    start("dask_scheduler", "Scheduler at:", *where, "--preload", blind)
    wait_until(lambda: file.exists() and file.read_text().strip(), "the scheduler's file")
    address = json.loads(file.read_text())["address"]

    def worker(*words, **how):
        usual = ("--memory-limit", "0", "--nthreads", "1")
        return start("dask_worker", "Registered to:", address, *usual, *words, **how)

    try:
        yield address, worker, blind, started[0]
    finally:
        tree = [child for process in started if process.poll() is None for child in tree_of(process.pid)]
        for process in tree:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(tree, timeout=client.DEADLINE)
        for process in started:
            process.wait()


def tree_of(pid):
    """A process and all below it."""
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def workers_of(process):
    """The worker processes of a program that runs with local:N."""
    return [
        child
        for child in psutil.Process(process.pid).children(recursive=True)
        if "spawn_main" in " ".join(child.cmdline())
    ]


SOLVE = [*solve_runs.SOLVE, "--hash", "64"]


class Running:
    """A run, on two local workers unless told otherwise, that saves often."""

    def __init__(self, path, jobs_done, variant="breakthrough5x5", where="local:2"):
        self.path = path
        self.process = subprocess.Popen(
            [*SOLVE, "--variant", variant, "--cluster", where, "--save", str(path), "--every", "0.1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        self.reach(jobs_done)

    def reach(self, jobs_done):
        """Wait until so many jobs have been done and saved."""

        def reached():
            assert self.process.poll() is None, self.process.communicate()
            return self.path.exists() and self.about()["jobs"] >= jobs_done

        wait_until(reached, f"{jobs_done} jobs")

    def about(self):
        return json.loads(self.path.read_bytes().partition(b"\n")[0])

    def workers(self):
        return workers_of(self.process)


class Crew:
    """Workers that answer in any order, after any time, and lose a share of their jobs.

    at: what they do, worker -> words of cluster_job.solve; watch() is called before they answer.
    """

    def __init__(self, name, count=4, lose=0.0, seed=1):
        self.count, self.at, self.watch = count, {}, lambda: None
        self._setup, self._lose, self._rng = (name, 1, 1), lose, random.Random(seed)

    def idle(self):
        return [worker for worker in range(self.count) if worker not in self.at]

    def send(self, worker, position, nodes):
        assert worker not in self.at and position not in self.positions()
        self.at[worker] = *position, nodes

    def positions(self):
        return {words[:3] for words in self.at.values()}

    def wait(self, seconds):
        self.watch()
        ended = self._rng.sample(sorted(self.at), self._rng.randint(0, len(self.at)))
        return [(worker, self.do(*self.at.pop(worker))) for worker in ended]

    def do(self, *words):
        return None if self._rng.random() < self._lose else cluster_job.solve(self._setup, *words)


class LyingCrew(Crew):
    """A Crew whose first worker lies: it answers lie(the true Answer). refused: the arguments of each refuse()."""

    def __init__(self, name, lie, count=2, seed=1):
        super().__init__(name, count, seed=seed)
        self._lie, self.lies, self.refused = lie, 0, []

    def idle(self):
        refused = [worker for worker, _ in self.refused]
        return [worker for worker in super().idle() if worker not in refused]

    def wait(self, seconds):
        return [(worker, answer if worker else self._lied(answer)) for worker, answer in super().wait(seconds)]

    def refuse(self, worker, why):
        self.refused.append((worker, why))

    def _lied(self, answer):
        self.lies += 1
        return self._lie(answer)


def master(name, crew, path=None):
    return jobs.Master(get_rules(name), crew, path, 60.0, 1, 1)
