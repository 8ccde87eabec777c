"""Points 19 and 20: what a search says in every game, from random positions, in whole games, and to what referees send."""

import random
import re

import pytest
from uci_audit import FINISHED, ONE_MOVE, TWOFLAGS, audit, root
from uci_engine import command, engine, play_out, process, setup  # noqa: F401

GAMES = ["twoflags", "pawnsonly", "breakthrough", "twoflags5x6", "breakthrough2x4", "hexapawn1x3", "hexapawn8x8"]


def random_positions(game, count, seed):
    """Undecided and finished positions from random games, a few plies from the start and close to the end alike."""
    source = random.Random(seed)
    found = []
    while len(found) < count:
        line = [root(game)]
        while moves := line[-1].moves():
            line.append(line[-1].play(source.choice(moves)))
        found.append(line[source.randrange(len(line))])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_19_to_22_hold_at_random_positions(engine, game):
    for number, where in enumerate(random_positions(game, 16, seed=19)):
        limits = ["depth 1", "depth 6", "nodes 3000", "movetime 10", "wtime 100 btime 100"][number % 5]
        play_out(engine, where, limits)


@pytest.mark.parametrize("game", ["twoflags", "breakthrough", "twoflags5x6"])
def test_19_to_22_hold_with_two_threads_and_three_lines(engine, game):
    engine.ask("setoption name Threads value 2", "setoption name MultiPV value 3")
    for where in random_positions(game, 8, seed=20):
        play_out(engine, where, "movetime 30")


@pytest.mark.parametrize("game", ["twoflags", "pawnsonly", "breakthrough", "hexapawn4x4"])
def test_19_to_22_hold_in_a_whole_game_with_a_warm_table(engine, game):
    where, moves = root(game), []
    engine.ask(f"setoption name UCI_Variant value {game}")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        moves.append(audit(where, engine.go("nodes 4000")).best)
        where = where.play(moves[-1])
    engine.send("position startpos moves " + " ".join(moves))
    audit(where, engine.go("nodes 4000"))
    if game == "pawnsonly":
        assert moves[-1].endswith("q") == (moves[-1][3] in "18")


@pytest.mark.parametrize("limits", ["depth 5", "nodes 1", "wtime 100 btime 100"])
def test_20_a_forced_move_still_has_a_score(engine, limits):
    assert play_out(engine, root(fen=ONE_MOVE), limits).best == "h3h4"
    assert play_out(engine, root("breakthrough", "8/7p/8/8/8/p7/P7/8 w - - 0 1"), limits).best == "a2b3"


def test_d_and_eval_answer(engine):
    assert [line for line in engine.ask("d") if TWOFLAGS in line]
    assert [line for line in engine.ask("eval") if re.search(r"-?\d", line)]
    for where in (root(*each) for each in FINISHED):
        setup(engine, where)
        assert engine.ask("d") and engine.ask("eval")


def test_the_compliance_check_of_fastchess(engine):
    """Its sequence: full chess positions, and the clock of one side only."""
    fen = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
    assert engine.ask("ucinewgame") == []
    assert engine.ask("position startpos") == []
    audit(root(), engine.go("wtime 100 btime 100"))
    for position in "position startpos", f"position fen {fen}", f"position fen {fen.replace(' w ', ' b ')}":
        for limits in (
            "wtime 100",
            "btime 100",
            "wtime 100 btime 100 winc 100 binc 100",
            "btime 100 winc 100 wtime 100 binc 100",
            "nodes 100",
            "depth 3",
        ):
            complaints = engine.ask("ucinewgame", position)
            assert bool(complaints) == ("fen" in position)
            audit(root(), engine.go(limits))
