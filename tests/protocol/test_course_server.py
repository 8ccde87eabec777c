"""The course's server and clients in one process, over sockets: with each other, with a minimal agent, and with raw
connections.
"""

import contextlib
import re
import socket

import matches
import pytest
from course_sessions import COURSE, Agent, Playing, Raw, Serving, introduced

from pawnstorm import pgn
from pawnstorm.core import native
from pawnstorm_protocol.client.pump import SECOND, now_ns, pump
from pawnstorm_protocol.course import contest, server
from pawnstorm_protocol.course.agent import LINE_TIMEOUT
from pawnstorm_protocol.course.agent import Agent as Connection
from pawnstorm_protocol.course.dialects import DIALECTS

START_BLACK = "8/5p2/5p1p/8/5PP1/8/8/8 b"
PASSING = "8/8/8/8/1p6/1P6/P7/8 w - - 0 1"  # after a2a4 Black can only take in passing


@pytest.fixture(scope="module", autouse=True)
def core():
    native.core()  # its first build takes longer than an agent waits


@pytest.fixture(autouse=True)
def asks(request, monkeypatch):
    """Nobody is waited for to ask for a tournament; where a test is about that, for as long as it takes."""
    monkeypatch.setattr(contest, "TOURNAMENT_TIMEOUT", 1000 * SECOND if "tournament" in request.node.name else 0)


def pair(serving, *words, agent=()):
    """(the minimal agent, our client) at a server, the agent first."""
    theirs = Agent(serving.port, *agent)
    serving.ready(1)
    return theirs, Playing(serving.port, *COURSE, *words)


# Games.


def test_a_minimal_agent_asks_for_a_tournament_of_six_games():
    with Serving("--sessions", 1, "--time", 1) as serving:
        theirs, ours = pair(serving, agent=("tournament=6", "suffix", "late"))
        reports = theirs.join()
        assert not ours.join() and "agent-2 " in serving.join()
    assert [report.split()[1] for report in reports] == ["W", "B"] * 3
    assert [won for won, _ in ours.results] == [report.startswith("lost") for report in reports]
    assert sum(line == "agent-2 < exit" for line in serving.log) == [won for won, _ in ours.results].count(False)


def test_the_pgn_has_what_an_agent_says_of_its_searches():
    """And of a UCI engine's, but nothing of a player who does not say it."""
    with Serving("--sessions", 1, "--time", 1) as serving:
        theirs, ours = pair(serving, agent=("info",))
        theirs.join()
        ours.join()
        serving.join()
    (text,) = serving.games
    (game,) = pgn.games(text)
    moves = [pgn.parse_comment(comment, False) for comment in game.comments]
    assert [(move.depth, move.nodes) for move in moves[::2]] == [
        (2 + n, 100 * n) for n in range(1, len(moves[::2]) + 1)
    ]
    assert {(move.depth, move.nodes) for move in moves[1::2]} == {(None, None)}
    with Serving("--engine", matches.fake("good"), "--sessions", 1, "--time", 1) as serving:
        Agent(serving.port).join()
        serving.join()
    (game,) = pgn.games(*serving.games)
    moves = [pgn.parse_comment(comment, False) for comment in game.comments]
    assert {(move.depth, move.nodes) for move in moves[1::2]} == {(3, 100)}


@pytest.mark.parametrize(
    "words",
    [
        *(("--dialect", name) for name in DIALECTS),
        ("--greeting", "Connected with client!", "--newline", "crlf", "--order", "time-setup"),
        ("--greeting", "Connected", "--role", "Color W", "--move", "MOVE e2e4", "--newline", "none"),
        ("--greeting", "Welcome"),
    ],
)
def test_the_client_understands_every_dialect(words):
    with Serving("--time", 1, "--sessions", 1, "--fen", "8/3p4/8/8/8/8/4P3/8 b - - 0 1", *words) as serving:
        clients = [Playing(serving.port) for _ in range(2)]
        assert "wins after" in serving.join()
        for client in clients:
            client.join()
        assert sorted(won for client in clients for won, _ in client.results) == [False, True]


def test_black_begins_where_the_position_says_so():
    with Serving("--fen", START_BLACK, "--time", 1, "--sessions", 1) as serving:
        theirs, ours = pair(serving)
        assert theirs.join()[0].startswith("lost W ") and "Black wins after" in serving.join()
        ours.join()
    assert "won as Black" in ours.notes[0]


