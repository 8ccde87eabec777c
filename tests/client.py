"""Drives one engine process for the tests: lines in, lines out under deadlines, and where the programs under test are
found.

A reader thread moves every line of stdout into a queue, so no test can block on a silent engine. A failure carries the
last lines of the conversation. Closing a client asserts what holds for every conversation: one bestmove a `go`, exit
code 0, an empty stderr.
"""

import contextlib
import functools
import importlib.util
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from pathlib import Path

import psutil
import pytest

from pawnstorm.core import sources
from pawnstorm.system import WINDOWS, files

ROOT = Path(__file__).resolve().parents[1]
SOURCE = [sys.executable, "-m", "pawnstorm"]
DEADLINE = 20.0  # seconds that only a hang takes: correctness is tested here, speed is measured by scripts/
RUN = "PAWNSTORM_TEST_RUN"  # the environment variable with the folder of this run of the tests (conftest.py)
ENGINE = "PAWNSTORM_TEST_ENGINE"  # and that with the command of another engine for the tests of UCI

shared = set()  # process ids that outlast a test, since a fixture of the whole module ends them


class Client:
    """One process. Lines are given and returned without their newline.

    command: list of arguments, started in the checkout's root with `env` (default: ours). asked and answers count `go`
    (perft excepted) and bestmove lines. log: (seconds, direction, text) of each line.
    """

    def __init__(self, command, env=None):
        self.asked = self.answers = 0
        self.alive = True
        self.log = []
        self._begun = time.monotonic()
        self._lines = queue.SimpleQueue()
        self._stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        with open(self.process.stdout.fileno(), "rb", closefd=False) as stdout:
            for raw in stdout:
                self._lines.put(raw)
        self._lines.put(None)

    def send(self, line):
        """Write one line: text, or bytes for what is not text. The newline is added here."""
        raw = line if isinstance(line, bytes) else line.encode()
        self._note(">", raw)
        words = raw.split()
        self.asked += bool(words) and words[0] == b"go" and b"perft" not in words
        self._write(raw + b"\n")

    def _write(self, raw):
        guard = threading.Timer(DEADLINE, self.process.kill)
        guard.start()
        try:
            while raw:
                raw = raw[self.process.stdin.write(raw) :]
        except BrokenPipeError:
            self.fail("the engine reads no more")
        finally:
            guard.cancel()

    def receive(self, timeout=DEADLINE):
        """The next line, or None when stdout is closed; raises queue.Empty after timeout seconds."""
        raw = self._lines.get(timeout=max(timeout, 0.001))
        if raw is None:
            return None
        self._note("<", raw)
        if not raw.endswith(b"\n") or b"\r" in raw:
            self.fail(f"not one line ended by a newline alone: {raw[-80:]!r}")
        line = raw[:-1].decode()
        self.answers += line.startswith("bestmove")
        return line

    def expect(self, pattern, timeout=DEADLINE):
        """All lines up to the first that matches the whole pattern, that one included."""
        until = time.monotonic() + timeout
        lines = []
        while True:
            try:
                line = self.receive(until - time.monotonic())
            except queue.Empty:
                self.fail(f"no line {pattern!r} within {timeout} s")
            if line is None:
                self.fail(f"the engine ended before a line {pattern!r}")
            lines.append(line)
            if re.fullmatch(pattern, line):
                return lines

    def quiet(self, seconds, forbidden="bestmove.*"):
        """All lines of the next seconds, among which none may match the pattern."""
        until = time.monotonic() + seconds
        lines = []
        while (left := until - time.monotonic()) > 0:
            try:
                line = self.receive(left)
            except queue.Empty:
                break
            if line is None:
                self.fail("the engine ended")
            if re.fullmatch(forbidden, line):
                self.fail(f"too early: {line!r}")
            lines.append(line)
        return lines

    def sync(self):
        """Send isready; the lines that came before readyok."""
        self.send("isready")
        return self.expect("readyok")[:-1]

    def ask(self, *lines):
        """Send lines; everything that the engine prints until it is ready again."""
        for line in lines:
            self.send(line)
        return self.sync()

    def go(self, limits, timeout=DEADLINE):
        """Send `go limits`; all lines up to the bestmove."""
        self.send(f"go {limits}".strip())
        return self.expect("bestmove.*", timeout)

    def stop(self):
        """Send stop; all lines up to the bestmove."""
        self.send("stop")
        return self.expect("bestmove.*")

    def finish(self):
        """End the searches that still run."""
        while self.answers < self.asked:
            self.stop()
        self.sync()

    def check(self):
        """Assert one bestmove a go, and a silent stderr."""
        if self.answers != self.asked:
            self.fail(f"{self.answers} bestmoves for {self.asked} go")
        if self.stderr():
            self.fail("stderr is not silent")

    def leave(self, how="quit"):
        """End the process by `quit` or by "eof", the end of its input; the lines that it still prints.

        Asserts that it and all that it started are gone in time, with exit code 0, no bestmove and an empty stderr.
        """
        start = time.monotonic()
        if how == "quit":
            self.send("quit")
        else:
            self._note(">", b"(end of input)")
            self.process.stdin.close()
        lines = []
        try:
            # The end of stdout is the end of every process that holds it: a one-file program is two.
            while (line := self.receive(start + DEADLINE - time.monotonic())) is not None:
                lines.append(line)
            code = self.process.wait(max(0.1, start + DEADLINE - time.monotonic()))
        except (queue.Empty, subprocess.TimeoutExpired):
            self.fail(f"still there {DEADLINE} s after {how}")
        self.alive = False
        if any(line.startswith("bestmove") for line in lines):
            self.fail(f"a bestmove after {how}")
        if code:
            self.fail(f"exit code {code}")
        return lines

    def close(self):
        """Finish a search that still runs, quit, and assert one bestmove a go."""
        try:
            if self.alive:
                self.finish()
                self.leave()
                self.check()
        finally:
            self.kill()

    def kill(self):
        """End it at once with all that it started; does nothing to a process that has ended."""
        self.alive = False
        end_tree(self.process)
        self.process.stdin.close()
        self._reader.join(DEADLINE)
        self.process.stdout.close()
        self.stderr()
        self._stderr.close()

    def stderr(self):
        """All that it has written to stderr, also after the end."""
        if not self._stderr.closed:
            self._stderr.seek(0)
            self._complaints = self._stderr.read().decode(errors="replace")
        return self._complaints

    def fail(self, why):
        self.alive = False
        raise AssertionError(f"{why}\n{self.transcript()}")

    def transcript(self, last=40):
        """The last lines in both directions with their seconds, and stderr."""
        lines = [f"{at:8.3f} {arrow} {text}" for at, arrow, text in self.log[-last:]]
        return "\n".join(["", *lines, f"stderr: {self.stderr()!r}"])

    def _note(self, arrow, raw):
        text = raw[:300].decode(errors="backslashreplace").rstrip("\n")
        self.log.append((time.monotonic() - self._begun, arrow, text + " ..." * (len(raw) > 300)))

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None:
            self.close()
        else:
            self.kill()


