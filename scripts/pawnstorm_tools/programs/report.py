"""Make an HTML page about a match: `python scripts/report.py games.pgn -o out.html`; -h lists the flags.

The page needs no network. It has ratings, charts and every game to replay; match.py -report makes the same page.
The program reads the PGN of match.py, cutechess-cli, fastchess and python-chess, Little Golem's records, and the move
logs of the course's own server.
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

LONGEST = 31
"""The maximum number of characters of a name that the terminal shows."""


def parse(argv):
    parser = cli.Parser(description="Makes one HTML page of the games of a match. It needs no network.")
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
        help="the rules of games without a [Variant]; by default the site, the position or the moves decide",
    )
    parser.add_argument(
        "--page",
        metavar="ADDRESS",
        help="the address of page.py's page, relative to the report: each position can then be analysed in it",
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
    atomicfile.write(args.output, page.page(games, args.page).encode(errors="replace"))
    for fault in games.faults:
        source = f"{files[0]}: " if len(files) == 1 else ""
        print(f"{startup.display_name('report.py')}: {source}left out {escaped(fault)}", file=sys.stderr)
    unread = f", {len(games.faults)} could not be read" if games.faults else ""
    print(f"{args.output}: {pluralize(len(games.records), 'game')}{unread}")
    print("\n".join(search_lines(games)))


def search_lines(games):
    """The lines of the page's table of depth and branching, for the terminal."""
    found = games.searches
    width = max(len("engine"), *(len(engine.name[:LONGEST]) for engine in found))
    lines = [
        "",
        f"{'engine':{width}}{'moves':>8}{'searched':>10}{'depth: least':>14}{'mean':>7}{'greatest':>10}{'nodes/move':>13}"
        f"{'branching':>11}{'legal':>7}",
    ]
    for engine in found:
        depth = engine.depth and (engine.depth.least, engine.depth.mean, engine.depth.greatest)
        least, mean, greatest = depth or (None, None, None)
        lines.append(
            f"{escaped(engine.name[:LONGEST]):{width}}{engine.moves:8}{engine.searched:10}{shown(least, 'd'):>14}"
            f"{shown(mean, '.1f'):>7}{shown(greatest, 'd'):>10}{shown(engine.nodes, ',.0f'):>13}"
            f"{shown(engine.branching, '.2f'):>11}{shown(engine.legal and engine.legal.mean, '.1f'):>7}"
        )
    lines.append(
        "branching: b with nodes + 1 = 1 + b + ... + b^depth, geometric mean; legal: mean number of legal moves"
    )
    return lines


def shown(value, form):
    """A number in this form; "-" if it is not known."""
    return "-" if value is None else format(value, form)
