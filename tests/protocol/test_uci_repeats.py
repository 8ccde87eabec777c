"""Point 23: a new game and the bench repeat their nodes."""

import re
import subprocess
from functools import cache

import pytest
from client import ROOT, Client
from client import command as command_line
from uci_audit import root
from uci_engine import command, engine, options_of, process, setup  # noqa: F401


def stripped(lines):
    """Search output without what a clock measures."""
    return [re.sub(r" (time|nps) \d+", "", line) for line in lines]


@pytest.mark.parametrize("game", ["twoflags", "breakthrough"])
def test_23_a_new_game_starts_from_nothing(engine, command, game):
    def search():
        engine.ask(f"setoption name UCI_Variant value {game}", "ucinewgame", "position startpos")
        return stripped(engine.go("nodes 60000"))

    once = search()
    assert once == search()
    engine.ask("position startpos moves a2a3")
    engine.go("nodes 50000")
    setup(engine, root("hexapawn5x5"))
    engine.go("depth 5")
    engine.ask(
        "setoption name Hash value 4",
        "setoption name Hash value 16",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
    )
    assert options_of(engine)["Hash"].default == "16"
    assert once == search()
    with Client(command) as other:
        other.ask(f"setoption name UCI_Variant value {game}")
        assert once == stripped(other.go("nodes 60000"))


BENCH = r"Nodes searched\s*: \d+"


def bench_nodes(lines):
    """The node signature that bench prints."""
    (found,) = [line for line in lines if re.fullmatch(BENCH, line)]
    return int(found.split(":")[1])


@cache
def bench_from_source():
    return bench_by_word(command_line("source"))


def bench_by_word(command):
    made = subprocess.run(
        [*command, "bench"], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    assert made.returncode == 0 and made.stderr == "", made.stderr
    return bench_nodes(made.stdout.splitlines())


def test_23_bench_is_deterministic(engine, command):
    engine.ask("setoption name Threads value 2", "setoption name Hash value 1", "position startpos moves a2a4")
    engine.send("bench")
    lines = engine.expect(BENCH, timeout=60)
    assert bench_nodes(lines) == bench_by_word(command) == bench_from_source()
