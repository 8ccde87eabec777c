"""The starter agent beside the document of the course's protocol: it plays whole games by the rules, on its own."""

import random
import re
import sys

import client
import pytest
from course_processes import core, server  # noqa: F401
from processes import Process

from pawnstorm import pgn
from pawnstorm.games.notation import move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.course import messages, starter

PATH = client.ROOT / "protocol" / "pawnstorm_protocol" / "course" / "starter.py"


@pytest.fixture
def alone(tmp_path):
    """The command of a copy of the agent, which can import nothing of ours."""
    copy = tmp_path / "agent.py"
    copy.write_bytes(PATH.read_bytes())
    return [sys.executable, "-I", "-S", copy]


@pytest.mark.parametrize("seed", range(40))
def test_its_moves_are_the_legal_ones(seed):
    """In random games, which take en passant wherever they can; Black to move first in some."""
    rng, rules = random.Random(seed), get_rules("twoflags")
    board = Board.start(rules) if seed % 4 else parse_fen(rules, "8/pp4pp/8/2p5/3P4/8/PPP4P/8 b - - 0 1")
    theirs = starter.Game(messages.setup(board))
    while not board.is_game_over():
        legal = [move_text(board, move) for move in board.moves()]
        assert sorted(theirs.moves()) == sorted(legal) and len(set(legal)) == len(legal)
        assert "WB"[board.black_to_move] == theirs.side
        passing = [text for text in legal if theirs.passed == text[2:] and text[0] != text[2]]
        text = rng.choice(passing or legal)
        board = board.push(parse_move(board, text))
        theirs.play(text)
    assert theirs.moves() == []


def test_two_of_them_play_a_tournament_by_the_rules(alone, tmp_path):
    path = tmp_path / "pgn"
    with server("--time", 1, "--sessions", 1, "--pgn", path) as (process, port):
        with Process([*alone, "127.0.0.1", port, 6]) as one, Process([*alone, "localhost", port]) as two:
            said = [each.finish() for each in (one, two, process)]
    assert [errors for _, errors in said] == [""] * 3
    games = list(pgn.read(path))
    assert len(games) == 6 and {read.tags["Termination"] for read in games} == {"normal"}
    assert {read.tags["White"] for read in games} == {"agent-1", "agent-2"}
    assert all(re.search(" wins: (far rank reached|last pawn taken|no move left)", read.last_comment) for read in games)
    for out, _ in said[:2]:
        assert out.startswith("TournamentAccepted 6\nGameOver ") and out.count("GameOver ") == 6


@pytest.mark.parametrize(
    "words, named",
    [
        (["localhost", "65536"], "'65536' is not a valid port: expected a whole number"),
        (["localhost", "1", "many"], "'many' is not a valid number of games"),
        (["localhost", "1", "2", "three"], "'three': expected nothing"),
        (["127.0.0.1", "1"], "expected a server"),
    ],
    ids=str,
)
def test_wrong_words_are_named_in_one_line(words, named, alone):
    with Process([*alone, *words]) as agent:
        out, errors = agent.finish(1)
    assert out == "" and errors.startswith("starter.py: ") and named in errors and errors.count("\n") == 1


def test_it_plays_the_engine_to_the_end(alone, tmp_path):
    engine = ("--engine", "pawnstorm", "--colour", "black", "--option", "Hash=1")
    with server(*engine, "--time", 0.05, "--sessions", 1, "--pgn", tmp_path / "pgn") as (process, port):
        with Process([*alone, "127.0.0.1", port]) as agent:
            out, errors = agent.finish()
            process.finish()
    (read,) = pgn.read(tmp_path / "pgn")
    assert read.tags["Termination"] == "normal" and errors == ""
    assert out == f"GameOver WHITE plies={len(read.moves)}\n"


def test_it_shows_why_a_move_was_illegal(alone):
    """A choose() that cheats, as a first attempt might."""
    agent = alone[-1]
    agent.write_text(agent.read_text().replace("random.choice(game.moves())", '"e2e5"', 1))
    assert '"e2e5"' in agent.read_text()
    with server("--engine", "pawnstorm", "--option", "Hash=1", "--time", 0.05, "--sessions", 1) as (process, port):
        with Process([*alone, "127.0.0.1", port]) as told:
            out, _ = told.finish()
            process.finish()
    assert out == "Illegal e2-e5: expected e2-e3 or e2-e4\nGameOver BLACK plies=0\n"
