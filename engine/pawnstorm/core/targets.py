"""The targets that a native core is made for: their names, what LLVM calls them, and which of them run here.

A platform is a system on a family of processors. A target is a platform at one level of processor: it has a core of its
own. On x86-64 there is one more library, the probe: the few instructions that ask the processor for its level.
"""

import os
import sys
from collections import namedtuple

PROBE = "probe"
X86_64_LEVELS = "x86-64", "x86-64-v2", "x86-64-v3"  # the psABI's levels, lowest first
_X86_64 = {PROBE: "x86-64", **{level: level for level in X86_64_LEVELS}}

Platform = namedtuple("Platform", "triple library_suffix processors features", defaults=("",))
"""LLVM's triple, the suffix of a library's file, {level: LLVM's name of the processor}, features allowed beyond it."""
Target = namedtuple("Target", "platform level triple processor features library")
"""The names of its platform and level, LLVM's triple, processor and features, the file of its library."""

PLATFORMS = {
    "linux-x86-64": Platform("x86_64-unknown-linux-gnu", ".so", _X86_64),
    "linux-aarch64": Platform("aarch64-unknown-linux-gnu", ".so", {"aarch64": "generic"}),
    "windows-x86-64": Platform("x86_64-pc-windows-gnu", ".dll", _X86_64),
    "macos-x86-64": Platform("x86_64-apple-macosx11.0", ".dylib", _X86_64),
    "macos-aarch64": Platform("arm64-apple-macosx11.0", ".dylib", {"aarch64": "apple-m1"}),
    # In a browser there is no system. SIMD, which the network needs, is in every browser since 2023.
    "wasm32": Platform("wasm32-unknown-unknown", ".wasm", {"wasm32": "generic"}, "+simd128,+sign-ext,+bulk-memory"),
}
SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}  # by sys.platform
PROCESSORS = {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "aarch64", "arm64": "aarch64"}  # by the system's name


def target_name(platform, level):
    """The name of a target: linux-x86-64-v3, windows-probe, wasm32."""
    return level if level == platform else f"{platform.partition('-')[0]}-{level}"


TARGETS = {
    target_name(name, level): Target(
        name, level, row.triple, processor, row.features, f"core-{target_name(name, level)}{row.library_suffix}"
    )
    for name, row in PLATFORMS.items()
    for level, processor in row.processors.items()
}


def targets_of(platform):
    """The names of a platform's targets, the lowest level first; a probe comes before them."""
    return [target_name(platform, level) for level in PLATFORMS[platform].processors]


def host_platform():
    """The platform that this process runs on. Raises RuntimeError, with the platform's name, if no core is made for it.

    A 32-bit Python raises it even on a 64-bit system, since it cannot load a 64-bit library.
    """
    system = SYSTEMS.get(sys.platform, sys.platform)
    if sys.platform == "win32":  # sys.version names the processor that Python was compiled for
        processor = next((name for name in PROCESSORS if f"({name})" in sys.version.lower()), "a 32-bit processor")
    else:
        processor = os.uname().machine
    platform = f"{system}-{PROCESSORS.get(processor.lower(), processor)}"
    if sys.maxsize < 1 << 32:
        raise RuntimeError(f"this Python is a 32-bit program: expected a 64-bit one for {platform}")
    if platform not in PLATFORMS:
        raise RuntimeError(f"there is no native core for {platform}: expected one of {', '.join(PLATFORMS)}")
    return platform
