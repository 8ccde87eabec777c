"""An agent of the course as an engine of a match."""

import contextlib
import shlex
import socket
import sys
import threading
import time

import course_agent
import matches
import pytest
from client import ROOT

from pawnstorm.protocol.client.pump import SECOND, EngineFault, now, pump
from referee import agent_client, agent_keys, commandline, game, opening_book
from referee.agent_client import CourseAgent

START = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"
BLACK_FIRST = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"
DEADLINE = 30  # seconds that only a hang takes


def line(port, *more, agent=()):
    return [
        "-engine",
        "proto=course",
        f"port={port}",
        *agent,
        "-engine",
        f"cmd={matches.fake('good')}",
        "-each",
        "tc=60",
        *map(str, more),
    ]


def parsed(*words):
    return commandline.parse(["-engine", "proto=course", "port=9", *words, "-engine", "cmd=y", "-each", "tc=60"])


def program(port, *words):
    return " ".join([sys.executable, str(ROOT / "tests" / "course_agent.py"), str(port), *words])


def ours(port, log, *words):
    return shlex.join(
        [
            sys.executable,
            "-m",
            "pawnstorm",
            "course",
            "--connect",
            f"127.0.0.1:{port}",
            "--nodes",
            "300",
            "--hash",
            "1",
            "--log",
            str(log),
            *words,
        ]
    )


@contextlib.contextmanager
def agents(port, *words, games=2):
    """The minimal agent of course_agent.py in a thread of its own, which comes for so many games."""
    left = games

    def run():
        nonlocal left
        deadline = time.monotonic() + DEADLINE
        while left > 0 and time.monotonic() < deadline:
            try:
                agent = course_agent.Agent(port, words)
            except ConnectionRefusedError:  # the match does not listen yet
                time.sleep(0.005)
                continue
            left -= 1
            with agent, contextlib.suppress(SystemExit):
                agent.run()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    except BaseException:
        left = 0
        raise
    finally:
        thread.join(DEADLINE)
    assert not thread.is_alive()


def said(log):
    """(mark, text) of each line of a log."""
    return [tuple(line.split(" ", 3)[2:]) for line in log.read_text().splitlines() if line.count(" ") > 2]


# Whole matches.


def test_an_agent_that_stays_plays_every_game_with_both_colours(tmp_path):
    port, book, log = matches.free_port(), tmp_path / "two.epd", tmp_path / "log"
    book.write_text(f"{START}\n{BLACK_FIRST}\n")
    records = matches.play_words(
        line(
            port,
            "-openings",
            f"file={book}",
            "-rounds",
            2,
            agent=[f"cmd={ours(port, log, '--tournament', '4')}", f"dir={ROOT}", "firstmove=either"],
        )
    )
    assert [record["reason"] for record in records] == ["normal"] * 4
    assert [record["opening"][:5] for record in records] == ["8/ppp"] * 2 + ["8/5p2"] * 2
    lines = said(log)
    assert lines.count(("<", "Reset")) == 4 and lines.count((">", "TOURNAMENT 4")) == 1
    lost = sum((record["result"] == "0-1") == (record["game"] % 2 == 1) for record in records)
    assert lines.count((">", "exit")) == lost and sum(text.startswith("GameOver") for _, text in lines) == 4


