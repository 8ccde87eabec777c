"""Find or build the native core for this processor, load it, and offer its functions to the rest of the engine.

core() is the only way to get it. It is loaded in one of three ways, which give the same functions:

- a library that came with an installed engine or an executable, or was built once from a clone into a cache folder
- the object file of such a library, through llvmlite, if nothing could link it
- the kernels as plain Python, under NUMBA_DISABLE_JIT=1

Only the last imports numba into this process. Only the last two import llvmlite.
"""

import ctypes
import os
import sys
import threading

from pawnstorm.core.exports import EXPORTS
from pawnstorm.core.parameters import OVERRIDES
from pawnstorm.core.state import State
from pawnstorm.core.targets import PLATFORMS, PROBE, TARGETS, host_platform, target_name, targets_of
from pawnstorm.evaluation import weights

SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cores")
"""The folder of the cores that came with an installed engine or an executable; a clone has none."""
PLAIN_PYTHON = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

_i32, _u64, _state, _table = ctypes.c_int32, ctypes.c_uint64, ctypes.POINTER(State), ctypes.c_void_p
_TYPES = {"i32": _i32, "u64": _u64, "state": _state, "table": _table, "rows": _table}
SIGNATURES = {
    name: (_TYPES[result], tuple(_TYPES[argument] for argument in arguments))
    for name, (result, *arguments) in EXPORTS.items()
}
"""{symbol: (result, arguments)} of the core, in ctypes."""
PROBE_SIGNATURES = {"cpu_word": (ctypes.c_uint32, (_i32, _i32, _i32)), "cpu_xcr0": (ctypes.c_uint32, ())}


def cpu_level(cpu_word, cpu_xcr0):
    """The highest x86-64 level that the processor supports, by the psABI's lists of features.

    cpu_word(leaf, subleaf, register) is CPUID with registers 0 to 3 for eax, ebx, ecx, edx. cpu_xcr0() is XGETBV's low
    word. It shows whether the operating system saves the wide registers, which x86-64-v3 also requires.
    """

    def has(word, *bits):
        return all(word >> bit & 1 for bit in bits)

    basic = cpu_word(1, 0, 2)
    extended = cpu_word(0x80000001, 0, 2) if cpu_word(0x80000000, 0, 0) >= 0x80000001 else 0
    # SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF
    if not (has(basic, 0, 9, 13, 19, 20, 23) and has(extended, 0)):
        return "x86-64"
    # FMA, MOVBE, OSXSAVE, AVX, F16C; LZCNT; then BMI1, AVX2, BMI2
    if not (
        cpu_word(0, 0, 0) >= 7
        and has(basic, 12, 22, 27, 28, 29)
        and has(extended, 5)
        and has(cpu_word(7, 0, 1), 3, 5, 8)
        and has(cpu_xcr0(), 1, 2)
    ):
        return "x86-64-v2"
    return "x86-64-v3"


class Core:
    """The native functions for one target: those of engine/pawnstorm/core/exports.py, without `core_` in front.

    target  the target's name in engine/pawnstorm/core/targets.py, or "plain" for the kernels as plain Python
    source  the file that the functions came from
    """

    def __init__(self, functions, target, source):
        self.target, self.source = target, source
        for name, function in functions.items():
            setattr(self, name.removeprefix("core_"), function)


_mcjit_engines = []  # llvmlite's, kept as long as the process


def _functions(path, signatures):
    """The functions of a library, or of an object file through llvmlite. They release the interpreter lock while they run.

    Raises OSError if the file is missing, cut off, or not a core.
    """
    if not path.endswith(".o"):
        _check_length(path)
        library = ctypes.CDLL(path)
        try:
            functions = {name: getattr(library, name) for name in signatures}
        except AttributeError as error:
            raise OSError(f"{path} is not a core of this version: {error}") from None
        for name, (result, arguments) in signatures.items():
            functions[name].restype, functions[name].argtypes = result, arguments
        return functions
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(reloc="pic", jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_path(path))
    engine.finalize_object()
    _mcjit_engines.append(engine)  # owns the machine code
    return {
        name: ctypes.CFUNCTYPE(result, *arguments)(engine.get_function_address(name))
        for name, (result, arguments) in signatures.items()
    }


