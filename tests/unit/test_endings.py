"""Wins within the last rows, decided by a table, against exhaustive play: one false claim is a defect."""

import threading

import exhaustive
import numpy as np
import pytest
from numba import njit
from setups import BREAKTHROUGH, first_of, words_wrap  # noqa: F401

from pawnstorm.core.state import State
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.endings import ending_loss_plies, ending_win_plies
from pawnstorm.kernels.kernel import ZERO
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.position import make_move
from pawnstorm.proof import endings
from pawnstorm.proof.prover import Prover


@njit
def is_false(own, opp, ep, state, memo, tally):
    """Whether the table claims of an unfinished position what exhaustive play denies.

    tally: positions looked at, claims of a win, claims of a loss, claims of which the table has lost the thread: no move
    of a win leads to a claim of a loss, or a move of a loss does not lead to a win.
    """
    truth = exhaustive.value(own, opp, ep, state, memo)
    wins, loses = ending_win_plies(own, opp, state), ending_loss_plies(own, opp, state)
    tally[0] += 1
    tally[1] += wins > 0
    tally[2] += loses > 0
    kept, all_kept = wins == 1, True
    for move in state.moves[: generate_moves(own, opp, ep, state)].copy():
        new_own, new_opp, _ = make_move(own, opp, ep, np.uint64(move), state)
        if new_opp & state.home == ZERO and new_own:
            reply = ending_loss_plies(new_own, new_opp, state)
            kept = kept or (0 < reply < wins)
            reply = ending_win_plies(new_own, new_opp, state)
            all_kept = all_kept and 0 < reply < loses
    tally[3] += (wins > 0 and not kept) or (loses > 0 and not all_kept)
    return (wins > 0 and not 0 < truth <= wins) or (loses > 0 and not 0 < -truth <= loses)


first_false = first_of(is_false)


def assert_sound(name, most, games, seed, memo):
    """Raise where the table claims what exhaustive play denies, or loses the thread of a win; returns the tally."""
    rules = get_rules(name)
    state, tally = exhaustive.record(rules), np.zeros(4, np.int64)
    endings.set_endings(state, rules)
    found = first_false(games, seed, ZERO, ZERO, most, state, memo, tally)
    assert found == (0, 0, 0), (name, found)
    assert tally[0] > games and min(tally[1:3]) > games // 20 and tally[3] == 0, tally
    return tally


@pytest.mark.parametrize("name, most, games", BREAKTHROUGH)
def test_claims_are_those_of_exhaustive_play(name, most, games):
    """And whoever plays by the table keeps the win: it never loses the thread."""
    assert_sound(name, most, games // 10, 1, exhaustive.memory(20))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name, most, games", BREAKTHROUGH)
def test_claims_are_those_of_exhaustive_play_in_millions(name, most, games):
    """`-rP` shows how many positions each board has."""
    memo = exhaustive.memory(24)
    positions, wins, losses, _ = sum(assert_sound(name, most, games, seed, memo) for seed in range(10, 210))
    print(f"{name}: {positions:,} positions, {wins:,} claims of a win, {losses:,} of a loss")


@pytest.mark.compiled
def test_threads_share_the_table_that_the_first_of_them_makes(monkeypatch):
    """A solver is asked what it knows while it begins, and its records keep the table's address."""
    monkeypatch.setattr(endings, "_made", {})
    rules, states = get_rules("breakthrough5x5"), [State() for _ in range(8)]
    threads = [threading.Thread(target=endings.set_endings, args=(state, rules)) for state in states]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {state.endings for state in states} == {endings._made[rules].address}


def test_only_breakthrough_has_a_table():
    assert endings.rows_of(get_rules("twoflags")) == endings.rows_of(get_rules("hexapawn4x4")) == 0
    assert [endings.rows_of(get_rules(f"breakthrough{files}x6")) for files in range(2, 9)] == [5, 5, 4, 3, 3, 0, 0]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["breakthrough3x5", "breakthrough4x4", "breakthrough2x7", "breakthrough4x5"])
def test_solver_with_the_table_finds_the_winner_by_fewer_expansions(name):
    found = []
    for with_endings in (False, True):
        prover = Prover(16, endings=with_endings)
        proof = prover.prove(Board.start(get_rules(name)))
        line = prover.line(Board.start(get_rules(name)))
        assert 0 < len(line) <= proof.plies
        found.append((proof.value, prover.nodes))
    (without, many), (value, few) = found
    assert value == without and few < many
