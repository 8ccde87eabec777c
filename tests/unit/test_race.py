"""Races decided without search, against exhaustive play: one false claim among millions is a defect."""

import random

import exhaustive
import numpy as np
import pytest
from numba import njit
from search_claims import truth, words
from setups import first_of, words_wrap  # noqa: F401

from pawnstorm.core import native
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.kernel import ZERO
from pawnstorm.kernels.race import race, race_loss_plies, race_win_plies
from pawnstorm_tools.checking import naive

# (game, pawns on the board at most, so that exhaustive play stays quick; random games for the default run)
THROWN = [
    ("twoflags4x5", 9, 2700),
    ("twoflags4x6", 8, 2100),
    ("twoflags5x5", 9, 2700),
    ("twoflags5x6", 8, 2100),
    ("twoflags6x7", 6, 2400),
    ("breakthrough3x5", 8, 2700),
    ("breakthrough4x4", 10, 2700),
    ("breakthrough4x5", 6, 2100),
    ("breakthrough5x5", 5, 2700),
    ("hexapawn4x5", 9, 2700),
    ("hexapawn5x5", 9, 2700),
    ("twoflags4x6-ghost", 8, 1200),
    ("twoflags4x6-noep", 8, 1200),
]
PLAYED = [
    ("twoflags4x5", 8, 1200),
    ("twoflags4x6", 8, 1200),
    ("twoflags5x5", 10, 1200),
    ("twoflags5x6", 8, 1200),
    ("breakthrough3x5", 10, 1200),
    ("breakthrough4x4", 12, 600),
    ("hexapawn4x5", 8, 1200),
    ("hexapawn5x5", 10, 600),
]


@pytest.fixture(scope="module")
def memo():
    return exhaustive.memory(22 if not native.PLAIN_PYTHON else 16)


@njit
def is_false(own, opp, ep, state, memo, tally):
    """Whether race_win_plies() or race_loss_plies() claims of an unfinished position what exhaustive play denies.

    tally: positions looked at, claims of a win, claims of a loss.
    """
    truth = exhaustive.value(own, opp, ep, state, memo)
    wins, loses = race_win_plies(own, opp, state), race_loss_plies(own, opp, ep, state)
    tally[0] += 1
    tally[1] += wins > 0
    tally[2] += loses > 0
    return (wins > 0 and not 0 < truth <= wins) or (loses > 0 and not 0 < -truth <= loses)


first_false = first_of(is_false)


def assert_sound(name, games, seed, memo, from_start, most):
    rules = get_rules(name)
    start = Board.start(rules)
    own, opp = (np.uint64(start.own), np.uint64(start.opp)) if from_start else (ZERO, ZERO)
    tally = np.zeros(3, np.int64)
    memo[:] = 0  # it knows positions, not games
    found = first_false(games, seed, own, opp, most, exhaustive.record(rules), memo, tally)
    assert found == (0, 0, 0), f"a false claim in {name} at own, opp, ep = {found}"
    positions, wins, losses = tally
    assert positions >= games and wins * 50 > positions and losses * 100 > positions, tally
    return tally


@pytest.mark.parametrize("name, most, games", THROWN)
def test_race_is_never_wrong_from_thrown_positions(name, most, games, memo):
    few, small = (games // 5, most) if not native.PLAIN_PYTHON else (40, 4)
    assert_sound(name, few, 1, memo, False, small)


@pytest.mark.parametrize("name, most, games", PLAYED)
@pytest.mark.compiled
def test_race_is_never_wrong_in_random_games(name, most, games, memo):
    assert_sound(name, games // 5, 2, memo, True, most)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "name, most, games, from_start",
    [*(row + (False,) for row in THROWN), *(row + (True,) for row in PLAYED if row[0] != "breakthrough4x4")],
)
def test_race_is_never_wrong_in_millions(name, most, games, from_start, memo):
    """More than fifty million positions in all; `-s` shows how many each board has."""
    total = sum(assert_sound(name, games, seed, memo, from_start, most) for seed in range(10, 410))
    print(
        f"{name} {'played' if from_start else 'thrown'}: {total[0]:,} positions, {total[1]:,} won races, {total[2]:,} lost ones"
    )


def claims(name, fen):
    """(race_win_plies, race_loss_plies, exhaustive value) of a position."""
    board = parse_fen(get_rules(name), fen)
    state, (own, opp, ep) = exhaustive.record(board.rules), words(board)
    return race_win_plies(own, opp, state), race_loss_plies(own, opp, ep, state), truth(board)


def test_runner_that_has_just_made_a_double_step_can_be_taken_in_passing():
    """c5c3 brings Black two steps from home and White is three away, yet White takes it."""
    assert claims("twoflags5x6", "5/4p/5/1Pp2/5/5 w - - 0 1") == (0, 4, -4)
    wins, loses, truth = claims("twoflags5x6", "5/4p/5/1Pp2/5/5 w - c4 0 1")
    assert loses == 0 and truth > 0


def test_side_whose_only_move_is_en_passant_is_not_without_a_move():
    name, fen = "twoflags5x6", "5/5/1p3/1Pp2/5/5 w - c4 0 1"
    assert len(parse_fen(get_rules(name), fen).moves()) == 1
    wins, loses, truth = claims(name, fen)
    assert loses == 0 and truth == 5


def test_runner_steps_twice_where_nothing_can_take_it_in_passing():
    assert claims("twoflags4x6", "4/4/3p/4/P3/4 w - - 0 1") == (5, 0, 5)
    wins, _, truth = claims("twoflags4x6", "4/4/1p2/4/P3/4 w - - 0 1")
    assert wins == 0 and truth < 0


def test_race_is_runs_first_and_outrun_negated():
    rng = random.Random(3)
    for name in ("twoflags5x6", "breakthrough4x5"):
        board = Board.start(get_rules(name))
        state = exhaustive.record(board.rules)
        while not board.is_game_over():
            own, opp, ep = words(board)
            expected = race_win_plies(own, opp, state) or -race_loss_plies(own, opp, ep, state)
            assert race(own, opp, ep, state) == expected == native.race(board.rules, board.own, board.opp, board.ep)
            board = board.push(rng.choice(board.moves()))


# The yardstick itself.


@pytest.mark.parametrize("name", ["hexapawn3x3", "hexapawn3x4", "breakthrough2x4", "breakthrough3x4", "twoflags3x5"])
def test_exhaustive_value_equals_naive_play(name):
    rng, rules, checked = random.Random(4), get_rules(name), 0
    for _ in range(6 if not native.PLAIN_PYTHON else 2):
        position, line = naive.start(naive.GAMES[name]), []
        while not naive.over(position):
            line.append(position)
            position = naive.play(position, rng.choice(naive.moves(position)))
        for position in line[-6:]:
            value = truth(parse_fen(rules, naive.fen(position)))
            winner, plies = naive.solve(position)
            assert value == (plies if winner == position.side else -plies), naive.fen(position)
            checked += 1
    assert checked >= 8