def _check_length(path):
    """Raise OSError for an ELF library that is shorter than its header says: loading it would kill the process."""
    with open(path, "rb") as file:
        header = file.read(64)  # of a 64-bit file: the table of sections comes last in the file
        sections, size, count = (
            int.from_bytes(header[start:end], "little") for start, end in ((40, 48), (58, 60), (60, 62))
        )
        if header.startswith(b"\x7fELF") and os.fstat(file.fileno()).st_size < sections + size * count:
            raise OSError(f"{path} is cut off")


def _plain_functions():
    """The kernels as Python, on the same ctypes record."""
    import numpy as np

    from pawnstorm.kernels import core as kernels
    from pawnstorm.kernels.kernel import STATE_DTYPE

    def argument(value, kind, state):
        if kind is _state:
            return np.frombuffer(value, STATE_DTYPE).view(np.recarray)[0]
        if kind is _table:
            if isinstance(value, int):  # the address of a table; any other value is an array, which knows its length
                value = (_u64 * (8 * state.buckets)).from_address(value)
            return np.frombuffer(value, np.uint64)
        return np.uint64(value) if kind is _u64 else np.int32(value)

    def wrap(kernel, kinds):
        def call(*values):
            state = values[kinds.index(_state)]
            # Machine words wrap; NumPy would warn.
            with np.errstate(over="ignore"):
                return int(kernel(*(argument(value, kind, state) for value, kind in zip(values, kinds))))

        return call

    return {name: wrap(getattr(kernels, name), arguments) for name, (_, arguments) in SIGNATURES.items()}


def _one_line(path):
    """A path on one line, whatever is in it."""
    return path if path.isprintable() else ascii(path)[1:-1]


def _warn(text):
    print(f"pawnstorm: {text}", file=sys.stderr, flush=True)


def find_or_build(name, folder, persistent):
    """Path of a target's core in a folder, built if it is missing: the library, or the object if it cannot be linked.

    Intact files are used even if the folder cannot be written. persistent: whether later starts will find the folder.
    """
    from pawnstorm.system import cache

    library = os.path.join(folder, TARGETS[name].library)
    if cache.is_intact(library):
        return library
    from pawnstorm.core import build, linker
    from pawnstorm.system import files

    compiled = build.object_file(name, folder)
    try:
        lock = open(os.path.join(folder, f"core-{name}.lock"), "w")
    except OSError as error:
        if not cache.is_intact(compiled):
            raise
        _warn(f"{library} cannot be made: {error.strerror}; the core is loaded through llvmlite, a slower start")
        return compiled
    with lock:
        try:
            files.lock(lock)
        except OSError:
            pass  # a file system without locks: two builders then do the work twice; each puts its files in place in one step
        if cache.is_intact(library):
            return library
        probe = TARGETS[name].level == PROBE
        damaged = next(
            (path for path in (library, compiled) if os.path.exists(path) and not cache.is_intact(path)), None
        )
        if damaged:
            _warn(f"{damaged} is damaged, or can be written by others; it is built again")
        if not cache.is_intact(compiled):
            if persistent and not damaged and not probe:
                _warn(f"building the native core for {name} into '{_one_line(folder)}', once; this takes some seconds")
            build.compile_targets([name], folder)
        try:
            return linker.link(name, folder)
        except build.BuildError as error:
            if not probe:
                _warn(f"{error}; the core is loaded through llvmlite, a slower start")
            return compiled


def _load_best(path_of):
    """The Core of the best target for this processor. path_of(name): the path of a target's file.

    Raises OSError; RuntimeError if there is no target for this system.
    """
    name = _best(path_of)
    file = path_of(name)
    return Core(_functions(file, SIGNATURES), name, file)


def _best(path_of):
    """The name of the best target for this processor. Raises OSError."""
    platform = host_platform()
    level = next(iter(PLATFORMS[platform].processors))
    if level == PROBE:
        level = cpu_level(**_functions(path_of(target_name(platform, PROBE)), PROBE_SIGNATURES))
    return target_name(platform, level)


