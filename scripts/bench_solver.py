"""What the solver takes for a fixed set of games: `python scripts/bench_solver.py`.

One line a game, as it ends: who wins, positions expanded, entries of the table, seconds; medians where it is proven
several times. With one thread the expansions and entries follow from the sources alone, so that two versions can be
compared by them on a machine that has other work; seconds need a quiet one. A game that takes more than --most
expansions is given up.
"""

__extra__ = "build,solve"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import sys

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import solver
from pawnstorm_tools.common import arguments


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument("--set", choices=solver.SETS, default="small", help="of games (%(default)s)")
    parser.add_argument("--variant", action="append", metavar="GAME", help="this game instead, or these")
    parser.add_argument("--runs", type=cli.positive, default=1, metavar="N", help="of each game (%(default)s)")
    parser.add_argument("--most", type=cli.positive, metavar="N", help="expansions of a run")
    arguments.add_solver(parser)
    return parser.parse_args(argv)


@startup.program(UnknownGame)
def main(argv):
    args = parse(argv)
    cases = [solver.start(get_rules(name)) for name in args.variant] if args.variant else solver.SETS[args.set]()
    solver.measure(cases, args.hash, args.threads, args.runs, args.most)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
