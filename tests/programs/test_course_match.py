"""Whole matches in which an engine is an agent of the course."""

import contextlib
import shlex
import sys

import course_agent
import matches
import pytest
from client import ROOT
from course_matches import BLACK_FIRST, START, line, once_it_listens
from course_sessions import Task

from pawnstorm_protocol.client.pump import SECOND
from pawnstorm_tools.referee import game


def program(port, *words):
    return " ".join([sys.executable, str(ROOT / "tests" / "course_agent.py"), str(port), *words])


def ours(port, log, *words):
    asked = ["--connect", f"127.0.0.1:{port}", "--nodes", "300", "--hash", "1", "--log", str(log)]
    return shlex.join([sys.executable, "-m", "pawnstorm", "course", *asked, *words])


def agent_of_one_game(port, *words):
    """A thread with the minimal agent of course_agent.py."""

    def run():
        with once_it_listens(course_agent.Agent, port, words) as agent, contextlib.suppress(SystemExit):
            agent.run()

    return Task(run)


def said(log):
    """(mark, text) of each line of a log."""
    return [tuple(line.split(" ", 3)[2:]) for line in log.read_text().splitlines() if line.count(" ") > 2]


def test_an_agent_that_stays_plays_every_game_with_both_colours(tmp_path):
    port, book, log = matches.free_port(), tmp_path / "two.epd", tmp_path / "log"
    book.write_text(f"{START}\n{BLACK_FIRST}\n")
    agent = [f"cmd={ours(port, log, '--tournament', '4')}", f"dir={ROOT}", "firstmove=either"]
    records = matches.play_words(line(port, "-openings", f"file={book}", "-rounds", 2, agent=agent))
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
    monkeypatch.setattr(game, "STOP_TIMEOUT", SECOND // 10)
    port = matches.free_port()
    agent = agent_of_one_game(port, words)
    (record,) = matches.play_words(line(port, "-games", 1, agent=["tc=0.2"] if reason == "hang" else []))
    agent.join()
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
    agent = [f"cmd={ours(port, log, '--tournament', '4')}", f"dir={ROOT}"]
    records = matches.play_words(line(port, agent=agent, other=[f"cmd={matches.fake('mortal', tmp_path / 'fake')}"]))
    assert [record["reason"] for record in records] == ["normal", "start"] and records[1]["result"] == "0-1"
    lines = said(log)
    assert lines.count(("<", "Reset")) == sum(text.startswith("GameOver") for _, text in lines) == 1


def test_a_game_has_the_en_passant_of_its_agent(tmp_path):
    port, book = matches.free_port(), tmp_path / "passing.epd"
    book.write_text("8/8/8/8/1p6/1P6/P7/8 w - - 0 1\n")
    agent, other = agent_of_one_game(port, "ghost", "moves=a2a4,a4a5,a5a6"), [matches.OWN, f"dir={ROOT}", "nodes=100"]
    asked = line(port, "-openings", f"file={book}", "-games", 1, agent=["enpassant=ghost"], other=other)
    (record,) = matches.play_words(asked)
    agent.join()
    assert record["variant"] == "twoflags-ghost" and record["reason"] == "normal", record
    assert [move[0] for move in record["moves"]][:3] == ["a2a4", "b4a3", "a4a5"]
