"""Text files, read as a whole."""

import os
import stat

from pawnstorm.system import files

LARGEST = 1 << 30
"""Bytes of the largest file that is read; its games take several times as much memory."""
CHUNK = 1 << 20


def read(path):
    """The bytes of a file or a pipe.

    Raises OSError, also for a device, which may have no end, and for more than LARGEST bytes. If a file's size
    is above LARGEST, nothing is read.
    """
    status = os.stat(path)
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        raise OSError(f"'{path}' is a device: expected a file")
    chunks, size = [], status.st_size
    if size > LARGEST:
        raise OSError(f"'{path}' is larger than {LARGEST >> 20} MiB: expected less")
    size = 0
    with files.open_regular(path) if stat.S_ISREG(status.st_mode) else open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            size += len(chunk)
            if size > LARGEST:
                raise OSError(f"'{path}' is larger than {LARGEST >> 20} MiB: expected less")
            chunks.append(chunk)
    return b"".join(chunks)


def text(path, errors):
    """The text of a file, with \\n at the ends of lines and without a byte order mark. errors: as for bytes.decode()."""
    return with_newlines(read(path).decode("utf-8-sig", errors))


def with_newlines(text):
    """A text with \\n at the ends of lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
