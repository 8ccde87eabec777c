"""The course's server and client as real processes: a tournament, signals, full disks, and hostile connections by the
thousand.
"""

import contextlib
import random
import re
import signal
import socket
import sys
import threading

import client
import matches
import psutil
import pytest
from client import ROOT
from course_sessions import COURSE, Playing, Raw, Serving, introduced
from processes import DEADLINE, Process, wait_until

from pawnstorm.protocol import pgn
from pawnstorm.protocol.course import command

WORDS = [sys.executable, "-m", "pawnstorm", "course"]
QUICK = ["--nodes", 300, "--hash", 1, *COURSE]
LOGGED = "agent-[0-9]+ < OK"


@pytest.fixture(scope="module", autouse=True)
def core():
    client.build_core()


@contextlib.contextmanager
def server(*words, under=()):
    """(Process, port) of a server. under: the words of a program that runs it."""
    with Process([*under, *WORDS, "--serve", 0, *words]) as process:
        yield process, int(process.expect("^listening on 127.0.0.1 port ([0-9]+)$")[1])


def ours(port, *words):
    return Process([*WORDS, "--connect", f"127.0.0.1:{port}", *QUICK, *words])


def logged(path):
    """(name, mark, text) of each line of a log."""
    return [line.split(" ", 3)[1:] for line in path.read_text().splitlines() if line.count(" ") > 2]


def check_exits(log, names, games):
    """After every loss on the board the loser says exit, the winner never does; colours alternate."""
    begun, moved, exits, finished = [], [], [], 0
    for name, mark, text in logged(log):
        if mark == ">" and text == "Begin":
            begun.append(name)
        elif mark == "<" and re.fullmatch("[a-h][1-8][a-h][1-8]q?", text):
            moved.append(name)
        elif mark == "<" and text == "exit":
            exits.append(name)
        elif mark == ">" and text.startswith("GameOver"):
            finished += 1
            if finished % 2:
                assert exits == [name for name in names if name != moved[-1]], (finished, exits, moved[-1])
                exits = []
    assert finished == 2 * games and exits == [] and begun == [names[number % 2] for number in range(games)]


def test_our_clients_play_a_tournament(tmp_path):
    with (
        server("--games", 6, "--time", 1, "--sessions", 1, "--log", tmp_path / "log", "--pgn", tmp_path / "pgn") as (
            process,
            port,
        ),
        ours(port) as one,
        ours(port) as two,
    ):
        told = [each.finish() for each in (one, two, process)]
    games = list(pgn.read(tmp_path / "pgn"))
    assert len(games) == 6 and {game.tags["Termination"] for game in games} == {"normal"}
    names = [games[0].tags["White"], games[0].tags["Black"]]
    assert [game.tags["White"] for game in games] == names * 3 and sorted(names) == ["agent-1", "agent-2"]
    check_exits(tmp_path / "log", names, 6)
    won = [int(text.splitlines()[-1].split()[0]) for text, _ in told[:2]]
    assert sum(won) == 6 and not any(error for _, error in told)
    assert sorted(won) == sorted(map(int, re.findall(r"agent-\d (\d+)", told[2][0].splitlines()[-1])))


@pytest.mark.parametrize(
    "engine, words",
    [
        ("pawnstorm", ("--option", "UCI_LimitStrength=true", "--option", "UCI_Elo=800")),
        (matches.fake("good"), ("--colour", "black", "--name", "Ann")),
    ],
)
def test_an_agent_plays_an_engine(engine, words, monkeypatch):
    monkeypatch.chdir(ROOT)
    with Serving(
        "--engine", engine, "--option", "Hash=1", "--games", 1, "--time", 1, "--sessions", 1, *words
    ) as serving:
        Playing(serving.port, *COURSE).join()
        told = serving.join()
    assert ": normal" not in told and '[Termination "normal"]' in serving.games[0], told
    assert ('[Black "Ann"]' if "--name" in words else '[White "agent-1"]') in serving.games[0]


# Signals, disks and streams.


