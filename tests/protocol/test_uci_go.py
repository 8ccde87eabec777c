"""Points 12 and 13: `go` with every limit but a clock, with none, and with a wrong one."""

import pytest
from uci_audit import SEED, SEED_WHITE, audit, root
from uci_engine import command, engine, play_out, process, setup  # noqa: F401


@pytest.mark.parametrize(
    "limits, named",
    [
        ("wtime ²", "'²' after wtime"),
        ("depth 0", "'0' after depth: expected a whole number from 1"),
        ("mate", "'' after mate: expected a whole number from 1 or infinite"),
        ("nodes x mate y", "'x' after nodes"),
        ("movtime 100", "'movtime' after go"),
        ("searchmoves e2e5", "'e2e5'"),
        ("searchmoves a2a3 movtime 100", "'movtime'"),
    ],
)
def test_12_a_faulty_limit_is_named_and_needs_no_stop(engine, limits, named):
    """Either colour, since each has a clock of its own."""
    for where in root(), root(moves="a2a4"):
        setup(engine, where)
        lines = engine.go(limits)
        assert any(line.startswith("info string ") and named in line for line in lines), lines
        audit(where, lines)


def test_12_a_limit_beside_a_faulty_one_counts(engine):
    assert audit(root(), engine.go("movetime x depth 3")).infos[-1]["depth"] == 3
    assert audit(root(), engine.go("wtime btime 1000 depth nodes 2000 wtime")).infos[-1]["nodes"] <= 3200


@pytest.mark.parametrize("limits", ["depth infinite", "infinite movtime 100"])
def test_12_infinite_beside_a_faulty_limit_waits_for_stop(engine, limits):
    engine.send(f"go {limits}")
    lines = engine.quiet(0.5)
    lines += engine.stop()
    audit(root(), lines)


def test_12_a_faulty_limit_of_a_ponder_search_counts_from_ponderhit_on(engine):
    engine.send("go ponder wtime x")
    lines = engine.quiet(0.5)
    engine.send("ponderhit")
    lines += engine.expect("bestmove.*")
    audit(root(), lines)


@pytest.mark.parametrize("limits", ["", "infinite", "movetime 1000000000000", "nodes 1000000000000000"])
def test_12_go_without_a_near_limit_waits_for_stop(engine, limits):
    engine.send(f"go {limits}".strip())
    lines = engine.quiet(0.4)
    audit(root(), lines + engine.stop())


def test_13_the_seeds_example_is_solved(engine):
    black, white = root(fen=SEED), root(fen=SEED_WHITE)
    search = play_out(engine, black, "depth 12")
    assert (search.best, search.score) == ("f6f5", ("mate", 3))
    assert play_out(engine, black, "depth 12 searchmoves h6h5").score == ("mate", -3)
    search = play_out(engine, white, "depth 12")
    assert (search.best, search.score) == ("f4f5", ("mate", 2))
    assert play_out(engine, white, "searchmoves g4g5 depth 12").score == ("mate", -2)


def test_13_searchmoves_without_a_legal_move_still_answers_legally(engine):
    audit(root(), engine.go("depth 4 searchmoves 0000"))  # python-chess writes this for an empty list
    audit(root(), engine.go("depth 4 searchmoves a7a6 e2e5"))
