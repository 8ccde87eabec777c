"""Reads files without blocking, and handles files that several processes use: locks, permissions and replacement."""

import os
import stat
import time

from pawnstorm.system import WINDOWS

OTHERS = stat.S_IWGRP | stat.S_IWOTH
LOCKED_AT = (
    0x7FFFFFFFFFFFFFFE  # a byte that no file has: Windows forbids reading a byte that another process has locked
)
PATIENCE, PAUSE = 2.0, 0.02  # seconds to wait for the readers of a file that is to be replaced, and between two tries

NO_WAIT = getattr(os, "O_NONBLOCK", 0)


class NotRegular(OSError):
    """The file is a device, a pipe or a folder, which may have no end."""


class TooLarge(OSError):
    """The file is larger than its reader accepts."""


def open_regular(path):
    """Open a regular file for reading bytes. Raises NotRegular, and other OSErrors.

    Reads never block: if a file of /proc has no new data, a read returns nothing, as at the end of a file.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):  # checked first, since opening a device could affect it
        raise NotRegular(f"{path} is not a regular file: expected one")
    return open(path, "rb", opener=lambda path, flags: os.open(path, flags | NO_WAIT))


def read_rest(file, most):
    """Read an open file from its current place to its end.

    Raises TooLarge, without reading anything, if there are more than `most` bytes.
    """
    left = max(0, os.fstat(file.fileno()).st_size - file.tell())
    if left > most:
        raise TooLarge(f"{file.name} is too large: {left:,} bytes after its first line, expected {most:,} at most")
    return file.read(left) or b""


def lock(file, wait=True):
    """Lock an open file until it is closed or the process ends. The lock is advisory: it stops only code that locks the file too.

    Raises BlockingIOError if the file is already locked and wait is false, and OSError on a file system without locks.
    """
    if WINDOWS:
        import msvcrt

        from pawnstorm.system import win32

        where = win32.Overlapped(offset=LOCKED_AT & 0xFFFFFFFF, offset_high=LOCKED_AT >> 32)
        how = win32.LOCK_EXCLUSIVE | (0 if wait else win32.LOCK_AT_ONCE)
        if not win32.LockFileEx(msvcrt.get_osfhandle(file.fileno()), how, 0, 1, 0, where):
            error = win32.error()
            raise BlockingIOError(*error.args) if error.winerror == win32.ERROR_LOCK_VIOLATION else error
        return
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


# On Windows, a status does not show owners and permissions. Windows has access lists instead, which open the folders of
# a user's profile to that user and to administrators.


def is_owned(status):
    """Whether a file or folder belongs to the user or to root."""
    return WINDOWS or status.st_uid in (0, os.geteuid())


def writable_by_others(status, bits=OTHERS):
    """The bits of a file's or folder's mode that permit others to write; 0 if none do."""
    return 0 if WINDOWS else status.st_mode & bits


def deny_others(place, status):
    """Forbid others to write to a file or folder. place: its path or descriptor. status: its os.stat_result.

    Nothing changes if it belongs to another user, even if that is root.
    """
    if not WINDOWS and status.st_uid == os.geteuid():
        os.chmod(place, stat.S_IMODE(status.st_mode) & ~OTHERS)


def replace(temporary, path):
    """Rename a file to path, in one step.

    On Windows, this waits while the old file at path is still open. After PATIENCE seconds it raises PermissionError.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return os.replace(temporary, path)
        except PermissionError:
            if not WINDOWS or time.monotonic() > until:
                raise
        time.sleep(PAUSE)


def fsync_folder(folder):
    """Make the names in a folder survive a crash of the machine, if the system offers that."""
    if WINDOWS:
        return
    names = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(names)
    except OSError:
        pass  # the file system does not offer it
    finally:
        os.close(names)
