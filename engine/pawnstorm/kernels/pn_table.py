"""The solver's table: what it knows of each position.

Buckets and entries are as in engine/pawnstorm/kernels/table.py.

    word 1     phi 40-63 | delta 16-39 | work 8-15 | thread 0-7

phi, delta  df-pn's numbers for the side to move: the least effort to prove that it wins, and that it loses (Nagai 2002).
            Large numbers are rounded up (encode_number()), never down; else a search would not reach its threshold.
            If a win is proven, phi is 0; if a loss is proven, delta is 0. The other number then holds
            PROVEN | move << 8 | plies, where the move is from | to << 6 and the plies are an upper bound
work        the logarithm of the number of positions expanded below; entries with the least work are overwritten first
thread      the number of the thread that works below, or 0

A position and its mirror image share an entry.

    a key      region 46-63 | position 0-45

All positions that can follow a position are looked up together, so they are kept close together in a large table. Those that
follow by a single step without a capture have the same region. The region depends on the pawns of the side to move, the
number of the opponent's pawns, and the sum of the ranks of the opponent's pawns. If the positions were far apart, most of the
time would go to finding the pages of memory. A small table is not partitioned, since some regions have far more positions than
others.
"""

import numpy as np
from numba import types

from pawnstorm.core.state import (
    COARSE,
    COARSE_SHIFT,
    CODE_MASK,
    MAX_PROOF_PLIES,
    PART_BITS,
    PARTITION_BITS,
    REGION_BITS,
)
from pawnstorm.kernels.bits import msb, popcount
from pawnstorm.kernels.kernel import EIGHT, ONE, SIXTEEN, STATE, TABLE, ZERO, i64, kernel, u64
from pawnstorm.kernels.position import POSITION, mirror, rank_sum
from pawnstorm.kernels.table import WORD16, bucket_index, find_entry, hash_key

PROVEN = 1 << 20

S40 = np.uint64(40)
EVERY, IN_REGION = np.uint64((1 << 64) - 1), np.uint64((1 << 64 - REGION_BITS) - 1)
CODE, MOVE, BYTE = np.uint64(CODE_MASK), np.uint64(0xFFF), np.uint64(255)
STEP = (1 << COARSE_SHIFT) - 1
FILES, BOTH = np.uint64(7 << 6 | 7), np.uint64(1 << 6 | 1)  # of a move: both squares' file bits, and 1 in each file


@kernel(types.boolean(u64, u64, u64, STATE))
def is_mirrored(own, opp, ep, state):
    """Whether a position's mirror image is less than the position. If so, the entry is stored for the mirror image."""
    shift = u64(state.mirror_shift)
    mirror_own, mirror_opp = mirror(own, shift), mirror(opp, shift)
    return mirror_own < own or (
        mirror_own == own and (mirror_opp < opp or (mirror_opp == opp and mirror(ep, shift) < ep))
    )


@kernel(POSITION(u64, u64, u64, STATE))
def canonical(own, opp, ep, state):
    """The position or its mirror image: the lesser of the two."""
    if is_mirrored(own, opp, ep, state):
        shift = u64(state.mirror_shift)
        return mirror(own, shift), mirror(opp, shift), mirror(ep, shift)
    return own, opp, ep


@kernel(u64(u64, u64, u64, STATE))
def proof_key(own, opp, ep, state):
    """The key that a position shares with its mirror image."""
    own, opp, ep = canonical(own, opp, ep, state)
    region = hash_key(own, popcount(opp) << EIGHT | rank_sum(opp), ZERO)
    return region & ~IN_REGION | hash_key(own, opp, ep) & IN_REGION


@kernel(u64(u64, STATE))
def proof_bucket_index(key, state):
    """Index of the first word of a key's bucket.

    A table of at least 2 ** PARTITION_BITS buckets (half a GiB) is partitioned into parts of at least 2 ** PART_BITS
    buckets. The region (the upper bits of the key) selects the part, and the position selects the bucket in it.
    """
    size = i64(msb(state.buckets))
    parts = u64(min(size - PART_BITS, i64(REGION_BITS)) if size >= PARTITION_BITS else i64(0))
    return bucket_index(key << u64(REGION_BITS) >> parts | key & ~(EVERY >> parts), state)


