"""What `pip install` puts on a machine, from the wheel that it makes."""

import importlib.metadata
import shutil
import subprocess
import sys
import zipfile

import client
import pytest

import pawnstorm
from common.layout import lay_out


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The names of the files in the wheel of this checkout."""
    if int(importlib.metadata.version("setuptools").partition(".")[0]) < 77:
        pytest.skip("expected setuptools 77 or later, as pyproject.toml has it")
    checkout = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(client.ROOT / name, checkout)
    for name in ("engine", "protocol"):
        shutil.copytree(client.ROOT / name, checkout / name)
    left_over = checkout / "build" / "lib" / "engine"  # as an earlier layout of the project has left it
    left_over.mkdir(parents=True)
    (left_over / "__init__.py").touch()
    make = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", "made", "."]
    done = subprocess.run(make, cwd=checkout, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (checkout / "made").glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        return set(opened.namelist())


def test_wheel_holds_one_package_and_nothing_beside_it(wheel):
    assert {name.partition("/")[0] for name in wheel} == {"pawnstorm", f"pawnstorm-{pawnstorm.__version__}.dist-info"}


def test_wheel_holds_every_module_and_all_data(wheel, tmp_path):
    package = lay_out(client.ROOT, tmp_path)
    ours = {str(path.relative_to(tmp_path)) for path in package.rglob("*") if path.is_file() and path.suffix != ".md"}
    assert {name for name in wheel if name.startswith("pawnstorm/")} == ours
