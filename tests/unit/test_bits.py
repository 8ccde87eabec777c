"""Machine instructions on bitboards against the obvious Python; the same calls with the compiler on and off."""

import random

import exhaustive
import numpy as np
import pytest
from numba import njit

from pawnstorm.games.rules import game
from pawnstorm.kernels import bits, position
from pawnstorm.kernels.kernel import ONE, ZERO

RNG = random.Random(5)
FULL = (1 << 64) - 1
WORDS = [1 << bit for bit in range(64)] + [FULL, FULL >> 1, FULL ^ 1, 0x8000000000000001]
WORDS += [RNG.getrandbits(64) & RNG.getrandbits(64) for _ in range(300)]
WORDS += [RNG.getrandbits(64) | 1 << RNG.randrange(64) for _ in range(300)]


@njit
def popcount(word):
    return bits.popcount(word)


@njit
def lowest(word):
    return bits.lowest(word)


@njit
def swap_ranks(word):
    return bits.swap_ranks(word)


@njit
def highest(word):
    return bits.highest(word)


@njit
def swap_files(word):
    return bits.swap_files(word)


@njit
def stopped(state):
    return bits.stopped(state)


@njit
def drain(word):
    """The bits of a word by the kernels' one idiom, and whether each was the lowest left."""
    count, ordered = 0, True
    while word:
        target = word & ~(word - ONE)
        ordered = ordered and target == ONE << bits.lowest(word)
        word ^= target
        count += 1
    return count, ordered


def test_popcount():
    assert popcount(np.uint64(0)) == 0
    for word in WORDS:
        assert popcount(np.uint64(word)) == bin(word).count("1")


def test_lowest():
    for word in filter(None, WORDS):
        assert lowest(np.uint64(word)) == bin(word)[::-1].index("1")


def test_swap_ranks():
    for word in WORDS:
        ranks = [word >> 8 * rank & 0xFF for rank in range(8)]
        assert swap_ranks(np.uint64(word)) == sum(row << 8 * rank for rank, row in enumerate(reversed(ranks)))


def test_highest():
    for word in filter(None, WORDS):
        assert highest(np.uint64(word)) == word.bit_length() - 1


def test_swap_files_reverses_each_rank():
    for word in WORDS:
        ranks = [f"{word >> shift & 255:08b}" for shift in range(0, 64, 8)]
        assert swap_files(np.uint64(word)) == sum(int(rank[::-1], 2) << 8 * number for number, rank in enumerate(ranks))


def test_results_are_words_that_meet_words():
    """A count that were a signed number would turn the shift or the sum that it meets into another type."""
    for function in (popcount, lowest, highest, swap_ranks, swap_files):
        assert isinstance(ONE << np.uint64(function(np.uint64(6))), np.uint64)
    if not hasattr(popcount, "py_func"):  # as plain Python what comes back is NumPy's
        assert all(
            type(function(np.uint64(6))) is np.uint64
            for function in (popcount, lowest, highest, swap_ranks, swap_files)
        )


def test_every_bit_is_walked_once_in_order():
    for word in WORDS:
        assert drain(np.uint64(word)) == (word.bit_count(), True)


def test_stop_flag_is_read_as_written():
    state = exhaustive.record(game("twoflags"))
    assert stopped(state) == 0
    state.stop = 1
    assert stopped(state) == 1


@pytest.mark.parametrize("ranks", range(3, 9))
def test_flip_turns_every_board_over(ranks):
    rules = game(f"hexapawn8x{ranks}")
    shift = np.uint64(rules.flip_shift)
    for word in WORDS:
        word &= rules.board
        rows = [word >> 8 * rank & 0xFF for rank in range(ranks)]
        flipped = position.flip(np.uint64(word), shift)
        assert flipped == sum(row << 8 * rank for rank, row in enumerate(reversed(rows)))
        assert position.flip(np.uint64(flipped), shift) == word


@pytest.mark.parametrize("files", range(1, 9))
def test_mirror_exchanges_the_files_of_every_board(files):
    rules = game(f"hexapawn{files}x8")
    shift = np.uint64(rules.mirror_shift)
    for word in WORDS:
        word &= rules.board
        mirrored = position.mirror(np.uint64(word), shift)
        assert mirrored == sum(
            1 << (square - square % 8 + files - 1 - square % 8) for square in range(64) if word >> square & 1
        )
        assert position.mirror(np.uint64(mirrored), shift) == word


@pytest.mark.parametrize(
    "word, attacked", [(1, {9}), (1 << 7, {14}), (1 << 9, {16, 18}), (0xFF, set(range(8, 16))), (1 << 60, set())]
)
def test_attacks_stay_on_the_board(word, attacked):
    squares = int(position.attacks(np.uint64(word)))
    assert {bit for bit in range(64) if squares >> bit & 1} == attacked and position.attacks(ZERO) == 0