@kernel(u64(u64, STATE, TABLE))
def look_up(key, state, table):
    """The entry of a key: the whole word 1, work and thread included; 0 if there is none."""
    return find_entry(key, proof_bucket_index(key, state), table)


@kernel(u64(u64, u64, u64, u64, STATE))
def canonical_move(move, own, opp, ep, state):
    """The move as the position's entry stores it: mirrored if the entry is stored for the mirror image; 0 if the move is 0.

    The function also turns a stored move back into a move of the position.
    """
    if move == ZERO or not is_mirrored(own, opp, ep, state):
        return move
    # a square's file is mirrored as on a board of eight files, then shifted back to the first file
    return (move ^ FILES) - u64(state.mirror_shift) * BOTH


@kernel(u64(i64))
def encode_number(number):
    """The code by which a word stores a phi or delta of at most MAX_PROOF_NUMBER."""
    coarse = (max(number - COARSE, 0) + STEP) >> COARSE_SHIFT
    return u64(min(number, COARSE) + coarse)


@kernel(i64(u64))
def decode_number(code):
    """The inverse of encode_number(), up to its rounding."""
    return i64(code) + max(i64(code) - COARSE, 0) * STEP


@kernel(u64(i64, i64))
def pack(phi, delta):
    """The word of a phi and a delta."""
    return encode_number(phi) << S40 | encode_number(delta) << SIXTEEN


@kernel(u64(u64, i64))
def pack_win(move, plies):
    """The word of a win by a move, in at most `plies` plies. The move is 0 if it is unknown."""
    return pack(i64(0), i64(PROVEN) | i64(move) << 8 | min(plies, i64(MAX_PROOF_PLIES)))


@kernel(u64(u64, i64))
def pack_loss(move, plies):
    """The word of a loss in at most `plies` plies. The move is the longest resistance known."""
    return pack(i64(PROVEN) | i64(move) << 8 | min(plies, i64(MAX_PROOF_PLIES)), i64(0))


@kernel(i64(u64))
def phi(word):
    return decode_number(word >> S40)


@kernel(i64(u64))
def delta(word):
    return decode_number((word >> SIXTEEN) & CODE)


@kernel(types.boolean(u64))
def is_proven(word):
    """Whether a word or an entry is that of a proven win or loss; false for 0."""
    return word != ZERO and (phi(word) == 0 or delta(word) == 0)


@kernel(i64(u64))
def proven_plies(number):
    """Upper bound of the plies to the end. number: the phi or delta of a proven word, whichever is not 0."""
    return i64(u64(number) & BYTE)


@kernel(u64(i64))
def proven_move(number):
    """The move as the entry stores it; 0 if it is unknown. number: the phi or delta of a proven word, whichever is not 0."""
    return (u64(number) >> EIGHT) & MOVE


@kernel(u64(u64))
def entry_thread(data):
    return data & BYTE


@kernel(i64(u64))
def entry_work(data):
    """Number of positions expanded below an entry, rounded down to one of four steps in each doubling."""
    code = i64((data >> EIGHT) & BYTE)
    return (4 | (code & 3)) << (code >> 2) >> 2


@kernel(types.none(u64, u64, i64, u64, STATE, TABLE))
def store(key, word, work, thread_number, state, table):
    """Write the word of a key into the table.

    If the key has an entry, the word overwrites this entry; but a proven entry is left as it is. If the key has no entry, the
    word overwrites the entry with the least work in the key's bucket.

    work: positions expanded for the entry since it was last read. thread_number: the number of the thread at work below the
    position, or 0.
    """
    first = proof_bucket_index(key, state)
    chosen, least = first, i64(1 << 30)
    work = max(work, i64(4))
    for _ in range(4):
        data = table[first + ONE]
        if table[first] ^ data == key:
            if is_proven(data):
                return  # another thread was quicker
            chosen = first
            work += entry_work(data)
            break
        value = i64((data >> EIGHT) & BYTE) if data else i64(-1)
        if value < least:
            chosen, least = first, value
        first += ONE + ONE
    top = i64(msb(u64(work)))
    data = (word & ~WORD16) | u64(top << 2 | ((work >> (top - 2)) & 3)) << EIGHT | thread_number
    table[chosen] = key ^ data
    table[chosen + ONE] = data
