"""The transposition table: the memory, and what comes back out of it."""

import ctypes
import os
import random

import exhaustive
import numpy as np
import pytest
from numba import config, njit
from setups import words_wrap  # noqa: F401

from pawnstorm.core import hashtable
from pawnstorm.core.hashtable import BUCKET_BYTES, MAX_MEBIBYTES, HashTable
from pawnstorm.core.state import WIN
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels import table
from pawnstorm.kernels.kernel import ONE

BUCKETS = 16
I32 = np.int32


if config.DISABLE_JIT:

    def pointer(words):
        """What kernels take for a table: the array itself."""
        return words
else:

    @njit
    def pointer(words):
        """What kernels take for a table: the array's address."""
        return words.ctypes


@njit
def store(words, key, move, score, depth, bound, static, ply, state):
    table.store(key, move, I32(score), I32(depth), I32(bound), I32(static), I32(ply), state, pointer(words))


@njit
def probe(words, key, state):
    return np.uint64(table.probe(key, state, pointer(words)))


@pytest.fixture
def words():
    return np.zeros(BUCKETS * 8, np.uint64)


@pytest.fixture
def state():
    record = exhaustive.record(get_rules("twoflags"))
    record.buckets, record.generation = BUCKETS, 7
    return record


def fields(data, ply=0):
    """(move, score, depth, bound, static score) of an entry."""
    return tuple(
        int(value)
        for value in (
            table.entry_move(data),
            table.entry_score(data, I32(ply)),
            table.entry_depth(data),
            table.entry_bound(data),
            table.entry_static_eval(data),
        )
    )


def random_entry(rng):
    score = rng.choice([rng.randint(-20000, 20000), WIN - rng.randint(1, 208), rng.randint(1, 208) - WIN])
    return (
        np.uint64(rng.randrange(1, 4096)),
        score,
        rng.randrange(0, 201),
        rng.randrange(1, 4),
        rng.randint(-20000, 20000),
    )


def key(rng):
    return np.uint64(rng.getrandbits(64))


def test_entry_comes_back_whole(words, state):
    rng = random.Random(7)
    for _ in range(500):
        one, entry, ply = key(rng), random_entry(rng), rng.randrange(40)
        store(words, one, *entry, ply, state)
        assert fields(probe(words, one, state), ply) == entry


def test_proven_score_keeps_its_distance_from_the_position(words, state):
    """A win in 5 plies from the node stored at ply 10 is a win in 5 plies from the node found at ply 3; other scores do
    not move.
    """
    for number, (score, found) in enumerate([(WIN - 15, WIN - 8), (15 - WIN, 8 - WIN), (123, 123), (-20000, -20000)]):
        store(words, np.uint64(number), ONE, score, 4, 3, 0, 10, state)
        assert fields(probe(words, np.uint64(number), state), 3)[1] == found


def test_found_entries_are_stored_ones(words, state):
    """Far more positions than places: an entry may be gone, never another's."""
    rng, stored, found = random.Random(8), {}, 0
    for _ in range(1000):
        one = key(rng)
        stored[one] = random_entry(rng)
        store(words, one, *stored[one], 0, state)
    for one, entry in stored.items():
        data = probe(words, one, state)
        if data:
            found += 1
            assert fields(data) == entry
    assert found == 4 * BUCKETS
    assert not any(probe(words, key(rng), state) for _ in range(1000))


def test_torn_write_is_not_found(words, state):
    one = np.uint64(0x123456789ABCDEF3)
    store(words, one, np.uint64(99), 50, 6, 3, 40, 0, state)
    place = int(words.nonzero()[0][0])
    for damage in (place, place + 1):
        words[damage] ^= np.uint64(1 << 20)
        assert probe(words, one, state) == 0
        words[damage] ^= np.uint64(1 << 20)
    assert probe(words, one, state)


