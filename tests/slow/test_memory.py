"""No kernel touches memory that is not its own: benchmark, rules, solver and two threads under valgrind's memcheck."""

import json
import os
import platform
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import workloads
from client import ROOT, SOURCE, Client

from pawnstorm.core import native
from pawnstorm.core.targets import TARGETS
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine

LIMIT = 600  # seconds that no run comes near
pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled,
    pytest.mark.timeout(LIMIT),
    pytest.mark.skipif(
        not shutil.which("valgrind") or platform.machine() != "x86_64", reason="valgrind for x86-64 is not installed"
    ),
]
GUARDED = ROOT / "tests" / "guarded.py"
WORK = {"rules": 1, "searches": 40, "proofs": 20, "solved": 3000, "shared": 1500, "batches": 2}
MEMCHECK = ["valgrind", "--xml=yes", "--show-leak-kinds=none", "--redzone-size=4096", "--fair-sched=try"]


class Memcheck:
    """How a Python program is run under memcheck, and what that told of it."""

    def __init__(self, folder):
        self._file, self._began = folder / "reports.xml", time.monotonic()
        self.command = [*MEMCHECK, f"--xml-file={self._file}", sys.executable]
        # Python's own allocator would put many objects into one block, and memcheck could not tell where one ends.
        self.env = os.environ | {"PYTHONMALLOC": "malloc", "PYTHONPATH": str(ROOT / "scripts")}

    def run(self, *arguments):
        """What the program prints; it has to succeed."""
        done = subprocess.run(
            [*self.command, *map(str, arguments)],
            cwd=ROOT,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def reports(self):
        """Those of the ended program with a frame in the core: their kinds and these frames' addresses."""
        found, others = [], 0
        for error in ElementTree.parse(self._file).iter("error"):
            ours = [
                frame.findtext("ip")
                for frame in error.iter("frame")
                if Path(frame.findtext("obj", "")).name.startswith("core-")
            ]
            if ours:
                found.append((error.findtext("kind"), *ours))
            else:
                others += 1
        print(f"{time.monotonic() - self._began:.0f} s, reports on the core: {len(found)}, on others: {others}")
        return found


@pytest.fixture
def memcheck(tmp_path):
    return Memcheck(tmp_path)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """The path of a core for this machine whose record has forbidden gaps (tests/guarded.py)."""
    folder, target = tmp_path_factory.mktemp("guarded"), native.core().target
    env = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    env |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "PYTHONPATH": str(ROOT / "scripts")}
    subprocess.run([sys.executable, GUARDED, "build", target, folder], cwd=ROOT, env=env, check=True, timeout=LIMIT)
    return folder / TARGETS[target].library


def test_bench_is_clean_and_counts_as_ever(memcheck):
    nodes, _ = bench(Engine())
    assert f"Nodes searched: {nodes}\n" in memcheck.run(*SOURCE[1:], "bench")
    assert memcheck.reports() == []


def test_rules_search_and_solver_are_clean(guarded, memcheck):
    told = json.loads(memcheck.run(GUARDED, "work", guarded, *(word for item in WORK.items() for word in item)))
    for (name, size), found in zip(WORK.items(), told, strict=True):
        assert found == json.loads(json.dumps(workloads.WORKLOADS[name](size))), name
    assert memcheck.reports() == []


def test_two_threads_stopped_in_the_middle_are_clean(guarded, memcheck):
    engine = Client([*memcheck.command, str(GUARDED), "uci", str(guarded)], memcheck.env)
    try:
        for line in (
            "setoption name OwnBook value false",
            "setoption name Hash value 1",
            "setoption name Threads value 2",
            "isready",
        ):
            engine.send(line)
        engine.expect("readyok", LIMIT)
        for variant in ("twoflags", "breakthrough"):
            engine.send(f"setoption name UCI_Variant value {variant}")
            engine.send("position startpos")
            for limits in ("infinite", "wtime 600000 btime 600000", "mate infinite"):
                engine.send(f"go {limits}")
                engine.expect("info depth [4-8] .*", LIMIT)
                engine.send("stop")
                engine.expect("bestmove.*", LIMIT)
            engine.send("setoption name Hash value 2")  # new tables in the old ones' place
        engine.send("position startpos")
        engine.send("go infinite")
        engine.expect("info depth [4-8] .*", LIMIT)
        engine.send("quit")
        assert engine.process.wait(LIMIT) == 0, engine.stderr()
    finally:
        engine.kill()
    assert memcheck.reports() == []


def test_memcheck_reports_every_fault(guarded, memcheck):
    """Without this the tests above would show nothing."""
    counts = json.loads(memcheck.run(GUARDED, "faults", guarded))
    reports = memcheck.reports()
    assert len(counts) == 3 and all(counts.values()), counts
    assert {kind for kind, *_ in reports} >= {"InvalidRead", "InvalidWrite", "UninitCondition"}
