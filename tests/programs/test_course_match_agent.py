"""How a match speaks to an agent of the course."""

import contextlib
import threading

import matches
import pytest
from course_matches import START, line, once_it_listens, parsed
from course_sessions import DEADLINE, Raw, Task

from pawnstorm_protocol.client.pump import SECOND, EngineFault, now_ns, pump
from pawnstorm_tools.referee import agent_client
from pawnstorm_tools.referee.agent_client import CourseAgent


@contextlib.contextmanager
def conversation(script, *words, after=None):
    """A CourseAgent, and at the other end of the socket a thread that hears and answers what script says: pairs of
    texts or None.

    after: an event for which the thread waits before it connects.
    """
    port = matches.free_port()

    def run():
        if after:
            after.wait(DEADLINE)
        with once_it_listens(Raw, port) as raw:
            for expected, answer in script:
                heard = raw.hear().decode() if expected else None
                assert not expected or heard.startswith(expected), (expected, heard)
                if answer:
                    raw.say(f"{answer}\n".encode())
            raw.hear()  # the end

    agent = CourseAgent(parsed(f"port={port}", *words).engines[0])
    talk = Task(run)
    try:
        yield agent
    finally:
        agent.quit()
        talk.join()


def answer(agent, position, clocks):
    """The move that it answers to go."""
    agent.go(position, clocks)
    assert pump((agent,), lambda: agent.bestmove, now_ns() + DEADLINE * SECOND) and agent.bestmove[0] == "bestmove"
    return agent.bestmove[1]


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
        for moves, own in (("", "e2e4"), (" moves e2e4 e7e5", "d2d4")) if side == 0 else ((" moves e2e4", "e7e5"),):
            assert answer(agent, "position startpos" + moves, "wtime 60000 btime 60000") == own


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
        assert answer(agent, "position startpos", "wtime 60000 btime 59500") == "e2e4"


@pytest.mark.parametrize(
    "script, words, part",
    [
        ([("Connected", "OK")], (), "has said OK only after a greeting; say greeting=Connected"),
        (
            [("Connected", None)],
            (),
            "has connected, but has not said OK, not even to 'Connected'; if it waits for a Setup, say dialect=welcome",
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
    monkeypatch.setattr(agent_client, "ANSWER_TIMEOUT", SECOND // 2)
    monkeypatch.setattr(agent_client, "GREETING_TIMEOUT", (2 if script == [("Connected", "OK")] else 0.2) * SECOND)
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
    port = matches.free_port()

    def play():
        with once_it_listens(Raw, port) as raw:
            raw.say(b"OK\n")
            raw.answer((b"Setup", b"OK\n"), (b"Time", b"OK\n"), (b"Begin", b"e2e5\n"))
            return raw.hear()

    playing = Task(play)
    (record,) = matches.play_words(line(port, "-games", 1))
    assert record["reason"] == "illegal" and record["result"] == "0-1"
    assert playing.join() == b"Illegal e2-e5: expected e2-e3 or e2-e4"
