"""Clocks: forced moves, first moves and the last milliseconds."""

import threading
import time

import pytest
from engine_player import Player, start

from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search import time_budget
from pawnstorm.search.engine import Engine

FORCED = "8/8/8/8/3p3p/3P4/8/8 b - - 0 1"


def test_forced_move_is_reported_and_played_soon():
    board = parse_fen(get_rules("twoflags"), FORCED)
    assert len(board.moves()) == 1
    one = Player()
    start = time.monotonic()
    one.play(board, clock=(600_000, 0))
    assert time.monotonic() - start < 5


@pytest.mark.compiled
@pytest.mark.parametrize("elo", [None, 1500])
def test_last_milliseconds_are_not_spent_on_starting_threads(elo, monkeypatch):
    """Neither for the search, nor for its helpers, nor for the timer; the answer is there when go() is back."""

    def denied(thread):
        raise AssertionError(f"{thread} is started")

    one = Player(threads=3, elo=elo, own_book=False)
    monkeypatch.setattr(threading.Thread, "start", denied)
    one.go(start("breakthrough"), clock=(12, 1))
    assert one.bests and one.answer() and 0 < one.engine.nodes < time_budget.node_budget(1) + 1000


@pytest.mark.compiled
def test_last_milliseconds_are_kept_by_nodes_where_a_timer_would_come_late(monkeypatch):
    """The timer never comes here; with time in plenty, or while pondering, there is no such limit."""
    monkeypatch.setattr(Engine, "_start_timer", lambda engine, control: True)
    monkeypatch.setattr(time_budget.TimeManager, "should_stop", lambda manager, soft, left: False)
    one = Player(own_book=False)
    one.play(start("breakthrough"), clock=(20, 0))
    assert one.engine.nodes < time_budget.node_budget(1) + 1000
    for limits in ({"clock": (60_000, 0)}, {"clock": (20, 0), "ponder": True}):
        one.go(start("breakthrough"), **limits)
        one.silent(0.1)
        one.engine.stop()
        one.answer()
        assert one.engine.nodes > 10 * time_budget.node_budget(1)


def test_moves_ahead_are_those_of_the_board():
    """The first move of a clock gets more where fewer moves are to be thought about."""
    softs = []
    for board in (
        start("breakthrough"),
        parse_fen(get_rules("breakthrough"), "pppp4/pppp4/8/8/8/8/PPPP4/PPPP4 w - - 0 1"),
        start(),
    ):
        one = Player()
        one.play(board, clock=(60_000, 0), depth=1)
        softs.append(one.engine._control.budget[0])
    assert softs[0] < softs[1] == softs[2]
