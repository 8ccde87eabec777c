"""Make the page in which the games are played: `python scripts/page.py -o pawnstorm.html`; -h lists the flags.

One file of HTML, opened by a double click: the engine in it is the core as WebAssembly, with its networks and its book.
"""

__extra__ = "page"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import sys
from pathlib import Path

from pawnstorm.core.build import BuildError
from pawnstorm_protocol import cli
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.playing_page import PageError, page


def parse(argv):
    parser = cli.Parser(description="The page in which the games are played, as one file of HTML.")
    parser.add_argument("-o", dest="output", required=True, type=Path, metavar="FILE", help="the page")
    return parser.parse_args(argv)


@startup.program(BuildError, PageError)
def main(argv):
    args = parse(argv)
    data = page.page().encode()
    atomicfile.write(args.output, data)
    print(f"{args.output}: {len(data):,} bytes")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