def test_shallow_and_old_entries_go_first(words, state):
    for depth in (9, 3, 7, 5):
        store(words, np.uint64(depth << 32), ONE, 0, depth, 3, 0, 0, state)
    store(words, np.uint64(11 << 32), ONE, 0, 1, 3, 0, 0, state)
    assert [bool(probe(words, np.uint64(depth << 32), state)) for depth in (9, 3, 7, 5)] == [True, False, True, True]
    state.generation = 10  # three searches later a depth counts for twelve less
    store(words, np.uint64(12 << 32), ONE, 0, 1, 3, 0, 0, state)
    store(words, np.uint64(13 << 32), ONE, 0, 1, 3, 0, 0, state)
    assert probe(words, np.uint64(12 << 32), state) and probe(words, np.uint64(13 << 32), state)


def test_move_survives_a_store_without_one(words, state):
    store(words, ONE, np.uint64(77), 10, 5, 3, 0, 0, state)
    store(words, ONE, np.uint64(0), 20, 6, 1, 0, 0, state)
    assert fields(probe(words, ONE, state)) == (77, 20, 6, 1, 0)


def test_key_tells_positions_apart():
    rng = random.Random(9)
    positions = {(rng.getrandbits(64), rng.getrandbits(64), 0) for _ in range(3000)}
    positions |= {(own, opp, 1 << 40) for own, opp, _ in positions} | {(opp, own, 0) for own, opp, _ in positions}
    keys = {int(table.hash_key(*map(np.uint64, words))) for words in positions}
    assert len(keys) == len(positions) and len({one & 0xFFFFF for one in keys}) > 0.98 * len(keys)


def test_number_that_the_engine_repeats_is_the_kernels():
    assert BUCKET_BYTES == 8 << int(table.BUCKET_SHIFT)


# The memory.


@pytest.mark.parametrize(
    "mebibytes, share, size",
    [(1, 1, 1 << 20), (3, 1, 3 << 20), (33, 1, 33 << 20), (16, 0.875, 14 << 20), (1, 0.125, 1 << 17)],
)
def test_size_is_the_share_that_was_asked_for(mebibytes, share, size):
    memory = HashTable(mebibytes, share)
    assert memory.size == size and memory.buckets == memory.size // BUCKET_BYTES and memory.address % BUCKET_BYTES == 0


def test_memory_that_cannot_be_had_is_refused_by_number():
    for mebibytes in (MAX_MEBIBYTES + 1, 1 << 40):
        with pytest.raises(MemoryError, match=f"{mebibytes} MiB .*expected at most {MAX_MEBIBYTES}"):
            HashTable(mebibytes)


def test_memory_that_the_system_refuses_is_a_memory_error(monkeypatch):
    monkeypatch.setattr(hashtable, "MAX_MEBIBYTES", 1 << 60)
    with pytest.raises(MemoryError, match="cannot be allocated"):
        HashTable(1 << 50)


def test_clear_leaves_zeros():
    memory = HashTable(1)
    words = (ctypes.c_uint64 * (memory.size // 8)).from_address(memory.address)
    assert not any(words)
    words[0] = words[len(words) - 1] = 1
    assert words[0]
    memory.clear()
    assert not any(words)


def resident(memory):
    """Bytes of a table that are in memory, by the kernel's page map."""
    page = os.sysconf("SC_PAGE_SIZE")
    with open("/proc/self/pagemap", "rb") as file:
        file.seek(memory.address // page * 8)
        entries = np.frombuffer(file.read(memory.size // page * 8), np.uint64)
    return int((entries >> np.uint64(63)).sum()) * page


@pytest.mark.skipif(not os.path.exists("/proc/self/pagemap"), reason="Linux tells what is in memory")
def test_cleared_table_has_its_pages_at_hand_unless_it_is_large(monkeypatch):
    memory = HashTable(8)
    assert resident(memory) == 0
    memory.clear()
    assert resident(memory) == memory.size == 8 << 20
    monkeypatch.setattr(hashtable, "MEMSET_LIMIT", 4 << 20)
    memory.clear()
    assert resident(memory) == 0


def test_permille_counts_this_generation_only():
    memory = HashTable(1)
    words = (ctypes.c_uint64 * (memory.size // 8)).from_address(memory.address)
    assert memory.hashfull(0) == 0
    for entry in range(500):
        words[2 * entry + 1] = 5 << 42 | 1
    assert (memory.hashfull(5), memory.hashfull(6)) == (500, 0)
