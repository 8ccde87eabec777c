"""The files that solve.py --save writes: a line of JSON, the data, and a checksum.

The line of JSON, the header, is {"file": the kind of file, "game": ...} with the NUMBERS of this kind. The checksum is
there because a file can hold hours of work, and a wrong bit in it could turn a loss into a win.
"""

import contextlib
import itertools
import json
import os
import stat
import sys
import time
import zlib

from pawnstorm.system import files, pages
from pawnstorm_tools.common import atomicfile, jsonline
from pawnstorm_tools.common.bar import tqdm

TABLE, TREE = "pawnstorm proof table 3", "pawnstorm proof tree 2"
NUMBERS = {TABLE: ("nodes", "seconds", "hash"), TREE: ("nodes", "jobs", "seconds")}  # in the header of each kind
NEW = "new"  # the suffix of a file that is being written
MAGIC = b'{"file": "pawnstorm '  # how every saved file begins, whole or cut off
SUM = 4  # bytes of CRC-32 at the end
LONGEST = 1 << 16  # bytes of the first line, at most
DESCRIPTIONS = {TABLE: "the table of a run without --cluster", TREE: "the tree of a run with --cluster"}


class BadSave(ValueError):
    """A file is not a saved file, or is of another kind or game, or cannot be used by this run."""


def require_locks(path):
    """Raise BadSave on Windows, which has other locks than locked() needs, and does not remove an open file."""
    if files.WINDOWS:
        raise BadSave(f"{path} cannot be written on Windows: expected another system, or neither --save nor --proof")


@contextlib.contextmanager
def locked(path, name=None):
    """Yield a handle of a regular file, created if missing and locked against other runs. Raises BadSave, OSError.

    name: what error texts call the file, if not its path. If a run is killed, its lock ends with it.
    """
    require_locks(name or path)
    import fcntl

    irregular = BadSave(f"{path} is not a regular file: expected one, or a name that is free")
    if os.path.islink(path):  # opening it could create a file elsewhere
        raise irregular
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW, 0o666)  # opening a pipe would wait
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise irregular
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = os.path.samestat(os.stat(path), os.fstat(handle))
        except (BlockingIOError, FileNotFoundError):
            mine = False
        if not mine:  # locked, or the other run has just renamed it
            raise BadSave(f"{name or path} is being written by another run: wait for it, or name another file")
        yield handle
    finally:
        os.close(handle)


@contextlib.contextmanager
def lock_file(path):
    """Keep other runs away from a file that this run reads and writes (None: no file). It locks FILE.lock, an empty file,
    which it removes at the end.

    Raises OSError, and BadSave if another run has locked FILE.lock, or if FILE.lock or FILE.new is a file that no run has made.
    """
    if path is None:
        yield
        return
    lock = f"{os.path.realpath(path)}.lock"
    with locked(lock, path) as handle:
        if os.fstat(handle).st_size:
            raise BadSave(f"{lock} is not empty: expected an empty file, or none, beside {path}")
        try:
            _check_new(path)
            yield
        finally:
            os.unlink(lock)


def _check_new(path):
    """Raise BadSave if FILE.new, which write() would overwrite, is not what a killed run has left."""
    new = f"{os.path.realpath(path)}.{NEW}"
    if os.path.lexists(new):
        with locked(new) as handle:
            beginning = os.pread(handle, len(MAGIC), 0)
        if not MAGIC.startswith(beginning.rstrip(b"\0")):  # after a crash of the machine, the file may have zeros
            raise BadSave(
                f"{new} is not a saved file: expected one that a killed run has left beside {path}, or no file"
            )


def write(path, kind, header, parts):
    """Write a file in one step: the header, from its kind and a dict; then the parts, each bytes; then the checksum."""
    with atomicfile.replacing(path, NEW) as file:
        total = 0
        for part in itertools.chain([(json.dumps({"file": kind} | header) + "\n").encode()], parts):
            file.write(part)
            total = zlib.crc32(part, total)
        file.write(total.to_bytes(SUM, "little"))


def memory_limit(header):
    """The maximum size of the data in bytes: this machine's memory."""
    return pages.physical_mebibytes() << 20


def read(path, kind, game, size, most=memory_limit):
    """(header, data) of a file of this kind and game, whose records have `size` bytes. Raises BadSave, OSError.

    most(header) returns the maximum size of the data in bytes; it may raise BadSave. If the data is larger, or the header is
    wrong, no data is read.
    """
    try:
        with files.open_regular(path) as file:
            first = file.readline(LONGEST)
            header = jsonline.parse(first)
            found = str(header.get("file"))
            if found in DESCRIPTIONS and found != kind:
                raise BadSave(f"{path} is {DESCRIPTIONS[found]}: expected {DESCRIPTIONS[kind]}")
            if found != kind or not first.endswith(b"\n"):
                raise damaged_file(path, kind)
            if header.get("game") != game:
                raise BadSave(f"{path} is of the game {str(header.get('game'))[:40]}: expected {game}")
            for name in NUMBERS[kind]:
                check(path, header, name, int if name != "seconds" else (int, float))
            rest = memoryview(files.read_rest(file, most(header) + SUM))
    except files.NotRegular:
        raise BadSave(f"{path} is not a regular file: expected {DESCRIPTIONS[kind]}") from None
    except files.TooLarge as error:
        raise BadSave(str(error)) from None
    rest, total = rest[:-SUM], rest[-SUM:]
    if zlib.crc32(rest, zlib.crc32(first)).to_bytes(SUM, "little") != total or len(rest) % size:
        raise damaged_file(path, kind)
    return header, rest


def damaged_file(path, kind):
    """The BadSave for a file that is not intact, or that another version has written."""
    return BadSave(
        f"{path} is not a complete saved file: expected {DESCRIPTIONS[kind]}, as this version's solve.py --save writes it"
    )


def check(path, header, name, kinds):
    """Raise BadSave unless a file's header has a number of these types, 0 or more, under this name."""
    value = header.get(name)
    if not isinstance(value, kinds) or isinstance(value, bool) or not 0 <= value < 1 << 63:
        raise BadSave(
            f"{path} is not a complete saved file: its first line has {json.dumps(value)[:40]} as '{name}'; expected 0 or more"
        )


class Autosave:
    """Saves while the work goes on, and once more at the end.

    tick() calls write(), which may raise OSError, every `every` seconds. Without a path, write() is never called.

    If write() fails in tick() or save(), the first failure prints one line, and the work goes on until the next attempt. If it
    fails in close(), this is an error.
    """

    def __init__(self, path, every, write):
        self._path, self._every, self._write = path, every, write
        self._last, self._saved, self._warned = time.monotonic(), False, False

    def tick(self):
        """Save during the work, if it is time to."""
        if time.monotonic() - self._last >= self._every:
            self._try()

    def save(self):
        """Save at the end of the work. If this fails, print the reason, unless a failure was printed before."""
        self._saved = self._try()

    def close(self):
        """Save, unless save() has done it. Raises OSError."""
        if self._path and not self._saved:
            self._write()

    def _try(self):
        """Save, or print why this fails; returns whether it worked. Only the first failure is printed."""
        try:
            if self._path:
                self._write()
            return True
        except OSError as error:
            if not self._warned:
                tqdm.write(f"not saved for now: {error}; the work goes on, and it is tried again", file=sys.stderr)
            self._warned = True
            return False
        finally:
            self._last = time.monotonic()
