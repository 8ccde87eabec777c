"""The same kernels as plain Python: the suites of the rules once more under NUMBA_DISABLE_JIT=1."""

import os
import subprocess
import sys

import pytest
from client import ROOT

SUITES = ("test_bits", "test_rules", "test_perft", "test_naive", "test_line_book")


@pytest.mark.compiled
def test_rules_hold_as_plain_python():
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "not slow and not compiled and not frozen"]
    command += [f"tests/unit/{name}.py" for name in SUITES]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:]
