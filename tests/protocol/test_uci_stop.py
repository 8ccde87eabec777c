"""Points 15 to 18: `stop`, pondering, searches that wait for their end, and one bestmove a `go`."""

import random
import re
import time

import pytest
from uci_audit import FINISHED, ONE_MOVE, SEED, audit, root
from uci_engine import command, engine, process, setup  # noqa: F401


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["twoflags", "breakthrough"])
def test_15_stop_is_answered_from_any_depth(engine, game, threads):
    where = root(game)
    setup(engine, where)
    engine.ask(f"setoption name Threads value {threads}")
    for delay in [0] * 20 + [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3]:
        engine.send("go infinite")
        time.sleep(delay)
        audit(where, engine.stop())


def test_15_stop_when_idle_prints_nothing(engine):
    assert engine.ask("stop", "stop") == []
    engine.go("depth 3")
    assert engine.ask("stop") == []
    assert engine.ask("ponderhit") == []


@pytest.mark.parametrize(
    "where", [root(fen=SEED), root(fen=ONE_MOVE), root(*FINISHED[0])], ids=lambda where: where.fen()
)
@pytest.mark.parametrize("words", ["infinite", "ponder wtime 100 btime 100", "ponder depth 1", "mate 5 infinite"])
def test_16_and_17_solved_and_finished_games_wait_for_stop(engine, where, words):
    setup(engine, where)
    engine.send(f"go {words}".strip())
    lines = engine.quiet(0.15)
    engine.send("isready")
    lines += engine.expect("readyok")
    audit(where, lines + engine.stop())


def test_16_a_finished_game_says_mate_0_and_no_move(engine):
    for where in (root(*each) for each in FINISHED):
        setup(engine, where)
        engine.send("go infinite")
        lines = engine.quiet(0.1) + engine.stop()
        assert lines[-1] == "bestmove (none)"
        assert [line for line in lines if re.match("info depth 0 score mate 0( |$)", line)]
        audit(where, engine.go("movetime 50"))


def test_18_one_bestmove_a_go(engine):
    """Searches of every kind in a row; Client.close compares the counts, audit sees none in between."""
    source = random.Random(18)
    where = root()
    for _ in range(60):
        limits = source.choice(
            [
                "depth 4",
                "nodes 500",
                "movetime 5",
                "wtime 50 btime 50",
                "mate 2 nodes 500",
                "infinite",
                "ponder movetime 5",
            ]
        )
        engine.send(f"go {limits}")
        if "infinite" in limits or "ponder" in limits:
            engine.send(source.choice(["stop", "stop", "isready\nstop", "stop\nstop", "stop\nponderhit"]))
        audit(where, engine.expect("bestmove.*"))
    assert [line for line in engine.sync() if line != "readyok"] == []


@pytest.mark.parametrize("first", ["go infinite", "go depth 1"])
def test_18_a_go_during_a_search_does_no_harm(engine, first):
    """Undefined by UCI: the second may be refused or may end the first, but each gets at most one bestmove."""
    engine.send(first)
    engine.send("go depth 2")
    lines = engine.ask("stop")
    lines += engine.quiet(0.3, forbidden="(?!info|bestmove|readyok).*")
    answers = [line for line in lines if line.startswith("bestmove")]
    assert 1 <= len(answers) <= 2 and all(answer.split()[1] in root().moves() for answer in answers)
    engine.asked = engine.answers  # Client.close cannot know how many were due
    audit(root(), engine.go("depth 3"))


def test_18_position_during_a_search_does_no_harm(engine):
    engine.send("go infinite")
    lines = engine.expect("info .* pv .*")
    lines += engine.ask("position startpos moves a2a4", "ucinewgame")
    answers = [line for line in lines if line.startswith("bestmove")] or engine.stop()[-1:]
    assert len(answers) == 1 and answers[0].split()[1] in root().moves()
    engine.send("position startpos moves a2a4")
    audit(root(moves="a2a4"), engine.go("depth 3"))


@pytest.mark.parametrize("limits", ["movetime 50", "depth 3", "wtime 1000 btime 1000 movestogo 3"])
def test_17_pondering_waits_for_ponderhit(engine, limits):
    engine.ask("setoption name Ponder value true")
    engine.send(f"go ponder {limits}")
    lines = engine.quiet(0.4)
    engine.send("ponderhit")
    audit(root(), lines + engine.expect("bestmove.*"))


@pytest.mark.parametrize("limits", ["movetime 50", "depth 3", ""])
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
