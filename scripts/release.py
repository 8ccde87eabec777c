"""Make the files of a release: `python scripts/release.py --out DIR`.

It writes the sources, the page for browsers, a wheel for every platform, executables for each platform whose Python runs
here, a bill of materials, SHA256SUMS and RELEASE.md. It tries the files that run here. The stages of a release may run on
several machines, if DIR is copied from each machine to the next:

    check     refuse a tag that does not match the version, and a version without notes in the changelog
    build     the sources, the page, the wheels
    proofs    the proofs of small boards
    freeze    this platform's executables, and with --tools those for emulated platforms
    try       this platform's wheel in new environments of the Pythons that --python names
    site      the web pages: the page for browsers, the documents, and a sample report
    gather    check all files against the records of their stages, and describe them

The version is pawnstorm.__version__. The same commit and tools make the same files again.
"""

__extra__ = "release"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import contextlib
import sys
from pathlib import Path

from pawnstorm.core.build import BuildError
from pawnstorm_protocol import cli
from pawnstorm_tools.playing_page import PageError
from pawnstorm_tools.releasing import changelog, emulation, small_proofs
from pawnstorm_tools.releasing.documents import DocumentsError
from pawnstorm_tools.releasing.emulation import WineError
from pawnstorm_tools.releasing.making import Release
from pawnstorm_tools.releasing.records import ReleaseError
from pawnstorm_tools.releasing.trial import TrialError

STAGES = "check", "build", "proofs", "freeze", "try", "site", "gather"
WITHOUT_FILES = {"check", "site"}
"""Stages that need no --out."""


def parse(argv):
    parser = cli.Parser(description="Make what users download, and try what runs here.")
    parser.add_argument(
        "stages", nargs="*", metavar="STAGE", help=f"one or more of {', '.join(STAGES)}, in this order; default: all"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder of the files; made if missing")
    parser.add_argument(
        "--tools",
        type=Path,
        metavar="DIR",
        help="freeze: also make and try executables for linux-aarch64 and windows-x86-64, with a Debian for arm64 and a "
        "Windows under Wine in this folder; these are made if missing",
    )
    parser.add_argument("--tag", metavar="TAG", help="check: the tag of this release")
    parser.add_argument(
        "--any-digest",
        action="store_true",
        help=f"proofs: do not compare their digests with {small_proofs.DIGESTS.name}, as after a change to the solver",
    )
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="PYTHON",
        help="try: a Python to try the wheel in; may be repeated",
    )
    parser.add_argument("--site", type=Path, metavar="DIR", help="site: where to write the web pages")
    parser.add_argument(
        "--url", metavar="URL", help="site: the address that the web pages will have, such as https://HOST/pawnstorm/"
    )
    parser.add_argument("--package", type=Path, metavar="DIR", help="gather: where to copy the files for PyPI")
    args = parser.parse_args(argv)
    if unknown := [stage for stage in args.stages if stage not in STAGES]:
        parser.error(f"unknown stage '{unknown[0]}': expected one of {', '.join(STAGES)}")
    if not args.out and not (args.stages and WITHOUT_FILES.issuperset(args.stages)):
        parser.error("--out DIR is required by every stage but check and site")
    if "site" in args.stages and not args.site:
        parser.error("--site DIR is required by the stage site")
    return args


def say(line):
    print(line, file=sys.stderr, flush=True)


@startup.program(BuildError, DocumentsError, PageError, ReleaseError, TrialError, WineError)
def main(argv):
    args = parse(argv)
    wanted = args.stages or STAGES
    if "check" in wanted:
        changelog.notes()
        if args.tag is not None:
            changelog.check_tag(args.tag)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        make(args, wanted)
    if "site" in wanted and args.site:
        from pawnstorm_tools.releasing import site  # needs libraries that the stages above do not need

        site.make(args.site, args.out, args.url, say)
    if "gather" in wanted:
        from pawnstorm_tools.releasing import gathering  # imported late for the same reason

        print(gathering.gather(args.out, args.package), end="")


def make(args, wanted):
    """Run those of the wanted stages that make or try files: build, proofs, freeze and try."""
    with emulation.pythons(args.tools, say) if args.tools else contextlib.nullcontext({}) as pythons:
        release = Release(args.out, pythons, say)
        if "build" in wanted:
            release.build()
        if "proofs" in wanted:
            digests = small_proofs.read_digests()
            small_proofs.make(release.out, say, dict.fromkeys(digests) if args.any_digest else digests)
        if "freeze" in wanted:
            for platform in release.pythons:
                release.freeze(platform)
        if "try" in wanted:
            for python in args.python:
                release.try_wheel(python)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
