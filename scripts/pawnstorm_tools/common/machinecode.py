"""Machine code of the checker, and of other programs, kept from run to run in the user's cache.

It lies in a folder named by a digest of all files that it follows from, since numba's own cache does not notice a
change in a function of another file. Whoever can write there can have any proof verified, so the folder is used only if
nobody but the user can. Damaged files would be unpickled by numba, so every file is compared with the checksum noted
when it was written. Without such a folder the code is compiled for this run alone.
"""

import contextlib
import fcntl
import grp
import hashlib
import importlib.util
import json
import os
import pwd
import shutil
import stat
import sys
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core import config

MODULES = ("pawnstorm_tools.checking.pawnrules", "pawnstorm_tools.checking.spared", "pawnstorm_tools.checking.checker")
SUMS = "sums.json"  # of the folder's files, written when all of them are there

_keeping = False


def compiled(signature):
    """Compile for this signature, at once, or take what the cache has; no exceptions leave a kernel."""
    return numba.njit(signature, cache=_keeping, error_model="numpy", no_cfunc_wrapper=True)


def load(names=MODULES, title="the checker", sources=(), keep=lambda on: None):
    """Import kernels, once, out of the cache or into it. Says on stderr when they have to be compiled.

    names: modules that are imported in this order; sources: files that the machine code follows from besides those of
    their folders; keep: tells their decorator, where it is not compiled(), that numba's cache is to be used, and that it
    no longer is.
    """
    if names[-1] in sys.modules:
        return
    if config.DISABLE_JIT:
        _import(names)
        return
    try:
        with _locked(_folder(names, sources)) as folder:
            if _sums(folder) != _noted(folder):
                _clear(folder)
                _say(f"compiling {title}, once; this takes some seconds")
            _import(names, keep, folder)
            _note(folder)
    except (OSError, RuntimeError) as error:  # numba's, where it finds no place
        if names[-1] not in sys.modules:
            _say(f"{error}: compiling {title} for this run alone")
            _import(names)


def _import(names, keep=lambda on: None, folder=None):
    """Import the kernels, through numba's cache in a folder where there is one."""
    global _keeping
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    if folder is not None:
        # Nowhere else: numba would fall back on a folder beside the sources, of which nobody knows whose it is.
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), "UserProvidedCacheLocator"
        _keeping = True
        keep(True)
    try:
        for name in names:
            importlib.import_module(name)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
        _keeping = False
        keep(False)


def _folder(names, sources):
    """The folder for this state of the sources and the compiler, which need not be there yet. Raises OSError."""
    digest = hashlib.sha256(repr((sys.version, numba.__version__, llvmlite.__version__, np.__version__)).encode())
    folders = {Path(importlib.util.find_spec(name).origin).parent for name in names}
    kernels = sorted(path for folder in folders for path in folder.rglob("*.py"))
    for path in (Path(__file__), *kernels, *map(Path, sources)):
        digest.update(path.name.encode() + path.read_bytes())
    root = os.environ.get("PAWNSTORM_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "pawnstorm"
    )
    return Path(root).absolute() / f"kernels-{digest.hexdigest()[:16]}"


@contextlib.contextmanager
def _locked(folder):
    """The folder, made where it is missing, with no other run in it. Raises OSError, also where it is not the user's
    alone.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    folder = folder.resolve()  # so that what is looked at is what is used
    _private(folder)
    with open(folder / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def _private(folder):
    """Raise OSError where anybody but the user and root could write to a folder, or put another in its place."""
    me = os.getuid()
    for path in (folder, *folder.parents):
        about = path.lstat()
        open_to = stat.S_IMODE(about.st_mode) & 0o022
        if open_to == 0o020 and _own_group(about.st_gid):
            open_to = 0
        if path != folder and about.st_mode & stat.S_ISVTX:
            open_to = 0  # others may add to it, as to /tmp, and remove only what is theirs
        if about.st_uid not in ({me} if path == folder else {me, 0}) or open_to:
            raise PermissionError(f"{path} can be written by others than you")
    for path in folder.rglob("*"):  # put there while others could
        about = path.lstat()
        if about.st_uid != me or about.st_mode & stat.S_IWOTH and not path.is_symlink():
            raise PermissionError(f"{path} can be written by others than you: remove it")


def _own_group(number):
    """Whether a group is the user's private one, as many systems make for each."""
    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.getuid())
    except KeyError:
        return False
    return group.gr_gid == user.pw_gid and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def _sums(folder):
    """{path in the folder: its SHA-256} of all files that numba has written."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent != folder)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _noted(folder):
    """The sums that were noted; None where there are none."""
    try:
        return json.loads((folder / SUMS).read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return None


def _note(folder):
    """Note the sums of what is there now."""
    sums = _sums(folder)
    if sums != _noted(folder):
        fresh = folder / f"{SUMS}.new"
        fresh.write_text(json.dumps(sums))
        fresh.replace(folder / SUMS)


def _clear(folder):
    """Remove what numba has written."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)


def _say(text):
    print(f"{Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)
