"""Files that are read without a wait, and files that several processes use: who holds a lock, who may write, and how
one takes the place of another.
"""

import os
import stat
import time

from pawnstorm.system import WINDOWS

OTHERS = stat.S_IWGRP | stat.S_IWOTH
LOCKED_AT = 0x7FFFFFFFFFFFFFFE  # Windows forbids to read a byte that another has locked: one that no file has
PATIENCE, PAUSE = 2.0, 0.02  # seconds in which a reader of a file that is to be replaced should be done

NO_WAIT = getattr(os, "O_NONBLOCK", 0)


class NotRegular(OSError):
    """A device, a pipe or a folder, which may have no end."""


class TooLarge(OSError):
    """A file that is larger than its reader accepts."""


def open_regular(path):
    """A regular file, open for reading bytes. Raises NotRegular, and other OSErrors.

    Reads never block: if a file of /proc has no new data, a read returns nothing, as at the end of a file.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):  # to open a device could do something to it
        raise NotRegular(f"{path} is no regular file: expected one")
    return open(path, "rb", opener=lambda path, flags: os.open(path, flags | NO_WAIT))


def read_rest(file, most):
    """The bytes of an open file from here to its end. Raises TooLarge, before any of them is read, if they are more than
    `most`.
    """
    left = max(0, os.fstat(file.fileno()).st_size - file.tell())
    if left > most:
        raise TooLarge(f"{file.name} is too large: {left:,} bytes after its first line, expected {most:,} at most")
    return file.read(left) or b""


def lock(file, wait=True):
    """Lock an open file against whoever locks it too, until it is closed or the process ends.

    Raises BlockingIOError if another has it and wait is false; OSError on a file system without locks.
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


# Of owners and permissions a status on Windows tells nothing: it has lists of its own, by which the folders of a user's
# profile are open to that user and to administrators.


def is_owned(status):
    """Whether a file or folder belongs to the user or to root."""
    return WINDOWS or status.st_uid in (0, os.geteuid())


def writable_by_others(status, bits=OTHERS):
    """Those permissions of others to write that a file or folder gives."""
    return 0 if WINDOWS else status.st_mode & bits


def deny_others(place, status):
    """Forbid others to write to a file or folder, given by its path or descriptor, whose status this is. Of a folder of
    another user's, also root's, nothing is changed.
    """
    if not WINDOWS and status.st_uid == os.geteuid():
        os.chmod(place, stat.S_IMODE(status.st_mode) & ~OTHERS)


def replace(temporary, path):
    """Give a file the name of another, in one step. Windows allows it only while nobody has the other open."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return os.replace(temporary, path)
        except PermissionError:
            if not WINDOWS or time.monotonic() > until:
                raise
        time.sleep(PAUSE)


def fsync_folder(folder):
    """Have the names in a folder outlast a failure of the machine, as far as the system offers that."""
    if WINDOWS:
        return
    names = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(names)
    except OSError:
        pass  # a file system that has no such thing
    finally:
        os.close(names)
