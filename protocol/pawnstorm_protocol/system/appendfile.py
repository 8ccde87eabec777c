"""Files that are only appended to: regular files, devices and pipes. Nothing is read back from them."""

import contextlib
import errno
import os
import select
import stat

from pawnstorm.system import WINDOWS


class AppendFile:
    """A file that bytes are appended to. It is made if it is missing. Several threads may write."""

    def __init__(self, path):
        """Raises OSError, also for a named pipe that has no reader, because open() would wait for one."""
        self._path, self._file = os.fspath(path), open(_open(path), "wb", buffering=0)

    def write(self, data):
        """Append bytes. Raises OSError, which names the file."""
        try:
            while data:
                written = self._file.write(data)
                if written is None:  # a non-blocking output is full
                    select.select([], [self._file], [])
                else:
                    data = data[written:]
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._path) from None

    def fileno(self):
        return self._file.fileno()

    def close(self):
        self._file.close()


def check_regular(path, why):
    """Raise OSError if the path exists and is not a regular file. why: the reason, for the message."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise OSError(f"'{path}' is not a regular file: expected one, {why}")


def _open(path):
    """Open the file; returns its descriptor."""
    for output in (1, 2):  # a file that is also stdout or stderr must share its offset, or they overwrite each other
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(output)):
                return os.dup(output)
    if WINDOWS:  # Windows has no pipes in folders
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_BINARY, 0o644)
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, 0o644)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise OSError(f"nothing reads from the pipe '{path}': expected a program that does") from None
    os.set_blocking(opened, True)
    return opened
