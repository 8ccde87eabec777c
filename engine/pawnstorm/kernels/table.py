"""The transposition table: buckets of four entries in one cache line, shared by all threads without a lock.

    an entry, two words
    word 0   key ^ word 1: a torn write fails to match and is simply not found (Hyatt and Mann 2002)
    word 1   move 0-15 | score 16-31 | depth 32-39 | bound 40-41 | generation 42-47 | static score 48-63

The score of a win or a loss is stored as a distance from the node, so that it is valid wherever the position comes up again.
"""

import numpy as np
from numba import types

from pawnstorm.core.parameters import TABLE_AGE
from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.kernels.bits import prefetch
from pawnstorm.kernels.kernel import ONE, STATE, TABLE, ZERO, i32, i64, kernel, u64

NONE, UPPER, LOWER, EXACT = 0, 1, 2, 3  # how the true score compares with the stored one: <=, >=, ==

WORD16 = np.uint64(0xFFFF)
BUCKET_SHIFT = np.uint64(3)  # log2 of the words in a bucket
K1, K2, K3 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93))
S16, S29, S32, S40, S42, S48 = (np.uint64(n) for n in (16, 29, 32, 40, 42, 48))


@kernel(u64(u64, u64, u64))
def hash_key(own, opp, ep):
    """The key of a position. It is computed from these three words alone, so it does not depend on earlier moves."""
    key = own * K1
    key = (key ^ (key >> S32)) + opp
    key = key * K2
    key = (key ^ (key >> S29)) + ep
    key = key * K3
    return key ^ (key >> S32)


@kernel(u64(u64, STATE))
def bucket_index(key, state):
    """Index of the first word of the key's bucket. state.buckets, the number of buckets, is below 2 ** 32."""
    return ((key >> S32) * state.buckets >> S32) << BUCKET_SHIFT


@kernel(types.none(u64, STATE, TABLE))
def prefetch_bucket(key, state, table):
    """Start loading the key's bucket into the cache."""
    prefetch(table, bucket_index(key, state))


@kernel(u64(u64, u64, TABLE))
def find_entry(key, first, table):
    """Word 1 of the key's entry in the bucket that begins at table[first], or 0."""
    for _ in range(4):
        data = table[first + ONE]
        if table[first] ^ data == key:
            return data
        first += ONE + ONE
    return ZERO


@kernel(u64(u64, STATE, TABLE))
def probe(key, state, table):
    """Word 1 of the key's entry, or 0."""
    return find_entry(key, bucket_index(key, state), table)


@kernel(u64(u64))
def entry_move(data):
    return data & WORD16


@kernel(i32(u64))
def entry_depth(data):
    return i32((data >> S32) & np.uint64(0xFF))


@kernel(i32(u64))
def entry_bound(data):
    return i32((data >> S40) & np.uint64(3))


@kernel(i32(u64, i32))
def entry_score(data, ply):
    """The stored score, for a node `ply` plies from the root."""
    score = i32(types.int16((data >> S16) & WORD16))
    if score > MIN_WIN_SCORE:
        return i32(score - ply)
    if score < -MIN_WIN_SCORE:
        return i32(score + ply)
    return score


@kernel(i32(u64))
def entry_static_eval(data):
    return i32(types.int16((data >> S48) & WORD16))


@kernel(types.none(u64, u64, i32, i32, i32, i32, i32, STATE, TABLE))
def store(key, move, score, depth, bound, static_eval, ply, state, table):
    """Write an entry for the key.

    It overwrites the entry that the key already has. If the key has none, it overwrites the least useful entry of the bucket:
    old generations and shallow depths go first. If move is 0, the move of the key's earlier entry is kept.
    """
    if score > MIN_WIN_SCORE:
        score = i32(score + ply)
    elif score < -MIN_WIN_SCORE:
        score = i32(score - ply)
    first = bucket_index(key, state)
    place, worst = first, i64(1 << 30)
    for _ in range(4):
        data = table[first + ONE]
        if table[first] ^ data == key:
            place = first
            if move == ZERO:
                move = entry_move(data)
            break
        age = (state.generation - i64((data >> S42) & np.uint64(63))) & 63
        value = i64(entry_depth(data)) - TABLE_AGE * age if data else i64(-1000)
        if value < worst:
            place, worst = first, value
        first += ONE + ONE
    data = (
        move
        | (u64(i64(score)) & WORD16) << S16
        | u64(max(i32(0), depth)) << S32
        | u64(bound) << S40
        | u64(state.generation & 63) << S42
        | (u64(i64(static_eval)) & WORD16) << S48
    )
    table[place] = key ^ data
    table[place + ONE] = data
