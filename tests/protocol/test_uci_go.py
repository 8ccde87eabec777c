"""Points 12 and 13: `go` with every limit but a clock, with none, and with a wrong one."""

import pytest
from uci_audit import SEED, SEED_WHITE, audit, root
from uci_engine import command, engine, play_out, process, setup  # noqa: F401

NUMBERED = ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"]
FAULTY = [
    *(f"{word} {text}".strip() for word in NUMBERED for text in ("abc", "", "1.5", "²", "infinitely")),
    *(f"{word} {number}" for word in ("depth", "nodes", "mate") for number in (0, -1)),
    *(f"{word} {number}" for word in ("movetime", "wtime", "movestogo") for number in ("--5", "0x10", "1e3")),
    "depth movetime",
    "nodes x mate y wtime z",
    "nonsense",
    "movtime 100",
    "searchmoves e2e5",
    "searchmoves a2a3 movtime 100",
]


@pytest.mark.parametrize("limits", FAULTY)
def test_12_a_faulty_limit_needs_no_stop(engine, limits):
    """Either colour, since each has a clock of its own."""
    for where in root(), root(moves="a2a4"):
        setup(engine, where)
        lines = engine.go(limits)
        assert any(line.startswith("info string ") for line in lines)
        audit(where, [line for line in lines if not line.startswith("info string")])


@pytest.mark.parametrize("limits", ["movetime -5", "wtime -5 btime -5", "winc -1", "movestogo -3", "btime 0 wtime 0"])
def test_12_a_time_below_nought_is_one_that_has_run_out(engine, limits):
    lines = engine.go(limits)
    assert not any(line.startswith("info string") for line in lines)
    audit(root(), lines)


def test_12_a_limit_beside_a_faulty_one_counts(engine):
    assert (
        audit(root(), [line for line in engine.go("movetime x depth 3") if "string" not in line]).infos[-1]["depth"]
        == 3
    )
    search = audit(
        root(), [line for line in engine.go("wtime btime 1000 depth nodes 2000 wtime") if "string" not in line]
    )
    assert search.infos[-1]["nodes"] <= 3200


@pytest.mark.parametrize("limits", ["nodes x infinite", "depth infinite", "infinite movtime 100", "mate x infinite"])
def test_12_infinite_beside_a_faulty_limit_waits_for_stop(engine, limits):
    engine.send(f"go {limits}")
    lines = engine.quiet(0.5)
    lines += engine.stop()
    audit(root(), [line for line in lines if not line.startswith("info string")])


@pytest.mark.parametrize("limits", ["ponder wtime x", "ponder depth", "mate abc ponder"])
def test_12_a_faulty_limit_of_a_ponder_search_counts_from_ponderhit_on(engine, limits):
    engine.send(f"go {limits}")
    lines = engine.quiet(0.5)
    engine.send("ponderhit")
    lines += engine.expect("bestmove.*")
    audit(root(), [line for line in lines if not line.startswith("info string")])


@pytest.mark.parametrize(
    "limits",
    ["", "infinite", "movetime 1000000000000", "wtime 1000000000000 btime 1000000000000", "nodes 1000000000000000"],
)
def test_12_go_without_a_near_limit_is_answered_on_stop_at_the_latest(engine, limits):
    engine.send(f"go {limits}".strip())
    lines = engine.expect("(info .* pv |bestmove).*")
    if not lines[-1].startswith("bestmove"):
        lines += engine.stop()
    assert [line for line in lines if line.startswith("bestmove")] == lines[-1:]
    audit(root(), [line for line in lines if not line.startswith("info string")])


@pytest.mark.parametrize(
    "limits, fault",
    [
        ("depth x nodes 1", "'x' behind depth: expected a whole number"),
        ("depth 0 nodes 1", "'0' behind depth: expected a whole number from 1"),
        ("mate 0 depth 1", "'0' behind mate: expected a whole number from 1 or infinite"),
        ("nodes -7 depth 1", "'-7' behind nodes: expected a whole number from 1"),
        ("mate x depth 1", "'x' behind mate: expected a whole number from 1 or infinite"),
        ("go depth 1", "'go' behind go: expected one of wtime, "),
    ],
)
def test_12_a_word_of_go_that_says_nothing_is_named(engine, limits, fault):
    assert engine.go(limits)[0].startswith(f"info string {fault}")


@pytest.mark.parametrize("limits", ["", "infinite", "movetime 1000000000000"])
def test_12_a_bare_go_is_infinite(engine, limits):
    engine.send(f"go {limits}".strip())
    lines = engine.quiet(1.0)
    audit(root(), lines + engine.stop())


@pytest.mark.parametrize("depth", [1, 2, 5, 8])
def test_13_depth_is_honoured(engine, depth):
    search = audit(root(), engine.go(f"depth {depth}"))
    assert search.infos[-1]["depth"] == depth


@pytest.mark.parametrize("nodes", [1, 100, 10_000, 300_000])
def test_13_nodes_are_honoured(engine, nodes):
    search = audit(root(), engine.go(f"nodes {nodes}"))
    assert search.infos[-1]["nodes"] <= nodes * 1.1 + 1000


def test_13_mate_is_honoured(engine):
    for fen, moves in (SEED, 3), (SEED_WHITE, 2):
        assert play_out(engine, root(fen=fen), f"mate {moves}").score == ("mate", moves)
        engine.ask("ucinewgame")


def test_13_a_mate_that_is_not_there_is_not_found(engine):
    setup(engine, root(fen=SEED))
    engine.send("go mate 2")
    lines = engine.expect("(info .* pv |bestmove).*")
    lines += engine.quiet(0.3, forbidden="(?!info|bestmove).*") if not lines[-1].startswith("bestmove") else []
    if not lines[-1].startswith("bestmove"):
        lines += engine.stop()
    kind, value = audit(root(fen=SEED), lines).score
    assert (kind, value) >= ("mate", 3) or kind == "cp"


def test_13_the_seeds_example_is_solved(engine):
    black, white = root(fen=SEED), root(fen=SEED_WHITE)
    search = play_out(engine, black, "depth 12")
    assert (search.best, search.score) == ("f6f5", ("mate", 3))
    assert play_out(engine, black, "depth 12 searchmoves h6h5").score == ("mate", -3)
    search = play_out(engine, white, "depth 12")
    assert (search.best, search.score) == ("f4f5", ("mate", 2))
    assert play_out(engine, white, "searchmoves g4g5 depth 12").score == ("mate", -2)


@pytest.mark.parametrize(
    "limits, allowed",
    [
        ("searchmoves a2a3 h2h4 depth 6", {"a2a3", "h2h4"}),
        ("depth 6 searchmoves d2d3", {"d2d3"}),
        ("searchmoves d2d3 nonsense e2e3 nodes 5000", {"d2d3", "e2e3"}),
    ],
)
def test_13_searchmoves_is_honoured(engine, limits, allowed):
    search = audit(root(), engine.go(limits))
    assert {info["pv"][0] for info in search.infos if "pv" in info} | {search.best} <= allowed


def test_13_searchmoves_is_forgotten_by_the_next_go(engine):
    assert (
        audit(root(fen=SEED), [*engine.ask(f"position fen {SEED}"), *engine.go("depth 8 searchmoves h6h5")]).best
        == "h6h5"
    )
    assert audit(root(fen=SEED), engine.go("depth 8")).best == "f6f5"


def test_13_searchmoves_without_a_legal_move_still_answers_legally(engine):
    audit(root(), engine.go("depth 4 searchmoves 0000"))  # python-chess writes this for an empty list
    audit(root(), engine.go("depth 4 searchmoves a7a6 e2e5"))
