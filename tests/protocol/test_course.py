"""The course's server and client as real processes: with each other, with a minimal agent, and among hostile connections."""
import contextlib
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import matches
import psutil
import pytest
from referee import pgn

import client as processes
from client import FOLDER, PORTABLE, ROOT, SOURCE
from protocol import pump
from protocol.course import commandline
from protocol.course.agent import GAP, Agent
from protocol.course.dialects import DIALECTS
from protocol.course.server import MOST_CONNECTIONS

AGENT = [sys.executable, str(ROOT / "tests" / "course_agent.py")]
QUICK = ["--nodes", "300", "--hash", "1"]
DEADLINE = 60


@pytest.fixture(scope="module", autouse=True)
def core():
    processes.build_core()


@contextlib.contextmanager
def server(*words, kind="source", under=()):
    """(process, port) of a server that ends with the block, whatever happens. under: the words of a program that runs it."""
    process = subprocess.Popen([*under, *processes.command(kind), "course", "--serve", "0", *map(str, words)], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = process.stdout.readline()
        assert line.startswith("listening on 127.0.0.1 port "), (line, process.stderr.read() if process.poll() is not None else "")
        yield process, int(line.split()[-1])
    finally:
        process.kill()
        process.communicate()


def start(command, port, *words):
    return subprocess.Popen([*command, *(str(word).replace("PORT", str(port)) for word in words)], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ours(port, *words, kind="source"):
    return start(processes.command(kind), port, "course", "--connect", "127.0.0.1:PORT", *QUICK, *words)


def agent(port, *words):
    return start(AGENT, port, "PORT", *words)


def finish(*started, status=0):
    """[(stdout, stderr)] of processes that must end by themselves."""
    told = [process.communicate(timeout=DEADLINE) for process in started]
    assert [process.returncode for process in started] == [status] * len(started), told
    return told


def logged(path):
    """(name, mark, text) of each line of a log."""
    return [line.split(" ", 3)[1:] for line in path.read_text().splitlines() if line.count(" ") > 2]


def check_exits(log, names, games, whose=None):
    """After every loss on the board the loser says exit, the winner never does; colours alternate. whose: names looked at, None for all."""
    begun, moved, exits, finished = [], [], [], 0
    for name, mark, text in logged(log):
        if mark == ">" and text == "Begin":
            begun.append(name)
        elif mark == "<" and re.fullmatch("[a-h][1-8][a-h][1-8]q?", text):
            moved.append(name)
        elif mark == "<" and text == "exit" and name in (whose or names):
            exits.append(name)
        elif mark == ">" and text.startswith("GameOver"):
            finished += 1
            if finished % 2:
                assert exits == [name for name in whose or names if name != moved[-1]], (finished, exits, moved[-1])
                exits = []
    assert finished == 2 * games and exits == [] and begun == [names[number % 2] for number in range(games)]


def test_our_clients_play_a_tournament_of_twenty_games(tmp_path):
    with server("--games", 20, "--time", 0.5, "--sessions", 1, "--log", tmp_path / "log", "--pgn", tmp_path / "pgn") as (process, port):
        one = ours(port)
        two = ours(port)
        told = finish(one, two, process)
    games = list(pgn.read(tmp_path / "pgn"))
    assert len(games) == 20 and {game.tags["Termination"] for game in games} == {"normal"}
    names = [games[0].tags["White"], games[0].tags["Black"]]
    assert [game.tags["White"] for game in games] == names * 10 and sorted(names) == ["agent-1", "agent-2"]
    check_exits(tmp_path / "log", names, 20)
    won = [int(text.splitlines()[-1].split()[0]) for text, _ in told[:2]]
    assert sum(won) == 20 and not any(error for _, error in told)
    assert sorted(won) == sorted(map(int, re.findall(r"agent-\d (\d+)", told[2][0].splitlines()[-1])))


def test_a_minimal_agent_asks_for_a_tournament_of_ten_games(tmp_path):
    with server("--time", 0.5, "--sessions", 1, "--log", tmp_path / "log") as (process, port):
        theirs = agent(port, "tournament=10", "suffix", "late")
        time.sleep(0.3)     # it shall be the first
        told = finish(theirs, ours(port), process)
    check_exits(tmp_path / "log", ["agent-1", "agent-2"], 10, ["agent-2"])
    lines = told[0][0].split("\n")[:-1]
    assert [line.split()[1] for line in lines] == ["W", "B"] * 5 and len(lines) == 10
    assert f"agent-2 {sum(line.startswith('lost') for line in lines)}" in told[2][0]


@pytest.mark.parametrize("asked", [
    [["--dialect", "connected"], ["--dialect", "client"]],
    pytest.param([["--dialect", "welcome"], ["--dialect", "server"], ["--dialect", "student"],
                  ["--greeting", "Connected with client!", "--newline", "crlf", "--order", "time-setup"]], marks=pytest.mark.slow)])
def test_the_client_understands_every_dialect(asked):
    """All at the same time, since most of it is waiting."""
    with contextlib.ExitStack() as stack:
        common = ["--time", 1, "--sessions", 1, "--fen", "8/3p4/8/8/8/8/4P3/8 b - - 0 1"]
        servers = [stack.enter_context(server(*common, *words)) for words in asked]
        clients = [(ours(port), ours(port)) for _, port in servers]
        for (process, _), pair, words in zip(servers, clients, asked):
            told = finish(*pair, process)
            assert "wins after" in told[2][0], words
            assert sorted(text.split()[2] for text, _ in told[:2]) == ["lost", "won"], (words, told)


@pytest.mark.parametrize("kind", ["source", FOLDER, PORTABLE])
def test_black_begins_where_the_position_says_so(kind):
    with server("--fen", "8/5p2/5p1p/8/5PP1/8/8/8 b", "--time", 1, "--sessions", 1, kind=kind) as (process, port):
        theirs = agent(port)
        time.sleep(0.3)
        told = finish(theirs, ours(port, kind=kind), process)
    assert told[0][0].startswith("lost W ") and "won as Black" in told[1][0] and "Black wins after" in told[2][0]


def test_our_client_goes_over_to_ghost_pawns():
    with server("--en-passant", "ghost", "--fen", "8/8/8/8/1p6/1P6/P7/8 w - - 0 1", "--sessions", 1) as (process, port):
        theirs = agent(port, "ghost", "bare", "moves=a2a4,a4a5,a5a6")
        time.sleep(0.3)
        told = finish(theirs, ours(port), process)
    assert told[0][0] == "lost W 6\n" and "ghost" in told[1][1] and "won as Black after 6 plies: far rank reached" in told[1][0]


def test_en_passant_switched_off():
    with server("--en-passant", "off", "--fen", "8/8/8/8/1p6/1P6/P7/8 w - - 0 1", "--sessions", 1) as (process, port):
        theirs = agent(port, "crlf", "moves=a2a4")
        time.sleep(0.3)
        told = finish(theirs, ours(port, "--en-passant", "off"), process)
    assert "won W 1" in told[0][0] and "no move left" in told[2][0] and "lost as Black after 1 plies" in told[1][0]


@pytest.mark.parametrize("kind, engine", [("source", "pawnstorm"), ("source", matches.fake("good")), pytest.param(
    "folder", "pawnstorm", marks=pytest.mark.frozen)])
def test_an_agent_plays_an_engine(kind, engine, tmp_path):
    with server("--engine", engine, "--games", 2, "--time", 0.02, "--sessions", 1, "--pgn", tmp_path / "pgn", kind=kind) as (process, port):
        finish(ours(port, kind=kind), process)
    games = list(pgn.read(tmp_path / "pgn"))
    assert [game.tags["White"] == "agent-1" for game in games] == [True, False]
    assert {game.tags["Termination"] for game in games} == {"normal"}


@pytest.mark.parametrize("word, plies, reason", [("resign=2", 2, "resigns"), ("slow=0.6", 0, "has used up its 0.36 s")])
def test_games_that_do_not_end_on_the_board(word, plies, reason):
    with server("--time", 0.006, "--sessions", 1) as (process, port):
        theirs = agent(port, word)
        time.sleep(0.3)
        told = finish(theirs, ours(port), process)
    assert f"Black wins after {plies} plies: White {reason}" in told[2][0], told
    assert f"won as Black after {plies} plies: the opponent has left" in told[1][0] or plies == 0, told


class Raw:
    """A connection that says what a test wants."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.lines = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()

    def say(self, data):
        self.socket.sendall(data)

    def hear(self):
        """The next line; b"" at the end."""
        try:
            return self.lines.readline().strip()
        except ConnectionResetError:
            return b""

    def answer(self, *answers):
        for expected, answer in answers:
            assert self.hear().startswith(expected)
            self.say(answer)


@contextlib.contextmanager
def introduced(port, pawns=b"Wa2 "):
    """Two agents that have both got Setup and Time, and White's Begin."""
    with Raw(port) as one, Raw(port) as two:
        one.say(b"OK\n")
        time.sleep(0.1)
        two.say(b"OK\r\n")
        for agent in (one, two):
            agent.answer((b"Setup " + pawns, b"OK\n"), (b"Time", b"OK"))
        assert one.hear() == b"Begin"
        yield one, two


def test_who_does_not_begin_with_ok_is_told_so():
    with server() as (_, port):
        for said, reason in ((b"ok\n", b"Error: expected OK, not 'ok'"), (b"hello\n", b"Error: expected OK"),
                             (b"x" * 5000, b"Error: sent a line longer than 1024 bytes"), (b"\xff\x00\n", b"Error: expected OK"),
                             (b"e2e4", b"Error: expected OK, not 'e2e4'"), (b"z\n" * 500, b"Error: sent more than 64 lines")):
            with Raw(port) as stranger:
                stranger.say(said)
                assert stranger.hear().startswith(reason) and stranger.hear() == b""


def test_a_fault_ends_the_game_for_both():
    with server() as (_, port):
        for said, reason in ((b"e2e5\n", b""), (b"exit\n", b""), (b"what\n" * 100, b"Error: sent more than 64"),
                             (b"OK\n" * 100, b"Error: sent more than 64"),
                             (b"y" * 2000, b"Error: sent a line")):
            with introduced(port) as (one, two):
                one.say(said)
                assert [two.hear(), two.hear(), two.hear()] == [b"exit", b"GameOver BLACK plies=0", b""]
                assert one.hear().startswith(reason or b"GameOver BLACK plies=0") and one.hear() == b""


def test_an_agent_that_vanishes_has_lost():
    with server("--sessions", 1) as (process, port), introduced(port) as (one, two):
        two.__exit__()
        assert [one.hear(), one.hear(), one.hear()] == [b"exit", b"GameOver WHITE plies=0", b""]
        assert "Black closed the connection" in finish(process)[0][0]


@pytest.mark.parametrize("first", [True, False])
def test_an_agent_whose_opponent_goes_before_the_game_gets_another_one(first):
    with server("--sessions", 1, "--time", 1) as (process, port):
        if first:
            theirs = agent(port)
            time.sleep(0.3)
        with Raw(port) as stranger:
            stranger.say(b"OK\n")
            if not first:
                time.sleep(0.1)
                theirs = agent(port)
            assert stranger.hear().startswith(b"Setup ")
        time.sleep(0.1)
        told = finish(theirs, ours(port), process)     # the minimal agent would not bear to hear the Setup twice
    assert re.search(f"game 1: agent-{2 - first} - agent-3: .* wins after", told[2][0])


@pytest.mark.parametrize("words", [[], ["--engine", matches.fake("good")]])
def test_who_is_silent_after_ok_costs_nobody_a_game(words):
    with server("--sessions", 1, "--time", 1, *words) as (process, port), contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Raw(port)) for _ in range(8)]
        for raw in silent:
            raw.say(b"OK\n")
        assert all(raw.hear().startswith(b"Setup ") for raw in silent)
        for raw in silent[:2]:
            raw.__exit__()
        began = time.monotonic()
        told = finish(*(ours(port) for _ in range(1 if words else 2)), process)
        assert time.monotonic() - began < 8      # whoever has to answer has ten seconds
    assert "wins after" in told[-1][0]


