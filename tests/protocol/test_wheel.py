"""What `pip install` puts on a machine, from the wheel that it makes."""

import email
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import client
import pytest

import pawnstorm
from pawnstorm.core.targets import TARGETS, targets_of

OF_A_CLONE = tuple(
    f"pawnstorm_tools/{room}/"
    for room in ("benchmarks", "measuring", "opening_tree", "playing_page", "releasing", "solving/figures", "training")
)
PLATFORM, TAG = "windows-x86-64", "py3-none-win_amd64"  # any but this machine's


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """make(): the path of a new wheel of this checkout, with files of a line each in place of cores."""
    cores = tmp_path_factory.mktemp("cores")
    for name in targets_of(PLATFORM):
        (cores / TARGETS[name].library).write_text(f"{name}\n")
    (cores / f"core-{targets_of(PLATFORM)[0]}.o").touch()  # not to be shipped

    def made():
        out = tmp_path_factory.mktemp("made")
        settings = {"PAWNSTORM_PLATFORM": PLATFORM, "PAWNSTORM_CORES": str(cores)}
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", out]
        done = subprocess.run(
            [*command, "."],
            cwd=client.ROOT,
            env={**os.environ, **settings, "SOURCE_DATE_EPOCH": "1700000000"},
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (path,) = out.glob("*.whl")
        return path

    return made


@pytest.fixture(scope="module")
def wheel(make):
    """The path of one wheel."""
    return make()


def names(wheel):
    with zipfile.ZipFile(wheel) as opened:
        return set(opened.namelist())


def test_wheel_holds_three_packages_and_nothing_beside_them(wheel):
    tops = {name.partition("/")[0] for name in names(wheel)}
    packages = {"pawnstorm", "pawnstorm_protocol", "pawnstorm_tools"}
    assert tops == {*packages, f"pawnstorm-{pawnstorm.__version__}.dist-info"}


def test_wheel_holds_every_module_all_data_and_the_cores_of_its_platform(wheel):
    ours = {f"pawnstorm/core/cores/{TARGETS[name].library}" for name in targets_of(PLATFORM)}
    for package in ("engine/pawnstorm", "protocol/pawnstorm_protocol", "scripts/pawnstorm_tools"):
        folder = client.ROOT / package
        files = {path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        ours |= {path.relative_to(folder.parent).as_posix() for path in files if path.suffix != ".md"}
    ours = {name for name in ours if not name.startswith(OF_A_CLONE)}
    assert {name for name in names(wheel) if ".dist-info/" not in name} == ours


def test_wheel_names_its_platform_no_python_and_no_requirement(wheel):
    assert wheel.name == f"pawnstorm-{pawnstorm.__version__}-{TAG}.whl"
    with zipfile.ZipFile(wheel) as opened:
        about = email.message_from_bytes(opened.read(f"pawnstorm-{pawnstorm.__version__}.dist-info/METADATA"))
    assert about["Requires-Python"] == ">=3.9"
    assert [line for line in about.get_all("Requires-Dist") if "extra ==" not in line] == []


def test_wheel_made_again_is_the_same_file(wheel, make):
    assert make().read_bytes() == wheel.read_bytes()


def test_archive_of_sources_holds_what_makes_a_wheel(tmp_path):
    build = ["hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run([sys.executable, "-m", *build], cwd=client.ROOT, check=True, capture_output=True, timeout=100)
    (path,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(path) as opened:
        held = {str(Path(*Path(name).parts[1:])) for name in opened.getnames()}
    assert {
        "pyproject.toml",
        "LICENSE",
        "README.md",
        "scripts/pawnstorm_tools/releasing/wheel_hook.py",
        "scripts/pawnstorm_tools/startup.py",
    } <= held
    assert {
        "engine/pawnstorm/kernels/core.py",
        "engine/pawnstorm/core/targets.py",
        "engine/pawnstorm/__init__.py",
    } <= held
    assert not [name for name in held if "__pycache__" in name or name.endswith(".pyc")]
