"""Text files that are read as a whole."""

import os
import stat

LARGEST = 1 << 30
"""Bytes of a file; games take several times as much memory."""
CHUNK = 1 << 20


def read(path):
    """The bytes of a file or a pipe. Raises OSError, also for a device, which may have no end."""
    mode = os.stat(path).st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(f"'{path}' is a device: expected a file")
    chunks, size = [], 0
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            size += len(chunk)
            if size > LARGEST:
                raise OSError(f"'{path}' is larger than {LARGEST >> 20} MiB: expected less")
            chunks.append(chunk)
    return b"".join(chunks)


def text(path, errors):
    """The text of a file, with \\n at the ends of lines and without a byte order mark. errors: as of bytes.decode()."""
    decoded = read(path).decode("utf-8-sig", errors)
    return decoded.replace("\r\n", "\n").replace("\r", "\n") if "\r" in decoded else decoded
