"""What every walk through a solver's table needs: to look into the table, and to meet each position once.

A walk's records are rows of four words, (capacity, 4) uint64: own, opp, ep and a word of the walk's choice. A mirror
image counts as the position itself, and the lesser of the two is kept (engine/kernels/pn_table.py). The index, int64,
holds rows by a hash of the position, -1 where there is none. Its length is a power of two, at least twice the number of
records.
"""

import numpy as np
from numba import njit

from common import engine_kernels  # noqa: F401  before the engine's kernels
from pawnstorm.engine.kernels import table
from pawnstorm.engine.kernels.kernel import DTYPE, ONE
from pawnstorm.engine.kernels.pn_table import mirrored
from pawnstorm.engine.kernels.position import mirror
from pawnstorm.engine.state import State

OWN, OPP, EP, WORD, FIELDS = 0, 1, 2, 3, 4


def record(rules, words=()):
    """A kernels' record set to a game and to a table, as an array of words."""
    state = np.zeros(1, DTYPE).view(np.recarray)[0]
    for name in State.RULES:
        setattr(state, name, getattr(rules, name))
    state.buckets = len(words) // 8
    return state


probe = njit(getattr(table.probe, "py_func", table.probe))
"""probe(key, state, words): the table's word of a key, 0 without one. The engine's own is compiled for an address."""


@njit
def place(own, opp, ep, records, index):
    """Where a position lies in the index, or the free place where it belongs."""
    where = proof_hash(own, opp, ep) & np.uint64(len(index) - 1)
    while index[where] >= 0:
        entry = records[index[where]]
        if entry[OWN] == own and entry[OPP] == opp and entry[EP] == ep:
            break
        where = (where + ONE) & np.uint64(len(index) - 1)
    return where


@njit
def reindex(records, count, index):
    """Fill an empty index."""
    for entry in range(count):
        index[place(records[entry, OWN], records[entry, OPP], records[entry, EP], records, index)] = entry


@njit
def proof_hash(own, opp, ep):
    """A hash for the index of records."""
    key = (own * np.uint64(0x9E3779B97F4A7C15)) ^ (opp + ep) * np.uint64(0xC2B2AE3D27D4EB4F)
    return key ^ key >> np.uint64(31)


@njit
def add(own, opp, ep, word, records, count, index, state):
    """Add a position unless it, or its image, is there; `word` as the lesser of the two has it. Returns the count."""
    if mirrored(own, opp, ep, state):
        shift = np.uint64(state.mirror_shift)
        own, opp, ep = mirror(own, shift), mirror(opp, shift), mirror(ep, shift)
    where = place(own, opp, ep, records, index)
    if index[where] < 0:
        index[where] = count
        records[count, OWN], records[count, OPP], records[count, EP], records[count, WORD] = own, opp, ep, word
        count += 1
    return count
