"""Functions of Windows that Python does not offer, declared for ctypes. Import it on Windows only.

A function that fails returns 0; error() then is the OSError to raise.
"""

import ctypes
from ctypes import wintypes

_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
_size, _pointer = ctypes.c_size_t, ctypes.c_void_p


def error():
    """The OSError of the function that has just failed in this thread."""
    return ctypes.WinError(ctypes.get_last_error())


def _function(name, result, *arguments):
    function = getattr(_kernel32, name)
    function.restype, function.argtypes = result, arguments
    return function


class MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = [("length", wintypes.DWORD), ("load", wintypes.DWORD)] + [
        (name, ctypes.c_uint64)
        for name in (
            "physical",
            "free_physical",
            "page_file",
            "free_page_file",
            "virtual",
            "free_virtual",
            "free_extended_virtual",
        )
    ]


class Overlapped(ctypes.Structure):
    """OVERLAPPED, which names a place in a file."""

    _fields_ = [
        ("internal", _size),
        ("internal_high", _size),
        ("offset", wintypes.DWORD),
        ("offset_high", wintypes.DWORD),
        ("event", wintypes.HANDLE),
    ]


MEM_COMMIT, MEM_RESERVE, MEM_DECOMMIT, MEM_RELEASE, PAGE_READWRITE = 0x1000, 0x2000, 0x4000, 0x8000, 4
LOCK_AT_ONCE, LOCK_EXCLUSIVE = 1, 2
ERROR_LOCK_VIOLATION = 33

GlobalMemoryStatusEx = _function("GlobalMemoryStatusEx", wintypes.BOOL, ctypes.POINTER(MemoryStatus))
VirtualAlloc = _function("VirtualAlloc", _pointer, _pointer, _size, wintypes.DWORD, wintypes.DWORD)
VirtualFree = _function("VirtualFree", wintypes.BOOL, _pointer, _size, wintypes.DWORD)
LockFileEx = _function(
    "LockFileEx",
    wintypes.BOOL,
    wintypes.HANDLE,
    wintypes.DWORD,
    wintypes.DWORD,
    wintypes.DWORD,
    wintypes.DWORD,
    ctypes.POINTER(Overlapped),
)
