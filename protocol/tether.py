"""Child processes that end when we do, however we end: engines and agents, with all that they have started."""

import contextlib
import os
import signal
import subprocess

WATCH = 'trap "" HUP INT TERM; read -r group && { read -r line; kill -s KILL -- "-$group"; }'
"""Reads a process group from its first line. At the end of its input, which comes even if its parent is killed, it kills that group."""


class Tethered(subprocess.Popen):
    """A Popen in a session of its own, which Ctrl-C does not reach. end() kills it; if we end before, a shell does.

    Linux's PR_SET_PDEATHSIG would kill the child when the thread that started it ends, and not the child's children.
    """

    def __init__(self, command, **how):
        """Raises OSError, ValueError as Popen does."""
        self._watcher = subprocess.Popen(
            ["/bin/sh", "-c", WATCH],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            start_new_session=True,
        )
        try:
            super().__init__(command, start_new_session=True, **how)
            with contextlib.suppress(BrokenPipeError):  # somebody has killed the shell
                self._watcher.stdin.write(b"%d\n" % self.pid)
        except BaseException:
            if getattr(self, "pid", None) and self.returncode is None:  # Ctrl-C came when the child was there already
                with contextlib.suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)
            self._unwatch()
            raise

    def end(self):
        """Kill the process and its children at once, and close its pipes."""
        self._unwatch()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe:
                pipe.close()

    def _unwatch(self):
        self._watcher.kill()
        self._watcher.wait()
        self._watcher.stdin.close()
