"""A solver's table on disk: the entries that took most work, from which a run continues.

The data of such a file (savefile.py) are entries, pairs of 64-bit words (engine/pawnstorm/kernels/pn_table.py). An entry
that a thread is writing during the save is torn: it matches no key, and does no harm. The file leaves out the entries that
took least work; a run soon finds them again. "hash" is the smallest --hash with which a run may continue: a smaller table
would lose much of the file.

A file's checksum shows that it is whole, not that its proofs are true. unprove() turns its proofs into expectations.
"""

import ctypes

import numpy as np

from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import COARSE, COARSE_SHIFT, CODE_MASK, PART_BITS, PARTITION_BITS, REGION_BITS
from pawnstorm_tools.solving import savefile

ENTRIES, SHARE = 1 << 22, 16  # default maximum of entries in a file: 64 MiB, or a SHARE-th of a larger table
ROOM = 8  # a table this many times the size of the file holds nearly all of it
CHUNK = 1 << 20  # entries processed at once
SAMPLE = 1 << 16  # entries that fill_ratio() looks at
WORK = np.uint64(8)  # the first bit of the work in an entry's second word
THREAD = np.uint64(255)  # mask of the thread at work on an entry: the lowest byte of its second word
ENTRY = 16  # bytes of an entry
PHI, DELTA, CODE = (
    np.uint64(40),
    np.uint64(16),
    np.uint64(CODE_MASK),
)  # in an entry's second word: the first bits of phi and of delta, and the mask for each
LIKELY, UNLIKELY = np.uint64(1), np.uint64(COARSE + ((1 << 31) - COARSE >> COARSE_SHIFT))  # as coded in an entry