def test_who_does_not_come_to_the_first_game_of_a_tournament_has_lost_it():
    with server("--sessions", 1, "--time", 1) as (process, port):
        theirs = agent(port, "tournament=2")
        time.sleep(0.3)
        with Raw(port) as stranger:
            stranger.say(b"OK\n")
            stranger.answer((b"Setup ", b"OK\n"), (b"Time", b"OK\n"), (b"TournamentAccepted 2", b""))
        told = finish(theirs, process)
    assert told[0][0] == "won W 0\n" and "White wins after 0 plies: Black closed the connection" in told[1][0]


def test_an_agent_may_resign_while_the_other_one_thinks():
    with server("--sessions", 1) as (process, port), introduced(port) as (one, two):
        two.say(b"exit\n")
        assert [one.hear(), one.hear(), one.hear()] == [b"exit", b"GameOver WHITE plies=0", b""]
        assert two.hear() == b"GameOver WHITE plies=0"
        assert "White wins after 0 plies: Black resigns" in finish(process)[0][0]


def test_a_game_that_is_decided_is_kept_though_the_server_is_stopped_just_then(tmp_path):
    with server("--fen", "8/P6p/8/8/8/8/8/8 w", "--pgn", tmp_path / "pgn") as (process, port), introduced(port, b"Wa7 Bh7") as (
            one, two):
        one.say(b"a7a8\n")
        assert two.hear() == b"a7a8"
        process.send_signal(signal.SIGINT)      # in the time in which Black may say exit
        process.send_signal(signal.SIGTERM)
        for agent in (one, two):
            assert agent.hear() == b"GameOver WHITE plies=1"
        assert process.wait(DEADLINE) == 130
    played, = pgn.read(tmp_path / "pgn")
    assert played.result == "1-0"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_server_that_is_stopped_twice_leaves_no_engine(number):
    with server("--engine", matches.fake("hang"), "--time", 9) as (process, port), Raw(port) as one:
        one.say(b"OK\n")
        one.answer((b"Setup", b"OK\n"), (b"Time", b"OK\n"), (b"Begin", b"a2a3\n"))
        deadline = time.monotonic() + DEADLINE
        while not (children := psutil.Process(process.pid).children(recursive=True)):
            assert time.monotonic() < deadline
        for _ in range(3):
            process.send_signal(number)
            time.sleep(0.1)
        assert process.wait(DEADLINE) == 130 and one.hear() == b"Error: the server was stopped"
        assert not any(child.is_running() for child in children)


