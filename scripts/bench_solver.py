"""Measures the solver's work and time for a fixed set of games: `python scripts/bench_solver.py`.

It prints a line when a game is proven: who wins, positions expanded, entries of the table, seconds. If a game is proven
several times, the figures are medians. With one thread, the sources alone determine the expansions and entries, so they
compare two versions even on a machine that has other work. To compare seconds, the machine must be idle. A game that takes
more than --most expansions is given up.
"""

__extra__ = "build,solve"

from pawnstorm_tools import startup  # first, before imports that take long

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
