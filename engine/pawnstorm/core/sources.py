"""The sources that a core's machine code depends on, and the folder of the cache in which the core lies."""

import hashlib
import importlib.util
import os
import sys

from pawnstorm.core.parameters import OVERRIDES
from pawnstorm.system import cache

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The files that the machine code depends on, besides kernels/.
SOURCES = tuple(
    os.path.join("core", f"{name}.py") for name in ("build", "exports", "linker", "parameters", "state", "targets")
)


def cache_folder():
    """The folder of the cache for the core of the present sources and compiler.

    After a change to either, the folder is another one, so machine code of older sources never runs. Raises
    cache.UnsafeCache, and other OSErrors.
    """
    return cache.folder(_source_digest())


def _source_digest():
    """The name of the folder: a digest of everything that the machine code depends on."""
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