def words(table):
    """A HashTable's memory as an array of uint64."""
    return np.ctypeslib.as_array((ctypes.c_uint64 * (table.size // 8)).from_address(table.address))


def _entries(table):
    """A HashTable's memory as an array of entries, (entries, 2) uint64."""
    return words(table).reshape(-1, 2)


def _codes(entries):
    return (entries[:, 1] >> WORK) & np.uint64(255)


def mebibytes(table):
    """A table's size, as --hash gives it."""
    return table.size >> 20


def fill_ratio(table):
    """The share of a table's entries that hold something, from a sample at the front."""
    return float((_entries(table)[:SAMPLE, 1] != 0).mean())


def count(table):
    """The number of a table's entries that hold something."""
    entries = _entries(table)
    return sum(int((entries[first : first + CHUNK, 1] != 0).sum()) for first in range(0, len(entries), CHUNK))


def save(path, table, header, most=None):
    """Write at most `most` entries of the table, and a header, in one step; returns the number of entries."""
    entries = _entries(table)
    most = most or max(ENTRIES, len(entries) // SHARE)
    counts = np.zeros(256, np.int64)
    for first in range(0, len(entries), CHUNK):
        part = entries[first : first + CHUNK]
        counts += np.bincount(_codes(part[part[:, 1] != 0]).astype(np.int64), minlength=256)
    above = counts[::-1].cumsum()[::-1]
    least = np.uint64(max(1, int(np.argmax(above <= most))))
    written = 0

    def parts():
        nonlocal written
        for first in range(0, len(entries), CHUNK):
            part = entries[first : first + CHUNK].copy()  # the threads go on writing to the table
            part = part[(part[:, 1] != 0) & (_codes(part) >= least)]
            part[:, 0] ^= part[:, 1]
            part[:, 1] &= ~THREAD  # no thread works on an entry in a file
            part[:, 0] ^= part[:, 1]
            written += len(part)
            yield part.tobytes()

    enough = (int(above[least]) * ENTRY * ROOM >> 20) + 1
    savefile.write(path, savefile.TABLE, header | {"hash": min(mebibytes(table), enough)}, parts())
    return written


def load(path, table, game):
    """Fill an empty table from a file of the same game; returns the file's header. Raises BadSave, OSError."""

    def most(header):
        if header["hash"] > mebibytes(table):
            raise savefile.BadSave(
                f"much of {path} would be lost in a table of {mebibytes(table)} MiB: expected --hash {header['hash']} or more"
            )
        return table.size

    header, found = _read(path, game, most)
    _fill(table, found)
    return header


def load_strongest(path, game, least):
    """A new HashTable with entries from a game's file: those for which at least `least` positions were expanded.

    Raises BadSave, OSError, MemoryError.
    """
    _, found = _read(path, game, savefile.memory_limit)
    codes = np.arange(256)
    work = (4 | codes & 3) << (codes >> 2) >> 2  # entry_work() of engine/pawnstorm/kernels/pn_table.py
    found = found[_codes(found) >= np.searchsorted(work, least)]
    table = HashTable((len(found) * ENTRY * ROOM >> 20) + 1)
    _fill(table, found)
    return table


def _read(path, game, most):
    """(header, entries) of a file; most: as for savefile.read()."""
    header, data = savefile.read(path, savefile.TABLE, game, ENTRY, most)
    found = np.frombuffer(data, np.uint64).reshape(-1, 2)
    if (found[:, 1] & THREAD).any():  # the run would wait for ever for a thread that does not exist
        raise savefile.damaged_file(path, savefile.TABLE)
    return header, found


def _fill(table, found):
    """Write entries into an empty table."""
    buckets = _entries(table).reshape(-1, 4, 2)
    index = np.empty(len(found), np.uint32)
    for first in range(0, len(found), CHUNK):
        part = found[first : first + CHUNK]
        index[first : first + CHUNK] = _places(part[:, 0] ^ part[:, 1], len(buckets))
    # The order is that of the buckets, unless the saved table was divided into more parts than this one, or fewer.
    if (index[1:] < index[:-1]).any():
        order = np.argsort(index, kind="stable")
        index = index[order]
    else:
        order = None
    first = 0
    while first < len(found):
        last = min(first + CHUNK, len(found)) - 1
        end = int(np.searchsorted(index, index[last], "right"))  # so that no bucket is divided
        chunk = slice(first, end) if order is None else order[first:end]
        _put(found[chunk], index[first:end], buckets)
        first = end


def unprove(table):
    """Turn every proof in a table into an expectation: numbers that lead a search along the proof, but prove nothing.

    The proofs that a search finds afterwards do not depend on the old ones. No thread is allowed to search meanwhile.
    """
    entries = _entries(table)
    for first in range(0, len(entries), CHUNK):
        part = entries[first : first + CHUNK]
        proven = np.flatnonzero((part[:, 1] >> PHI == 0) | (part[:, 1] >> DELTA & CODE == 0))
        words = part[proven, 1]
        won = words >> PHI == 0
        phi, delta = np.where(won, LIKELY, UNLIKELY), np.where(won, UNLIKELY, LIKELY)
        doubted = np.where(words == 0, words, phi << PHI | delta << DELTA | words & ~(~np.uint64(0) << DELTA))
        part[proven, 0] ^= words ^ doubted
        part[proven, 1] = doubted


def _places(keys, buckets):
    """The index of each key's bucket: proof_bucket_index() of engine/pawnstorm/kernels/pn_table.py for an array."""
    size = buckets.bit_length() - 1
    parts = np.uint64(min(size - PART_BITS, REGION_BITS) if size >= PARTITION_BITS else 0)
    spread = keys << np.uint64(REGION_BITS) >> parts | keys & ~(np.uint64((1 << 64) - 1) >> parts)
    return (spread >> np.uint64(32)) * np.uint64(buckets) >> np.uint64(32)


def _put(found, index, buckets):
    """Write entries into empty buckets. index: the bucket of each entry, in ascending order."""
    # If five entries fall into a bucket, the one with the least work is lost.
    order = np.lexsort((_codes(found), index))[::-1]
    index, found = index[order], found[order]
    starts = np.flatnonzero(np.r_[True, index[1:] != index[:-1]])
    place = np.arange(len(index)) - np.repeat(starts, np.diff(np.r_[starts, len(index)]))
    kept = place < 4
    buckets[index[kept], place[kept]] = found[kept]
