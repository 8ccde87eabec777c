"""Wins that are known: of small boards, of examples, and within three moves on the big boards."""

import random

import exhaustive
import numpy as np
import pytest
from boards import playout
from numba import njit
from search_claims import LONGEST, assert_plays_to_the_end, plies, search, truth, winner, words

from pawnstorm.core import native
from pawnstorm.games.notation import fen, move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.position import make_move


@pytest.mark.compiled
def test_start_positions_are_solved_as_known():
    for name, value in [
        ("breakthrough4x4", -14),
        ("breakthrough3x5", -18),
        ("breakthrough2x8", 25),
        ("hexapawn5x5", 19),
        ("hexapawn4x6", 21),
        ("hexapawn3x8", -22),
    ]:
        assert plies(search(Board.start(get_rules(name)), mate=LONGEST)[0][1]) == value, name
    assert winner(search(Board.start(get_rules("twoflags4x6")), depth=LONGEST)[0][1]) == -1


@pytest.mark.parametrize("side, best, value", [("b", "f6f5", 5), ("w", "f4f5", 3)])
def test_seed_example_is_solved(side, best, value):
    board = parse_fen(get_rules("twoflags"), f"8/5p2/5p1p/8/5PP1/8/8/8 {side} - - 0 1")
    for limits in ({"mate": 3}, {"depth": 12 if not native.PLAIN_PYTHON else 6}):
        reports, move = search(board, **limits)
        assert move_text(board, move) == best and plies(reports[1]) == value
        assert_plays_to_the_end(reports[1])


def test_searchmoves_decides_between_a_win_and_a_loss():
    board = parse_fen(get_rules("twoflags"), "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    for text, value in (("f6f5", 5), ("h6h5", -6)):
        move = parse_move(board, text)
        reports, best = search(board, mate=4, searchmoves=[move])
        assert (best, plies(reports[1])) == (move, value)
        assert_plays_to_the_end(reports[1])


def test_en_passant_is_seen_at_the_root_and_below():
    """The only move takes in passing and wins; a ply earlier the double step that allows it loses."""
    rules = get_rules("twoflags5x6")
    assert plies(search(parse_fen(rules, "5/5/1p3/1Pp2/5/5 w - c4 0 1"), depth=6)[0][1]) == 5
    before = parse_fen(rules, "5/2p2/1p3/1P3/5/5 b - - 0 1")
    for depth in range(1, 8):
        assert winner(search(before, depth=depth)[0][1]) * truth(before) >= 0, depth


# Short wins on the big boards.


@njit
def wins_within(own, opp, ep, depth, state):
    """Whether the side to move forces a win in at most `depth` plies: and-or search over move generation, nothing else."""
    for move in state.moves[: generate_moves(own, opp, ep, state)].copy():
        one_own, one_opp, one_ep = make_move(own, opp, ep, np.uint64(move), state)
        replies = state.moves[: generate_moves(one_own, one_opp, one_ep, state)].copy()
        if depth < 2 and len(replies):
            continue
        escaped = False
        for reply in replies:
            two_own, two_opp, two_ep = make_move(one_own, one_opp, one_ep, np.uint64(reply), state)
            if not wins_within(two_own, two_opp, two_ep, depth - 2, state):
                escaped = True
                break
        if not escaped:
            return True
    return False


def near_the_end(name, count, seed):
    """(board, moves to the win) of positions won in one to three moves, from the last plies of random games."""
    rng, state, found = random.Random(seed), exhaustive.record(get_rules(name)), []
    while len(found) < count:
        for board in playout(get_rules(name), rng)[-8:-2]:
            depth = next((depth for depth in (1, 3, 5) if wins_within(*words(board), depth, state)), None)
            if depth and (depth > 3 or rng.random() < (0.1, 0.3)[depth // 2]):
                found.append((board, (depth + 1) // 2))
    return found[:count]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["twoflags", "breakthrough"])
def test_short_win_is_found_at_twice_its_depth_and_one(name):
    missed, counts = [], {1: 0, 2: 0, 3: 0}
    for board, number in near_the_end(name, 40, 19):
        counts[number] += 1
        if winner(search(board, depth=2 * number + 1)[0][1]) != 1:
            missed.append((fen(board), number))
        exact = search(board, mate=number)[0][1]
        assert plies(exact) == 2 * number - 1, (fen(board), number)
        assert_plays_to_the_end(exact)
    assert missed == []
    assert min(counts.values()) >= 4, counts


@pytest.mark.compiled
def test_pawnsonly_is_searched_as_twoflags():
    one, two = (search(Board.start(get_rules(name)), depth=9)[0][1] for name in ("twoflags", "pawnsonly"))
    assert (one.nodes, one.score, one.pv) == (two.nodes, two.score, two.pv)
