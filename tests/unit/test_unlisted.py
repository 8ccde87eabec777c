"""Which positions proofs leave out: the checker's rule against exhaustive play, and the writer's against the checker's."""

import exhaustive
import numpy as np
import pytest
from numba import njit
from setups import BREAKTHROUGH, first_of, words_wrap  # noqa: F401

from pawnstorm.core import native
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.kernel import ZERO
from pawnstorm.kernels.position import flip
from pawnstorm_tools.checking import naive
from pawnstorm_tools.checking.prooffile import MAX_WITHIN
from pawnstorm_tools.common import machinecode
from pawnstorm_tools.solving.kernels.unlisted import needs_record, wins_by_threats

machinecode.load()

from pawnstorm_tools.checking import pawnrules  # noqa: E402  kernels, loaded from the cache
from pawnstorm_tools.checking.unlisted import forced_win_moves, unlisted_win_plies, wins_in_three  # noqa: E402

SETUPS = BREAKTHROUGH + [
    pytest.param(f"breakthrough{board}", 5, 600, marks=pytest.mark.compiled) for board in ("6x6", "7x5", "8x5")
]


@njit
def is_false(own, opp, ep, state, memo, tally, rules, rows):
    """Whether the rules claim of an unfinished position what exhaustive play denies, or differ.

    tally: positions looked at, then, by moves, those from which the mover is said to be home.
    """
    black, white = flip(own, state.flip_shift), flip(opp, state.flip_shift)
    claimed = forced_win_moves(MAX_WITHIN, own, opp, True, rules)
    false = claimed != forced_win_moves(MAX_WITHIN, white, black, False, rules)
    for number in range(2, MAX_WITHIN + 1):
        false |= wins_by_threats(own, opp, number, state) != (0 < claimed <= number)
        false |= not (
            needs_record(own, opp, ep, number, state) or unlisted_win_plies(number, own, opp, ep, True, rules, rows)
        )
    if claimed:
        false |= not 0 < exhaustive.value(own, opp, ep, state, memo) <= 2 * claimed - 1
    false |= wins_in_three(own, opp, ep, True, rules, rows) != (2 * claimed - 1 if 0 < claimed < 3 else 0)
    tally[0] += 1
    tally[claimed] += claimed > 0
    return false


first_false = first_of(is_false)


def assert_sound(name, most, games, seed, memo):
    """Raise where a rule claims what exhaustive play denies, or the rules differ; returns the tally."""
    rules, tally = get_rules(name), np.zeros(MAX_WITHIN + 1, np.int64)
    rows = np.zeros((2, pawnrules.MAX_MOVES, 3), np.uint64)
    state = exhaustive.record(rules)
    sets = pawnrules.make(naive.GAMES[name])
    found = first_false(games, seed, ZERO, ZERO, most, state, memo, tally, sets, rows)
    assert found == (0, 0, 0), (name, found)
    assert tally[0] > games and min(tally[1:MAX_WITHIN]) > games // 50, tally
    return tally


@pytest.mark.parametrize("name, most, games", SETUPS)
def test_claims_are_those_of_exhaustive_play(name, most, games):
    assert_sound(name, most, games // 5, 1, exhaustive.memory(20 if not native.PLAIN_PYTHON else 16))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name, most, games", SETUPS)
def test_claims_are_those_of_exhaustive_play_in_millions(name, most, games):
    """`-rP` shows how many positions each board has."""
    memo = exhaustive.memory(24)
    positions, *claims = sum(assert_sound(name, most, games, seed, memo) for seed in range(10, 210))
    assert min(claims) > 200
    print(
        f"{name}: {positions:,} positions; home in 1 to {MAX_WITHIN} moves: {', '.join(f'{count:,}' for count in claims)}"
    )


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["breakthrough6x6", "breakthrough5x8", "breakthrough"])
def test_writer_and_checker_leave_out_the_same(name):
    """On boards that are too large for exhaustive play."""
    rules, lot = get_rules(name), np.random.default_rng(1)
    rows = np.zeros((2, pawnrules.MAX_MOVES, 3), np.uint64)
    state, sets, met = (
        exhaustive.record(rules),
        pawnrules.make(naive.GAMES[rules.full_name]),
        np.zeros(MAX_WITHIN + 1, int),
    )
    for _ in range(40):
        board = Board.start(rules)
        while not board.is_game_over():
            words = [np.uint64(word) for word in (board.own, board.opp)]
            claimed = forced_win_moves(MAX_WITHIN, *words, True, sets)
            met[claimed] += 1
            for number in range(2, MAX_WITHIN + 1):
                assert wins_by_threats(*words, number, state) == (0 < claimed <= number)
                left_out = not needs_record(*words, ZERO, number, state)
                assert not left_out or unlisted_win_plies(number, *words, ZERO, True, sets, rows)
            board = board.push(int(lot.choice(board.moves())))
    assert min(met) > 10, met