def test_our_client_switches_to_ghost_pawns_with_a_warning():
    with Serving("--en-passant", "ghost", "--fen", PASSING, "--sessions", 1) as serving:
        theirs, ours = pair(serving, agent=("ghost", "bare", "moves=a2a4,a4a5,a5a6"))
        assert theirs.join() == ["lost W 6"]
        ours.join()
    assert "ghost" in ours.notes[0] and "won as Black after 6 plies: far rank reached" in ours.notes[1]


def test_en_passant_switched_off():
    with Serving("--en-passant", "off", "--fen", PASSING, "--sessions", 1) as serving:
        theirs, ours = pair(serving, "--en-passant", "off", agent=("crlf", "moves=a2a4"))
        assert theirs.join() == ["won W 1"] and "no move left" in serving.join()
        ours.join()
    assert "lost as Black after 1 ply:" in ours.notes[0] and "agent-2 < exit" in serving.log


@pytest.mark.parametrize("word, plies, reason", [("resign=2", 2, "resigns"), ("mute=1", 0, "has used up its 0.12 s")])
def test_games_that_do_not_end_on_the_board(word, plies, reason):
    with Serving("--time", 0.002 if word == "mute=1" else 1, "--sessions", 1) as serving:
        theirs, ours = pair(serving, agent=(word,))
        assert f"Black wins after {plies} plies: White {reason}" in serving.join()
        assert theirs.join() == [f"lost W {plies}"] and not ours.join()
    assert plies == 0 or f"won as Black after {plies} plies: the opponent has left" in ours.notes[0]


