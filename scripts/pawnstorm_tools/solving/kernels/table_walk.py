"""The basis of every walk through a solver's table: reads the table, and keeps a set of the positions that were met.

A position and its mirror image count as one; pn_table.canonical() chooses one of them. The set holds their keys, (places,
words) uint64; a free place has zeros. A key holds the whole position, as a ternary number with a digit for each square: in
one word on boards of up to 36 squares, in two words on larger boards.
"""

import numpy as np
from numba import njit
from numba.types import Array, UniTuple, boolean

from pawnstorm.core.state import State
from pawnstorm.kernels import table
from pawnstorm.kernels.bits import lsb
from pawnstorm.kernels.kernel import EIGHT, ONE, STATE, STATE_DTYPE, ZERO, u64
from pawnstorm.kernels.pn_table import proof_bucket_index
from pawnstorm_tools.common.machinecode import compiled

WORDS, ROWS = Array(u64, 1, "C"), Array(u64, 2, "C")

SQUARES = 36  # of the largest board whose positions have keys of one word
SEVEN, BYTE, TWO, NINE = (np.uint64(number) for number in (7, 255, 2, 9))
TERNARY = np.array([sum(3**file for file in range(8) if byte >> file & 1) for byte in range(256)], np.uint64)
POWERS = np.array([3**files for files in range(9)], np.uint64)
FIRST, SECOND, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(32)


def new_state(rules, words=()):
    """A new state record for the kernels, set to a game and to a table. words: the table's memory as an array."""
    state = np.zeros(1, STATE_DTYPE).view(np.recarray)[0]
    for name in State.RULES_FIELDS:
        setattr(state, name, getattr(rules, name))
    state.buckets = len(words) // 8
    return state


_entry = njit(getattr(table.find_entry, "py_func", table.find_entry))  # the engine's own is compiled for an address


@compiled(u64(u64, STATE, WORDS))
def probe(key, state, words):
    """The table's word of a key; 0 if it has no entry."""
    return _entry(key, proof_bucket_index(key, state), words)


def empty_set(rules, places):
    """An empty set of keys. places: how many it has, less than 2^32. At most four fifths of them should be filled."""
    return np.zeros((places, 1 if rules.files * rules.ranks <= SQUARES else 2), np.uint64)


@compiled(UniTuple(u64, 3)(u64, u64, u64, ROWS, STATE))
def encode_key(own, opp, ep, keys, state):
    """(first word, second word, first place to look at) of a canonical position in a set of keys."""
    ranks, base = 8 - state.flip_shift // 8, POWERS[8 - state.mirror_shift]
    below = ranks if keys.shape[1] == 1 else 4  # ranks of the first word
    first, second = ZERO, ZERO
    for rank in range(ranks):
        row = TERNARY[own & BYTE] + TWO * TERNARY[opp & BYTE]
        if rank < below:
            first = first * base + row
        else:
            second = second * base + row
        own, opp = own >> EIGHT, opp >> EIGHT
    first = first * NINE + ((lsb(ep) & SEVEN) + ONE if ep else ZERO)
    mixed = (first ^ first >> HALF ^ second * SECOND) * FIRST
    return first, second, ((mixed ^ mixed >> HALF) * SECOND >> HALF) * np.uint64(len(keys)) >> HALF


@compiled(boolean(u64, u64, u64, ROWS))
def put(first, second, place, keys):
    """Add a key, given as encode_key() returns it, to a set of keys; returns whether it is new."""
    last = keys.shape[1] - 1
    while keys[place, 0] or keys[place, last]:
        if keys[place, 0] == first and (last == 0 or keys[place, 1] == second):
            return False
        place = (place + ONE) % np.uint64(len(keys))
    keys[place, last] = second
    keys[place, 0] = first
    return True


@compiled(boolean(u64, u64, u64, ROWS, STATE))
def add(own, opp, ep, keys, state):
    """Add a canonical position to a set of keys; returns whether it is new."""
    first, second, place = encode_key(own, opp, ep, keys, state)
    return put(first, second, place, keys)
