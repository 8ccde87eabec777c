"""Other platforms than this machine's that it can run: each with a Python that has PyInstaller, made where it is
missing.
"""

import os
import shutil
from pathlib import Path

ARM64 = Path(__file__).with_name("arm64.sh")
NEEDED = ("debootstrap", "qemu-aarch64-static", "unshare")


def pythons(tools, say):
    """{platform: command} of the Pythons in a folder of tools, each made when it is first run. say is called with a line
    for each that cannot be had.
    """
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing or os.geteuid() != 0:
        wanted = f"expected {', '.join(missing)} on the path" if missing else "expected to be run by root"
        say(f"nothing is made for linux-aarch64: {wanted}")
        return {}
    return {"linux-aarch64": ["sh", str(ARM64), str(Path(tools).resolve() / "arm64"), "python3"]}
