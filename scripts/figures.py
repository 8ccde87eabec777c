"""Draw the figures of the paper about the solved games: `python scripts/figures.py COMMAND -h`.

    depths PROOF...   counts the positions in proof files by their plies from the root, for the table depths.csv. It checks the
                      proofs on the way, as scripts/verify.py does
    numbers RUN LOG   takes the proof numbers of a run from its log, for the table proof_numbers.csv. The run may be unfinished
    draw              draws the three figures from the tables: growth.svg, depths.svg and proof_numbers.svg

The tables are in scripts/pawnstorm_tools/solving/figures/, whose __init__.py describes them. In its table, `depths`
replaces the rows of the same game, and `numbers` replaces the rows of the same run. The third table, growth.csv, is written by
hand. These commands made the other two tables and the figures:

    python scripts/figures.py depths 5x5.proof 4x6.proof 6x5.proof 7x5.proof twoflags7x7.proof
    python scripts/figures.py numbers "7x5 Breakthrough" 7x5.log
    python scripts/figures.py numbers "6x6 Breakthrough after a2b3" 6x6.log
    python scripts/figures.py draw
"""

__extra__ = "build,report,solve"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm_protocol import cli
from pawnstorm_tools.checking import filecheck, prooffile
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.solving.figures import FigureError, charts, progress_log, tables

PICTURES = startup.ROOT / ".github" / "pictures"
ROWS = 200  # of a log, at most
FIGURES = {
    "growth.svg": (charts.growth, tables.GROWTH),
    "depths.svg": (charts.depths, tables.DEPTHS),
    "proof_numbers.svg": (charts.proof_numbers, tables.PROOF_NUMBERS),
}


def parse(argv):
    parser = cli.Parser(description="The figures of the paper about the solved games, and their tables.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    counted = commands.add_parser("depths", help="count the positions in proofs by their plies")
    counted.add_argument("proofs", type=Path, nargs="+", metavar="PROOF", help="a file of solve.py --proof")
    logged = commands.add_parser("numbers", help="take the proof numbers from a log")
    logged.add_argument("run", metavar="RUN", help="the name that the figure gives to this run")
    logged.add_argument("log", type=Path, metavar="LOG", help="what `solve.py` or `strategy.py make` wrote to stderr")
    drawn = commands.add_parser("draw", help="draw the figures from the tables")
    drawn.add_argument(
        "-o",
        dest="output",
        type=Path,
        default=PICTURES,
        metavar="FOLDER",
        help="where to write them (.github/pictures)",
    )
    for command in (counted, logged, drawn):
        command.add_argument(
            "--tables", type=Path, default=tables.FOLDER, metavar="FOLDER", help="the folder of the tables"
        )
    return parser.parse_args(argv)


def depths(path):
    """The rows of a proof file for the table of depths. Raises BadProof, FigureError, OSError."""
    proof = prooffile.read(path)
    root = filecheck.root(proof.game, proof.fen)
    from pawnstorm_tools.solving.figures import counting  # late: it compiles

    return [
        {"game": proof.game, "plies": plies, "positions": positions}
        for plies, positions in counting.by_plies(proof, root)
    ]


def numbers(run, path):
    """The rows of a log for the table of proof numbers. Raises FigureError, OSError."""
    return [
        {"run": run, "expansions": expansions, "proof": proof, "disproof": disproof}
        for expansions, proof, disproof in progress_log.thinned(progress_log.read(path), ROWS)
    ]


@startup.program(prooffile.BadProof, FigureError)
def main(argv):
    args = parse(argv)
    if args.command == "depths":
        for path in args.proofs:
            tables.replace(tables.DEPTHS, depths(path), args.tables)
    elif args.command == "numbers":
        tables.replace(tables.PROOF_NUMBERS, numbers(args.run, args.log), args.tables)
    else:
        specs = {name: chart(tables.read(table, args.tables)) for name, (chart, table) in FIGURES.items()}
        for name, spec in specs.items():
            atomicfile.write(args.output / name, charts.svg(spec).encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
