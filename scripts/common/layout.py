"""The package `pawnstorm` laid out in a folder as an installation has it, from the folders of a checkout."""

import shutil
from pathlib import Path

PARTS = {"": "protocol/pawnstorm", "engine": "engine", "protocol": "protocol"}
"""Subpackage -> its folder in the checkout, as pyproject.toml's package-dir has it."""


def lay_out(checkout, folder):
    """Copy the package into folder/pawnstorm, which must not exist; returns that path. The copy is found where folder
    is on sys.path.
    """
    package = Path(folder) / "pawnstorm"
    for name, source in PARTS.items():
        shutil.copytree(
            Path(checkout) / source, package / name, ignore=shutil.ignore_patterns("__pycache__", "pawnstorm")
        )
    return package