def test_a_game_that_is_decided_is_kept_though_the_server_is_stopped_just_then(tmp_path):
    with (
        server("--fen", "8/P6p/8/8/8/8/8/8 w", "--pgn", tmp_path / "pgn") as (process, port),
        introduced(port, b"Wa7 Bh7") as (one, two),
    ):
        one.say(b"a7a8\n")
        assert two.hear() == b"a7a8"
        process.signal(signal.SIGINT)  # in the time in which Black may say exit
        process.signal(signal.SIGTERM)
        assert one.hear() == two.hear() == b"GameOver WHITE plies=1"
        process.finish(130)
    (played,) = pgn.read(tmp_path / "pgn")
    assert played.result == "1-0"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_server_that_is_stopped_twice_leaves_no_engine(number):
    with server("--engine", matches.fake("hang"), "--time", 9) as (process, port), Raw(port) as one:
        one.say(b"OK\n")
        one.answer((b"Setup", b"OK\n"), (b"Time", b"OK\n"), (b"Begin", b"a2a3\n"))
        children = wait_until(lambda: psutil.Process(process.pid).children(recursive=True), "an engine")
        process.signal(number)
        assert one.hear() == b"Error: the server was stopped"
        process.signal(number)
        process.finish(130)
        wait_until(lambda: not any(child.is_running() for child in children), "the engine's end")


def test_a_server_that_is_stopped_says_so(tmp_path):
    with server("--log", tmp_path / "log") as (process, port), Raw(port) as waiting, Raw(port) as silent:
        waiting.say(b"OK\n")
        wait_until(
            lambda: (
                (tmp_path / "log").read_text().count(" < OK") == 1 and "agent-2 comes" in (tmp_path / "log").read_text()
            )
        )
        process.signal(signal.SIGINT)
        assert waiting.hear() == silent.hear() == b"Error: the server was stopped"
        assert process.finish(130)[1] == ""


def test_a_client_that_is_interrupted_says_what_it_has_won():
    """A winner waits for ever where its opponent says nothing in a single game."""
    with socket.create_server(("127.0.0.1", 0)) as listener, ours(listener.getsockname()[1]) as process:
        with listener.accept()[0] as connection, connection.makefile("rb") as lines:
            connection.sendall(b"Setup Wa7 Bh7\nTime 1\nBegin\n")
            while lines.readline() != b"a7a8\n":
                pass
            process.expect("^game 1: won as White")
            process.signal(signal.SIGINT)
            assert process.finish(130)[0].endswith("\n1 won, 0 lost\n")


