"""Functions of Windows that Python does not offer, declared for ctypes. Import it on Windows only.

A function that fails returns 0. error() then returns the OSError to raise.
"""

import ctypes
from ctypes import wintypes

_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]
_ntdll = ctypes.WinDLL("ntdll")  # type: ignore[attr-defined]
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

    _fields_ = [
        ("length", wintypes.DWORD),
        ("load", wintypes.DWORD),
        ("physical", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 6),
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


class JobLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = [
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", wintypes.DWORD),
        ("smallest_working_set", _size),
        ("largest_working_set", _size),
        ("active_processes", wintypes.DWORD),
        ("affinity", _size),
        ("priority_class", wintypes.DWORD),
        ("scheduling_class", wintypes.DWORD),
        ("transfers", ctypes.c_uint64 * 6),
        ("process_memory", _size),
        ("job_memory", _size),
        ("peak_process_memory", _size),
        ("peak_job_memory", _size),
    ]


ConsoleHandler = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.DWORD)  # type: ignore[attr-defined]
"""The type of a function that Windows calls at Ctrl-C and when the console is closed.

It returns whether it has handled the event.
"""
MEM_COMMIT, MEM_RESERVE, MEM_DECOMMIT, MEM_RELEASE, PAGE_READWRITE = 0x1000, 0x2000, 0x4000, 0x8000, 4
LOCK_AT_ONCE, LOCK_EXCLUSIVE = 1, 2
ERROR_LOCK_VIOLATION = 33
CTRL_C_EVENT, CTRL_BREAK_EVENT = 0, 1
ENABLE_VIRTUAL_TERMINAL_PROCESSING = 4
CREATE_SUSPENDED = 4
JOB_EXTENDED_LIMITS, JOB_KILL_ON_CLOSE = 9, 0x2000

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
SetConsoleCtrlHandler = _function("SetConsoleCtrlHandler", wintypes.BOOL, ConsoleHandler, wintypes.BOOL)
GetConsoleMode = _function("GetConsoleMode", wintypes.BOOL, wintypes.HANDLE, wintypes.LPDWORD)
SetConsoleMode = _function("SetConsoleMode", wintypes.BOOL, wintypes.HANDLE, wintypes.DWORD)
CreateJobObject = _function("CreateJobObjectW", wintypes.HANDLE, _pointer, wintypes.LPCWSTR)
SetInformationJobObject = _function(
    "SetInformationJobObject", wintypes.BOOL, wintypes.HANDLE, ctypes.c_int, ctypes.POINTER(JobLimits), wintypes.DWORD
)
AssignProcessToJobObject = _function("AssignProcessToJobObject", wintypes.BOOL, wintypes.HANDLE, wintypes.HANDLE)
TerminateJobObject = _function("TerminateJobObject", wintypes.BOOL, wintypes.HANDLE, wintypes.UINT)
CloseHandle = _function("CloseHandle", wintypes.BOOL, wintypes.HANDLE)


def resume(process):
    """Start a process that was made with CREATE_SUSPENDED.

    This resumes the whole process, because Python keeps no handle of its first thread.
    """
    _ntdll.NtResumeProcess(wintypes.HANDLE(process))
