"""Hatchling's build hook: adds to a wheel the native cores and the tag of its platform.

    pip wheel .                                     for this machine's platform
    PAWNSTORM_PLATFORM=windows-x86-64 pip wheel .   for another one
    PAWNSTORM_CORES=FOLDER pip wheel .              with the cores that release.py has made there

An editable install gets no cores: a clone compiles its own.
"""

import os
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # hatchling loads this file by its path

import pawnstorm_tools  # noqa: F401  finds pawnstorm

# isort: split


from pawnstorm.core import linker
from pawnstorm.core.targets import TARGETS, host_platform, targets_of
from pawnstorm_tools.releasing import cores
from pawnstorm_tools.releasing.cores import WHEELS

PLACE = "pawnstorm/core/cores"


class CoresHook(BuildHookInterface):
    def dependencies(self):
        """The packages that compile and link the cores; no wheel needs them later."""
        if os.environ.get("PAWNSTORM_CORES"):
            return []
        compiler = self.metadata.core.optional_dependencies["build"]
        return compiler if linker.c_compiler() and _platform() == host_platform() else [*compiler, "ziglang"]

    def initialize(self, version, build_data):
        """Add the cores. version: "editable" or "standard"."""
        if version == "editable":
            return
        platform = _platform()
        folder = os.environ.get("PAWNSTORM_CORES")
        if not folder:
            self._made = tempfile.TemporaryDirectory(prefix="pawnstorm-")
            folder = self._made.name
            cores.make([platform], folder)
        build_data["tag"] = f"py3-none-{WHEELS[platform]}"
        build_data["pure_python"] = False
        for name in targets_of(platform):
            library = TARGETS[name].library
            build_data["force_include"][os.path.join(os.path.abspath(folder), library)] = f"{PLACE}/{library}"


def _platform():
    """The platform of the wheel. Raises ValueError."""
    platform = os.environ.get("PAWNSTORM_PLATFORM") or host_platform()
    if platform not in WHEELS:
        raise ValueError(f"PAWNSTORM_PLATFORM: unknown platform '{platform}': expected one of {', '.join(WHEELS)}")
    return platform
