"""Tournaments of the course between real processes, and an engine that plays an agent."""

import re
import socket

import matches
from course_processes import core, ours, server  # noqa: F401
from course_sessions import COURSE, Playing, Serving

from pawnstorm import pgn


def test_our_clients_play_a_tournament(tmp_path):
    with (
        server("--games", 6, "--time", 1, "--sessions", 1, "--pgn", tmp_path / "pgn") as (process, port),
        ours(port) as one,
        ours(port) as two,
    ):
        told = [each.finish() for each in (one, two, process)]
    games = list(pgn.read(tmp_path / "pgn"))
    assert len(games) == 6 and {game.tags["Termination"] for game in games} == {"normal"}
    names = [games[0].tags["White"], games[0].tags["Black"]]
    assert [game.tags["White"] for game in games] == names * 3 and sorted(names) == ["agent-1", "agent-2"]
    won = [int(text.splitlines()[-1].split()[0]) for text, _ in told[:2]]
    assert sum(won) == 6 and not any(error for _, error in told)
    assert sorted(won) == sorted(map(int, re.findall(r"agent-\d (\d+)", told[2][0].splitlines()[-1])))


def test_an_agent_plays_an_engine():
    words = ("--option", "Hash=1", "--colour", "black", "--name", "Ann", "--games", 1, "--time", 1, "--sessions", 1)
    with Serving("--engine", matches.fake("good"), *words) as serving:
        Playing(serving.port, *COURSE).join()
        told = serving.join()
    clocks = [line for line in serving.log if " > go " in line]
    assert clocks and all(re.search(r" > go wtime \d+ btime \d+ winc 0 binc 0$", line) for line in clocks), clocks
    assert ": normal" not in told and '[Termination "normal"]' in serving.games[0], told
    assert '[Black "Ann"]' in serving.games[0]


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
