"""scripts/release.py, twice: what it makes, that it makes the same bytes again, and where that runs.

PAWNSTORM_TOOLS     the folder for release.py's --tools: with it the executables for Windows and aarch64 are made as well,
                    and those for aarch64 and the wheel pass tests of UCI under qemu
PAWNSTORM_RELEASE   the folder of a release that was made before, as the first of the two
PAWNSTORM_PYTHONS   Pythons, separated by colons, in which the wheel is installed; without it this one
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from client import ROOT

from pawnstorm.core.targets import host_platform
from pawnstorm_tools.releasing import emulation, making

TOOLS = os.environ.get("PAWNSTORM_TOOLS")
PYTHONS = os.environ.get("PAWNSTORM_PYTHONS", sys.executable).split(":")
LIMIT = 1800  # seconds for a release or a run of the tests of UCI, far more than either needs

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(2 * LIMIT)]


def make(out):
    """Make a release in a folder; returns the folder."""
    flags = ["--tools", TOOLS] if TOOLS else []
    flags += [word for python in PYTHONS for word in ("--python", shutil.which(python) or python)]
    subprocess.run([sys.executable, ROOT / "scripts" / "release.py", "--out", out, *flags], check=True, timeout=LIMIT)
    return out


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """The folder of a release."""
    return Path(kept) if (kept := os.environ.get("PAWNSTORM_RELEASE")) else make(tmp_path_factory.mktemp("release"))


def digests(out):
    """{name: digest} of the files of a release, as they are."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.iterdir()}


def told(out):
    """{name: digest} of SHA256SUMS."""
    return {line.split()[1]: line.split()[0] for line in (out / "SHA256SUMS").read_text().splitlines()}


def test_release_is_whole_and_the_same_a_second_time(release, tmp_path):
    sums, second = told(release), digests(make(tmp_path))
    assert sums.items() <= digests(release).items()
    assert sum(name.endswith(".whl") for name in sums) == 5 and sum(name.endswith(".html") for name in sums) == 1
    executables = {name for name in sums if "-portable" in name}
    assert host_platform() in str(executables) and len(executables) == (1 if not TOOLS else 3)
    assert {name: second[name] for name in sums} == sums


def test_wheel_ran_in_a_new_environment_of_each_python(release):
    """release.py lets pip find only the wheel, and then counts nodes and positions with it."""
    text = (release / "RELEASE.md").read_text()
    (wheel,) = release.glob(f"*{making.WHEELS[host_platform()]}*.whl")
    installed = [line for line in text.splitlines() if line.startswith(f"| {wheel.name} |") and "installed" in line]
    print("\n".join(installed))
    versions = {subprocess.check_output([python, "--version"], text=True).strip() for python in PYTHONS}
    assert len(installed) == len(versions) and all(any(version in line for line in installed) for version in versions)


@pytest.mark.skipif(not TOOLS, reason="PAWNSTORM_TOOLS names no folder of tools")
@pytest.mark.parametrize("kind", ["executables", "wheel"])
def test_aarch64_passes_the_tests_of_frozen_uci_under_qemu(kind, release, tmp_path):
    if host_platform() == "linux-aarch64" or not all(map(shutil.which, emulation.NEEDED)):
        pytest.skip(f"expected {', '.join(emulation.NEEDED)}, and another processor")
    emulated = ["sh", str(emulation.ARM64), str(Path(TOOLS).resolve() / "arm64")]
    if kind == "executables":
        (archive,) = release.glob("*linux-aarch64.tar.gz")
        shutil.unpack_archive(archive, tmp_path)
        (portable,) = release.glob("*linux-aarch64-portable")
        shutil.copy(portable, tmp_path)
        commands = [[str(tmp_path / "pawnstorm" / "pawnstorm")], [str(tmp_path / portable.name)]]
    else:
        (wheel,) = release.glob(f"*{making.WHEELS['linux-aarch64']}*.whl")
        shutil.unpack_archive(wheel, tmp_path / "installed", "zip")
        commands = 2 * [["python3", "-S", "-c", making.INSTALLED.format(str(tmp_path / "installed"))]]
    dist = tmp_path / "dist"
    for program, command in zip((dist / "pawnstorm" / "pawnstorm", dist / "pawnstorm-portable"), commands):
        program.parent.mkdir(parents=True, exist_ok=True)
        # What is run sees the current folder alone.
        program.write_text(f'#!/bin/sh\ncd {tmp_path} && exec {shlex.join([*emulated, *command])} "$@"\n')
        program.chmod(0o755)
    tests = [sys.executable, "-m", "pytest", "-q", "-n", "0", "tests/frozen/test_uci_frozen.py"]
    done = subprocess.run(
        [*tests, *(["-k", "folder"] if kind == "wheel" else [])],
        cwd=ROOT,
        env=os.environ | {"PAWNSTORM_FROZEN": str(dist)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    print(done.stdout[-300:])
    assert done.returncode == 0, done.stdout[-6000:]