def test_a_server_under_nohup_outlives_its_terminal():
    with server(under=["nohup"]) as (process, port), Raw(port) as one:
        process.send_signal(signal.SIGHUP)
        one.say(b"e2e4\n")
        assert one.hear() == b"Error: expected OK, not 'e2e4'" and process.poll() is None


def test_full_disks_end_no_game():
    with server("--games", 2, "--time", 1, "--sessions", 1, "--pgn", "/dev/full", "--log", "/dev/full") as (process, port):
        told = finish(ours(port), ours(port), process)
    assert told[2][1].count("--pgn '/dev/full' cannot be written: No space left on device; the game is") == 2
    assert told[2][1].count("/dev/full: lines are lost: No space left on device") == 1
    assert told[2][0].count('[Result "') == 2 == told[2][0].count(" wins after ")


def test_games_are_appended_behind_whatever_is_there(tmp_path):
    path = tmp_path / "pgn"
    path.write_text('[Event "torn"]\n\n1. e2e4 e7')
    with server("--time", 1, "--sessions", 1, "--pgn", path) as (process, port):
        finish(ours(port), ours(port), process)
    assert path.read_text().startswith('[Event "torn"]\n\n1. e2e4 e7\n\n[Event "Two Flags course"]\n')


def test_a_server_that_nobody_listens_to_goes_on():
    with server("--time", 1, "--games", 2, "--sessions", 1) as (process, port):
        process.stdout.close()
        told = finish(ours(port), ours(port))
        assert sum(int(text.splitlines()[-1].split()[0]) for text, _ in told) == 2
        assert process.wait(DEADLINE) == 0 and process.stderr.read() == ""
        process.stdout = None


