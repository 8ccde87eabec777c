"""The memory behind the transposition table: one anonymous private mapping, touched only as it fills or is cleared."""

import ctypes
import mmap
import os

BUCKET_BYTES = 64
# Bytes up to which a table keeps its pages when it is cleared, between games and in the time of a search: written at once they cost
# less than a fault for each later would cost the search, but a gibibyte takes a tenth of a second.
KEPT, KEPT_HASTILY = 2048 << 20, 256 << 20


def physical_mebibytes():
    """Size of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (ValueError, OSError, AttributeError):
        return 4096


MAX_MEBIBYTES = max(64, physical_mebibytes() * 3 // 4)
"""More cannot be had: an overcommitted mapping succeeds, and the process is killed when it fills."""


class HashTable:
    """A table of a share of `mebibytes`. Raises MemoryError where those cannot be had.

    address is the first word's, buckets their number.
    """

    def __init__(self, mebibytes, share=1):
        if mebibytes > MAX_MEBIBYTES:
            raise MemoryError(f"{mebibytes} MiB of hash cannot be had: expected at most {MAX_MEBIBYTES}")
        size = int((mebibytes << 20) * share) // mmap.PAGESIZE * mmap.PAGESIZE
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
        self.size, self.buckets = size, size // BUCKET_BYTES

    def clear(self, hastily=False):
        """Empty the table. One of at most KEPT bytes is written, hastily of KEPT_HASTILY, so that no search waits for its pages; from a
        larger one the kernel takes them back and gives zeros on the next touch."""
        if self.size > (KEPT_HASTILY if hastily else KEPT) and hasattr(mmap, "MADV_DONTNEED"):
            self._memory.madvise(mmap.MADV_DONTNEED)
        else:
            ctypes.memset(self.address, 0, self.size)

    def permille(self, generation):
        """How many of a thousand entries, from a sample at the front, belong to this generation of the search."""
        count = min(1000, 4 * self.buckets)
        words = memoryview(self._memory)[:16 * count].cast("Q")[1::2].tolist()
        return sum(1 for word in words if word and word >> 42 & 63 == generation) * 1000 // count
