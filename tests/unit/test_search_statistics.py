"""How deep an engine searched and how its tree branched: definitions, and what is counted."""

import random
from fractions import Fraction
from itertools import product

import pytest

from pawnstorm_tools.reporting import search_statistics
from pawnstorm_tools.reporting.search_statistics import Range, effective_branching_factor


def below_the_root(branching, depth):
    """The nodes of a uniform tree without its root."""
    return sum(Fraction(branching) ** ply for ply in range(1, depth + 1))


def test_the_example_of_russell_and_norvig():
    assert round(effective_branching_factor(52, 5), 2) == 1.92


@pytest.mark.parametrize("branching, depth", [*product((1, 2, 3, 30), (1, 2, 7, 13)), (1, 10_000)])
def test_a_uniform_tree_branches_as_it_does(branching, depth):
    assert effective_branching_factor(int(below_the_root(branching, depth)), depth) == pytest.approx(branching)


@pytest.mark.parametrize("seed", range(40))
def test_the_factor_is_the_root_of_the_definition(seed):
    chance = random.Random(seed)
    depth, nodes = chance.randint(1, 40), round(10 ** chance.uniform(0, 10))
    found = effective_branching_factor(nodes, depth)
    assert below_the_root(found * (1 - 1e-9), depth) < nodes < below_the_root(found * (1 + 1e-9), depth)


def test_fewer_nodes_than_plies_branch_less_than_once():
    assert effective_branching_factor(1, 10**9) == pytest.approx(0.5) and effective_branching_factor(1, 1) == 1


def record(moves, legal, white="a", black="b", opening="x w"):
    """moves: (score, depth, nodes) of each."""
    made = [["e2e4", 1.0, None, score, depth, nodes, None] for score, depth, nodes in moves]
    return {"white": white, "black": black, "opening": opening, "moves": made, "legal": legal}


def test_each_move_is_counted_once():
    moves = [
        (10, 4, 52),
        (None, None, None),  # Black's, who says nothing
        (None, None, None),  # of a book
        (10, 5, 52),
        ("M3", 30, 9),  # proven
        ("-M3", 1, 9),  # proven, and forced
        (10, 1, 1),  # forced
        (None, 6, None),  # without nodes
        (5, 8, 84),
        (5, 0, 0),  # no search
        (7, 1, 0),  # of a book that tells a score
        ("M20", 1, 0),  # of a book of proven wins
    ]
    games = [record(moves, [3, 2, 9, 4, 8, 1, 1, 6, 5, 7, 4, 9]), record([(1, 1, 1)], [2], "c", "d")]
    a, b = (search_statistics.of_engine(games, name) for name in "ab")
    assert (a.moves, a.searched, a.unknown, a.proven, a.forced) == (6, 2, 2, 1, 1)
    assert (b.moves, b.searched, b.unknown, b.proven, b.forced) == (6, 2, 3, 1, 0)
    assert a.depth == Range(4, 6, 8) and b.depth == Range(5, 5.5, 6)
    assert a.legal == Range(1, 5, 9) and b.legal == Range(1, 29 / 6, 9)
    assert a.nodes == 68 and b.nodes == 52 and round(b.branching, 2) == 1.92
    product = effective_branching_factor(52, 4) * effective_branching_factor(84, 8)
    assert a.branching**2 == pytest.approx(product)


def test_black_s_moves_are_the_first_where_black_begins():
    black_first = record([(1, 3, 9), (2, 7, 9)], [5, 6], opening="x b")
    assert search_statistics.of_engine([black_first], "b").depth == Range(3, 3, 3)
    assert search_statistics.of_engine([black_first], "b").legal == Range(5, 5, 5)


def test_an_engine_that_says_nothing_has_no_figures_but_its_legal_moves():
    found = search_statistics.of_engine([record([(None, None, None)] * 2, [4, 5])], "b")
    assert (found.depth, found.nodes, found.branching, found.legal) == (None, None, None, Range(5, 5, 5))
    nobody = search_statistics.of_engine([record([], [])], "b")
    assert (nobody.moves, nobody.legal) == (0, None)