def test_a_move_without_an_end_counts_where_it_has_come_in_time():
    with socket.create_server(("127.0.0.1", 0)) as listener, Raw(listener.getsockname()[1]) as theirs, listener.accept()[0] as connection:
        agent = Agent(connection, "agent", DIALECTS["course"])
        theirs.say(b"e2e4")
        assert pump.pump((agent,), lambda: agent.inbox, pump.now() + GAP // 5) and agent.played()[0] == "e2e4"


def test_half_lines_and_late_ends_make_one_move():
    with server("--sessions", 1) as (_, port), introduced(port) as (one, two):
        one.say(b"e2")
        time.sleep(0.2)
        one.say(b"e4")      # no newline at all
        assert two.hear() == b"e2e4"
        two.say(b"e7e5\r\n")
        assert one.hear() == b"e7e5"


def test_a_server_that_is_stopped_says_so():
    with server() as (process, port), Raw(port) as waiting, Raw(port) as silent:
        waiting.say(b"OK\n")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert waiting.hear() == silent.hear() == b"Error: the server was stopped"
        assert process.wait(DEADLINE) == 130 and process.stderr.read() == ""


def test_only_this_machine_is_served_by_default():
    with server() as (process, port):
        listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines() if line.split()[3] == "0A"]
        assert [address for address in listening if address.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]


