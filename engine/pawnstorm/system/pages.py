"""Memory for large tables, and the size of the machine's memory.

The memory is zero at first. The system provides each page when it is first touched.
"""

import ctypes
import mmap
import os
import sys

from pawnstorm.system import WINDOWS

UNKNOWN = 4096  # MiB, assumed if the system does not give the size of its memory


def private_mapping(size):
    """An anonymous mapping of `size` bytes. No other process shares it, not even a fork of this one. Raises OSError."""
    flags = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    return mmap.mmap(-1, size, **flags)


class _Mapping:
    """A private mapping, so that drop() can give pages back and the system can use huge pages."""

    def __init__(self, size):
        self._memory = private_mapping(size)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                self._memory.madvise(mmap.MADV_HUGEPAGE)
            except OSError:
                pass  # the kernel has no huge pages
        self._first = ctypes.c_char.from_buffer(self._memory)
        self.address = ctypes.addressof(self._first)

    def drop(self):
        if sys.platform != "linux":  # on other systems MADV_DONTNEED may keep the content of pages
            return False
        self._memory.madvise(mmap.MADV_DONTNEED)
        return True


class _Committed:
    """Memory from VirtualAlloc. Windows commits it when it is allocated, so that a later access cannot fail."""

    address = None

    def __init__(self, size):
        from pawnstorm.system import win32

        self._win32, self._size = win32, size
        self.address = self._commit(None, win32.MEM_RESERVE)

    def _commit(self, where, how=0):
        found = self._win32.VirtualAlloc(where, self._size, how | self._win32.MEM_COMMIT, self._win32.PAGE_READWRITE)
        if not found:
            raise self._win32.error()
        return found

    def drop(self):
        self._win32.VirtualFree(self.address, self._size, self._win32.MEM_DECOMMIT)
        self._commit(self.address)
        return True

    def __del__(self):
        if self.address:
            self._win32.VirtualFree(self.address, 0, self._win32.MEM_RELEASE)


Pages = _Committed if WINDOWS else _Mapping
"""Pages(size): `size` bytes, a multiple of mmap.PAGESIZE, at `address`. Raises OSError, ValueError, OverflowError.

drop()   gives all of it back, so that it reads as zeros; returns whether the system can do that
"""


def physical_mebibytes():
    """The size of the machine's memory in MiB, or UNKNOWN."""
    if WINDOWS:
        from pawnstorm.system import win32

        status = win32.MemoryStatus(length=ctypes.sizeof(win32.MemoryStatus))
        return status.physical >> 20 if win32.GlobalMemoryStatusEx(status) else UNKNOWN
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (ValueError, OSError, AttributeError):
        return UNKNOWN
