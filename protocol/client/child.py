"""Child processes that end when this program does, with all that they have started, even if it is killed."""

import contextlib
import os
import signal
import subprocess

WATCH = 'trap "" HUP INT TERM; read -r group && { read -r line; kill -s KILL -- "-$group"; }'
"""A shell script that reads the number of a process group, waits for the end of its input, and kills the group. The
end comes when this program ends, also if it is killed.
"""


class ChildProcess(subprocess.Popen):
    """A Popen in a session of its own, so that Ctrl-C does not reach it. end() kills it, or a shell at the end of this
    program.

    Linux has PR_SET_PDEATHSIG for this, but it kills the child when the thread that started it ends, and it spares the
    child's own children.
    """

    def __init__(self, command, **how):
        """Takes what Popen takes. Raises OSError, ValueError."""
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
            with contextlib.suppress(BrokenPipeError):  # the shell was killed
                self._watcher.stdin.write(b"%d\n" % self.pid)
        except BaseException:
            if getattr(self, "pid", None) and self.returncode is None:  # Ctrl-C came after the child had started
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
