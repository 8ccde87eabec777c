"""A child process for the tests whose output is read under deadlines, and whose whole tree ends with the block that it
is used in.
"""

import contextlib
import queue
import re
import subprocess
import tempfile
import threading
import time

from client import ROOT, end_tree

DEADLINE = 60  # seconds that only a hang takes


def wait_until(done, what="the condition"):
    """Return what done() returns as soon as that is true."""
    deadline = time.monotonic() + DEADLINE
    while not (found := done()):
        assert time.monotonic() < deadline, f"{what} has not come true within {DEADLINE} s"
        time.sleep(0.005)
    return found


class Process:
    """A program in a session of its own. out: the lines of stdout so far, without their newlines."""

    def __init__(self, command):
        self.out, self._lines, self._errors = [], queue.SimpleQueue(), tempfile.TemporaryFile()
        self.popen = subprocess.Popen(
            [*map(str, command)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,
        )
        self.pid = self.popen.pid
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        with contextlib.suppress(OSError, ValueError):
            for line in self.popen.stdout:
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def expect(self, pattern):
        """The first match of the pattern in a line that nobody has read yet."""
        deadline = time.monotonic() + DEADLINE
        while True:
            try:
                line = self._lines.get(timeout=max(0.001, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            assert line is not None, f"no line {pattern!r}: {self.out}, {self.errors()}"
            self.out.append(line)
            if found := re.search(pattern, line):
                return found

    def errors(self):
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")

    def finish(self, status=0):
        """(stdout, stderr) of a process that must end by itself."""
        code = self.popen.wait(DEADLINE)
        self._reader.join(DEADLINE)
        assert not self._reader.is_alive(), f"a child of process {self.pid} holds its stdout"
        while (line := self._lines.get(timeout=DEADLINE)) is not None:
            self.out.append(line)
        told = "".join(line + "\n" for line in self.out), self.errors()
        assert code == status, (code, told)
        return told

    def signal(self, number):
        self.popen.send_signal(number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end_tree(self.popen)
        self._reader.join(DEADLINE)
        self.popen.stdout.close()
        self._errors.close()
