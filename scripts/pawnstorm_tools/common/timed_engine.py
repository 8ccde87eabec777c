"""Runs a UCI engine for measurements of time."""

import os
import shlex
import shutil
import subprocess
import threading
import time


class Engine:
    """A UCI process that is read by blocking calls, so that times are exact.

    If it has not ended after `patience` seconds, it is killed, and reading it raises OSError.
    """

    def __init__(self, command, patience=60, **popen):
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=-1,
            start_new_session=True,
            **popen,
        )  # in a session of its own: Ctrl-C reaches only this program, which then ends the engine
        self._guard = threading.Timer(patience, self.process.kill)
        self._guard.daemon = True
        self._guard.start()

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def until(self, word):
        """Read lines up to the first that begins with this word; returns them."""
        lines = []
        while not lines or not lines[-1].startswith(word):
            raw = self.process.stdout.readline()
            if not raw:
                raise OSError(f"{shlex.join(map(str, self.process.args))}: no {word} in time")
            lines.append(raw.decode().rstrip("\n"))
        return lines

    def ready(self, *lines):
        """Send lines and wait until the engine has processed them."""
        self.send(*lines, "isready")
        self.until("readyok")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._guard.cancel()
        try:
            self.send("quit")
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def fairy_stockfish():
    """The path of fairy-stockfish, or None. /usr/games is searched too, because Debian does not put it on root's path."""
    return shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
