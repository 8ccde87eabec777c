"""scripts/release.py, twice: what it makes, and that it makes the same bytes again."""

import hashlib
import subprocess
import sys

import pytest
from client import ROOT

pytestmark = pytest.mark.slow


def made(out):
    """{name: digest} of the files that a release has made, as they are."""
    subprocess.run([sys.executable, ROOT / "scripts" / "release.py", "--out", out], check=True, timeout=900)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.iterdir()}


def test_release_is_whole_and_the_same_a_second_time(tmp_path):
    first, second = made(tmp_path / "one"), made(tmp_path / "two")
    sums = dict(reversed(line.split()) for line in (tmp_path / "one" / "SHA256SUMS").read_text().splitlines())
    told = {name.removeprefix("*"): digest for name, digest in sums.items()}
    assert told.items() <= first.items()
    assert sum(name.endswith(".whl") for name in told) == 5 and any(name.endswith("portable") for name in told)
    assert sum(name.endswith(".html") for name in told) == 1
    assert {name: second[name] for name in told} == told
