"""Make what users download: `python scripts/release.py --out DIR`.

Writes the sources, the page for browsers, a wheel for every platform, and executables for each platform whose Python can
be run here; tries what runs here; and writes RELEASE.md, a table of sizes and digests with what was tried where, and
SHA256SUMS.
The version is pawnstorm.__version__. The same commit and tools make the same files again.
"""

import startup  # first, before what takes long to import

import argparse
import shlex
import sys
import time
from pathlib import Path

from paging import PageError
from pawnstorm.engine.build import BuildError
from releasing import emulation
from releasing.backend import WHEELS
from releasing.making import Release, ReleaseError, write_tables
from releasing.trial import TrialError


def named_python(text):
    """(platform, command) of PLATFORM=COMMAND."""
    platform, _, command = text.partition("=")
    if platform not in WHEELS:
        raise argparse.ArgumentTypeError(f"'{platform}': expected one of {', '.join(WHEELS)}")
    if not command.strip():
        raise argparse.ArgumentTypeError(f"'{text}': expected {platform}=COMMAND")
    return platform, shlex.split(command)


def parse(words):
    parser = argparse.ArgumentParser(description="Make what users download, and try what runs here.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write it; made if missing")
    parser.add_argument(
        "--tools",
        type=Path,
        metavar="DIR",
        help="where Debian for arm64 is, or is put, by which executables for linux-aarch64 are made and tried",
    )
    parser.add_argument(
        "--python",
        type=named_python,
        action="append",
        default=[],
        metavar="PLATFORM=COMMAND",
        help="a Python of another platform, with PyInstaller, that can be run here: it makes the executables of its "
        "platform, and what it makes is tried; more than one may be named",
    )
    return parser.parse_args(words)


def say(line):
    print(line, file=sys.stderr, flush=True)


@startup.program(BuildError, PageError, ReleaseError, TrialError)
def main(words):
    args = parse(words)
    begun = time.monotonic()
    args.out.mkdir(parents=True, exist_ok=True)
    pythons = {**(emulation.pythons(args.tools, say) if args.tools else {}), **dict(args.python)}
    release = Release(args.out, pythons, say)
    print(write_tables(args.out, release.make(), time.monotonic() - begun), end="")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
