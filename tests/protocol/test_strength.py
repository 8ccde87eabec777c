"""Weaker play as a GUI asks for it, in the real process."""

import client
import pytest

from pawnstorm.strength.levels import HIGHEST, LOWEST


@pytest.fixture
def process():
    with client.Client(client.command("source")) as engine:
        yield engine


def moves_of_games(engine, elo, count):
    engine.ask("setoption name UCI_Variant value breakthrough", f"setoption name UCI_Elo value {elo}")
    found = []
    for _ in range(count):
        engine.ask("ucinewgame", "position startpos")
        lines = engine.go("movetime 1000")
        best = lines[-1].split()[1]
        assert any(line.startswith("info depth") and f" pv {best}" in line and " score " in line for line in lines)
        found.append(best)
    return found


def test_options_are_listed(process):
    process.send("uci")
    lines = process.expect("uciok")
    assert "option name UCI_LimitStrength type check default false" in lines
    assert f"option name UCI_Elo type spin default 1500 min {LOWEST} max {HIGHEST}" in lines


def test_an_elo_beyond_the_range_is_refused(process):
    for value in (LOWEST - 1, HIGHEST + 1, "strong"):
        (line,) = process.ask(f"setoption name UCI_Elo value {value}")
        assert line.startswith("info string") and str(LOWEST) in line and str(HIGHEST) in line


def nodes(engine):
    """Of a search of a second at most."""
    lines = [line.split() for line in engine.go("nodes 30000") if " nodes " in line]
    return int(lines[-1][lines[-1].index("nodes") + 1])


@pytest.mark.compiled
def test_strength_is_limited_only_while_the_option_is_set(process):
    process.ask(f"setoption name UCI_Elo value {LOWEST}")
    assert nodes(process) > 10_000
    process.ask("setoption name UCI_LimitStrength value true")
    assert nodes(process) < 5_000
    process.ask(f"setoption name UCI_Elo value {HIGHEST}", "ucinewgame")
    assert nodes(process) > 10_000
    process.ask(f"setoption name UCI_Elo value {LOWEST}", "ucinewgame", "setoption name UCI_LimitStrength value false")
    assert nodes(process) > 10_000


def test_weak_openings_vary_from_game_to_game_and_repeat_in_another_process(process):
    process.ask("setoption name UCI_LimitStrength value true")
    first = moves_of_games(process, LOWEST, 6)
    assert len(set(first)) > 1
    with client.Client(client.command("source")) as other:
        other.ask("setoption name UCI_LimitStrength value true")
        assert moves_of_games(other, LOWEST, 6) == first