@pytest.mark.parametrize(
    "said, broken, note",
    [
        (b"Error: the server is full\n", True, "warning: the server says 'Error: the server is full'"),
        (b"Setup Wa2 Bh7\nTime 1\nReset\n", True, ""),
        (b"Setup Wa7 Bh7\nTime 1\nReset\nBegin\n", False, "game 1: won as White"),
        (
            b"Setup Wa7 Bh7\nTime 1\nTournamentAccepted 1\nReset\nBegin\n|GameOver WHITE plies=1\nReset\n",
            False,
            "game 1: won as White",
        ),
        (
            b"Setup Wa7 Bh7\nTime 1\nTournamentAccepted 2\nReset\nBegin\n|GameOver WHITE plies=1\nReset\n",
            True,
            "game 1: won as White",
        ),
        (b"Setup Wa6 Bh7\nTime 1\nReset\na6a7\n", True, ""),
    ],
)
def test_a_client_knows_whether_the_server_has_broken_something_off(said, broken, note):
    """The course's own server ends a tournament by one more Reset, which breaks nothing off."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = Playing(listener.getsockname()[1], *COURSE)
        with listener.accept()[0] as connection, connection.makefile("rb") as lines:
            for part in said.split(b"|"):
                connection.sendall(part)
                while b"Begin" in part and lines.readline() != b"a7a8\n":
                    pass
            connection.shutdown(socket.SHUT_WR)
            assert client.join() is broken and any(line.startswith(note) for line in client.notes or [""])


# Who says what, and when.


def test_who_does_not_begin_with_ok_is_told_so():
    with Serving() as serving:
        for said, reason in (
            (b"ok\n", b"Error: expected OK, not 'ok'"),
            (b"x" * 5000, b"Error: sent a line longer than 1024 bytes"),
            (b"\xff\x00\n", b"Error: expected OK"),
            (b"e2e4", b"Error: expected OK, not 'e2e4'"),
            (b"z\n" * 500, b"Error: sent more than 64 lines"),
        ):
            with Raw(serving.port) as stranger:
                stranger.say(said)
                assert stranger.hear().startswith(reason) and stranger.hear() == b""


@pytest.mark.parametrize(
    "words, heard, answer, told",
    [
        ((), b"Connected", b"OK\n", b"Error: answers a greeting only: start the server with --greeting Connected"),
        (
            (),
            b"Connected",
            b"",
            b"Error: no OK within 0.1 s, not even to 'Connected'; if it waits for a Setup, start the server with --dialect welcome",
        ),
        (("--greeting", "Hello"), b"Hello", b"", b"Error: no OK within 0.1 s"),
    ],
)
def test_an_agent_that_waits_for_a_greeting_is_told_from_a_silent_one(words, heard, answer, told, monkeypatch):
    monkeypatch.setattr(server, "OK_TIMEOUT", SECOND // 10)
    monkeypatch.setattr(server, "GREETING_TIMEOUT", 60 * SECOND if answer else SECOND // 10)
    with Serving(*words) as serving, Raw(serving.port) as agent:
        assert agent.hear() == heard
        agent.say(answer)
        assert agent.hear() == told


def test_a_fault_ends_the_game_for_both():
    with Serving("--concurrency", 8) as serving:
        for said, reason in (
            (b"exit\n", b""),
            (b"what\n" * 100, b"Error: sent more than 64"),
            (b"OK\n" * 100, b"Error: sent more than 64"),
            (b"y" * 2000, b"Error: sent a line"),
        ):
            with introduced(serving.port) as (one, two):
                one.say(said)
                assert [two.hear(), two.hear(), two.hear()] == [b"exit", b"GameOver BLACK plies=0", b""]
                assert one.hear().startswith(reason or b"GameOver BLACK plies=0") and one.hear() == b""


def test_who_plays_against_the_rules_is_told_what_was_expected():
    with Serving() as serving, introduced(serving.port) as (one, two):
        one.say(b"e7e6\n")
        told = one.hear()
        assert told.startswith(b"Illegal e7-e6: expected a2-a3 or a2-a4 or ") and told.endswith(b" or 8 others")
        assert [one.hear(), one.hear()] == [b"GameOver BLACK plies=0", b""]
        assert [two.hear(), two.hear(), two.hear()] == [b"exit", b"GameOver BLACK plies=0", b""]


def test_nothing_is_told_where_no_line_could_be_told_from_the_next():
    with Serving("--newline", "none") as serving, Raw(serving.port) as one, Raw(serving.port) as two:
        for agent in (one, two):
            agent.say(b"OK\n")
        for said in (b"Setup ", b"Time 30"):
            for agent in (one, two):
                assert agent.socket.recv(1024).startswith(said)
                agent.say(b"OK\n")
        assert one.socket.recv(1024) == b"Begin"
        one.say(b"e2e5\n")
        assert one.lines.read() == b"GameOver BLACK plies=0"


def test_an_agent_that_plays_against_the_rules_stays_for_the_next_game_of_a_tournament():
    with Serving("--sessions", 1) as serving:
        with Raw(serving.port) as one:
            one.say(b"OK\n")
            serving.ready(1)
            ours = Playing(serving.port, *COURSE)
            one.answer((b"Setup ", b"OK\n"), (b"Time", b"OK\nTOURNAMENT 2\n"), (b"TournamentAccepted 2", b""))
            one.answer((b"Reset", b"Ready\n"), (b"Begin", b"e2e5\n"), (b"Illegal ", b""), (b"GameOver BLACK", b""))
            one.answer((b"Reset", b"Ready\n"), (b"", b"a2a3\n"), (b"Illegal a2-a3: ", b""), (b"GameOver WHITE", b""))
        ours.join()
    assert [won for won, _ in ours.results] == [True, True]


def test_an_agent_that_vanishes_has_lost():
    with Serving() as serving, introduced(serving.port) as (one, two):
        two.__exit__()
        assert [one.hear(), one.hear(), one.hear()] == [b"exit", b"GameOver WHITE plies=0", b""]
        assert "Black closed the connection" in serving.said[0]


def test_an_agent_may_resign_while_the_other_one_thinks():
    with Serving("--name", "Ann", "--name", "Bob") as serving, introduced(serving.port) as (one, two):
        two.say(b"exit\n")
        over = b"GameOver WHITE plies=0"
        assert [one.hear(), one.hear()] == [b"exit", over] and two.hear() == over
        assert "game 1: Ann - Bob: White wins after 0 plies: Black resigns" in serving.said.expect("game 1")
        assert '[White "Ann"]' in serving.games[0] and "Bob < exit" in serving.log


@pytest.mark.parametrize("first", [True, False])
def test_an_agent_whose_opponent_goes_before_the_game_gets_another_one(first):
    with Serving("--sessions", 1, "--time", 1) as serving, contextlib.ExitStack() as stack:
        theirs = None
        if first:
            theirs = Agent(serving.port)
            serving.ready(1)
        stranger = stack.enter_context(Raw(serving.port))
        stranger.say(b"OK\n")
        serving.ready(1 + first)
        if not first:
            theirs = Agent(serving.port)
        assert stranger.hear().startswith(b"Setup ")
        stranger.__exit__()
        serving.said.expect(f"agent-{1 + first} is sent away")
        Playing(serving.port, *COURSE).join()
        assert len(theirs.join()) == 1  # the minimal agent would not bear to hear the Setup twice
        assert re.search(f"game 1: agent-{2 - first} - agent-3: .* wins after", serving.join())


def test_who_is_silent_after_ok_costs_nobody_a_game(monkeypatch):
    monkeypatch.setattr(server, "ANSWER_TIMEOUT", 1000 * SECOND)  # so that nobody's game can wait for their faults
    with Serving("--sessions", 1, "--time", 1) as serving, contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Raw(serving.port)) for _ in range(8)]
        for raw in silent:
            raw.say(b"OK\n")
        assert all(raw.hear().startswith(b"Setup ") for raw in silent)
        for raw in silent[:2]:
            raw.__exit__()
        clients = [Playing(serving.port, *COURSE) for _ in range(2)]
        assert "wins after" in serving.join() and not any(client.join() for client in clients)


def test_who_does_not_come_to_the_first_game_of_a_tournament_has_lost_it():
    with Serving("--sessions", 1, "--time", 1) as serving:
        theirs = Agent(serving.port, "tournament=2")
        serving.ready(1)
        with Raw(serving.port) as stranger:
            stranger.say(b"OK\n")
            stranger.answer((b"Setup ", b"OK\n"), (b"Time", b"OK\n"), (b"TournamentAccepted 2", b""))
        assert (
            theirs.join() == ["won W 0"] and "White wins after 0 plies: Black closed the connection" in serving.join()
        )


@contextlib.contextmanager
def connection():
    """(a raw connection, the server's Agent for it)."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        Raw(listener.getsockname()[1]) as theirs,
        listener.accept()[0] as accepted,
    ):
        yield theirs, Connection(accepted, "agent", DIALECTS["course"])


