"""Runs of scripts/solve.py and its like for the tests, in this process, and what they print."""

import contextlib
import io
import signal
import subprocess
import sys

import client

from pawnstorm_tools.programs import solve as program

SOLVE = [sys.executable, str(client.ROOT / "scripts" / "solve.py")]


def here(program, *words):
    """What a program does in this process, as subprocess.run() tells it."""
    before = signal.getsignal(signal.SIGTERM)
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            status = program.main(list(map(str, words)))
        except SystemExit as end:
            status = end.code
        finally:
            signal.signal(signal.SIGTERM, before)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())


def solve(*words):
    """scripts/solve.py with a table of 16 MiB."""
    return here(program, "--hash", "16", *words)


def told(done):
    """What a run printed, word -> rest of the line; the moves apart."""
    assert done.returncode == 0, done.stderr
    rows = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    return {key: rest for key, rest in rows if key != "move"}, [rest for key, rest in rows if key == "move"]
