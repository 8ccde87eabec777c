"""How a match speaks to an agent of the course."""

import contextlib
import socket
import threading
import time

import matches
import pytest
from course_matches import DEADLINE, START, line, parsed

from pawnstorm_protocol.client.pump import SECOND, EngineFault, now, pump
from pawnstorm_tools.referee import agent_client
from pawnstorm_tools.referee.agent_client import CourseAgent


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


def test_an_agent_whose_move_is_illegal_hears_why():
    port, heard = matches.free_port(), []

    def play():
        raw = Raw(port)
        raw.say("OK")
        for said in "OK", "OK", "e2e5":  # to Setup, Time and Begin
            heard.append(raw.hear())
            raw.say(said)
        heard.append(raw.hear())
        raw.close()

    thread = threading.Thread(target=play)
    thread.start()
    (record,) = matches.play_words(line(port, "-games", 1))
    thread.join(DEADLINE)
    assert record["reason"] == "illegal" and record["result"] == "0-1"
    assert heard[2:] == ["Begin", "Illegal e2-e5: expected e2-e3 or e2-e4"]
