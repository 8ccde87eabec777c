"""Points 12 to 14: `go` with a clock, sound or not, and the time that a search takes."""

import time

import pytest
from uci_audit import audit, root
from uci_engine import command, engine, process, setup  # noqa: F401


@pytest.mark.parametrize(
    "limits",
    [
        "wtime 1000 btime 1000",
        "wtime 100 btime 100 winc 10 binc 10",
        "btime 100",
        "btime 100 binc 5",
        "wtime 0 btime 0",
        "wtime -50 btime -50",
        "wtime 1 btime 1",
        "wtime 1 btime 1 winc 1 binc 1",
        "wtime 0 btime 0 winc 0 binc 0 movestogo 1",
        "binc 0 movestogo 5 winc 0 btime 300 wtime 300",
        "wtime 100 btime 100 movestogo 0",
        "wtime 100 btime 100 movestogo -3",
        "movetime 0",
        "movetime -5",
        "movetime 1",
        "nodes 1",
        "depth 1",
        "depth 3 wtime 100000 btime 100000",
        "nodes 2000 depth 50",
        "wtime 1000000000000 btime 1000000000000 depth 3",
        "depth 2 movetime 1000000000000",
        "wtime 99999999999999999999999 depth 2",
        "nodes 99999999999999999999999 depth 2",
        "depth 99999999999999999999999 nodes 1000",
        "infinitely depth 2",
        "wtime 100 wtime 100 btime 100",
    ],
)
def test_12_go_is_answered_by_a_legal_move_whatever_its_clock_says(engine, limits):
    audit(root(), engine.go(limits))
    black = root(moves="a2a4")
    setup(engine, black)
    audit(black, engine.go(limits.replace("btime", "xtime").replace("wtime", "btime").replace("xtime", "wtime")))


def test_13_movetime_is_honoured(engine):
    """The bound below is the promise; the one above leaves a busy machine three chances."""
    used = []
    for _ in range(3):
        begun = time.monotonic()
        audit(root(), engine.go("movetime 300"))
        used.append(time.monotonic() - begun)
    assert min(used) > 0.1 and min(used) < 0.5


def test_13_movestogo_is_honoured(engine):
    """With one move to go nearly the whole clock may be used, with forty a small part."""

    def used(togo):
        begun = time.monotonic()
        engine.ask("ucinewgame")
        audit(root(), engine.go(f"wtime 2000 btime 2000 movestogo {togo}"))
        return time.monotonic() - begun

    assert used(1) > min(used(40) for _ in range(3))


@pytest.mark.parametrize("game", ["twoflags", "breakthrough"])
def test_14_no_clock_runs_out_in_a_game(engine, game):
    """1+0.01 s for both sides; half a second below zero is the machine's share."""
    where, moves = root(game), []
    clocks = {"w": 1.0, "b": 1.0}
    engine.ask(f"setoption name UCI_Variant value {game}", "ucinewgame")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        wtime, btime = (max(1, int(clocks[side] * 1000)) for side in "wb")
        begun = time.monotonic()
        lines = engine.go(f"wtime {wtime} btime {btime} winc 10 binc 10")
        clocks[where.position.side] -= time.monotonic() - begun
        assert clocks[where.position.side] > -0.5, f"out of time after {len(moves)} plies"
        clocks[where.position.side] += 0.01
        moves.append(audit(where, lines).best)
        where = where.play(moves[-1])


def test_14_move_overhead_is_kept_back(engine):
    """The last move before the time control may use all of the clock but the overhead; best of three, for busy
    machines.
    """

    def used():
        begun = time.monotonic()
        engine.ask("ucinewgame")
        audit(root(), engine.go("wtime 1000 btime 1000 movestogo 1"))
        return time.monotonic() - begun

    assert engine.ask("setoption name Move Overhead value 900") == []
    assert min(used() for _ in range(3)) < 0.4
