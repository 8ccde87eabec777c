"""Child processes that end when this program ends, even if it is killed. All processes that they have started end with them."""

import contextlib
import os
import shlex
import signal
import subprocess

from pawnstorm.system import WINDOWS
from pawnstorm_protocol.system.pipes import Reader, Writer

WATCH = 'trap "" HUP INT TERM; read -r group && { read -r line; kill -s KILL -- "-$group"; }'
"""A shell script that reads the number of a process group, waits for the end of its input, and kills the group.

Its input ends when this program ends, even if this program is killed.
"""
GAMES = "/usr/games"
"""Debian's folder for games, which is not on root's path."""


class _Child(subprocess.Popen):
    """A Popen with Readers and a Writer for its pipes.

    input_writer  a Writer to its stdin, None if that is not a pipe
    out, err      Readers of its stdout and stderr, None for one that is not a pipe
    """

    def __init__(self, command, **how):
        super().__init__(command, **how)
        self.input_writer = self.stdin and Writer(self.stdin)
        self.out, self.err = (pipe and Reader(pipe) for pipe in (self.stdout, self.stderr))

    def _close(self):
        for pipe in (self.input_writer, self.stdin, self.out, self.stdout, self.err, self.stderr):
            if pipe:
                pipe.close()


class _GroupedChild(_Child):
    """A Popen in a session of its own, so that Ctrl-C does not reach it.

    end() kills the child. If this program ends before that, a shell that runs WATCH kills the child. Linux's PR_SET_PDEATHSIG
    is not enough: it kills the child as soon as the thread that started the child ends, and it spares the child's own children.
    """

    def __init__(self, command, **how):
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
            super().__init__(shlex.split(command), start_new_session=True, **how)
            with contextlib.suppress(BrokenPipeError):  # if somebody has killed the shell
                self._watcher.stdin.write(b"%d\n" % self.pid)
        except BaseException:
            if getattr(self, "pid", None) and self.returncode is None:  # such as Ctrl-C after the child has started
                with contextlib.suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)
            self._unwatch()
            raise

    def end(self):
        self._unwatch()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait()
        self._close()

    def _unwatch(self):
        self._watcher.kill()
        self._watcher.wait()
        self._watcher.stdin.close()


class _JobChild(_Child):
    """A Popen in a Windows job. Windows ends all processes of the job when this program's handle of it closes.

    The child is in a process group of its own, so that Ctrl-C does not reach it.
    """

    def __init__(self, command, **how):
        from pawnstorm.system import win32

        self._win32, self._job = win32, win32.CreateJobObject(None, None)
        limits = win32.JobLimits(flags=win32.JOB_KILL_ON_CLOSE)
        win32.SetInformationJobObject(self._job, win32.JOB_EXTENDED_LIMITS, limits, win32.ctypes.sizeof(limits))
        try:
            # The child runs only when it is in the job, so that it cannot start a process outside the job.
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | win32.CREATE_SUSPENDED
            super().__init__(command, creationflags=flags, **how)
            win32.AssignProcessToJobObject(self._job, int(self._handle))
            win32.resume(int(self._handle))
        except BaseException:
            if getattr(self, "pid", None) and self.returncode is None:
                self.kill()
            win32.CloseHandle(self._job)
            raise

    def end(self):
        if self._job:
            self._win32.TerminateJobObject(self._job, 1)
            self._win32.CloseHandle(self._job)
            self._job = None
        self.wait()
        self._close()


ChildProcess = _JobChild if WINDOWS else _GroupedChild
"""ChildProcess(command, **how): the Popen of this platform. Raises OSError, ValueError.

command: the program with its arguments, quoted as for a shell (Windows has its own rules for quotes).

input_writer  a Writer to its stdin, None if that is not a pipe
out, err      Readers of its stdout and stderr, None for one that is not a pipe
end()         kills it and its children at once, and closes its pipes
"""


def environment():
    """The environment of a child. Except on Windows, its PATH includes GAMES."""
    if WINDOWS:
        return dict(os.environ)
    return os.environ | {"PATH": os.environ.get("PATH", os.defpath) + os.pathsep + GAMES}
