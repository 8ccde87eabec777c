"""The stages `build`, `freeze` and `try` of a release: make its files, and try each where it can run."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from pawnstorm import __version__
from pawnstorm.core.targets import PLATFORMS, TARGETS, host_platform
from pawnstorm.numbers import pluralize
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine
from pawnstorm_tools import startup
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.releasing import cores, records
from pawnstorm_tools.releasing.cores import WHEELS
from pawnstorm_tools.releasing.packing import pack
from pawnstorm_tools.releasing.records import ReleaseError
from pawnstorm_tools.releasing.trial import trial

STARTS = 20
"""How often each file is started, to measure the time to the first move."""
EMULATED_STARTS = 3
# Runs an installed package with the standard library alone; -S leaves out all other packages.
INSTALLED = "import sys; sys.path.insert(0, {!r}); from pawnstorm_protocol.main import main; main()"
SYSTEM = "import platform; print('Python', platform.python_version(), 'on', platform.system(), platform.machine())"
VERSIONS = "import platform, PyInstaller; print(platform.python_version(), PyInstaller.__version__)"


class Release:
    """Makes files of a release in a folder, and records them there.

    pythons     {platform: the command of its Python}, for other platforms whose programs can run here, such as in emulation.
                Each Python has PyInstaller
    say         called with a line before each step
    """

    def __init__(self, out, pythons, say):
        self.out, self.say = out.resolve(), say
        self.pythons = {host_platform(): [sys.executable], **pythons}
        self.epoch = records.epoch()
        self._work = self.out / "work"
        self._cores, self._checkout = self._work / "cores", self._work / "checkout"

    def build(self):
        """Make what is the same on every machine: the sources, the page, and a wheel for every platform. Raises ReleaseError,
        BuildError, PageError and OSError.
        """
        with self.prepared(PLATFORMS):
            counted = bench(Engine())[0]
            made = [self._sources(), self._page(), *map(self._wheel, WHEELS)]
        tried = {
            made[0].name: "what the wheels are made from",
            made[1].name: "not opened here; the tests open it in Chromium and Firefox",
        }
        records.write(self.out, "build", made, nodes=counted, tried=tried)

    def freeze(self, platform):
        """Make a platform's executables (a packed folder and a single file) with the cores of its wheel; try them and the wheel.
        Raises ReleaseError, TrialError and OSError.
        """
        wheel, counted = self._find_wheel(platform), records.nodes(self.out)
        with self.prepared([]):
            tried = {wheel.name: self._tried(platform, counted, self._installed(platform, wheel))}
            _unpack_cores(wheel, self._cores)
            dist = self.frozen(platform)
            windows = platform.startswith("windows")
            ending, packed = (".exe", ".zip") if windows else ("", ".tar.gz")
            stem = f"pawnstorm-{__version__}-{platform}"
            archive, portable = self.out / f"{stem}{packed}", self.out / f"{stem}-portable{ending}"
            pack(dist / "pawnstorm", archive, self.epoch)
            shutil.copy(dist / f"pawnstorm-portable{ending}", portable)
            programs = dist / "pawnstorm" / f"pawnstorm{ending}", dist / f"pawnstorm-portable{ending}"
            for path, program in zip((archive, portable), programs):
                tried[path.name] = self._tried(platform, counted, [*self._runner(platform), str(program)])
            contents = self._contents(platform, dist / "pawnstorm")
        contents = {path.name: contents for path in (archive, portable)}
        records.write(self.out, platform, [archive, portable], tried=tried, contents=contents)

    def try_wheel(self, python):
        """Install this machine's wheel into a new environment of another Python, without a network, and try it there.
        Raises ReleaseError, TrialError and OSError.
        """
        wheel, counted = self._find_wheel(host_platform()), records.nodes(self.out)
        with tempfile.TemporaryDirectory(prefix="pawnstorm-") as folder, contextlib.chdir(folder):
            system = self._run(f"--python '{python}'", [python, "-c", SYSTEM]).strip()
            self.say(f"{wheel.name} in a new environment of {system}")
            self._run("a new environment", [python, "-m", "venv", "new"])
            scripts = Path(folder, "new", "Scripts" if sys.platform == "win32" else "bin")
            pip = [scripts / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
            # pip chooses among the wheels by their tags. --no-index: nothing but the wheel is needed.
            wanted = ["install", "--no-index", "--find-links", self.out, f"pawnstorm=={__version__}"]
            self._run("installing the wheel", [*pip, *wanted])
            tried = trial([str(scripts / "pawnstorm")], counted, STARTS)
        name = system.split()[1]
        records.write(self.out, f"python-{name}-{host_platform()}", tried={wheel.name: f"{tried}; {system}, installed"})

    @contextlib.contextmanager
    def prepared(self, platforms):
        """A context with a copy of the sources and the cores of these platforms. Both are removed unless the block raises."""
        shutil.rmtree(self._work, ignore_errors=True)
        self._cores.mkdir(parents=True)
        # The commands' folder has all they need below it: arm64.sh shows the emulated system only that folder.
        with _usual_modes(), contextlib.chdir(self._work):
            _copy(self._checkout)
            if platforms:
                self.say(f"compiling the cores of {pluralize(len(platforms), 'platform')}")
                cores.make(platforms, self._cores)
            yield
        shutil.rmtree(self._work)

    def _sources(self):
        """Pack the sources; return the path of the archive."""
        self.say("packing the sources")
        with contextlib.chdir(self._checkout):
            build = ["hatchling", "build", "--target", "sdist", "--directory", self.out]
            self._run("the archive of sources", [sys.executable, "-m", *build])
        return self.out / f"pawnstorm-{__version__}.tar.gz"

    def _page(self):
        """Make the page in which the games are played; return its path."""
        from pawnstorm_tools.playing_page import page  # needs numpy, which the other stages do not

        self.say("making the page")
        path = self.out / f"pawnstorm-{__version__}.html"
        core = (self._cores / TARGETS[page.CORE].library).read_bytes()
        atomicfile.write(path, page.page(core).encode())
        return path

    def _wheel(self, platform):
        """Make a platform's wheel; return its path."""
        self.say(f"wheel for {platform}")
        folder = self._work / f"wheel-{platform}"
        settings = {"PAWNSTORM_PLATFORM": platform, "PAWNSTORM_CORES": str(self._cores)}
        wheel = ["wheel", "--no-deps", "--no-index", "--quiet", "--no-build-isolation", "-w", folder, self._checkout]
        self._run("the wheel", [sys.executable, "-m", "pip", *wheel], **settings)
        (wheel,) = folder.glob("*.whl")
        return wheel.rename(self.out / wheel.name)

    def _find_wheel(self, platform):
        """The path of the wheel that `build` made for a platform. Raises ReleaseError."""
        path = self.out / f"pawnstorm-{__version__}-py3-none-{WHEELS[platform]}.whl"
        if not path.exists():
            raise ReleaseError(f"{path}: no such wheel: expected the stage `build` to have run with --out {self.out}")
        return path

    def _installed(self, platform, wheel):
        """Unpack a platform's wheel with pip; return the command that runs it with that platform's Python."""
        folder = self._work / f"installed-{platform}"
        other = [f"--platform={WHEELS[platform]}", "--only-binary=:all:"]
        install = ["install", "--no-deps", "--no-index", "--quiet", *other, "--target", folder, wheel]
        self._run("installing the wheel", [sys.executable, "-m", "pip", *install])
        return [*self.pythons[platform], "-S", "-c", INSTALLED.format(folder.as_posix())]

    def frozen(self, platform):
        """Make a platform's executables; return their folder, which has pawnstorm/ and pawnstorm-portable.

        Call this in a context of prepared().
        """
        self.say(f"executables for {platform}")
        dist = self._work / f"dist-{platform}"
        command = [*self.pythons[platform], "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
        folders = ["--distpath", dist.as_posix(), "--workpath", (self._work / f"frozen-{platform}").as_posix()]
        self._run(
            f"freezing for {platform}",
            [*command, *folders, "checkout/build.spec"],
            PAWNSTORM_CORES=self._cores.as_posix(),
        )
        return dist

    def _contents(self, platform, folder):
        """The parts of a folder's executables that come from other projects: [component], as records.py describes them."""
        python, pyinstaller = self._run("versions", [*self.pythons[platform], "-c", VERSIONS]).split()
        found = [
            {"name": "CPython", "version": python, "licence": "PSF-2.0"},
            {
                "name": "PyInstaller bootloader",
                "version": pyinstaller,
                "licence": "GPL-2.0-or-later WITH Bootloader-exception",
            },
        ]
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            # Our own files are the program and those in _internal/pawnstorm.
            if path.is_file() and not path.is_symlink() and len(inside.parts) > 1 and inside.parts[1] != "pawnstorm":
                found.append({"name": path.name, "sha256": records.digest(path)})
        return found

    def _runner(self, platform):
        """The words to put before a platform's executable to run it here, such as the name of an emulator.

        They are the command of the platform's Python without its last word, which is the Python itself.
        """
        return self.pythons[platform][:-1]

    def _tried(self, platform, counted, command):
        """Try a command; returns what was seen, as one line of text. counted: the nodes that its bench must search."""
        where = self._run(f"Python for {platform}", [*self.pythons[platform], "-c", SYSTEM]).strip()
        runner = " ".join(Path(word).name for word in self._runner(platform))
        by = f", by `{runner}`" if runner else ""
        starts = STARTS if platform == host_platform() else EMULATED_STARTS
        return f"{trial(command, counted, starts)}; {where}{by}"

    def _run(self, step, command, **env):
        """The output of a command. Raises ReleaseError if it fails."""
        # Fixed times and a fixed hash order make the build reproducible.
        env = {**os.environ, "SOURCE_DATE_EPOCH": str(self.epoch), "PYTHONHASHSEED": "0", **env}
        command = list(map(str, command))
        try:
            done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        except OSError as error:
            raise ReleaseError(f"{step}: {command[0]}: {error.strerror}") from error
        if done.returncode:
            raise ReleaseError(f"{step}: {' '.join(command)}: {(done.stdout + done.stderr).strip()[-1000:]}")
        return done.stdout


@contextlib.contextmanager
def _usual_modes():
    """A context with the usual umask, 022. The modes of files made in it do not depend on the user's umask."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def _copy(root):
    """Copy the sources of the build to a new folder. Other files of the clone stay out of the build, and the build leaves
    nothing in the clone.
    """
    root.mkdir()
    for name in ("LICENSE", "README.md", "pyproject.toml", "build.spec"):
        shutil.copyfile(startup.ROOT / name, root / name)
    for name in ("engine", "protocol", "scripts/pawnstorm_tools"):
        ignored = shutil.ignore_patterns("__pycache__", "cores")
        shutil.copytree(startup.ROOT / name, root / name, copy_function=shutil.copyfile, ignore=ignored)


def _unpack_cores(wheel, folder):
    """Copy the native cores of a wheel to a folder."""
    with zipfile.ZipFile(wheel) as opened:
        for name in opened.namelist():
            if name.startswith("pawnstorm/core/cores/"):
                (folder / Path(name).name).write_bytes(opened.read(name))
