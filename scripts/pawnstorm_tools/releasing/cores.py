"""Makes all native cores of a platform."""

from pawnstorm.core import build, linker
from pawnstorm.core.targets import targets_of

WHEELS = {
    "linux-x86-64": "manylinux_2_5_x86_64",
    "linux-aarch64": "manylinux_2_17_aarch64",
    "windows-x86-64": "win_amd64",
    "macos-x86-64": "macosx_11_0_x86_64",
    "macos-aarch64": "macosx_11_0_arm64",
}
"""Platform -> the tag of its wheel. The tags for Linux are those that `auditwheel show` reports, since the cores need no
library. No tag names a Python version: ctypes loads the cores, which do not depend on Python.
"""


def make(platforms, folder):
    """Compile all cores of platforms in one run of numba, and link them in the folder. Raises BuildError."""
    names = [name for platform in platforms for name in targets_of(platform)]
    build.compile_targets(names, str(folder))
    for name in names:
        linker.link(name, str(folder))