def _load_shipped():
    """The best Core in SHIPPED that can be loaded. Raises RuntimeError if there is none.

    Warns if it is not the best for this processor.
    """

    def path_of(name):
        return os.path.join(SHIPPED, TARGETS[name].library)

    names = [name for name in targets_of(host_platform()) if TARGETS[name].level != PROBE]
    faults = []
    try:
        names = names[: names.index(_best(path_of)) + 1]
    except OSError as error:
        names, faults = names[:1], [error]  # the lowest level runs on every processor
    for name in reversed(names):
        try:
            core = Core(_functions(path_of(name), SIGNATURES), name, path_of(name))
        except OSError as error:
            faults.append(error)
        else:
            if faults:
                _warn(
                    f"{faults[0]}: expected a complete installation; going on with the core for {name}, which is slower"
                )
            return core
    raise RuntimeError(f"the native core cannot be loaded from {SHIPPED}: {faults[0]}")


def _load():
    if PLAIN_PYTHON:
        return Core(_plain_functions(), "plain", "engine/pawnstorm/kernels/core.py")
    if os.path.isdir(SHIPPED):
        if OVERRIDES:
            raise RuntimeError(
                "PAWNSTORM_PARAMETERS works only in a clone: the values in the core of an installed engine are fixed"
            )
        return _load_shipped()
    from pawnstorm.core import sources

    try:
        folder = sources.cache_folder()
        return _load_best(lambda name: find_or_build(name, folder, persistent=True))
    except OSError as error:
        _warn(
            f"the cache of native cores cannot be used: {error}; building for this start alone, which takes some seconds; "
            "set PAWNSTORM_CACHE to a folder that only you can write"
        )
    import tempfile

    try:
        # The core stays mapped after its folder is deleted.
        with tempfile.TemporaryDirectory(prefix="pawnstorm-", ignore_cleanup_errors=True) as folder:
            return _load_best(lambda name: find_or_build(name, folder, persistent=False))
    except OSError as error:
        from pawnstorm.core import build

        raise build.BuildError(f"the native core cannot be loaded from a temporary folder: {error}") from error


_lock = threading.Lock()
_core = None
_local = threading.local()


def core():
    """The loaded Core. The first call loads it, and in a clone builds it if needed. Raises RuntimeError."""
    global _core
    if _core is None:
        with _lock:
            if _core is None:
                _core = _load()
    return _core


def core_or_exit():
    """The loaded Core, for a search. If it cannot be loaded, no move can be found: print the error and end the process."""
    try:
        return core()
    except RuntimeError as error:
        _warn(error)
        os._exit(1)


def use_scratch(state):
    """Make `state` this thread's record for calls that do not search, so that scratch() need not allocate one."""
    _local.state, _local.rules = state, None


def scratch(rules, own, opp, ep):
    """This thread's record, set to a game and a position, for calls that do not search.

    Raises MemoryError if the thread has no record yet and none can be allocated.
    """
    if not hasattr(_local, "state"):
        use_scratch(State())
    state = _local.state
    if _local.rules is not rules:
        state.set_game(rules)
        _local.rules = rules
    state.own, state.opp, state.ep = own, opp, ep
    return state


def moves(rules, own, opp, ep):
    """The legal moves of a position, each as the int `from | to << 6`, with squares as the mover sees them; [] if the game is
    over.
    """
    state = scratch(rules, own, opp, ep)
    return state.moves[: core().moves(state)]


def make_move(rules, own, opp, ep, move):
    """(own, opp, ep) after a legal move, seen by the opponent."""
    state = scratch(rules, own, opp, ep)
    core().make(move, state)
    return state.own, state.opp, state.ep


def perft(rules, own, opp, ep, depth, state=None):
    """Number of lines of `depth` plies from a position.

    state: the record to work in, by default that of scratch(). If another thread sets state.stop, the count ends early.
    """
    state = state or scratch(rules, own, opp, ep)
    state.set_game(rules)
    state.own, state.opp, state.ep = own, opp, ep
    return core().perft(depth, state)


def evaluate(rules, own, opp, ep):
    """Static score in centipawns for the side to move."""
    state = scratch(rules, own, opp, ep)
    weights.set_weights(state, rules)
    return core().evaluate(state)


def race(rules, own, opp, ep):
    """Plies within which the side to move wins (positive) or loses (negative) a race; 0 if no race is decided
    (engine/pawnstorm/kernels/race.py).
    """
    return core().race(scratch(rules, own, opp, ep))
