"""Files that are written whole or not at all: under a temporary name, which they lose when they are done.

A process that is killed (SIGKILL, a power cut) leaves its temporary file, FILE.PID. Nothing removes it later, and a user
may: no program can tell it from a file of the user's own, such as games.2024, or from that of a writer that is still at
work on another machine which shares the folder.
"""

import contextlib
import os


@contextlib.contextmanager
def replacing(path, suffix=None):
    """A binary file to write, which replaces `path` if the block succeeds; otherwise `path` stays as it was.

    suffix: of the temporary name, by default the process id. A fixed one is safe if no other process writes to `path`: a
    killed process then leaves one file at most, which the next one overwrites. Raises OSError, which names `path`.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # a device would be replaced by a file
        raise OSError(f"{path} is no regular file: expected one, or a name that is free")
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
    """Make bytes the content of a file, whole or not at all, or send them to a device or a pipe. Raises OSError, which
    names `path`.
    """
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
    """Raise OSError where a file cannot be written, before the work whose result it is to hold, or is another one of
    these, or one of those that are read; None stands for no file.
    """
    used = {os.path.realpath(path) for path in read}
    for path in filter(None, paths):
        if (real := os.path.realpath(path)) in used:
            raise OSError(f"{path} is read, or written, already: expected another file")
        used.add(real)
        with contextlib.suppress(_Enough), replacing(path):
            raise _Enough


class _Enough(Exception):
    """The file could be opened, and is not to be kept."""