@pytest.mark.parametrize("words, part", [
    (["--connect", "host"], "'host' is not HOST:PORT"), (["--serve", "70000"], "'70000' is not a whole number from 0 to 65535"),
    ([], "required"),
    (["--serve", "0", "--connect", "a:1"], "not allowed with"), (["--serve", "0", "--nodes", "3"], "--nodes is for --connect"),
    (["--connect", "a:1", "--games", "3"], "--games is for --serve"), (["--serve", "0", "--time", "-1"], "'-1' is not a number of minutes"),
    (["--serve", "0", "--time", "nan"], "'nan' is not a number of minutes"), (["--connect", "a:1", "--level", "3"], "800 to 2400"),
    (["--serve", "0", "--dialect", "french"], "'french'"), (["--serve", "0", "--fen", "8/8 w"], "ranks in '8/8'"),
    (["--serve", "0", "--option", "Hash"], "'Hash' is not NAME=VALUE"), (["--serve", "0", "--engine", "'"], "is not a command")])
def test_wrong_words_are_named(words, part, capsys):
    with pytest.raises(SystemExit) as caught:
        commandline.run(words)
    assert caught.value.code == 2 and part in capsys.readouterr().err


@pytest.mark.parametrize("said, code, part", [
    (b"Error: the server is full\n", 1, "warning: the server says 'Error: the server is full'"),
    (b"Setup Wa2 Bh7\nTime 1\nReset\n", 1, "0 won, 0 lost; the connection was closed before the end"),
    (b"Setup Wa7 Bh7\nTime 1\nReset\nBegin\n", 0, "1 won, 0 lost\n"),
    (b"Setup Wa7 Bh7\nTime 1\nTournamentAccepted 1\nReset\nBegin\n|GameOver WHITE plies=1\nReset\n", 0, "1 won, 0 lost\n"),
    (b"Setup Wa7 Bh7\nTime 1\nReset\nBegin\n|GameOver WHITE plies=1\nReset\n", 0, "1 won, 0 lost\n"),
    (b"Setup Wa7 Bh7\nTime 1\nTournamentAccepted 2\nReset\nBegin\n|GameOver WHITE plies=1\nReset\n", 1,
     "1 won, 0 lost; the connection was closed")])
def test_how_a_server_goes_is_told(said, code, part):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = ours(listener.getsockname()[1])
        connection = listener.accept()[0]
        with connection, connection.makefile("rb") as lines:
            for half in said.split(b"|"):
                connection.sendall(half)
                while b"Begin" in half and lines.readline() != b"a7a8\n":
                    pass
            connection.shutdown(socket.SHUT_WR)
            told, errors = client.communicate(timeout=DEADLINE)
    assert client.returncode == code and part in told + errors, (told, errors)


@pytest.mark.parametrize("host", ["a..b", "a" * 70])
def test_a_name_that_no_host_can_have_is_told(host):
    done = subprocess.run([*SOURCE, "course", "--connect", f"{host}:1"], cwd=ROOT, text=True, capture_output=True, timeout=DEADLINE)
    assert done.returncode == 1 and f"cannot play at {host}:1" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("command, part", [("no-such-engine", "cannot run 'no-such-engine'"), ("false", "exited with status 1")])
