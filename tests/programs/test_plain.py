"""The same kernels as plain Python: the suites of the rules once more under NUMBA_DISABLE_JIT=1."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUITES = ("test_bits", "test_rules", "test_perft", "test_naive")


@pytest.mark.compiled
def test_rules_hold_as_plain_python():
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-m",
        "not slow and not compiled and not frozen",
        *(str(ROOT / "tests" / "unit" / f"{name}.py") for name in SUITES),
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout[-4000:]
