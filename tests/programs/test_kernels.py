"""What numba made of every kernel: its overloads, its types, and what the finished library asks of others."""

import ctypes
import json
import re
import shutil
import subprocess
from pathlib import Path

import client
import pytest
from kernel_types import FACTS, float_operations, float_variables, mixed_operations

from pawnstorm.core import native
from pawnstorm.core.build import LIBRARY_CALLS
from pawnstorm.core.exports import EXPORTS
from pawnstorm.core.state import FIELDS, State

# The first test waits while the cores of all levels are built beside others.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def facts():
    """The facts from kernel_types.py about every compiled kernel."""
    if native.PLAIN_PYTHON:
        pytest.skip("nothing is compiled")
    return json.loads((client.build_core(all_levels=True) / FACTS).read_text())


@pytest.mark.compiled
def test_every_kernel_has_one_overload(facts):
    """A mistyped argument of a recursive call adds a second one, silently."""
    signatures = facts["signatures"]
    assert len(signatures) > 30
    assert {"search.negamax", "core.core_search", "race.race_win_plies", "table.probe"} <= set(signatures)
    assert {name: found for name, found in signatures.items() if len(found) != 1} == {}


@pytest.mark.compiled
@pytest.mark.parametrize("fault", ["float_variables", "float_operations", "mixed_operations"])
def test_no_kernel_has_a_float_or_mixes_signs(facts, fault):
    assert facts["faults"][fault] == {}


@pytest.mark.compiled
def test_faults_are_seen_where_they_are():
    """numba's ways, each in a kernel that does what kernels must not: were they to change, the tests above would show
    nothing.
    """
    import numpy as np

    from pawnstorm.kernels.kernel import kernel, u64

    @kernel(u64(u64))
    def subtracts_a_signed_one(word):
        return word & u64(word - 1)

    @kernel(u64(u64))
    def joins_both_kinds(word):
        result = 0
        if word:
            result = word
        return u64(result)

    @kernel(u64(u64))
    def divides(word):
        return u64(word / np.uint64(3))

    @kernel(u64(u64))
    def keeps_to_words(word):
        return word & (word - np.uint64(1)) | word >> 3

    assert mixed_operations(subtracts_a_signed_one)
    assert float_variables(joins_both_kinds)
    assert float_operations(divides)
    assert not any(fault(keeps_to_words) for fault in (float_variables, float_operations, mixed_operations))


@pytest.mark.compiled
def test_functions_declared_for_ctypes_are_the_exported_kernels(facts):
    declared = {name: [word.replace("rows", "table") for word in words] for name, words in EXPORTS.items()}
    assert facts["exported"] == declared


def test_record_is_laid_out_alike_for_kernels_and_ctypes():
    from pawnstorm.kernels.kernel import STATE_DTYPE

    assert STATE_DTYPE.itemsize == ctypes.sizeof(State)
    assert {name: STATE_DTYPE.fields[name][1] for name, *_ in FIELDS} == {
        name: getattr(State, name).offset for name, *_ in FIELDS
    }
    wide = {name for name, code, _ in FIELDS if code in ("u8", "i8")}
    assert all(getattr(State, name).offset % 8 == 0 for name in wide)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["library", "object"])
def test_library_needs_nothing_and_offers_what_is_declared(kind):
    if not shutil.which("nm"):
        pytest.skip("nm is not installed")
    source = Path(native.core().source)
    path = source if kind == "library" else source.with_suffix(".o")
    if not path.exists():
        pytest.skip(f"there is no {path.name}: no C compiler linked one")
    listed = subprocess.run(
        ["nm", *(["-D"] if kind == "library" else []), path], capture_output=True, text=True, check=True
    ).stdout
    symbols = re.findall(r"^[0-9a-f ]* (\w) (\S+)$", listed, re.M)
    assert {name for letter, name in symbols if letter in "Uwv"} <= LIBRARY_CALLS
    assert {name for letter, name in symbols if letter == "T"} == set(native.SIGNATURES)
    assert not [name for letter, name in symbols if letter in "dDbBC"], "writable data would be shared by all threads"
    assert path.stat().st_size < 200_000
