"""The opening book is played in timed games at full strength, and nowhere else."""

import io
import time

import pytest
import uci_audit
from boards import board, play
from engine_player import Player
from repertoires import ship  # noqa: F401  a fixture

from pawnstorm import Board as PublicBoard
from pawnstorm import Engine, Limit
from pawnstorm.games.notation import move_text, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.uci import UCIEngine

pytestmark = pytest.mark.compiled
RULES = get_rules("breakthrough5x5")
START = Board.start(RULES)
AFTER = play(START, "a2a3")
REPLIES = {"b4b3": (15, 30), "c4c3": (15, 25), "e4e3": (1, 21)}


@pytest.fixture
def booked(ship):
    """An opening book with one move and its mirror image at the start, and three replies to another move."""
    moves = {
        START: [(parse_move(START, "b2c3"), 15, -12)],
        AFTER: [(parse_move(AFTER, text), *numbers) for text, numbers in REPLIES.items()],
    }
    ship(moves)


@pytest.fixture
def unlucky(monkeypatch):
    """Every pick is the first in the book's order."""
    monkeypatch.setattr("pawnstorm.openings.repertoire.os.urandom", bytes)


def test_moves_by_lot_are_played_at_once_with_their_scores(booked):
    one, seen = Player(), set()
    for _ in range(60):
        begun = time.monotonic()
        best = move_text(AFTER, one.play(AFTER, movetime=5000))
        (info,) = one.infos
        assert time.monotonic() - begun < 2 and one.engine.nodes == info.nodes == 0
        assert info.score == REPLIES[best][1] and info.pv[0] == parse_move(AFTER, best)
        seen.add(best)
    assert {"b4b3", "c4c3"} <= seen  # the chance that one is missing is 2 in 10^16


@pytest.mark.parametrize("limits", [{"movetime": 5000}, {"clock": (10**6, 0)}, {"clock": (1, 0)}, {"clock": (None, 0)}])
def test_every_timed_search_uses_it(limits, booked, unlucky):
    one = Player()
    assert move_text(START, one.play(START, **limits)) == "b2c3" and one.engine.nodes == 0


@pytest.mark.parametrize(
    "limits, settings",
    [
        ({"depth": 3}, {}),
        ({"nodes": 1000}, {}),
        ({"infinite": True}, {}),
        ({"infinite": True, "movetime": 50}, {}),
        ({"mate": 2}, {}),
        ({"prove": True, "movetime": 50}, {}),
        ({"movetime": 50, "searchmoves": [parse_move(START, "b2c3")]}, {}),
        ({"movetime": 50}, {"own_book": False}),
        ({"movetime": 50}, {"multipv": 2}),
        ({"movetime": 50}, {"elo": 1500}),
    ],
)
def test_searches_that_use_no_opening_book(limits, settings, booked):
    one = Player(**settings)
    one.go(START, **limits)
    time.sleep(0.05)
    one.engine.stop()
    one.answer()
    assert one.engine.nodes > 0


def test_position_that_is_not_in_the_book_is_searched(booked):
    one, other = Player(), play(START, "b2b3")
    one.play(other, movetime=20)
    assert one.engine.nodes > 0


def test_while_pondering_the_book_move_waits_for_ponderhit(booked, unlucky):
    one = Player()
    one.go(AFTER, ponder=True, clock=(10**6, 0))
    one.silent()
    one.engine.ponderhit()
    assert move_text(AFTER, one.answer()) == "b4b3" and one.engine.nodes == 0


def test_a_win_that_the_last_search_has_proven_goes_before_the_book(ship):
    won = board("1p1pp/2p2/1P3/4P/P2P1 w - - 0 1", "breakthrough5x5")
    one = Player(own_book=False)
    best = one.play(won, movetime=200)
    assert one.infos[-1].score > 29_000
    reply = won.push(best).moves()[0]
    second = won.push(best).push(reply)
    ship({second: [(move, 15, 0) for move in second.moves()]})
    one.engine.own_book = True
    assert not second.is_game_over()
    one.play(second, movetime=200)
    assert one.infos[-1].score > 29_000
    other = Player()
    other.play(second, movetime=200)
    assert other.infos[-1].score == 0 and other.engine.nodes == 0


def test_damaged_book_is_said_once_and_not_used(ship, capsys):
    ship(b"nothing")
    one = Player()
    for _ in range(2):
        one.play(START, movetime=20)
    assert one.engine.nodes > 0 and capsys.readouterr().err.count("is not a valid opening book: expected") == 1


def test_answer_in_uci_has_what_the_protocol_asks(ship):
    """A score of 0 with a line of one move is not printed, since referees take it for a draw."""
    ship({START: [(parse_move(START, "b2c3"), 15, 0)]})
    out = io.BytesIO()
    session = UCIEngine(io.BytesIO(), out)
    for line in ("setoption name UCI_Variant value breakthrough5x5", "position startpos", "go wtime 60000 btime 60000"):
        assert session.run_once(line)
    lines = out.getvalue().decode().splitlines()
    found = uci_audit.audit(uci_audit.root("breakthrough5x5"), [line for line in lines if "string" not in line])
    assert found.best in ("b2c3", "d2c3") and found.score == ("cp", 1)
    (info,) = found.infos
    assert info["pv"] == [found.best] and info["nodes"] == 0


def test_python_engine_plays_it_and_analyses_without_it(booked, unlucky):
    with Engine() as engine, Engine(own_book=False) as bookless:
        game, limit = PublicBoard("breakthrough5x5"), Limit(time=0.05)
        played = engine.play(game, limit)
        assert (played.move, played.line.nodes) == ("b2c3", 0)
        assert engine.analyse(game, limit)[0].nodes > 0 and bookless.play(game, limit).line.nodes > 0