def test_a_move_without_an_end_counts_where_it_has_come_in_time():
    with connection() as (theirs, agent):
        theirs.say(b"e2e4")
        assert pump((agent,), lambda: agent.inbox, now_ns() + LINE_TIMEOUT // 5) and agent.poll_move()[0] == "e2e4"


def test_half_lines_and_late_ends_make_one_move():
    with connection() as (theirs, agent):
        theirs.say(b"e2")
        assert (
            pump((agent,), lambda: agent.line_buffer.partial == b"e2", now_ns() + 60 * SECOND)
            and agent.timeout_at is None
        )
        for said, move in (b"e4", "e2e4"), (b"e7e5\r\n", "e7e5"):  # the first has no newline at all
            theirs.say(said)
            assert pump((agent,), lambda: agent.inbox, now_ns() + 60 * SECOND) and agent.poll_move()[0] == move
        assert not agent.line_buffer.partial


# Hostile connections.


def test_a_full_server_sends_the_longest_silent_away(monkeypatch):
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 20)
    with Serving() as serving, contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Raw(serving.port)) for _ in range(20)]
        late = [stack.enter_context(Raw(serving.port)) for _ in range(3)]
        for raw in silent[:3]:
            assert raw.hear() == b"Error: the server is full, and this connection was silent"
        for raw in late[:2]:
            raw.say(b"OK\n")
        assert late[0].hear().startswith(b"Setup ")


def test_hostile_agents_that_wait_for_an_opponent_are_sent_away():
    def flood(what):
        with Raw(serving.port) as raw:
            with contextlib.suppress(OSError):
                raw.say(b"OK\n" + what * (100_000 // len(what)))
            told.append(raw.hear()[:24])

    with Serving() as serving, introduced(serving.port) as (one, two):
        told = []
        for what in (b"OK\n", b"e2e4\n", b"\0"):
            flood(what)
        assert told == [b"Error: sent more than 64"] * 2 + [b"Error: sent a line longe"]
        one.say(b"e2e4\n")
        assert two.hear() == b"e2e4"
