"""Builds the cores of all levels of this machine, and records the types that numba inferred for every kernel, in one run of the
compiler.

    python tests/kernel_types.py

writes what is missing into the engine's cache, next to the cores, and prints the folder. The facts depend only on the kernels,
the compiler and this file.
"""

import ast
import contextlib
import hashlib
import importlib
import json
import os
import sys
from pathlib import Path

# As in pawnstorm.core.build, before numba is imported.
TARGET = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}

PACKAGE = "pawnstorm.kernels"
FACTS = f"types-{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]}.json"


def kernel_modules():
    """The modules of engine/pawnstorm/kernels/ that declare kernels."""
    names = []
    for path in sorted(Path(importlib.import_module(PACKAGE).__path__[0]).glob("*.py")):
        imports = (node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom))
        if any(
            node.module == f"{PACKAGE}.kernel" and "kernel" in [alias.name for alias in node.names] for node in imports
        ):
            names.append(path.stem)
    return names


def kernels():
    """{full name: dispatcher} of all kernels. A kernel loaded from a cache has no types."""
    from numba.core.dispatcher import Dispatcher

    importlib.import_module(f"{PACKAGE}.core")
    found = {}
    for name in kernel_modules():
        module = importlib.import_module(f"{PACKAGE}.{name}")
        for value in vars(module).values():
            if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__:
                found[f"{name}.{value.py_func.__name__}"] = value
    return found


def compiled(kernel):
    """The compile result of the first overload."""
    return next(iter(kernel.overloads.values()))


def floats(type_):
    """Whether a numba type is or contains a floating-point number."""
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
    """Operations on floats; a signature may convert to float where no variable is one."""
    return {
        f"line {operation.loc.line}: {operation} as {signature}"
        for operation, signature in compiled(kernel).type_annotation.calltypes.items()
        if signature is not None
        and any(floats(t) for t in [getattr(signature, "return_type", None), *getattr(signature, "args", ())])
    }


def mixed_operations(kernel):
    """Operations on uint64 and a signed number, which quietly give int64. Shifts are allowed: they keep the left type."""
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


FAULTS = {fault.__name__: fault for fault in (float_variables, float_operations, mixed_operations)}


def exported():
    """{name: the words of engine/pawnstorm/core/exports.py for its result and arguments} of the kernels of core.py. `rows` is
    given as `table`, since both are addresses.
    """
    from numba import types

    from pawnstorm.kernels.kernel import STATE, TABLE

    words = {types.int32: "i32", types.uint64: "u64", STATE: "state", TABLE: "table"}
    signatures = {name: compiled(kernel).signature for name, kernel in kernels().items() if name.startswith("core.")}
    return {
        name.partition(".")[2]: [words[made.return_type], *(words[t] for t in made.args)]
        for name, made in signatures.items()
    }


def facts():
    """The facts that test_kernels.py checks, for json."""
    found = kernels()
    return {
        "signatures": {name: [*map(str, kernel.signatures)] for name, kernel in found.items()},
        "faults": {
            fault: {name: sorted(told) for name, kernel in found.items() if (told := judge(kernel))}
            for fault, judge in FAULTS.items()
        },
        "exported": exported(),
    }


@contextlib.contextmanager
def locked(folder, name):
    """Hold the lock on a file of a folder, so that no other process is in this block."""
    from pawnstorm.system import files

    with open(os.path.join(folder, name), "w") as lock:
        files.lock(lock)
        yield


def compile_missing(names, folder):
    """Write the object files of the targets that a folder lacks."""
    from pawnstorm.core import build
    from pawnstorm.system import cache

    if missing := [name for name in names if not cache.is_intact(build.object_file(name, folder))]:
        build.compile_here(missing, folder)


def main():
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        del os.environ[name]
    os.environ.update(TARGET)
    from pawnstorm.core import native, sources
    from pawnstorm.core.targets import host_platform, targets_of
    from pawnstorm.system import cache

    folder = sources.cache_folder()
    path = os.path.join(folder, FACTS)
    with locked(folder, "tests.lock"):
        # First the core of this processor: engines that start meanwhile wait for it.
        best = native._best(lambda name: native.find_or_build(name, folder, True))
        with locked(folder, f"core-{best}.lock"):
            compile_missing([best], folder)
        native.find_or_build(best, folder, True)
        compile_missing(names := targets_of(host_platform()), folder)
        for name in names:
            native.find_or_build(name, folder, True)
        if not cache.is_intact(path):
            temporary = Path(f"{path}.{os.getpid()}")
            temporary.write_text(json.dumps(facts(), indent=1))
            cache.install(str(temporary), path)
    print(folder)


if __name__ == "__main__":
    sys.exit(main())