@pytest.mark.parametrize(
    "words, reason",
    [("eager", "normal"), ("bare", "normal"), ("resign=3", "resign"), ("forfeit", "resign"), ("mute=2", "hang")],
)
def test_how_a_game_with_an_agent_ends(words, reason, monkeypatch):
    monkeypatch.setattr(game, "GRACE", SECOND // 10)
    port = matches.free_port()
    with agents(port, words, games=1):
        (record,) = matches.play_words(line(port, "-games", 1, agent=["tc=0.2"] if reason == "hang" else []))
    assert record["reason"] == reason and (reason == "normal" or record["result"] == "0-1"), record


@pytest.mark.parametrize("words", [(), ("company",)])
def test_an_agent_is_started_for_each_game(words):
    port = matches.free_port()
    records = matches.play_words(line(port, agent=[f"cmd={program(port, *words)}"]))
    assert [record["reason"] for record in records] == ["normal"] * 2


def test_what_an_agent_says_when_it_dies_is_told(tmp_path):
    port = matches.free_port()
    source = (
        f"import socket; s = socket.create_connection(('127.0.0.1', {port})); s.sendall(b'OK'); s.recv(9)\n"
        "raise RuntimeError('no Setup')"
    )
    records = matches.play_words(line(port, "-games", 1, agent=[f"cmd={shlex.join([sys.executable, '-c', source])}"]))
    assert [record["reason"] for record in records] == ["start"]
    assert "exited with status 1: RuntimeError: no Setup" in records[0]["detail"], records


def test_an_agent_that_stays_hears_of_no_game_that_it_was_not_called_to(tmp_path):
    port, log = matches.free_port(), tmp_path / "log"
    words = line(port, agent=[f"cmd={ours(port, log, '--tournament', '4')}", f"dir={ROOT}"])
    words[words.index(f"cmd={matches.fake('good')}")] = f"cmd={matches.fake('mortal', tmp_path / 'fake')}"
    records = matches.play_words(words)
    assert [record["reason"] for record in records] == ["normal", "start"] and records[1]["result"] == "0-1"
    lines = said(log)
    assert lines.count(("<", "Reset")) == sum(text.startswith("GameOver") for _, text in lines) == 1


def test_a_game_has_the_en_passant_of_its_agent(tmp_path):
    port, book = matches.free_port(), tmp_path / "passing.epd"
    book.write_text("8/8/8/8/1p6/1P6/P7/8 w - - 0 1\n")
    with agents(port, "ghost", "moves=a2a4,a4a5,a5a6", games=1):
        (record,) = matches.play_words(
            [
                "-engine",
                "proto=course",
                f"port={port}",
                "enpassant=ghost",
                "-engine",
                f"cmd={shlex.join([sys.executable, '-m', 'pawnstorm'])}",
                f"dir={ROOT}",
                "nodes=100",
                "-each",
                "tc=60",
                "-openings",
                f"file={book}",
                "-games",
                "1",
            ]
        )
    assert record["variant"] == "twoflags-ghost" and record["reason"] == "normal", record
    assert [move[0] for move in record["moves"]][:3] == ["a2a4", "b4a3", "a4a5"]


# The words.


@pytest.mark.parametrize(
    "words, part",
    [
        ("proto=course", "without port=N"),
        ("proto=course port=99999", "'99999'"),
        ("proto=course port=9 tc=0+1", "tc='0+1'"),
        ("cmd=x port=9", "port='9' is for proto=course only"),
        ("proto=telnet", "'telnet' is not one of uci, course"),
        ("proto=course port=9 nodes=3", "tc=TIME"),
        ("cmd=x enpassant=ghost", "enpassant='ghost' is for proto=course only"),
        ("proto=course port=9 enpassant=on", "'on' is not one of standard, ghost, off"),
        ("proto=course port=9 dialect=french", "'french' is no dialect: expected course, welcome"),
        ("proto=course port=9 role=Red", "'Red' does not tell White its colour: expected White or W"),
        ("proto=course port=9 move=MOVE", "expected e2e4 in it"),
        ("proto=course port=9 newline=cr", "'cr' is no newline"),
        ("proto=course port=9 firstmove=black", "'black' is not one of white, either"),
    ],
)
def test_wrong_words_are_named(words, part):
    with pytest.raises(commandline.UsageError) as caught:
        commandline.parse(["-engine", *words.split(), "-engine", "cmd=y", "tc=1"])
    assert part in str(caught.value)


@pytest.mark.parametrize(
    "flags, part",
    [
        (["-variant", "breakthrough"], "'breakthrough'"),
        (["-concurrency", "2"], "'2'"),
        (["-cluster", "local:2"], "'local:2'"),
    ],
)
def test_what_the_protocol_has_no_words_for_is_refused(flags, part):
    with pytest.raises(commandline.UsageError, match="proto=course") as caught:
        commandline.parse(line(9999, *flags))
    assert part in str(caught.value)


def test_agents_that_disagree_about_en_passant_cannot_meet():
    words = [
        "-engine",
        "proto=course",
        "port=9",
        "enpassant=ghost",
        "-engine",
        "proto=course",
        "port=10",
        "-engine",
        "cmd=y",
        "-each",
        "tc=60",
    ]
    with pytest.raises(commandline.UsageError, match="agents that play ghost and standard cannot meet"):
        commandline.parse(words)
    asked = commandline.parse(["-engine", "cmd=y", *words[:7], *words[9:], "-tournament", "gauntlet"])
    first, ghost, standard = asked.engines
    assert agent_keys.rules_between(asked.rules, first, ghost).name == "twoflags-ghost"
    assert agent_keys.rules_between(asked.rules, first, standard) is asked.rules


def test_openings_have_white_to_move_unless_the_agent_reads_the_other_ones(tmp_path):
    book = tmp_path / "both.epd"
    book.write_text(f"{BLACK_FIRST}\n{START}\n")
    for words, expected in (((), [START]), (("firstmove=either",), [BLACK_FIRST, START])):
        asked = parsed(*words, "-openings", f"file={book}")
        assert opening_book.positions(asked.book, asked.rules) == expected
    book.write_text(f"{BLACK_FIRST}\n")
    asked = parsed("-openings", f"file={book}")
    with pytest.raises(opening_book.OpeningError, match="Black is to move in every opening.*firstmove=either"):
        opening_book.positions(asked.book, asked.rules)


@pytest.mark.parametrize(
    "tc, words, told, warned",
    [
        ("120", (), 120, False),
        ("90", (), 60, True),
        ("10", (), 60, True),
        ("90", ("minutes=fractions",), 90, False),
        ("90", ("dialect=assign",), 90, False),
        ("90.5", ("dialect=assign",), 90, True),
    ],
)
def test_an_agent_is_told_whole_minutes_with_a_warning(tc, words, told, warned):
    engine = parsed(*words, f"tc={tc}").engines[0]
    assert engine.agent.time(engine.control.base) == told
    warning = agent_keys.warning(engine)
    assert ("minutes=fractions" in warning and f"{tc} s" in warning) if warned else warning == ""


# How an agent is spoken to.


class Raw:
    """A connection to the port of a CourseAgent, as soon as that listens."""

    def __init__(self, port):
        deadline = time.monotonic() + DEADLINE
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.005)
        self.lines = self.socket.makefile("rb")

    def hear(self):
        return self.lines.readline().decode().strip()

    def say(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def close(self):
        self.lines.close()
        self.socket.close()


@contextlib.contextmanager
def conversation(script, *words, after=None):
    """A CourseAgent, and at the other end of the socket a thread that hears and answers what script says: pairs of
    texts or None.

    after: an event for which the thread waits before it connects.
    """
    port, failures = matches.free_port(), []

    def run():
        if after:
            after.wait(DEADLINE)
        raw = Raw(port)
        try:
            for expected, answer in script:
                heard = raw.hear() if expected else None
                assert not expected or heard.startswith(expected), (expected, heard)
                if answer:
                    raw.say(answer)
            raw.hear()  # the end
        except BaseException as error:
            failures.append(error)
        finally:
            raw.close()

    agent = CourseAgent(parsed(f"port={port}", *words).engines[0])
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield agent
    finally:
        agent.quit()
        thread.join(DEADLINE)
    assert not thread.is_alive() and not failures, failures


ADAPTED = ("greeting=Connected", "role=Color W", "move=MOVE e2e4")


@pytest.mark.parametrize(
    "words, greeting, white, black, move",
    [
        ((), (None, "OK"), "Begin", None, "{}"),
        (ADAPTED, ("Connected", "OK"), "Color W", "Color B", "MOVE {}"),
        (("dialect=welcome",), ("Welcome", None), "White", "Black", "{}"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_greeting_role_and_move_are_told_as_the_words_ask(words, greeting, white, black, move, side):
    script = [greeting, ("Setup Wa2 ", "OK"), ("Time 1", "OK")]
    if side == 0:
        script += [(white, "e2e4"), (move.format("e7e5"), "d2d4")]
    else:
        script += [(black, None)] * bool(black) + [(move.format("e2e4"), "e7e5")]
    with conversation(script, *words) as agent:
        agent.start()
        agent.new_game(START, side)
        for moves, answer in (("", "e2e4"), (" moves e2e4 e7e5", "d2d4")) if side == 0 else ((" moves e2e4", "e7e5"),):
            agent.go("position startpos" + moves, "wtime 60000 btime 60000")
            assert pump((agent,), lambda: agent.answer, now() + DEADLINE * SECOND) and agent.answer == [
                "bestmove",
                answer,
            ]


def test_clocks_are_told_where_the_dialect_tells_them():
    script = [
        ("Connected", "OK"),
        ("1", "OK"),
        ("Setup WA2", "OK"),
        ("COLOR W", None),
        ("TIMER W:60.00 B:59.50", "e2e4"),
    ]
    with conversation(script, "dialect=timer", "newline=lf") as agent:
        agent.start()
        agent.new_game(START, 0)
        agent.go("position startpos", "wtime 60000 btime 59500")
        assert pump((agent,), lambda: agent.answer, now() + DEADLINE * SECOND)


@pytest.mark.parametrize(
    "script, words, part",
    [
        ([("Connected", "OK")], (), "has answered a greeting only; say greeting=Connected"),
        (
            [("Connected", None)],
            (),
            "has connected, and said no OK, nor to 'Connected'; if it waits for a Setup, say dialect=welcome",
        ),
        ([("Hello", None)], ("greeting=Hello",), "has connected, and did not answer 'Hello' with OK"),
        (None, (), "did not connect to port"),
    ],
)
def test_an_agent_that_waits_for_a_greeting_is_told_from_a_silent_one(script, words, part, monkeypatch):
    """Its program is one that does nothing; the thread of conversation() speaks for it, once that program has been
    started.
    """
    started = threading.Event()

    class Program(agent_client.ChildProcess):
        def __init__(self, *arguments, **keywords):
            super().__init__(*arguments, **keywords)
            started.set()  # whoever has come before has been turned away

    monkeypatch.setattr(agent_client, "ChildProcess", Program)
    monkeypatch.setattr(agent_client, "ANSWERS", SECOND // 2)
    monkeypatch.setattr(agent_client, "GREETED", (2 if script == [("Connected", "OK")] else 0.2) * SECOND)
    with contextlib.ExitStack() as stack:
        if script:
            agent = stack.enter_context(conversation(script, *words, "cmd=sleep 60", after=started))
        else:
            agent = CourseAgent(parsed(f"port={matches.free_port()}", "cmd=sleep 60").engines[0])
            stack.callback(agent.quit)
        with pytest.raises(EngineFault) as caught:
            agent.start()
    assert part in str(caught.value)
