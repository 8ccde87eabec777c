"""Whole games of the course's protocol between executables: a server and two clients, one of which connects by a name."""

import os
import re
import subprocess

import client
import pytest
from processes import Process

from pawnstorm import pgn

pytestmark = pytest.mark.frozen
GAMES = 4


@pytest.mark.parametrize("kind", ["folder", "portable"])
def test_two_clients_play_a_tournament_at_a_server(kind, tmp_path):
    course, record = [*client.command(kind), "course"], tmp_path / "games.pgn"
    words = ["--serve", 0, "--games", GAMES, "--time", 1, "--sessions", 1, "--pgn", record]
    with Process([*course, *words]) as server:
        port = server.expect(r"^listening on 127\.0\.0\.1 port (\d+)$")[1]
        ours = ["--nodes", 300, "--hash", 1]
        with (
            Process([*course, "--connect", f"localhost:{port}", *ours]) as one,
            Process([*course, "--connect", f"127.0.0.1:{port}", *ours]) as other,
        ):
            told = [each.finish() for each in (one, other, server)]
    assert [errors for _, errors in told] == [""] * 3
    games = list(pgn.read(record))
    assert len(games) == GAMES and {game.tags["Termination"] for game in games} == {"normal"}
    assert sum(int(re.search(r"^(\d+) won, (\d+) lost$", out, re.M)[1]) for out, _ in told[:2]) == GAMES


@pytest.mark.parametrize(
    "host, status, told",
    [
        (64 * "a", 1, "cannot play at HOST:9: "),  # no name server is asked
        ("b\N{LATIN SMALL LETTER U WITH DIAERESIS}ro", 2, "host 'HOST': expected ASCII characters"),
    ],
)
def test_impossible_host_is_one_line(host, status, told):
    """The frozen engine has no codec for host names."""
    address = f"{host}:9"
    done = subprocess.run(
        [*client.command("folder"), "course", "--connect", address, "--hash", "1"],
        stdin=subprocess.DEVNULL,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=client.DEADLINE,
    )
    *usage, error = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (status, "") and told.replace("HOST", host) in error
    assert [line[:7] for line in usage] == (["usage: "] if status == 2 else [])


@pytest.mark.parametrize("kind", ["folder", "portable"])
@pytest.mark.parametrize(
    "words, named", [([b"plya"], "(did you mean play?)"), ([b"go", b"e\xff"], r"'e\xff' is not UTF-8")]
)
def test_wrong_word_is_named(kind, words, named):
    done = subprocess.run(
        [*client.command(kind), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=client.DEADLINE,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1) and named in done.stderr
