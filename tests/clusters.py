"""dask clusters for the tests, started as a user starts them."""

import json
import subprocess
import sys
import time

import psutil
import pytest

import client


@pytest.fixture
def scheduler(tmp_path):
    """Starts a scheduler and workers as a user does, the scheduler without our package.

    Gives (address, start of a worker, which returns its process when it has joined, what to preload in a worker that is to lack the
    package, the scheduler's process).
    """
    started = []

    def start(program, sign, *words, cwd=client.ROOT):
        log = tmp_path / f"{program}.{len(started)}"
        with open(log, "wb") as stderr:
            started.append(subprocess.Popen([sys.executable, "-m", f"distributed.cli.{program}", *words], cwd=cwd,
                                            stdout=subprocess.DEVNULL, stderr=stderr))
        deadline = time.monotonic() + 60
        while sign not in log.read_text():
            assert started[-1].poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        return started[-1]

    blind, file = "import sys; sys.modules['engine'] = None", tmp_path / "scheduler.json"
    start("dask_scheduler", "Scheduler at:", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file),
          "--preload", blind)
    deadline = time.monotonic() + 30
    while not file.exists() or not file.read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    address = json.loads(file.read_text())["address"]
    yield address, lambda *words, **how: start("dask_worker", "Registered to:", address, "--no-dashboard", *words, **how), blind, started[0]
    for process in started:
        process.kill()
        process.wait()


def workers_of(process):
    """The worker processes of a program that runs with local:N."""
    return [child for child in psutil.Process(process.pid).children(recursive=True) if "spawn_main" in " ".join(child.cmdline())]