def end_tree(process):
    """Kill a Popen, which has a session of its own, and all that it started; wait for their end."""
    children = []
    with contextlib.suppress(psutil.NoSuchProcess):
        children = psutil.Process(process.pid).children(recursive=True)
    for child in children:
        with contextlib.suppress(psutil.NoSuchProcess):  # if one has gone, the others are killed all the same
            child.kill()
    process.kill()
    if not WINDOWS:  # those whose parent has gone
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    psutil.wait_procs(children, timeout=DEADLINE)


def tested():
    """How to start the engine that test_uci_*.py drive: as PAWNSTORM_TEST_ENGINE says, or from source."""
    given = os.environ.get(ENGINE)
    return shlex.split(given) if given else command("source")


def command(kind):
    """How to start the engine: "source", "folder" (the one-folder executable) or "portable" (the one-file one).

    Skips what cannot be built.
    """
    if kind == "source":
        build_core()
        return SOURCE
    name = {"folder": "pawnstorm/pawnstorm", "portable": "pawnstorm-portable"}[kind]
    return [str(frozen() / (name + ".exe" if WINDOWS else name))]


@functools.cache
def build_core(all_levels=False):
    """Build the native library in advance, once a session, since its first build prints to stderr and takes seconds. Returns the
    Path of the cache's folder.

    all_levels: also the libraries of all processor levels that are frozen for this machine, and kernel_types.FACTS.
    """
    command = [sys.executable, ROOT / "tests" / "kernel_types.py"] if all_levels else [*SOURCE, "build"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    return Path(sources.cache_folder())


def frozen():
    """The folder with both executables: PAWNSTORM_FROZEN if set, otherwise built from build.spec once a run.

    Skips where PyInstaller is missing, or this Python has no shared library, which PyInstaller needs.
    """
    if given := os.environ.get("PAWNSTORM_FROZEN"):
        return Path(given).resolve()
    if not can_freeze():
        pytest.skip("expected PyInstaller, and a Python with a shared library")
    log = freeze()
    assert (dist := log.parent / "dist").exists(), log.read_text()[-3000:]
    return dist


def can_freeze():
    return importlib.util.find_spec("PyInstaller") is not None and sysconfig.get_config_var("Py_ENABLE_SHARED")


def freeze():
    """Build the executables unless a process of this run has tried already, or wait until it has; PyInstaller's log.

    The log's folder has `dist` where that went well.
    """
    run = Path(os.environ[RUN])
    log = run / "pyinstaller.log"
    with open(run / "lock", "w") as lock:
        files.lock(lock)
        if can_freeze() and not log.exists() and "PAWNSTORM_FROZEN" not in os.environ:
            cores = build_core(all_levels=True)
            where = ["--distpath", run / "made", "--workpath", run / "work"]
            try:
                made = subprocess.run(
                    [sys.executable, "-m", "PyInstaller", "--noconfirm", *where, "build.spec"],
                    cwd=ROOT,
                    env=os.environ | {"PAWNSTORM_CORES": str(cores)},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    timeout=500,
                )
                done, said = made.returncode == 0, made.stdout
            except subprocess.TimeoutExpired as late:
                done, said = False, (late.stdout or b"") + b"\nnot built within 500 s\n"
            if done:
                (run / "made").rename(run / "dist")
            log.write_bytes(said)
    return log
