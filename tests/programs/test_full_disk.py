"""A file that cannot grow any further, as on a full disk: whichever program writes it names it in one line, and what was
there before stays where it is written as a whole.
"""

import os
import resource
import shlex
import subprocess
import sys

import pytest
from client import DEADLINE
from matches import OWN, ROOT, fake, words
from reports import match

from pawnstorm_tools.training import self_play  # noqa: F401  puts its kernels into the cache, before files may have a few bytes only

LIMIT = 2048  # bytes of every file that the program writes
FEN = "8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8 w - - 0 2"
ENGINE = OWN.removeprefix("cmd=")
PLAYED = words(fake("good"), fake("good"), "-rounds", 20)
RELEASED = "from pawnstorm_tools import startup; from pathlib import Path; from pawnstorm_tools.releasing import packing; packing.pack(Path({!r}), Path({!r}), 10**9)"


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))


def run(*command):
    """(status, the last line of stderr) of a command whose files may have LIMIT bytes."""
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=ROOT / "scripts",
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # which Python would cut short without a word
        capture_output=True,
        text=True,
        timeout=3 * DEADLINE,
        preexec_fn=limited,
    )
    return done.returncode, (done.stderr.splitlines() or [""])[-1].rpartition("\r")[2]


@pytest.mark.parametrize(
    "program, before, after",
    [
        ("datagen", ["breakthrough5"], ["--games", 5000, "--nodes", 20, "--processes", 1]),
        ("openings", ["breakthrough5"], ["--engine", ENGINE, "--nodes", 50, "--bound", 9999, "--count", 900]),
        ("match", [*PLAYED, "-pgnout"], []),
        ("match", [*PLAYED, "-resume"], []),
        ("match", [*PLAYED, "-report"], []),
        ("diagram", [FEN, "-o"], []),
        ("report", ["games.pgn", "-o"], []),
    ],
    ids=lambda value: value if isinstance(value, str) else next((word for word in value if "-" in str(word)[:1]), ""),
)
def test_a_file_that_cannot_be_written_is_named_and_one_written_as_a_whole_stays(program, before, after, tmp_path):
    path, whole = tmp_path / "written", before[-1] == "-o"
    if whole:
        path.write_text("before")
    (tmp_path / "games.pgn").write_text(match(2))
    before = [word.replace("games.pgn", str(tmp_path / "games.pgn")) for word in map(str, before)]
    status, said = run(f"{program}.py", *before, path, *after)
    flag = f"{before[-1]} " if before[-1].startswith("-") else ""
    assert status == 2 and said == f"{program}.py: {flag}'{path}': File too large", said
    assert set(os.listdir(tmp_path)) <= {"games.pgn", "written"}, "no temporary file is left"
    assert not whole or path.read_text() == "before"


@pytest.mark.parametrize("name", ["x.tar.gz", "x.zip"])
def test_an_archive_that_cannot_be_written_is_named(name, tmp_path):
    folder, archive = tmp_path / "folder", tmp_path / name
    folder.mkdir()
    (folder / "noise").write_bytes(os.urandom(3 * LIMIT))
    status, said = run("-c", RELEASED.format(str(folder), str(archive)))
    assert (status, said) == (1, f"OSError: [Errno 27] File too large: '{archive}'")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_pipe_gets_what_is_written_as_a_whole():
    command = shlex.join([sys.executable, "diagram.py", FEN, "-o", "/dev/stdout"])
    done = subprocess.run(f"{command} | cat", shell=True, cwd=ROOT / "scripts", capture_output=True, timeout=DEADLINE)
    assert done.stdout.startswith(b"<svg") and done.stderr == b""
