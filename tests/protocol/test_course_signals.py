"""The course's server and client stopped by signals."""

import signal
import socket

import matches
import psutil
from course_processes import core, ours, server  # noqa: F401
from course_sessions import Raw, introduced
from processes import wait_until

from pawnstorm import pgn


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


def test_a_server_that_is_stopped_twice_leaves_no_engine():
    with server("--engine", matches.fake("hang"), "--time", 9) as (process, port), Raw(port) as one:
        one.say(b"OK\n")
        one.answer((b"Setup", b"OK\n"), (b"Time", b"OK\n"), (b"Begin", b"a2a3\n"))
        children = wait_until(lambda: psutil.Process(process.pid).children(recursive=True), "an engine")
        process.signal(signal.SIGINT)
        assert one.hear() == b"Error: the server was stopped"
        process.signal(signal.SIGINT)
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
        process.signal(signal.SIGHUP)
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


def test_a_server_under_nohup_outlives_its_terminal():
    with server(under=["nohup"]) as (process, port), Raw(port) as one:
        process.signal(signal.SIGHUP)
        one.say(b"e2e4\n")
        assert one.hear() == b"Error: expected OK, not 'e2e4'" and process.popen.poll() is None
