"""Point 21: mate scores, against exhaustive play and against what is known."""

import random
from functools import cache

import pytest
from uci_audit import root
from uci_engine import command, engine, play_out, process  # noqa: F401

from pawnstorm_tools.checking import naive


def test_21_win_in_one_is_mate_1(engine):
    """variantfishtest takes the last `score mate 1` as a win."""
    lone, takes = "8/P7/8/8/8/8/7p/8 w - - 0 1", "8/8/8/8/8/1p6/P7/8 b - - 0 1"
    for where in root(fen=lone), root(fen=takes), root("breakthrough", lone.replace(" w ", " b ")):
        for limits in "depth 1", "depth 5", "mate 1", "movetime 20":
            assert play_out(engine, where, limits).score == ("mate", 1)


@cache
def truth(position):
    """Plies to the end with the winner hurrying and the loser delaying: positive for a win of the side to move, zero or
    less for a loss.
    """
    winner, plies = naive.solve(position)
    return plies if winner == position.side else -plies


SMALL = ["hexapawn", "hexapawn4x4", "breakthrough3x4", "twoflags3x5", "twoflags4x6"]


@pytest.mark.parametrize("game", SMALL)
def test_21_mate_scores_agree_with_exhaustive_play(engine, game):
    """Late positions, so that naive.py can solve them: signs hold at any depth, and a win is shortest under `go mate`."""
    source = random.Random(21)
    wins = losses = 0
    while wins < 6 or losses < 6:
        line = [root(game)]
        while moves := line[-1].moves():
            line.append(line[-1].play(source.choice(moves)))
        where = line[max(0, len(line) - 2 - source.randrange(6))]
        plies = truth(where.position)
        wins, losses = wins + (plies > 0), losses + (plies <= 0)
        kind, value = play_out(engine, where, "depth 30").score
        assert kind == "mate" and (value > 0) == (plies > 0), (where.fen(), value, plies)
        if plies > 0:
            shortest = (plies + 1) // 2
            assert value >= shortest, "shorter than possible"
            engine.ask("ucinewgame")
            assert play_out(engine, where, f"mate {shortest}").score == ("mate", shortest)
