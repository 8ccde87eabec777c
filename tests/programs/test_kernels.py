"""What numba made of every kernel: its overloads, its types, and what the finished library asks of others."""

import ast
import ctypes
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pawnstorm.core import native
from pawnstorm.core.build import LIBRARY_CALLS
from pawnstorm.core.state import FIELDS, State

KERNELS = Path(native.__file__).parents[1] / "kernels"
PACKAGE = "pawnstorm.kernels"


def kernel_modules():
    """The modules of engine/pawnstorm/kernels/ in which kernels are declared."""
    names = []
    for path in sorted(KERNELS.glob("*.py")):
        imports = (node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom))
        if any(
            node.module == f"{PACKAGE}.kernel" and "kernel" in [alias.name for alias in node.names] for node in imports
        ):
            names.append(path.stem)
    return names


@pytest.fixture(scope="module")
def kernels():
    """Every compiled kernel by its full name."""
    if native.PLAIN_PYTHON:
        pytest.skip("nothing is compiled")
    from numba.core import config
    from numba.core.dispatcher import Dispatcher

    # Machine code from the cache (common/engine_kernels.py) knows no types: compiled anew, in the order of a build, and
    # not optimised.
    ours = {f"{PACKAGE}.{name}" for name in [*kernel_modules(), "kernel"]}
    kept = {name: sys.modules.pop(name) for name in ours & set(sys.modules)}
    before, config.OPT = config.OPT, type(config.OPT)(0)
    try:
        importlib.import_module(f"{PACKAGE}.core")
        yield named_kernels(Dispatcher)
    finally:
        config.OPT = before
        sys.modules.update(kept)


def named_kernels(Dispatcher):
    """{full name: dispatcher} of the kernels as they are imported now."""
    found = {}
    for name in kernel_modules():
        module = importlib.import_module(f"{PACKAGE}.{name}")
        for value in vars(module).values():
            if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__:
                found[f"{name}.{value.py_func.__name__}"] = value
    assert len(found) > 30 and {"search.negamax", "core.core_search", "race.race_win_plies", "table.probe"} <= set(
        found
    )
    return found


def compiled(kernel):
    """The only overload's compile result."""
    (result,) = kernel.overloads.values()
    return result


def floats(type_):
    """Whether a numba type is or holds a number with a point."""
    from numba import types

    inside = list(getattr(type_, "types", ())) + [
        getattr(type_, name) for name in ("dtype", "key_type") if hasattr(type_, name)
    ]
    return isinstance(type_, (types.Float, types.Complex)) or any(floats(part) for part in inside)


def is_mixed(left, right):
    """Whether one is an unsigned machine word and the other a signed number."""
    from numba import types

    return (
        all(isinstance(t, (types.Integer, types.IntegerLiteral)) for t in (left, right)) and left.signed != right.signed
    )


def float_variables(kernel):
    """Variables whose inferred type is a float."""
    return {
        f"{variable} is {type_}"
        for variable, type_ in compiled(kernel).type_annotation.typemap.items()
        if floats(type_)
    }


def float_operations(kernel):
    """Operations that are done on floats; a signature may convert where no variable does."""
    return {
        f"line {operation.loc.line}: {operation} as {signature}"
        for operation, signature in compiled(kernel).type_annotation.calltypes.items()
        if signature is not None
        and any(floats(t) for t in [getattr(signature, "return_type", None), *getattr(signature, "args", ())])
    }


def mixed_operations(kernel):
    """Operations on uint64 and a signed number, which quietly give int64; shifts alone keep the left one's type."""
    annotation, found = compiled(kernel).type_annotation, set()
    for operation in annotation.calltypes:
        if getattr(operation, "op", None) in ("binop", "inplace_binop") and operation.fn.__name__.lstrip("i") not in (
            "lshift",
            "rshift",
        ):
            left, right = (annotation.typemap[side.name] for side in (operation.lhs, operation.rhs))
            if is_mixed(left, right):
                found.add(f"line {operation.loc.line}: {operation.fn.__name__} of {left} and {right}")
    return found


@pytest.mark.compiled
def test_every_kernel_has_one_overload(kernels):
    """A mistyped argument of a recursive call adds a second one, silently."""
    assert {name: kernel.signatures for name, kernel in kernels.items() if len(kernel.overloads) != 1} == {}


@pytest.mark.compiled
@pytest.mark.parametrize("fault", [float_variables, float_operations, mixed_operations])
def test_no_kernel_has_a_float_or_mixes_signs(kernels, fault):
    assert {name: found for name, kernel in kernels.items() if (found := fault(kernel))} == {}


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
def test_functions_declared_for_ctypes_are_the_exported_kernels(kernels):
    from numba import types

    from pawnstorm.kernels.kernel import STATE, TABLE

    ctype = {
        types.int32: ctypes.c_int32,
        types.uint64: ctypes.c_uint64,
        STATE: ctypes.POINTER(State),
        TABLE: ctypes.c_void_p,
    }
    exported = {
        export.py_func.__name__: compiled(export).signature
        for name, export in kernels.items()
        if name.startswith("core.")
    }
    assert native.SIGNATURES == {
        name: (ctype[made.return_type], tuple(ctype[t] for t in made.args)) for name, made in exported.items()
    }


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
