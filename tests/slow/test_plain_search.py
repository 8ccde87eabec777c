"""Random searches and proofs as plain Python, with every index and number checked, find what machine code finds."""

import json
import os
import subprocess
import sys

import pytest
import workloads
from client import ROOT

LIMIT = 600  # seconds that no run comes near
pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(LIMIT)]


def checked(*words):
    """A finished run of tests/checked.py."""
    return subprocess.run(
        [sys.executable, ROOT / "tests" / "checked.py", *map(str, words)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "scripts")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


@pytest.mark.parametrize("name, size", [("rules", 8), ("searches", 100), ("proofs", 24), ("batches", 2)])
def test_plain_kernels_stay_in_bounds_and_find_the_same(name, size):
    done = checked(name, size)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout) == json.loads(json.dumps(workloads.WORKLOADS[name](size)))


def test_lines_of_the_greatest_length_stay_in_bounds():
    done = checked("last_plies", 24)
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(json.loads(done.stdout)) > 300


@pytest.mark.parametrize(
    "work, size, fault, error",
    [
        ("last_plies", 4, "wide_rows", "IndexError: move_stack"),
        ("proofs", 2, "low_keys", "IndexError: move_stack[-"),
        ("searches", 10, "big_buckets", "IndexError: table"),
        ("rules", 1, "long_moves", "OverflowError: moves"),
        ("searches", 4, "long_quiescence", "OverflowError: quiesce"),
    ],
)
def test_fault_in_a_kernel_is_told(work, size, fault, error):
    """Without this the tests above would show nothing."""
    done = checked(work, size, fault)
    assert done.returncode == 1 and error in done.stderr, done.stderr[-3000:]
