"""The course's server as a real process among hostile connections, by the thousand."""

import contextlib
import random
import socket
import threading

import psutil
import pytest
from course_processes import core, server  # noqa: F401
from course_sessions import COURSE, Playing, Raw
from processes import DEADLINE

from pawnstorm import pgn


def test_only_this_machine_is_served_by_default():
    with server() as (process, port):
        listening = [
            each.laddr for each in psutil.Process(process.pid).net_connections() if each.status == psutil.CONN_LISTEN
        ]
        assert listening == [("127.0.0.1", port)]


def test_a_server_of_few_descriptors_sends_the_longest_silent_away():
    with (
        server("--sessions", 1, "--time", 1, under=["prlimit", "--nofile=48"]) as (process, port),
        contextlib.ExitStack() as stack,
    ):
        silent = [stack.enter_context(Raw(port)) for _ in range(100)]
        clients = [Playing(port, *COURSE) for _ in range(2)]
        out, errors = process.finish()
        assert silent[0].hear() == b"Error: the server is full, and this connection was silent"
        assert not any(each.join() for each in clients)
    assert "wins after" in out and not errors


def noise(port, strings, seed, ended):
    """Send random strings, each through a connection of its own; note of each whether the server ends it with a reason."""
    rng = random.Random(seed)
    for _ in range(strings):
        with contextlib.suppress(OSError), Raw(port) as raw:
            raw.say(rng.randbytes(rng.randrange(4, 200)) + rng.choice([b"\n", b"\r\n"]))
            ended.append(raw.hear().startswith(b"Error: "))


def flood(port, what, megabytes, told):
    """Send the same again and again for as long as the server takes it, then note what it says."""
    with Raw(port) as raw:
        with contextlib.suppress(OSError):
            for _ in range(megabytes):
                raw.say(what * ((1 << 20) // len(what)))
        told.append(raw.hear())


def halves(port, lines, told):
    """Say half of something, byte by byte, and no more; note what the server says."""
    for _ in range(lines):
        with contextlib.suppress(OSError), Raw(port) as raw:
            for letter in b"Setup Wa":
                raw.say(bytes([letter]))
            raw.socket.shutdown(socket.SHUT_WR)
            told.append(raw.hear())


def connects(port, connections):
    """Come and go."""
    for _ in range(connections):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=DEADLINE).close()


@pytest.mark.parametrize(
    "games, strings, megabytes, idle", [(2, 60, 2, 30), pytest.param(60, 10_000, 100, 200, marks=pytest.mark.slow)]
)
def test_games_are_played_to_their_end_beside_hostile_connections(games, strings, megabytes, idle, tmp_path):
    with (
        server("--games", games, "--time", 1, "--pgn", tmp_path / "pgn") as (process, port),
        contextlib.ExitStack() as stack,
    ):
        silent = [stack.enter_context(Raw(port)) for _ in range(idle)]
        ended, floods, halved = [], [], []
        hostile = [threading.Thread(target=noise, args=(port, strings // 2, seed, ended)) for seed in (1, 2)]
        hostile += [threading.Thread(target=flood, args=(port, what, megabytes, floods)) for what in (b"\0", b"z\n")]
        hostile += [
            threading.Thread(target=halves, args=(port, idle, halved)),
            threading.Thread(target=connects, args=(port, strings)),
        ]
        for thread in hostile:
            thread.start()
        clients = [Playing(port, *COURSE) for _ in range(2)]
        assert not any(each.join() for each in clients)
        for thread in hostile:
            thread.join()
        assert process.popen.poll() is None
        assert len(ended) > strings * 0.99 and all(ended)
        assert sorted(floods) == [
            b"Error: sent a line longer than 1024 bytes",
            b"Error: sent more than 64 lines that were not expected",
        ]
        assert len(halved) > idle * 0.99 and set(halved) == {b"Error: closed the connection"}
        assert silent[-1].socket.fileno() >= 0
    assert sum(won for each in clients for won, _ in each.results) == games
    assert {game.tags["Termination"] for game in pgn.read(tmp_path / "pgn")} == {"normal"}
