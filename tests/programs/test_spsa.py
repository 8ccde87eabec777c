"""Tuning by SPSA: values move to the side that wins, and players in one process search as their numbers say."""

import json
import os
import random
import subprocess
import sys

import pytest
import spsa
from matches import ROOT

from pawnstorm_tools.training import TrainingError

THINK = """
import sys
sys.path.insert(0, "scripts")
from pawnstorm_tools import startup
import numpy as np
if sys.argv[1] != "ordinary":
    from pawnstorm_tools.training import tunable
from pawnstorm.core import parameters
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.core.hashtable import HashTable
from pawnstorm_tools.training.kernels.games import as_table, think
from pawnstorm_tools.training.self_play import player
rules, table = get_rules("breakthrough6x6"), HashTable(1, share=0.25)
state, start = player(rules, table, None), Board.start(rules)
if sys.argv[1] != "ordinary":
    values = dict(word.split("=") for word in sys.argv[2:])
    for row in parameters.PARAMETERS:
        state.parameters[tunable.PLACES[row.name]] = int(values.get(row.name, row.value))
np.seterr(over="ignore")
state.own, state.opp, state.ep = start.bitboards
state.side = 0
think(500, state, as_table(table.address, state))
print([int(move) for move in state.moves[: state.root_count]], int(state.root_score))
"""


def thought(*words):
    """What a search in a process of its own, as plain Python, makes of the root moves."""
    done = subprocess.run(
        [sys.executable, "-c", THINK, *words],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kernels_with_tunable_numbers_search_as_the_others_do():
    ordinary = thought("ordinary")
    assert thought("tunable") == ordinary != thought("tunable", "LMR_DIVISOR=65536", "LMP_BASE=1", "RFP_MARGIN=20")


def test_values_go_where_games_are_won():
    rows = [spsa.row_of("RFP_MARGIN"), spsa.row_of("LMR_DIVISOR")]
    one = spsa.Spsa(rows, 300, 1)
    for number in range(1, 301):
        more, less = one.settings(number)
        # Who has the greater margin wins, whatever the other number is.
        one.update(number, 16 * ((more["RFP_MARGIN"] > less["RFP_MARGIN"]) - (more["RFP_MARGIN"] < less["RFP_MARGIN"])))
    assert one.values[0] > rows[0].value + 5 * rows[0].step
    assert abs(one.values[1] - rows[1].value) < 3 * rows[1].step
    for number in range(1, 3000):
        one.update(300, 16 if one.steps(300)[0] > 0 else -16)
    assert one.values[0] == rows[0].high


def test_values_are_rounded_to_their_mean_within_the_bounds():
    row, chance = spsa.row_of("NULL_REDUCTION"), random.Random(1)
    found = [spsa.round_values([2.3], [row], chance)["NULL_REDUCTION"] for _ in range(4000)]
    assert set(found) == {2, 3} and sum(found) / len(found) == pytest.approx(2.3, abs=0.05)
    assert spsa.round_values([99], [row], chance) == {"NULL_REDUCTION": row.high}


@pytest.mark.parametrize(
    "word, told",
    [
        ("NONE=1", "'NONE'"),
        ("RFP_MARGIN", "RFP_MARGIN="),
        ("RFP_MARGIN=x", "from 20 to 200"),
        ("RFP_MARGIN=9", "from 20"),
    ],
)
def test_wrong_values_are_named(word, told, tmp_path, capsys):
    with pytest.raises(TrainingError, match=told):
        spsa.value_of(word)
    assert spsa.main(["compare", "breakthrough", str(tmp_path / "x"), word]) == 2 and told in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("bounds", [("5", "0"), ("0", "0"), ("nan", "5"), ("0", "900")])
def test_hypotheses_that_make_no_test_are_named(bounds, tmp_path, capsys):
    words = ["compare", "breakthrough", str(tmp_path / "x"), "RFP_MARGIN=80", "--elo0", bounds[0], "--elo1", bounds[1]]
    assert spsa.main(words) == 2 and f"--elo0 {bounds[0]} --elo1 {bounds[1]}" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_record_that_is_none_is_named(tmp_path, capsys):
    words = ["tune", "breakthrough6x6", str(tmp_path / "x"), "RFP_MARGIN", "--iterations", "1", "--nodes", "1000"]
    settings = {"command": "tune", "game": "breakthrough6x6", "nodes": 1000, "openings": 16, "seed": 1}
    settings |= {"names": ["RFP_MARGIN"], "iterations": 1}
    lines = {"tuning": "0" * 12, "settings": settings}, {"iteration": 1, "lead": "x"}
    (tmp_path / "x").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert spsa.main(words) == 2 and "iteration 1: 'lead' is \"x\"" in capsys.readouterr().err
