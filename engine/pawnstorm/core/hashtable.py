"""The memory of a transposition table, touched only as it is filled or cleared."""

import ctypes
import mmap

from pawnstorm.system.pages import Pages, physical_mebibytes

BUCKET_BYTES = 64
# Bytes up to which a table is cleared by writing it, between games and during a search. This costs less than page faults
# would later cost the search, but a gibibyte takes a tenth of a second.
MEMSET_LIMIT, MEMSET_LIMIT_IN_SEARCH = 2048 << 20, 256 << 20


MAX_MEBIBYTES = max(64, physical_mebibytes() * 3 // 4)
"""The largest table that is made: a larger mapping may succeed, but the process is killed when it fills."""


class HashTable:
    """A table of `mebibytes` MiB times `share`. Raises MemoryError if the memory cannot be allocated.

    address     of its first word
    size        in bytes
    buckets     the number of buckets
    """

    def __init__(self, mebibytes, share=1):
        if mebibytes > MAX_MEBIBYTES:
            raise MemoryError(f"{mebibytes} MiB of hash cannot be allocated: expected at most {MAX_MEBIBYTES}")
        size = int((mebibytes << 20) * share) // mmap.PAGESIZE * mmap.PAGESIZE
        try:
            self._pages = Pages(size)
        except (OSError, ValueError, OverflowError) as error:
            raise MemoryError(f"{mebibytes} MiB of hash cannot be allocated: {error}") from error
        self.address, self.size, self.buckets = self._pages.address, size, size // BUCKET_BYTES

    def clear(self, in_search=False):
        """Empty the table. in_search: whether a search waits meanwhile, so that clearing must take little time.

        A small table is overwritten with zeros. A large one gives its pages back to the system if possible, and the system
        supplies zeros at the next touch. During a search, the largest size that counts as small is lower.
        """
        large = self.size > (MEMSET_LIMIT_IN_SEARCH if in_search else MEMSET_LIMIT)
        if not (large and self._pages.drop()):
            ctypes.memset(self.address, 0, self.size)

    def hashfull(self, generation):
        """How many entries in a thousand belong to this generation of the search, by a sample from the front of the table."""
        count = min(1000, 4 * self.buckets)
        words = (ctypes.c_uint64 * (2 * count)).from_address(self.address)[1::2]
        return sum(1 for word in words if word and word >> 42 & 63 == generation) * 1000 // count
