"""Keeps the machine code of the checker and of other programs in the user's cache, from run to run.

The code is in a folder whose name has a digest of all files on which it depends, because numba's own cache does not notice a
change in a function of another file. Anyone who can write to the folder can make the checker accept any proof, and numba would
unpickle a damaged file. So the folder and its files are checked as the native core's are (pawnstorm.system.cache). If the
folder cannot be used, the code is compiled for this run alone.
"""

import contextlib
import hashlib
import importlib.util
import shutil
import sys
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core import config

from pawnstorm.system import cache, files

MODULES = (
    "pawnstorm_tools.checking.pawnrules",
    "pawnstorm_tools.checking.unlisted",
    "pawnstorm_tools.checking.checker",
)

_keeping = False


def compiled(signature, nogil=False):
    """The decorator of a kernel: compiles it at once for this signature, or loads it from the cache.

    A kernel raises no exceptions, not even for a division by zero.
    """
    return numba.njit(signature, cache=_keeping, nogil=nogil, error_model="numpy", no_cfunc_wrapper=True)


def load(names=MODULES, title="the checker", sources=(), keep=lambda on: None):
    """Import kernels once: load from the cache; compile into it if needed, and say so on stderr.

    names: the modules, which are imported in this order. sources: other files on which the machine code depends, outside the
    folders of these modules. keep: called with True before the import and with False after it, so that a decorator other
    than compiled() can turn numba's cache on and off.
    """
    if names[-1] in sys.modules:
        return
    if config.DISABLE_JIT:
        _import(names)
        return
    try:
        with _locked(_folder(names, sources)) as folder:
            written = _written_files(folder)
            if not written or not all(map(cache.is_intact, written)):
                _clear(folder)
                _say(f"compiling {title}, once; this takes some seconds")
            _import(names, keep, folder)
            for path in _written_files(folder):
                if not cache.is_intact(path):
                    cache.install(path, path)
    except (OSError, RuntimeError) as error:  # RuntimeError: numba finds no place for its files
        if names[-1] not in sys.modules:
            _say(f"{error}: compiling {title} for this run alone")
            _import(names)


def _import(names, keep=lambda on: None, folder=None):
    """Import the kernels. If there is a folder, use numba's cache in it."""
    global _keeping
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    if folder is not None:
        # Allow only this folder: otherwise numba could use a folder beside the sources, which may belong to anybody.
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
    """The folder for these versions of the sources and the compiler. Raises OSError."""
    digest = hashlib.sha256(repr((sys.version, numba.__version__, llvmlite.__version__, np.__version__)).encode())
    folders = {Path(importlib.util.find_spec(name).origin).parent for name in names}
    kernels = sorted(path for folder in folders for path in folder.rglob("*.py"))
    for path in (Path(__file__), *kernels, *map(Path, sources)):
        digest.update(path.name.encode() + path.read_bytes())
    return Path(cache.folder(f"kernels-{digest.hexdigest()[:16]}"))


@contextlib.contextmanager
def _locked(folder):
    """The folder, locked against other runs. Raises OSError.

    Sets the folder's mode to keep other users out, because only the umask limits the modes of what numba writes there.
    """
    folder.chmod(0o700)
    with open(folder / "lock", "a") as lock:
        files.lock(lock)
        yield folder


def _written_files(folder):
    """The paths, as str, of the files that numba has written. A missing file whose digest exists is included."""
    paths = [str(path) for path in folder.rglob("*") if path.is_file() and path.parent != folder]
    return sorted({path.removesuffix(cache.DIGEST) for path in paths})


def _clear(folder):
    """Remove the files that numba has written."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)


def _say(text):
    print(f"{Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)
