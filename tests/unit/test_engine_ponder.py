"""Pondering: what waits for ponderhit, and what its clock then allows."""

import time

import pytest
from engine_player import player, start  # noqa: F401
from processes import wait_until

from pawnstorm.search import time_budget


@pytest.mark.parametrize(
    "end, limits",
    [
        ("ponderhit", {"movetime": 60}),
        ("ponderhit", {"depth": 1}),  # it has found all, and waits too
        ("stop", {"movetime": 10_000}),
    ],
)
def test_ponder_waits_for_ponderhit_or_stop(end, limits, player):
    player.go(start(), ponder=True, **limits)
    player.silent(0.15)
    getattr(player.engine, end)()
    player.answer()


def test_clock_runs_from_ponderhit_not_before(player):
    """The hard limit at least: that of `movetime` is all there is."""
    player.go(start("breakthrough"), ponder=True, movetime=300)
    player.silent(0.1)
    hit = time.monotonic()
    player.engine.ponderhit()
    player.answer()
    assert time.monotonic() - hit > 0.25


@pytest.mark.compiled
def test_ponderhit_answers_at_once_where_pondering_has_found_enough(player, monkeypatch):
    """No further iteration is waited for, though the clock would allow one."""
    monkeypatch.setattr(time_budget.TimeManager, "should_stop", lambda manager, soft, left: True)
    player.go(start("breakthrough"), ponder=True, clock=(10**8, 0))
    player.silent()
    control = player.engine._control
    wait_until(lambda: control.stop_on_ponderhit)  # a score that falls meanwhile opens the question again
    player.engine.ponderhit()
    assert control.stopping
    player.answer()


@pytest.mark.compiled
def test_ponderhit_lets_an_open_question_be_thought_about(player, monkeypatch):
    """The time manager says no until it is asked with a clock that runs, and then it is told what that clock has left,
    counted from ponderhit.
    """
    asked = []
    monkeypatch.setattr(
        time_budget.TimeManager, "should_stop", lambda manager, soft, left: asked.append(left) or left < 10**8
    )
    player.go(start("breakthrough"), ponder=True, clock=(10**7, 0))
    player.silent(0.2)
    assert min(asked) > 10**8 and not player.engine._control.stop_on_ponderhit
    hard, hit = player.engine._control.budget[1], time.monotonic()
    player.engine.ponderhit()
    player.answer()
    assert hard - 1000 * (time.monotonic() - hit) - 1 <= asked[-1] <= hard


@pytest.mark.compiled
def test_time_spent_pondering_counts(player):
    player.go(start("breakthrough"), ponder=True, clock=(600, 0))
    player.silent()
    assert player.engine._control.budget[1] < 100
    wait_until(lambda: player.engine._control.stop_on_ponderhit)
    player.engine.stop()
    player.answer()


def test_ponderhit_without_ponder_changes_nothing(player):
    player.go(start(), infinite=True)
    player.engine.ponderhit()
    player.silent()
    player.engine.stop()
    player.answer()


def test_second_ponderhit_changes_nothing(player):
    """The clock that the first one started keeps running."""
    player.go(start("breakthrough"), ponder=True, movetime=600_000)
    player.silent()
    player.engine.ponderhit()
    control = player.engine._control
    first = control.timer, control.ponderhit_at
    player.engine.ponderhit()
    assert first[0] is not None and (control.timer, control.ponderhit_at) == first
    player.silent()
    player.engine.stop()
    player.answer()
