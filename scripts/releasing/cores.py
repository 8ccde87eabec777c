"""The native cores of whole platforms."""

import startup  # noqa: F401  pawnstorm is the checkout's

import os
import shutil

from pawnstorm.engine import build, linker
from pawnstorm.engine.targets import TARGETS, here, of


def make(platforms, folder):
    """Compile all cores of platforms in one run of numba, and link them in the folder. Raises BuildError."""
    names = [name for platform in platforms for name in of(platform)]
    build.compile_targets(names, str(folder))
    for name in names:
        linker.link(name, str(folder))


def ship(platform, folder, shipped):
    """Copy a platform's cores from where they were made to a folder of their own, which must not exist."""
    os.mkdir(shipped)
    for name in of(platform):
        shutil.copyfile(os.path.join(folder, TARGETS[name].library), os.path.join(shipped, TARGETS[name].library))


def zig_is_needed(platforms):
    """Whether this machine links for all of the platforms only with Zig."""
    return linker.c_compiler() is None or any(platform != here() for platform in platforms)
