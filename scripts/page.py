"""Make the page in which the games are played: `python scripts/page.py -o pawnstorm.html`; -h lists the flags.

The page is one file of HTML, opened by a double click. It contains the engine's core as WebAssembly, its networks and its
books. With --site it is a folder for a web host.
"""

__extra__ = "page"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm.core.build import BuildError
from pawnstorm_protocol import cli
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.playing_page import PageError, hosted, page


def parse(argv):
    parser = cli.Parser(description="The page in which the games are played, as one file of HTML or for a web host.")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="the page as one file")
    parser.add_argument(
        "--site",
        type=Path,
        metavar="DIR",
        help="a folder for a web host: the page can be installed, and works without a network after the first visit",
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help="the address that the folder of --site will have, such as https://HOST/pawnstorm/; shared links "
        "need it for their picture",
    )
    args = parser.parse_args(argv)
    if not (args.output or args.site):
        parser.error("-o FILE or --site DIR is required")
    if args.url and not args.site:
        parser.error("--url needs --site DIR")
    return args


@startup.program(BuildError, PageError)
def main(argv):
    args = parse(argv)
    hosted.check_url(args.url)
    if args.site:
        hosted.check_library()
    if args.output:
        data = page.page().encode()
        atomicfile.write(args.output, data)
        print(f"{args.output}: {len(data):,} bytes")
    if args.site:
        for name, data in hosted.write(args.site, url=args.url).items():
            print(f"{args.site / name}: {len(data):,} bytes")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