def test_an_engine_that_cannot_play_is_told_at_the_start(command, part):
    done = subprocess.run([*SOURCE, "course", "--serve", "0", "--engine", command], cwd=ROOT, text=True, capture_output=True,
                          timeout=DEADLINE)
    assert done.returncode == 1 and part in done.stderr and done.stdout == ""


def test_a_client_without_a_server_says_so():
    done = subprocess.run([*SOURCE, "course", "--connect", "127.0.0.1:1"], cwd=ROOT, text=True, capture_output=True, timeout=DEADLINE)
    assert done.returncode == 1 and "cannot play at 127.0.0.1:1" in done.stderr


# Among hostile connections.

@pytest.mark.parametrize("megabytes", [1, pytest.param(100, marks=pytest.mark.slow)])
def test_hostile_agents_that_wait_for_an_opponent_are_sent_away(megabytes):
    with server() as (_, port), introduced(port) as (one, two):
        told = []
        for what in (b"OK\n", b"e2e4\n", b"\0"):
            flood(port, b"OK\n" + what * ((1 << 20) // len(what) - 3), megabytes, told)
        assert [text[:24] for text in told] == [b"Error: sent more than 64"] * 2 + [b"Error: sent a line longe"]
        one.say(b"e2e4\n")
        assert two.hear() == b"e2e4"


def test_a_server_of_few_descriptors_sends_the_longest_silent_away():
    with server("--sessions", 1, "--time", 1, under=["prlimit", "--nofile=48"]) as (process, port), contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Raw(port)) for _ in range(100)]
        told = finish(ours(port), ours(port), process)
        assert silent[0].hear() == b"Error: the server is full, and this connection was silent"
    assert "wins after" in told[2][0] and not told[2][1]


def test_a_full_server_sends_the_longest_silent_away():
    with server() as (_, port), contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Raw(port)) for _ in range(MOST_CONNECTIONS)]
        late = [stack.enter_context(Raw(port)) for _ in range(3)]
        for raw in silent[:3]:
            assert raw.hear() == b"Error: the server is full, and this connection was silent"
        for raw in late[:2]:
            raw.say(b"OK\n")
        assert late[0].hear().startswith(b"Setup ")


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
                time.sleep(0.001)
            raw.socket.shutdown(socket.SHUT_WR)
            told.append(raw.hear())


def connects(port, connections):
    """Come and go."""
    for _ in range(connections):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=20).close()


@pytest.mark.parametrize("games, strings, megabytes, idle", [(3, 100, 4, 40), pytest.param(60, 10_000, 100, 200, marks=pytest.mark.slow)])
def test_a_game_loses_no_time_beside_hostile_connections(games, strings, megabytes, idle, tmp_path):
    with server("--games", games, "--time", 1, "--log", tmp_path / "log", "--pgn", tmp_path / "pgn") as (process, port), (
            contextlib.ExitStack()) as stack:
        silent = [stack.enter_context(Raw(port)) for _ in range(idle)]
        ended, floods, halved = [], [], []
        hostile = [threading.Thread(target=noise, args=(port, strings // 2, seed, ended)) for seed in (1, 2)]
        hostile += [threading.Thread(target=flood, args=(port, what, megabytes, floods)) for what in (b"\0", b"z\n")]
        hostile += [threading.Thread(target=halves, args=(port, idle, halved)), threading.Thread(target=connects, args=(port, strings))]
        for thread in hostile:
            thread.start()
        told = finish(ours(port), ours(port))
        for thread in hostile:
            thread.join()
        assert process.poll() is None
        assert len(ended) > strings * 0.99 and all(ended)
        assert sorted(floods) == [b"Error: sent a line longer than 1024 bytes", b"Error: sent more than 64 lines that nobody asked for"]
        assert len(halved) > idle * 0.99 and set(halved) == {b"Error: closed the connection"}
        if idle == 200:
            silent[-1].socket.settimeout(40)
            assert silent[-1].hear() == b"Error: no OK within 30 s"
    assert sum(int(text.splitlines()[-1].split()[0]) for text, _ in told) == games
    played = list(pgn.read(tmp_path / "pgn"))
    times = [float(re.search(r"([\d.]+)s", comment)[1]) for game in played for comment in game.comments]
    print(f"{len(times)} moves, the longest took {max(times):.3f} s")
    assert len(played) == games and max(times) < 0.5, max(times)
