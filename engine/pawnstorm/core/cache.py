"""The folder in which compiled cores are kept: where it is, who may own it, and whether a file in it is whole.

A library from there runs in this process. So only the user and root may be able to change it, and each file has its
digest beside it: loading a damaged library can crash the process.
"""

import hashlib
import importlib.util
import os
import stat
import sys

from pawnstorm.core.parameters import OVERRIDES
from pawnstorm.system import files

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What the machine code follows from, beside kernels/.
SOURCES = tuple(
    os.path.join("core", f"{name}.py") for name in ("build", "exports", "linker", "parameters", "state", "targets")
)
DIGEST = ".sha256"  # core-NAME.so.sha256 lies beside core-NAME.so, as sha256sum writes it


class Unsafe(OSError):
    """Others could put a library into the folder; the text names the folder and the reason."""


def folder():
    """The folder for this state of the sources and the compiler, made if it is missing; it may be read-only.

    A changed source can never run old machine code. Raises Unsafe, or another OSError if the folder cannot be made.
    """
    named = os.environ.get("PAWNSTORM_CACHE")
    root = named or os.path.join(files.cache_folder(), "pawnstorm")
    found = os.path.realpath(os.path.join(root, _state()))
    _make(found)
    if not named:
        _tighten(os.path.dirname(found))  # older versions made it as the umask said
    _check(found)
    return found


def sound(path):
    """Whether a file is there, belongs to the user or root, cannot be written by others, and has its digest."""
    try:
        with open(path, "rb") as file, open(path + DIGEST, "rb") as digest:
            status = os.fstat(file.fileno())
            return files.owned(status) and not files.open_to(status) and digest.read(64) == _sha256(file.read())
    except OSError:
        return False


def put(temporary, path):
    """Give a finished file its name, and its digest a file beside it.

    Whenever the machine fails, the two are whole or do not match. Two processes may put the same file at the same time.
    """
    with open(temporary, "r+b") as file:
        digest = _sha256(file.read())
        files.close_to_others(file.fileno(), os.fstat(file.fileno()))
        os.fsync(file.fileno())
    with open(temporary + DIGEST, "wb") as file:
        file.write(digest + b"  " + os.path.basename(path).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    files.replace(temporary + DIGEST, path + DIGEST)
    files.replace(temporary, path)
    files.keep_names(os.path.dirname(path))


def _sha256(data):
    return hashlib.sha256(data).hexdigest().encode()


def _state():
    """The name of the folder: it differs wherever the machine code could."""
    digest = hashlib.sha256(sys.version.encode())
    digest.update(repr(sorted(OVERRIDES.items())).encode())
    kernels = sorted(
        os.path.relpath(os.path.join(folder, name), PACKAGE)
        for folder, _, names in os.walk(os.path.join(PACKAGE, "kernels"))
        for name in names
        if name.endswith(".py")
    )
    for name in (*SOURCES, *kernels):
        with open(os.path.join(PACKAGE, name), "rb") as file:
            digest.update(name.encode() + file.read())
    for package in ("numba", "llvmlite"):
        spec = importlib.util.find_spec(package)  # finds, does not import
        if spec:
            with open(os.path.join(os.path.dirname(spec.origin), "_version.py"), "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()[:16]


def _make(path):
    """Make a folder and those above it; others can write none of them, whatever the umask."""
    if not os.path.isdir(path):
        _make(os.path.dirname(path))
        try:
            os.mkdir(path, 0o755)
        except FileExistsError:
            pass  # another process has just made it


def _tighten(path):
    """Forbid others to write to a folder of the user's. Files that they have put there are refused by sound()."""
    status = os.stat(path)
    if files.open_to(status) and not status.st_mode & stat.S_ISVTX:
        files.close_to_others(path, status)


def _check(path):
    """Raise Unsafe if others could change what lies in a folder of the cache.

    The folder and the cache's root above it must belong to the user or to root, and nobody else may write there. The
    folders above may have any owner. Of these a folder that everybody may write to is harmless if it is sticky and
    belongs to root or the user, as /tmp does: only the owner of a file can replace it there.
    """
    root = os.path.dirname(path)
    place, above = "", path
    while place != above:
        place, above = above, os.path.dirname(above)
        status = os.stat(place)
        if place in (path, root) and not files.owned(status):
            raise Unsafe(f"{place} belongs to another user")
        if place != path and status.st_mode & stat.S_ISVTX and files.owned(status):
            continue
        if files.open_to(status, files.OTHERS if place in (path, root) else stat.S_IWOTH):
            raise Unsafe(f"others can write to {place}: expected chmod go-w {place}")
