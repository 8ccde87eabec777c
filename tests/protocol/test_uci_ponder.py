"""Point 17: `go ponder`, ended by `ponderhit` or by `stop`."""

import time

import pytest
from uci_audit import audit, root
from uci_engine import command, engine, process  # noqa: F401


@pytest.mark.parametrize(
    "limits", ["wtime 200 btime 200", "movetime 50", "depth 3", "nodes 100", "wtime 1000 btime 1000 movestogo 3"]
)
def test_17_pondering_waits_for_ponderhit(engine, limits):
    engine.ask("setoption name Ponder value true")
    engine.send(f"go ponder {limits}")
    lines = engine.quiet(0.4)
    engine.send("ponderhit")
    audit(root(), lines + engine.expect("bestmove.*"))


@pytest.mark.parametrize("limits", ["wtime 200 btime 200", "movetime 50", "depth 3", ""])
@pytest.mark.parametrize("delay", [0, 0.1])
def test_17_stop_ends_pondering_with_one_bestmove(engine, limits, delay):
    engine.send(f"go ponder {limits}".strip())
    lines = engine.quiet(delay)
    audit(root(), lines + engine.stop())
    assert engine.quiet(0.1) == []


def test_17_ponderhit_and_stop_together_give_one_bestmove(engine):
    for _ in range(20):
        engine.send("go ponder wtime 100000 btime 100000")
        engine.send("ponderhit")
        audit(root(), engine.stop())
    assert engine.quiet(0.1) == []


def test_17_ponderhit_turns_an_unlimited_search_into_an_unlimited_search(engine):
    engine.send("go ponder infinite")
    lines = engine.quiet(0.1)
    engine.send("ponderhit")
    lines += engine.quiet(0.3)
    audit(root(), lines + engine.stop())


def test_17_ponderhit_outside_pondering_changes_nothing(engine):
    engine.send("go infinite")
    engine.send("ponderhit")
    lines = engine.quiet(0.3)
    audit(root(), lines + engine.stop())


def test_17_the_time_of_a_ponderhit_is_the_time_that_was_asked_for(engine):
    """Not the time since go: 300 ms of pondering leave a movetime of 400 ms (best of three, for busy machines)."""
    waits = []
    for _ in range(3):
        engine.send("go ponder movetime 400")
        engine.quiet(0.3)
        begun = time.monotonic()
        engine.send("ponderhit")
        engine.expect("bestmove.*")
        waits.append(time.monotonic() - begun)
    assert 0.3 < min(waits) < 0.8
