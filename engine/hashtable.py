"""The memory behind the transposition table: one anonymous private mapping, touched only as it fills or is cleared."""

import ctypes
import mmap
import os

BUCKET_BYTES = 64
KEPT = 256 << 20   # bytes up to which a table keeps its pages when it is cleared: a fault for each later would cost a search more


def physical_mebibytes():
    """Size of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (ValueError, OSError, AttributeError):
        return 4096


MAX_MEBIBYTES = max(64, physical_mebibytes() * 3 // 4)
"""More cannot be had: an overcommitted mapping succeeds, and the process is killed when it fills."""


class HashTable:
    """A table of the largest power of two of bytes within `mebibytes` / `parts`. Raises MemoryError where those cannot be had.

    address is the first word's, mask the number of buckets less one.
    """

    def __init__(self, mebibytes, parts=1):
        if mebibytes > MAX_MEBIBYTES:
            raise MemoryError(f"{mebibytes} MiB of hash cannot be had: expected at most {MAX_MEBIBYTES}")
        size = 1 << ((mebibytes << 20) // parts).bit_length() - 1
        try:
            # Private, so that a large table's clear() may give the pages back and huge pages apply.
            flags = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
            self._memory = mmap.mmap(-1, size, **flags)
        except (OSError, ValueError, OverflowError) as error:
            raise MemoryError(f"{mebibytes} MiB of hash cannot be had: {error}") from error
        if hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                self._memory.madvise(mmap.MADV_HUGEPAGE)
            except OSError:
                pass   # a kernel without them
        self._first = ctypes.c_char.from_buffer(self._memory)
        self.address = ctypes.addressof(self._first)
        self.size, self.mask = size, size // BUCKET_BYTES - 1

    def clear(self):
        """Empty the table. One of at most KEPT bytes is written, so that no search waits for its pages; from a larger one the kernel
        takes them back and gives zeros on the next touch."""
        if self.size > KEPT and hasattr(mmap, "MADV_DONTNEED"):
            self._memory.madvise(mmap.MADV_DONTNEED)
        else:
            ctypes.memset(self.address, 0, self.size)

    def permille(self, generation):
        """How many of a thousand entries, from a sample at the front, belong to this generation of the search."""
        count = min(1000, 4 * (self.mask + 1))
        words = memoryview(self._memory)[:16 * count].cast("Q")[1::2].tolist()
        return sum(1 for word in words if word and word >> 42 & 63 == generation) * 1000 // count
