"""Copies of the checkout to build from, so that what lies there besides does not come in, and nothing is left there."""

import startup

import contextlib
import os
import shutil

PACKAGE = ("LICENSE", "README.md", "pyproject.toml", "engine", "protocol", "scripts/startup", "scripts/releasing")
"""What a wheel is made from."""
EXECUTABLES = (*PACKAGE, "build.spec", "scripts/common")


@contextlib.contextmanager
def usual_modes():
    """Files get the modes that new ones mostly have, so that what is made does not tell how its maker keeps his."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def copy(parts, root):
    """Copy files and folders of the checkout to a folder, which must not exist."""
    for part in parts:
        source, target = os.path.join(startup.ROOT, part), os.path.join(root, part)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            ignored = shutil.ignore_patterns("__pycache__", "cores")
            shutil.copytree(source, target, copy_function=shutil.copyfile, ignore=ignored)
        else:
            shutil.copyfile(source, target)
