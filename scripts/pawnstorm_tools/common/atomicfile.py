"""Writes files whole or not at all: under a temporary name, and renamed when they are complete.

A process that is killed (SIGKILL, a power cut) leaves its temporary file, FILE.PID. Nothing removes this file later, but the
user may. A program could not distinguish it from a file of the user's own, such as games.2024, or from the file of a process that
is still writing on another machine that shares the folder.
"""

import contextlib
import os


@contextlib.contextmanager
def replacing(path, suffix=None):
    """A binary file to write. It replaces `path` if the block succeeds; otherwise `path` does not change.

    suffix: the suffix of the temporary name, by default the process id. A fixed suffix is safe if no other process writes to
    `path`. Killed processes then leave at most one file, which the next process overwrites. Raises OSError, which names `path`.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # otherwise a file would replace a device
        raise OSError(f"{path} is not a regular file: expected one, or a name that is free")
    target = os.path.realpath(path)
    temporary = f"{target}.{suffix or os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def write(path, data):
    """Write bytes to a file, whole or not at all, or to a device or a pipe. Raises OSError, which names `path`."""
    if os.path.exists(path) and not os.path.isfile(path):
        try:
            with open(path, "wb") as file:
                file.write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from error
    else:
        with replacing(path) as file:
            file.write(data)


def check(*paths, read=()):
    """Raise OSError if one of `paths` cannot be written, is given twice, or is also one of the files to `read`.

    Call this before a long run, so that its results are not lost. A path that is None is ignored.
    """
    used = {os.path.realpath(path) for path in read}
    for path in filter(None, paths):
        if (real := os.path.realpath(path)) in used:
            raise OSError(f"{path} is given twice, as an input or an output: expected another file")
        used.add(real)
        with contextlib.suppress(_Enough), replacing(path):
            raise _Enough


class _Enough(Exception):
    """Raised in a block of replacing() once the temporary file has been opened: the block fails, so this file is removed."""
