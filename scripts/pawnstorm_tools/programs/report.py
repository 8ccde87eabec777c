"""Make one page of HTML of a match: `python scripts/report.py games.pgn -o out.html`; -h lists the flags.

The page needs no network. It holds ratings, charts and every game to be played through; match.py -report makes the same.
It reads the PGN of match.py, cutechess-cli, fastchess and python-chess, Little Golem's records, and the move logs of the
course's own server.
"""

import os
import sys
from pathlib import Path

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm.numbers import pluralize
from pawnstorm_protocol import cli
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools import startup
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.reporting import ReportError, check_address, check_libraries, page, reading


def parse(argv):
    parser = cli.Parser(description="The games of a match as one page of HTML, which needs no network.")
    parser.add_argument(
        "games",
        nargs="+",
        metavar="FILE",
        help="PGN, .moves logs of the course's server, or folders, whose .pgn and .moves files are read",
    )
    parser.add_argument("-o", dest="output", required=True, type=Path, metavar="FILE", help="the page")
    parser.add_argument(
        "--variant",
        metavar="GAME",
        help="the game of those without a [Variant]; by default it is found by their site, position or moves",
    )
    parser.add_argument(
        "--page",
        metavar="ADDRESS",
        help="where page.py's page lies, seen from the report: then each position can be opened in it, for analysis",
    )
    return parser.parse_args(argv)


@startup.program(ReportError, UnknownGame)
def main(argv):
    args = parse(argv)
    check_libraries()
    if args.variant is not None:
        get_rules(args.variant)
    check_address("--page", args.page)
    files = reading.files_of(args.games)
    if os.path.realpath(args.output) in map(os.path.realpath, files):
        raise ReportError(f"-o: '{args.output}' is a file of games, expected another file")
    games = reading.read(files, args.variant)
    atomicfile.write(args.output, page.page(games, args.page).encode())
    for fault in games.faults:
        source = f"{files[0]}: " if len(files) == 1 else ""
        print(f"{startup.display_name('report.py')}: {source}left out {escaped(fault)}", file=sys.stderr)
    unread = f", {len(games.faults)} could not be read" if games.faults else ""
    print(f"{args.output}: {pluralize(len(games.records), 'game')}{unread}")
