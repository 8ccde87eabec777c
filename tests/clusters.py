"""For the tests: dask clusters, started as a user starts them, and workers of no cluster at all."""

import contextlib
import json
import random
import subprocess
import sys
import time

import client
import psutil
import pytest

from pawnstorm.engine.games.rules import game
from pawnstorm.engine.proof import cluster_job
from solving import jobs


@pytest.fixture
def scheduler(tmp_path):
    """Starts a scheduler and workers as a user does, the scheduler without our package.

    Gives (address, start of a worker, which returns its process when it has joined, what to preload in a worker that is
    to lack the package, the scheduler's process).
    """
    started = []

    def start(program, sign, *words, cwd=client.ROOT):
        log = tmp_path / f"{program}.{len(started)}"
        with open(log, "wb") as stderr:
            started.append(
                subprocess.Popen(
                    [sys.executable, "-m", f"distributed.cli.{program}", *words],
                    cwd=cwd,
                    stdout=subprocess.DEVNULL,
                    stderr=stderr,
                )
            )
        deadline = time.monotonic() + 60
        while sign not in log.read_text():
            assert started[-1].poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        return started[-1]

    blind, file = "import sys; sys.modules['startup'] = sys.modules['pawnstorm'] = None", tmp_path / "scheduler.json"
    start(
        "dask_scheduler",
        "Scheduler at:",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
        "--preload",
        blind,
    )
    deadline = time.monotonic() + 30
    while not file.exists() or not file.read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    address = json.loads(file.read_text())["address"]
    yield (
        address,
        lambda *words, **how: start("dask_worker", "Registered to:", address, "--no-dashboard", *words, **how),
        blind,
        started[0],
    )
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


def master(name, crew, path=None):
    return jobs.Master(game(name), crew, path, 60.0, 1, 1)
