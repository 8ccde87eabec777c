"""Link the native library of a target from its object: with the system's C compiler for this machine, with Zig for others.

Zig (`pip install ziglang`) contains the linkers of LLVM and of macOS, and the files that a library for another system
must be linked with. It is also used if there is no C compiler.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

from pawnstorm.core.build import WINDOWS_ENTRY, BuildError, object_file
from pawnstorm.core.exports import EXPORTS
from pawnstorm.core.targets import TARGETS, host_platform
from pawnstorm.system import cache

STACK = 8 << 20  # bytes; for WebAssembly, whose stack size cannot be set later


def c_compiler():
    """The command that links for this machine: $CC, else cc, gcc or clang from the path; None if there is none."""
    named = os.environ.get("CC", "").split()
    if named:
        return named if shutil.which(named[0]) else None
    return next(([name] for name in ("cc", "gcc", "clang") if shutil.which(name)), None)


def zig():
    """The command that starts Zig; None if it is not installed."""
    return [sys.executable, "-m", "ziglang"] if importlib.util.find_spec("ziglang") else None


def link(name, folder):
    """Link the library of a target whose object is in the folder; returns its path.

    The library appears in the folder in one step. Raises BuildError if it cannot be linked.
    """
    # Some linkers write the name of the file into it, so it has its final name from the start.
    with tempfile.TemporaryDirectory(prefix="linking-", dir=folder) as aside:
        made = os.path.join(aside, TARGETS[name].library)
        command = [*_command(name, made), object_file(name, folder)]
        linked = subprocess.run(
            command,
            env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": aside, "ZIG_LOCAL_CACHE_DIR": aside},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if linked.returncode:
            raise BuildError(f"linking failed: {' '.join(command)}: {' '.join(linked.stdout.split())[:300]}")
        library = os.path.join(folder, TARGETS[name].library)
        cache.install(made, library)
    return library


def _command(name, library):
    """The command that links a library, without the object. Raises BuildError if nothing can link for the target."""
    platform = TARGETS[name].platform
    system, _, processor = platform.partition("-")
    native, zig_command = platform == host_platform() and system != "windows", zig()
    if native and (compiler := c_compiler()):
        return [*compiler, "-shared", "-nostdlib", "-s", "-o", library]
    if native and (not zig_command or os.environ.get("CC")):
        raise BuildError("no C compiler found: expected $CC, cc, gcc or clang on the path, or Zig: pip install ziglang")
    if not zig_command:
        raise BuildError(f"no linker found for {platform}: expected Zig, which `pip install ziglang` installs")
    if system == "linux":
        return [*zig_command, "ld.lld", "-shared", "-s", "-o", library]
    if system == "windows":
        # /Brepro writes a digest instead of the time.
        return [*zig_command, "lld-link", "/dll", "/noimplib", "/Brepro", f"/entry:{WINDOWS_ENTRY}", f"/out:{library}"]
    if system == "macos":
        target = f"{processor.replace('-', '_')}-macos.11.0"
        name = f"-Wl,-install_name,@rpath/{TARGETS[name].library}"
        return [*zig_command, "cc", "-target", target, "-shared", "-nostdlib", "-s", name, "-o", library]
    exported = [f"--export={name}" for name in (*EXPORTS, "__heap_base")]
    stack = ["-z", f"stack-size={STACK}"]
    return [*zig_command, "wasm-ld", "--no-entry", "--import-memory", *exported, "-s", *stack, "-o", library]
