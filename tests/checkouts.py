"""Copies of the package whose core is built in a cache folder of their own, and processes that run there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from client import ROOT


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder with a copy of the package, so that nobody's edit comes between two runs."""
    return copied(tmp_path_factory.mktemp("checkout"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache folder that the tests of one checkout share."""
    return tmp_path_factory.mktemp("cache")


def copied(folder):
    """The packages of the engine, copied into a folder as an installation has them."""
    for package in ("engine/pawnstorm", "protocol/pawnstorm_protocol"):
        source = ROOT / package
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def environment(cache, **changes):
    """Ours, with a cache folder of the test's own and nothing that would change how numba works."""
    ours = {
        name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON", "PAWNSTORM_"))
    }
    return ours | {"PAWNSTORM_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"} | changes


def python(checkout, cache, *arguments, text="", **changes):
    """Run Python in a checkout to its end."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=checkout,
        env=environment(cache, **changes),
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
    )


def files(cache):
    """Names of all files in all folders of a cache."""
    return sorted(path.name for path in Path(cache).rglob("*") if path.is_file())
