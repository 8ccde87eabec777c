"""Matches for the tests: fake engines, command lines, and a match played here or as a process."""

import contextlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil

from pawnstorm_tools.referee import commandline, opening_book, schedule
from pawnstorm_tools.referee.local_match import LocalMatch

ROOT = Path(__file__).resolve().parents[1]
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
PORTS = iter(range(20000 + 500 * WORKER, 20500 + 500 * WORKER))
MATCH = ROOT / "scripts" / "match.py"
FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")


# A shell that starts the tests in the background has its children ignore Ctrl-C, and nohup a hangup; the tests send
# both.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def free_port():
    """A port that nobody listens at, below those that the system gives away, and another worker's tests do not draw."""
    for port in PORTS:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


OWN = f"cmd={shlex.join([sys.executable, '-m', 'pawnstorm'])}"
"""Our engine, for -engine."""


def own_nodes(rounds, *more):
    """A command line of our engine against itself at fixed nodes."""
    openings = f"file={ROOT / 'scripts' / 'openings' / 'twoflags.epd'}"
    first, second = ["-engine", OWN, "name=one"], ["-engine", OWN, "name=two", "option.Hash=1"]
    line = [*first, *second, "-each", "nodes=5000", f"dir={ROOT}", "-variant", "twoflags", "-openings", openings]
    return [*line, "-rounds", str(rounds), *map(str, more)]


def fake(mode, *more):
    """The command of a fake engine."""
    return shlex.join([sys.executable, str(ROOT / "tests" / "fake_engine.py"), mode, *map(str, more)])


def engines_of(pid):
    """The fake engines that a running match.py has started, by their process ids."""
    found = []
    for child in psutil.Process(pid).children():
        try:
            found += [child.pid] * any(word.endswith("fake_engine.py") for word in child.cmdline()[1:2])
        except psutil.Error:  # it has ended
            pass
    return found


def words(*commands_and_flags, limit="tc=10", variant="hexapawn"):
    """A command line: the commands of two engines or more, then flags."""
    flags = [str(word) for word in commands_and_flags]
    engines = []
    while flags and not flags[0].startswith("-"):
        engines += ["-engine", f"cmd={flags.pop(0)}"]
    return [*engines, "-each", *limit.split(), "-variant", variant, *flags]


def play_words(line):
    """The records of the match that a command line asks for, in the order of its games."""
    settings = commandline.parse(line)
    match = LocalMatch(settings)
    try:
        match.check_engines()
        fens = opening_book.positions(settings.book, settings.rules) if settings.book else [settings.rules.start_fen]
        games = schedule.of_match(settings, fens)
        return sorted(match.run(games), key=lambda record: record["game"])
    finally:
        match.close()


def play(*args, **kwargs):
    return play_words(words(*args, **kwargs))


def run(*args, **kwargs):
    """match.py as a process: (status, stdout, stderr)."""
    return run_words(words(*args, **kwargs))


def run_words(line, timeout=60):
    done = subprocess.run([sys.executable, str(MATCH), *line], capture_output=True, text=True, timeout=timeout)
    return done.returncode, done.stdout, done.stderr
