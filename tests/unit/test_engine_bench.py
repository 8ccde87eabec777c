"""The bench repeats itself."""

import pytest

from pawnstorm.core import native
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search import bench
from pawnstorm.search.engine import Engine


def test_bench_positions_are_unfinished_and_of_both_families():
    for name, text in bench.POSITIONS:
        rules = get_rules(name)
        board = parse_fen(rules, text) if text else Board.start(rules)
        assert board.moves() and (not text or fen(board) == text)
    assert {name.rstrip("0123456789x") for name, _ in bench.POSITIONS} >= {"twoflags", "breakthrough", "hexapawn"}


def test_bench_repeats_its_nodes():
    depth, told = 6 if not native.PLAIN_PYTHON else 1, []
    one = Engine()
    first, _ = bench.bench(one, depth, lambda *row: told.append(row))
    assert [row[0] for row in told] == [name for name, _ in bench.POSITIONS] and sum(row[2] for row in told) == first
    assert bench.bench(one, depth)[0] == bench.bench(Engine(), depth)[0] == first


@pytest.mark.compiled
def test_bench_counts_what_this_version_searches():
    """A commit that changes play updates this number and names it in its message; nothing else may change it."""
    assert bench.bench(Engine(), bench.DEPTH)[0] == 91_167


def test_bench_ends_where_it_is_told_to():
    told = []
    nodes, _ = bench.bench(Engine(), 1, lambda *row: told.append(row), lambda: len(told) == 2)
    assert len(told) == 2 and nodes == told[0][2] + told[1][2]
