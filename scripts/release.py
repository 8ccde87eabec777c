"""Make what users download: `python scripts/release.py --out DIR`.

Writes the sources, the page for browsers, a wheel for every platform, and executables for each platform whose Python can
be run here; tries what runs here; and writes RELEASE.md, a table of sizes and digests with what was tried where, and
SHA256SUMS.
The version is pawnstorm.__version__. The same commit and tools make the same files again.
"""

__extra__ = "dev"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import contextlib
import sys
import time
from pathlib import Path

from pawnstorm.core.build import BuildError
from pawnstorm_protocol import cli
from pawnstorm_tools.playing_page import PageError
from pawnstorm_tools.releasing import emulation
from pawnstorm_tools.releasing.emulation import WineError
from pawnstorm_tools.releasing.making import Release, ReleaseError, write_tables
from pawnstorm_tools.releasing.trial import TrialError


def parse(argv):
    parser = cli.Parser(description="Make what users download, and try what runs here.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write it; made if missing")
    parser.add_argument(
        "--tools",
        type=Path,
        metavar="DIR",
        help="where Debian for arm64 and a Windows of Wine's are, or are put, by which executables for linux-aarch64 and "
        "windows-x86-64 are made and tried",
    )
    return parser.parse_args(argv)


def say(line):
    print(line, file=sys.stderr, flush=True)


@startup.program(BuildError, PageError, ReleaseError, TrialError, WineError)
def main(argv):
    args = parse(argv)
    start = time.monotonic()
    args.out.mkdir(parents=True, exist_ok=True)
    with emulation.pythons(args.tools, say) if args.tools else contextlib.nullcontext({}) as pythons:
        made = Release(args.out, pythons, say).make()
    print(write_tables(args.out, made, time.monotonic() - start), end="")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
