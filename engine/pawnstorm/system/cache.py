"""Machine code in the user's cache: where it is, who may own it, and whether a file is intact.

The code in the cache runs in this process, so only the user and root may be able to change it. Each file has its digest
beside it, since loading a damaged library can crash the process.
"""

import hashlib
import os
import stat

from pawnstorm.system import WINDOWS, files

DIGEST = ".sha256"  # core-NAME.so.sha256 lies beside core-NAME.so, as sha256sum writes it


class UnsafeCache(OSError):
    """Others could put a library into the folder. The message names the folder and the reason."""


def folder(name):
    """The folder called `name` in the cache. It is made if it is missing; it may be read-only.

    Raises UnsafeCache, or another OSError if the folder cannot be created.
    """
    named = os.environ.get("PAWNSTORM_CACHE")
    root = named or os.path.join(_users(), "pawnstorm")
    found = os.path.realpath(os.path.join(root, name))
    _make(found)
    if not named:
        _make_private(os.path.dirname(found))  # older versions left its permissions to the umask
    _check(found)
    return found


def is_intact(path):
    """Whether a file exists, belongs to the user or root, cannot be written by others, and matches its digest."""
    try:
        with open(path, "rb") as file, open(path + DIGEST, "rb") as digest:
            status = os.fstat(file.fileno())
            return (
                files.is_owned(status)
                and not files.writable_by_others(status)
                and digest.read(64) == _sha256(file.read())
            )
    except OSError:
        return False


def install(temporary, path):
    """Rename a finished file to path, and write its digest beside it.

    `temporary` may be `path` itself. Two processes may install the same path at the same time. After a crash,
    either both files are intact or the digest does not match.
    """
    _write_digest(temporary, path)
    files.replace(temporary, path)
    files.fsync_folder(os.path.dirname(path))


def _write_digest(source, path):
    """Forbid others to write to the file `source`, and write its digest beside `path`, where the file will be installed."""
    with open(source, "r+b") as file:
        digest = _sha256(file.read())
        files.deny_others(file.fileno(), os.fstat(file.fileno()))
        os.fsync(file.fileno())
    with open(source + DIGEST, "wb") as file:
        file.write(digest + b"  " + os.path.basename(path).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    files.replace(source + DIGEST, path + DIGEST)


def _sha256(data):
    return hashlib.sha256(data).hexdigest().encode()


def _users():
    """The user's cache folder.

    Raises OSError if there is none. For example, a container may run a program as a user that the system does not know.
    """
    named = os.environ.get("LOCALAPPDATA" if WINDOWS else "XDG_CACHE_HOME", "")
    if os.path.isabs(named):  # the XDG specification says to ignore relative paths
        return named
    home = os.path.expanduser("~")
    if not os.path.isabs(home):  # "~" unchanged, which would name a folder in the current one
        raise OSError(f"'{home}' is not a home folder: expected HOME to be an absolute path")
    return os.path.join(home, ".cache")


def _make(path):
    """Make a folder and the missing folders above it. Others cannot write to them, whatever the umask."""
    if not os.path.isdir(path):
        _make(os.path.dirname(path))
        try:
            os.mkdir(path, 0o755)
        except FileExistsError:
            pass  # another process has just made it


def _make_private(path):
    """Forbid others to write to a folder of the user. is_intact() refuses files that they have already put there."""
    status = os.stat(path)
    if files.writable_by_others(status) and not status.st_mode & stat.S_ISVTX:
        files.deny_others(path, status)


def _check(path):
    """Raise UnsafeCache if others could change the files in a folder of the cache.

    The folder and the cache's root above it must belong to the user or to root, and nobody else may write there. The
    folders above may have any owner. A world-writable one among them is harmless if it is sticky and belongs to root or
    the user, like /tmp: in such a folder, only the owner of a file can replace it.
    """
    root = os.path.dirname(path)
    place, above = "", path
    while place != above:
        place, above = above, os.path.dirname(above)
        status = os.stat(place)
        if place in (path, root) and not files.is_owned(status):
            raise UnsafeCache(f"{place} belongs to another user")
        if place != path and status.st_mode & stat.S_ISVTX and files.is_owned(status):
            continue
        if files.writable_by_others(status, files.OTHERS if place in (path, root) else stat.S_IWOTH):
            raise UnsafeCache(f"others can write to {place}: run chmod go-w {place}")
