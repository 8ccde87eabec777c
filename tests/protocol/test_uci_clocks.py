"""Points 12 to 14: `go` with a clock, sound or not, and the time that a search takes."""

import time

import pytest
from uci_audit import audit, root
from uci_engine import command, engine, process, setup  # noqa: F401


@pytest.mark.parametrize(
    "limits",
    [
        "btime 100 binc 5",
        "wtime -50 btime -50 winc -1",
        "wtime 1 btime 1 winc 1 binc 1",
        "binc 0 movestogo 5 winc 0 btime 300 wtime 300",
        "wtime 100 btime 100 movestogo -3",
        "movetime 0",
        "nodes 2000 depth 50",
        "wtime 99999999999999999999999 depth 2",
        "depth 99999999999999999999999 nodes 1000",
    ],
)
def test_12_go_is_answered_by_a_legal_move_whatever_its_clock_says(engine, limits):
    """And without a complaint: a time below nought is one that has run out."""
    lines = engine.go(limits)
    assert not any(line.startswith("info string") for line in lines)
    audit(root(), lines)
    black = root(moves="a2a4")
    setup(engine, black)
    audit(black, engine.go(limits.replace("btime", "xtime").replace("wtime", "btime").replace("xtime", "wtime")))


def test_13_movetime_is_honoured(engine):
    """The bound below is the promise; the one above leaves a busy machine three chances."""
    used = []
    for _ in range(3):
        start = time.monotonic()
        audit(root(), engine.go("movetime 300"))
        used.append(time.monotonic() - start)
    assert min(used) > 0.1 and min(used) < 0.5


def test_14_movestogo_is_honoured_and_move_overhead_is_kept_back(engine):
    """With one move to go nearly the whole clock may be used but for the overhead, with forty a small part; best of
    three, for busy machines.
    """
    where = root("breakthrough")
    setup(engine, where)

    def used(togo):
        start = time.monotonic()
        engine.ask("ucinewgame")
        audit(where, engine.go(f"wtime 1000 btime 1000 movestogo {togo}"))
        return time.monotonic() - start

    last = used(1)
    assert last > 2 * min(used(40) for _ in range(3))
    assert engine.ask("setoption name Move Overhead value 900") == []
    assert last > 2 * min(used(1) for _ in range(3))


def test_14_no_clock_runs_out_in_a_game(engine):
    """1+0.01 s for both sides; half a second below zero is the machine's share."""
    where, moves = root("breakthrough"), []
    clocks = {"w": 1.0, "b": 1.0}
    engine.ask("setoption name UCI_Variant value breakthrough", "ucinewgame")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        wtime, btime = (max(1, int(clocks[side] * 1000)) for side in "wb")
        start = time.monotonic()
        lines = engine.go(f"wtime {wtime} btime {btime} winc 10 binc 10")
        clocks[where.position.side] -= time.monotonic() - start
        assert clocks[where.position.side] > -0.5, f"out of time after {len(moves)} plies"
        clocks[where.position.side] += 0.01
        moves.append(audit(where, lines).best)
        where = where.play(moves[-1])
