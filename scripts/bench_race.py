"""What the race rules are worth to the search: `python scripts/bench_race.py`.

Builds a variant of the engine that counts the races it decides and can be told to see none. It searches the same
openings to the same depth both ways, each from an empty table. Printed are the nodes with and without races, and the
share of the nodes that a race decides. Counting changes no move and no node count.
"""

__extra__ = "dev"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import sys

from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import races


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument(
        "--depth", type=cli.positive, help=f"({', '.join(f'{depth} in {name}' for name, depth in races.GAMES.items())})"
    )
    parser.add_argument("--openings", type=cli.positive, default=20, metavar="N", help="of each game (%(default)s)")
    return parser.parse_args(argv)


@startup.program(RuntimeError)
def main(argv):
    args = parse(argv)
    races.measure(args.openings, args.depth)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
