"""Make the files of a release, and try each where it can run."""

import contextlib
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections import namedtuple
from pathlib import Path

from pawnstorm import __version__
from pawnstorm.core.targets import PLATFORMS, TARGETS, host_platform
from pawnstorm.numbers import pluralize
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine
from pawnstorm_tools import startup
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.playing_page import page
from pawnstorm_tools.releasing import cores
from pawnstorm_tools.releasing.cores import WHEELS
from pawnstorm_tools.releasing.trial import summary, trial

STARTS = 20
"""Starts of each file made, to measure the time to the first move."""
EMULATED_STARTS = 3
# Runs an installed package with the standard library alone; -S leaves out what else is installed.
INSTALLED = "import sys; sys.path.insert(0, {!r}); from pawnstorm_protocol.main import main; main()"

Made = namedtuple("Made", "path platform tried")
"""A file of the release: where it lies, the platform that it is for (None: all), what was seen when it ran."""


class ReleaseError(RuntimeError):
    """A file could not be made; the text names the step."""


class Release:
    """Makes the files in a folder.

    pythons     {platform: command} of Pythons that run here, each with PyInstaller, beside this process's own
    say         called with a line before each step
    """

    def __init__(self, out, pythons, say):
        self.out, self.say = out.resolve(), say
        self.pythons = {host_platform(): [sys.executable], **pythons}
        self.epoch = int(
            os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct") or time.time()
        )  # of the commit
        self._nodes = None  # of bench, from source
        self._work = self.out / "work"
        self._cores, self._checkout = self._work / "cores", self._work / "checkout"

    def make(self):
        """A list of Made. Raises ReleaseError, BuildError, PageError, TrialError and OSError."""
        with self.prepared(PLATFORMS):
            self._nodes = bench(Engine())[0]
            made = [self._sources(), self._page(), *map(self._wheel, WHEELS)]
            for platform in self.pythons:
                made += self._executables(platform)
        return made

    @contextlib.contextmanager
    def prepared(self, platforms):
        """A block that has a copy of the sources and the cores of these platforms; they are removed if it ends well."""
        shutil.rmtree(self._work, ignore_errors=True)
        self._cores.mkdir(parents=True)
        # Commands are run in a folder that has all they need below it: arm64.sh shows the emulated system that one.
        with _usual_modes(), contextlib.chdir(self._work):
            _copy(self._checkout)
            self.say(f"compiling the cores of {pluralize(len(platforms), 'platform')}")
            cores.make(platforms, self._cores)
            yield
        shutil.rmtree(self._work)

    def _sources(self):
        """The Made of the archive of sources."""
        self.say("packing the sources")
        with contextlib.chdir(self._checkout):
            build = ["hatchling", "build", "--target", "sdist", "--directory", self.out]
            self._run("the archive of sources", [sys.executable, "-m", *build])
        return Made(self.out / f"pawnstorm-{__version__}.tar.gz", None, "what the wheels are made from")

    def _page(self):
        """The Made of the page in which the games are played."""
        self.say("making the page")
        path = self.out / f"pawnstorm-{__version__}.html"
        core = (self._cores / TARGETS[page.CORE].library).read_bytes()
        atomicfile.write(path, page.page(core).encode())
        return Made(path, None, "not run: tests/programs/test_page_*.py open it in browsers")

    def _wheel(self, platform):
        """The Made of a platform's wheel."""
        self.say(f"wheel for {platform}")
        folder, installed = self._work / f"wheel-{platform}", self._work / f"installed-{platform}"
        settings = {"PAWNSTORM_PLATFORM": platform, "PAWNSTORM_CORES": str(self._cores)}
        pip = [sys.executable, "-m", "pip"]
        quick = ["--no-deps", "--no-index", "--quiet"]
        wheel = ["wheel", *quick, "--no-build-isolation", "-w", folder, self._checkout]
        self._run("the wheel", [*pip, *wheel], **settings)
        (wheel,) = folder.glob("*.whl")
        wheel = wheel.rename(self.out / wheel.name)
        for_other = [f"--platform={WHEELS[platform]}", "--only-binary=:all:"]
        self._run("installing the wheel", [*pip, "install", *quick, *for_other, "--target", installed, wheel])
        command = [*self.pythons.get(platform, []), "-S", "-c", INSTALLED.format(installed.as_posix())]
        return Made(wheel, platform, self._tried(platform, command))

    def freeze(self, platform):
        """The folder of a platform's executables, in prepared(): pawnstorm/pawnstorm and pawnstorm-portable."""
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

    def _executables(self, platform):
        """The Made of a platform's executables: a packed folder, and one file."""
        dist = self.freeze(platform)
        windows = platform.startswith("windows")
        ending, packed = (".exe", ".zip") if windows else ("", ".tar.gz")
        stem = f"pawnstorm-{__version__}-{platform}"
        archive, portable = self.out / f"{stem}{packed}", self.out / f"{stem}-portable{ending}"
        pack(dist / "pawnstorm", archive, self.epoch)
        shutil.copy(dist / f"pawnstorm-portable{ending}", portable)
        programs = dist / "pawnstorm" / f"pawnstorm{ending}", dist / f"pawnstorm-portable{ending}"
        tried = [self._tried(platform, [*self._runner(platform), str(program)]) for program in programs]
        return [Made(path, platform, text) for path, text in zip((archive, portable), tried)]

    def _runner(self, platform):
        """The command prefix that starts a platform's executables: that of its Python without the Python itself."""
        return self.pythons[platform][:-1]

    def _tried(self, platform, command):
        """What a command does, in a line."""
        if platform not in self.pythons:
            return "not run: no such machine was at hand"
        system = "import platform; print('Python', platform.python_version(), 'on', platform.platform())"
        where = self._run(f"Python for {platform}", [*self.pythons[platform], "-c", system]).strip()
        runner = " ".join(Path(word).name for word in self._runner(platform))
        by = f", by `{runner}`" if runner else ""
        return f"{summary(trial(command, self._nodes, STARTS if platform == host_platform() else EMULATED_STARTS))}; {where}{by}"

    def _run(self, step, command, **env):
        """What a command prints. Raises ReleaseError."""
        # Fixed times and a fixed hash order make the build reproducible.
        env = {**os.environ, "SOURCE_DATE_EPOCH": str(self.epoch), "PYTHONHASHSEED": "0", **env}
        done = subprocess.run(
            list(map(str, command)), env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode:
            raise ReleaseError(f"{step}: {' '.join(map(str, command))}: {(done.stdout + done.stderr).strip()[-1000:]}")
        return done.stdout


@contextlib.contextmanager
def _usual_modes():
    """Create files under the usual umask, 022, so that their modes do not depend on the user's."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def _copy(root):
    """Copy the sources of the build to a new folder. Other files of the checkout stay out of the build, and the build leaves
    nothing in the checkout.
    """
    root.mkdir()
    for name in ("LICENSE", "README.md", "pyproject.toml", "build.spec"):
        shutil.copyfile(startup.ROOT / name, root / name)
    for name in ("engine", "protocol", "scripts/pawnstorm_tools"):
        ignored = shutil.ignore_patterns("__pycache__", "cores")
        shutil.copytree(startup.ROOT / name, root / name, copy_function=shutil.copyfile, ignore=ignored)


def pack(folder, archive, epoch):
    """Write a folder, by its name, as .zip or .tar.gz: the same contents give the same bytes. epoch: the time that every
    file has, in seconds since 1970.
    """
    paths = [folder, *sorted(folder.rglob("*"))]
    (_zip if archive.suffix == ".zip" else _tar)(folder.parent, paths, archive, epoch)


def _tar(root, paths, archive, epoch):
    def plain(member):
        member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    with atomicfile.replacing(archive) as file, gzip.GzipFile("", "wb", 9, file, epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as opened:
            for path in paths:
                opened.add(path, path.relative_to(root), recursive=False, filter=plain)


def _zip(root, paths, archive, epoch):
    with (
        atomicfile.replacing(archive) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as opened,
    ):
        for path in filter(Path.is_file, paths):
            member = zipfile.ZipInfo(path.relative_to(root).as_posix(), time.gmtime(epoch)[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(member, path.read_bytes())


def write_tables(out, made, seconds):
    """Write SHA256SUMS and RELEASE.md, and return the text of the latter."""
    digests = {item.path.name: hashlib.sha256(item.path.read_bytes()).hexdigest() for item in made}
    lines = [
        f"# Pawnstorm {__version__}",
        "",
        f"From {_describe_commit()}, in {seconds:.0f} s.",
        "",
        "| file | bytes | SHA-256 |",
        "|---|---|---|",
        *(f"| {item.path.name} | {item.path.stat().st_size:,} | `{digests[item.path.name]}` |" for item in made),
        "",
        "What was run, and where:",
        "",
        *(f"- **{item.path.name}**: {item.tried}" for item in made),
    ]
    frozen = {item.platform for item in made if item.path.suffix != ".whl"}
    missing = [platform for platform in WHEELS if platform not in frozen]
    lines += [f"- No executables for {platform}: no Python there was named." for platform in missing]
    text = "\n".join(lines) + "\n"
    atomicfile.write(out / "RELEASE.md", text.encode())
    sums = "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))
    atomicfile.write(out / "SHA256SUMS", sums.encode())
    return text


def _git(*words):
    """What git says of the checkout, "" where it is none."""
    try:
        done = subprocess.run(["git", *words], cwd=startup.ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip()


def _describe_commit():
    """The commit that the files come from."""
    changed = " with changes" if _git("status", "--porcelain", "--untracked-files=no") else ""
    return f"commit {_git('rev-parse', 'HEAD')}{changed}" if _git("rev-parse", "HEAD") else "sources outside git"
