"""Machine instructions on bitboards against the obvious Python; the same calls with the compiler on and off."""

import random

import exhaustive
import numpy as np
import pytest
from numba import njit

from pawnstorm.games.rules import get_rules
from pawnstorm.kernels import bits, position
from pawnstorm.kernels.kernel import ONE, ZERO

RNG = random.Random(5)
FULL = (1 << 64) - 1
WORDS = [1 << bit for bit in range(64)] + [FULL, FULL >> 1, FULL ^ 1, 0x8000000000000001]
WORDS += [RNG.getrandbits(64) & RNG.getrandbits(64) for _ in range(300)]
WORDS += [RNG.getrandbits(64) | 1 << RNG.randrange(64) for _ in range(300)]


def called(intrinsic):
    """A function that calls it compiled, or as plain Python."""

    @njit
    def call(word):
        return intrinsic(word)

    return call


# name -> (what is tested, the obvious Python)
FUNCTIONS = {
    "popcount": (called(bits.popcount), int.bit_count),
    "lowest": (called(bits.lsb), lambda word: bin(word)[::-1].index("1")),
    "highest": (called(bits.msb), lambda word: word.bit_length() - 1),
    "swap_ranks": (
        called(bits.swap_ranks),
        lambda word: sum((word >> 8 * rank & 255) << 8 * (7 - rank) for rank in range(8)),
    ),
    "swap_files": (
        called(bits.swap_files),
        lambda word: sum(int(f"{word >> shift & 255:08b}"[::-1], 2) << shift for shift in range(0, 64, 8)),
    ),
}


@njit
def stopped(state):
    return bits.stopped(state)


@njit
def drain(word):
    """The bits of a word by the kernels' one idiom, and whether each was the lowest left."""
    count, ordered = 0, True
    while word:
        target = word & ~(word - ONE)
        ordered = ordered and target == ONE << bits.lsb(word)
        word ^= target
        count += 1
    return count, ordered


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_finds_what_the_obvious_python_does(name):
    """A result that were a signed number would turn the shift or the sum that it meets into another type."""
    function, obvious = FUNCTIONS[name]
    for word in WORDS + [0] * (name not in ("lowest", "highest")):
        assert function(np.uint64(word)) == obvious(word)
    assert isinstance(ONE << np.uint64(function(np.uint64(6))), np.uint64)
    if not hasattr(function, "py_func"):  # as plain Python what comes back is NumPy's
        assert type(function(np.uint64(6))) is np.uint64


def test_every_bit_is_walked_once_in_order():
    for word in WORDS:
        assert drain(np.uint64(word)) == (word.bit_count(), True)


def test_stop_flag_is_read_as_written():
    state = exhaustive.record(get_rules("twoflags"))
    assert stopped(state) == 0
    state.stop = 1
    assert stopped(state) == 1


@pytest.mark.parametrize("ranks", range(3, 9))
def test_flip_turns_every_board_over(ranks):
    rules = get_rules(f"hexapawn8x{ranks}")
    shift = np.uint64(rules.flip_shift)
    for word in WORDS:
        word &= rules.board
        rows = [word >> 8 * rank & 0xFF for rank in range(ranks)]
        flipped = position.flip(np.uint64(word), shift)
        assert flipped == sum(row << 8 * rank for rank, row in enumerate(reversed(rows)))
        assert position.flip(np.uint64(flipped), shift) == word


@pytest.mark.parametrize("files", range(1, 9))
def test_mirror_exchanges_the_files_of_every_board(files):
    rules = get_rules(f"hexapawn{files}x8")
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