def test_a_tournament_goes_on_after_an_opponent_that_plays_on():
    """The scripted server relays as the course's does; its loser never says exit, but moves, or is silent."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        ours(listener.getsockname()[1], "--patience", 1) as process,
    ):
        with listener.accept()[0] as connection, connection.makefile("rb") as lines:

            def say(text, expected):
                connection.sendall(text)
                while (line := lines.readline()) != expected:
                    assert line, f"the client has left before {expected}"

            say(b"Setup Wa7 Bh7\nTime 1\nTournamentAccepted 3\nReset\nBegin\n", b"a7a8\n")
            say(b"h7h6\n", b"exit\n")
            say(b"GameOver BLACK plies=2\nReset\nBegin\n", b"a7a8\n")
            say(b"", b"exit\n")
            say(b"GameOver BLACK plies=1\nReset\nBegin\n", b"a7a8\n")
            connection.sendall(b"exit\nGameOver WHITE plies=1\nReset\n")
        told, errors = process.finish()
    assert told.endswith("3 won, 0 lost\n") and errors.count("said exit so that the tournament goes on") == 2, (
        told,
        errors,
    )
    assert errors.count("the server says that game") == 2


def test_a_server_under_nohup_outlives_its_terminal():
    with server(under=["nohup"]) as (process, port), Raw(port) as one:
        process.signal(signal.SIGHUP)
        one.say(b"e2e4\n")
        assert one.hear() == b"Error: expected OK, not 'e2e4'" and process.popen.poll() is None


def test_full_disks_end_no_game():
    with server("--games", 2, "--time", 1, "--sessions", 1, "--pgn", "/dev/full", "--log", "/dev/full") as (
        process,
        port,
    ):
        clients = [Playing(port, *COURSE) for _ in range(2)]
        out, errors = process.finish()
        assert not any(each.join() for each in clients)
    assert errors.count("--pgn '/dev/full' cannot be written: No space left on device; the game is") == 2
    assert errors.count("/dev/full: lines are lost: No space left on device") == 1
    assert out.count('[Result "') == 2 == out.count(" wins after ")


def test_games_are_appended_behind_whatever_is_there(tmp_path):
    path = tmp_path / "pgn"
    path.write_text('[Event "torn"]\n\n1. e2e4 e7')
    with server("--fen", "8/P6p/8/8/8/8/8/8 w", "--sessions", 1, "--games", 1, "--pgn", path) as (process, port):
        clients = [Playing(port, *COURSE) for _ in range(2)]
        process.finish()
        assert not any(each.join() for each in clients)
    assert path.read_text().startswith('[Event "torn"]\n\n1. e2e4 e7\n\n[Event "Two Flags course"]\n')


def test_a_server_that_nobody_listens_to_goes_on():
    under = ["bash", "-o", "pipefail", "-c", '"$@" | head -n 1', "bash"]
    with server("--time", 1, "--games", 2, "--sessions", 1, under=under) as (process, port):
        clients = [Playing(port, *COURSE) for _ in range(2)]
        assert not any(each.join() for each in clients) and sum(won for each in clients for won, _ in each.results) == 2
        assert process.finish()[1] == ""


def test_only_this_machine_is_served_by_default():
    with server() as (process, port):
        listening = [
            each.laddr for each in psutil.Process(process.pid).net_connections() if each.status == psutil.CONN_LISTEN
        ]
        assert listening == [("127.0.0.1", port)]


# Words.


@pytest.mark.parametrize(
    "words, part",
    [
        (["--connect", "host"], "'host' is not HOST:PORT"),
        (["--serve", "70000"], "'70000': expected a whole number from 0 to 65535"),
        ([], "required"),
        (["--serve", "0", "--connect", "a:1"], "not allowed with"),
        (["--serve", "0", "--nodes", "3"], "--nodes is for --connect"),
        (["--connect", "a:1", "--games", "3"], "--games is for --serve"),
        (["--serve", "0", "--time", "-1"], "'-1': expected a number of minutes"),
        (["--serve", "0", "--time", "nan"], "'nan': expected a number of minutes"),
        (["--connect", "a:1", "--level", "3"], "800 to 2400"),
        (["--serve", "0", "--dialect", "french"], "'french'"),
        (["--serve", "0", "--fen", "8/8 w"], "ranks in '8/8'"),
        (["--serve", "0", "--option", "Hash"], "'Hash' is not NAME=VALUE"),
        (["--serve", "0", "--engine", "'"], "is not a command"),
        (["--serve", "0", "--role", "Red"], "'Red' does not tell White its colour"),
        (["--serve", "0", "--move", "go"], "expected e2e4 in it"),
        (["--serve", "0", "--colour", "black"], "expected --engine beside it"),
        (["--serve", "0", "--name", 'a"b'], "is not a name"),
        (["--connect", "a:1", "--patience", "0"], "'0': expected a whole number from 1 to 86400"),
    ],
)
def test_wrong_words_are_named(words, part, capsys):
    with pytest.raises(SystemExit) as caught:
        command.run(words)
    assert caught.value.code == 2 and part in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, part",
    [
        (["--connect", "a..b:1"], "cannot play at a..b:1"),
        (["--connect", "a" * 70 + ":1"], "cannot play at aaa"),
        (["--connect", "127.0.0.1:1"], "cannot play at 127.0.0.1:1"),
        (["--serve", "0", "--engine", "no-such-engine"], "cannot run 'no-such-engine'"),
        (["--serve", "0", "--engine", "false"], "exited with status 1"),
    ],
)
def test_what_cannot_be_reached_or_run_is_told_at_the_start(words, part):
    with Process([*WORDS, *words]) as process:
        out, errors = process.finish(1)
    assert out == "" and part in errors and "Traceback" not in errors


# Hostile connections.


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
