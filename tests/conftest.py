"""What holds for every test: the core and the executables are built once a run, and no test leaves a process behind.

With several workers (pytest-xdist) the controller makes a folder for the run, and begins to build the executables as
soon as tests want them; whoever needs them first waits (client.frozen). Deadlines are pytest-timeout's, set in
pyproject.toml.
"""

import collections
import contextlib
import ctypes
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path

import client
import psutil
import pytest

with contextlib.suppress(ImportError):
    import pawnstorm
if "pawnstorm" not in sys.modules or Path(pawnstorm.__file__ or "").parent != client.ROOT / "engine" / "pawnstorm":
    sys.exit("tests: the package pawnstorm is not this checkout's: expected it from pip install -e '.[dev]'")

from pawnstorm.core import native

# Helpers whose failed asserts show their values, as those of a test do.
pytest.register_assert_rewrite("boards", "engine_player", "search_claims", "solve_runs", "uci_audit", "uci_engine")

# pytest imports readline, which sets these for all child processes, and through pytest-xdist's workers for theirs. Tests of
# the terminal's width set it themselves.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)
    os.unsetenv(name)

# If a user's environment forbids bytecode, each of about a thousand processes would compile the package's modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

UNIT = client.ROOT / "tests" / "unit"
# Tests that need the cores of all levels.
ALL_LEVELS = [client.ROOT / "tests" / path for path in ("frozen", "programs/test_kernels.py")]
PR_SET_CHILD_SUBREAPER = 36
FREEZING = 600  # seconds that a test which needs the executables may take, the build included


denied = []  # the running test, if it may not start a process


def deny(event, arguments):
    """An audit hook that lets no unit test start a process, so that the inner loop stays quick."""
    if denied and event in ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.system"):
        raise AssertionError(f"{denied[0]} starts a process: expected it in tests/protocol or tests/programs")


sys.addaudithook(deny)


def is_worker(config):
    return hasattr(config, "workerinput")


def pytest_configure(config):
    if not is_worker(config):
        os.environ[client.RUN] = tempfile.mkdtemp(prefix="pawnstorm-tests-")  # workers inherit it
    if sys.platform == "linux":
        # A process whose parent has died becomes a child of the tests, where no_process_is_left() finds it.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wants_all_levels(config):
    """Whether the paths on the command line include tests that need the cores of all levels."""
    given = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    return any(path in (wanted, *wanted.parents) or wanted in path.parents for path in given for wanted in ALL_LEVELS)


def runs_core(config):
    """Whether tests may run the core."""
    return not config.option.collectonly and not native.PLAIN_PYTHON


def pytest_sessionstart(session):
    """Begin to build while the tests are collected; the cores of other levels are built beside the first tests."""

    def begin():
        with contextlib.suppress(AssertionError):  # the tests fail with it as well
            client.build_core(wants_all_levels(session.config))

    if runs_core(session.config) and not is_worker(session.config):
        threading.Thread(target=begin, daemon=True).start()


def pytest_unconfigure(config):
    if not is_worker(config):
        end(psutil.Process().children(recursive=True))
        shutil.rmtree(os.environ.pop(client.RUN), ignore_errors=True)


def pytest_collection_modifyitems(items):
    """Run the tests of the executables last, when these have been built; the longest file first, so that the workers end
    together.
    """
    tests = collections.Counter(item.path for item in items if item.get_closest_marker("frozen"))
    for item in items:
        if item.path in tests:
            item.add_marker(pytest.mark.timeout(FREEZING))
    items.sort(key=lambda item: (item.path in tests, -tests[item.path]))


def pytest_collection_finish(session):
    """Have the core before the clock of any test runs."""
    if session.items and runs_core(session.config):
        client.build_core()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids):
    """Begin to freeze while the workers are at other tests."""
    if any(Path(name).parts[:2] == ("tests", "frozen") for name in ids):
        threading.Thread(target=client.freeze, daemon=True).start()


@pytest.fixture(autouse=True)
def no_process_is_left(request):
    """Fails a test that leaves processes running, and ends them; client.shared are those that the next test goes on
    with.
    """
    if UNIT in request.path.parents:
        denied.append(request.node.nodeid)
        yield
        denied.clear()
        return
    before = descendants()
    yield
    left = descendants() - before
    for pid in client.shared:
        if psutil.pid_exists(pid):
            left -= {psutil.Process(pid), *psutil.Process(pid).children(recursive=True)}
    said = [text for process in left if (text := running(process))]
    end(left)
    assert not said, f"left running: {said}"


def descendants():
    """All processes below this one, from psutil. On Linux, /proc is read first, since that is faster."""
    try:
        tasks = [(task / "children").read_text() for task in Path("/proc/self/task").iterdir()]
    except OSError:  # another system, or a thread that has just ended
        tasks = ["unknown"]
    return set(psutil.Process().children(recursive=True)) if any(tasks) else set()


def running(process):
    """The command of a process, None where it has ended."""
    try:
        return None if process.status() == psutil.STATUS_ZOMBIE else " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return None


def end(processes):
    """Kill processes and wait for their end."""
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            pass
    psutil.wait_procs(processes, timeout=client.DEADLINE)
