"""Other platforms than this machine's that it can run: each with a Python that has PyInstaller, made where it is
missing.
"""

import contextlib
import os
import shutil
from pathlib import Path

from pawnstorm_tools.releasing import under_wine, wine

ARM64 = Path(__file__).with_name("arm64.sh")
NEEDED = ("debootstrap", "qemu-aarch64-static", "unshare")


@contextlib.contextmanager
def pythons(tools, say):
    """A block with {platform: command} of the Pythons in a folder of tools.

    Those that are missing there are made, that for arm64 when it is first run. say is called with a line for each that
    cannot be had. Raises WineError.
    """
    tools = Path(tools).resolve()
    found = {}
    with contextlib.ExitStack() as block:
        if fault := _lacking(NEEDED) or ("" if os.geteuid() == 0 else "expected to be run by root"):
            say(f"nothing is made for linux-aarch64: {fault}")
        else:
            found["linux-aarch64"] = ["sh", str(ARM64), str(tools / "arm64"), "python3"]
        if fault := _lacking([under_wine.WINE]):
            say(f"nothing is made for windows-x86-64: {fault}")
        else:
            windows = wine.Windows(tools / "windows")
            block.enter_context(windows.running())
            found["windows-x86-64"] = windows.command(windows.python)
        yield found


def _lacking(programs):
    """What is said of programs that are not all there; "" where they are."""
    missing = [program for program in programs if not shutil.which(program)]
    return f"expected {', '.join(missing)} on the path" if missing else ""
