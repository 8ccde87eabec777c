"""Whole games of the course's protocol between executables: a server and two clients, one of which connects by a name."""

import os
import re
import signal
import subprocess
import threading

import client
import pytest

from pawnstorm_protocol import pgn

pytestmark = pytest.mark.frozen
GAMES = 4


class Program:
    """An executable on some words, with its output as text.

    It ends with all that it has started: a one-file program is two processes, and either holds the pipes.
    """

    def __init__(self, kind, *words):
        self.process = subprocess.Popen(
            [*client.command(kind), *map(str, words)],
            cwd=client.ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def line(self):
        """The next line of its output."""
        guard = threading.Timer(client.DEADLINE, self.kill)
        guard.start()
        try:
            return self.process.stdout.readline()
        finally:
            guard.cancel()

    def finish(self):
        """Its output, once it has ended well and without a complaint."""
        said, complaints = self.process.communicate(timeout=client.DEADLINE)
        assert (self.process.returncode, complaints) == (0, ""), (said, complaints)
        return said

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.kill()
        self.process.communicate(timeout=client.DEADLINE)


@pytest.mark.parametrize("kind", ["folder", "portable"])
def test_two_clients_play_a_tournament_at_a_server(kind, tmp_path):
    record = tmp_path / "games.pgn"
    with Program(
        kind, "course", "--serve", 0, "--games", GAMES, "--time", 1, "--sessions", 1, "--pgn", record
    ) as server:
        port = int(re.fullmatch(r"listening on 127\.0\.0\.1 port (\d+)\n", server.line())[1])
        words = ("--nodes", 300, "--hash", 1)
        with (
            Program(kind, "course", "--connect", f"localhost:{port}", *words) as one,
            Program(kind, "course", "--connect", f"127.0.0.1:{port}", *words) as other,
        ):
            told = [one.finish(), other.finish()]
        server.finish()
    games = list(pgn.read(record))
    assert len(games) == GAMES and {game.tags["Termination"] for game in games} == {"normal"}
    won = [int(re.search(r"^(\d+) won, (\d+) lost$", text, re.M)[1]) for text in told]
    assert sum(won) == GAMES


@pytest.mark.parametrize("letter", ["a", "\N{LATIN SMALL LETTER U WITH DIAERESIS}"])
def test_impossible_host_is_one_line(letter):
    """The codec idna, which every name goes through, needs modules that not every Python has inside. No name server is
    asked.
    """
    address = f"{64 * letter}:9"
    done = subprocess.run(
        [*client.command("folder"), "course", "--connect", address, "--hash", "1"],
        stdin=subprocess.DEVNULL,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=client.DEADLINE,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"pawnstorm: cannot play at {address}: ") and "idna" in done.stderr


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
