"""Measures the solver's work and time for fixed games, or for positions from a PGN file: `python scripts/bench_solver.py`.

It prints a line when a game is proven: who wins, positions expanded, entries of the table, seconds. If a game is proven
several times, the figures are medians. With one thread, the expansions and entries depend only on the source code and on
--hash, so these compare two versions even on a machine that has other work. To compare seconds, the machine must be idle. A
position that takes more than --most expansions is given up.

--games names a PGN file. The program then proves --count positions from it, which lie --plies before the end of a game. It
prints one line for all of them: how many were proven, the geometric mean of the expansions, and the sums of entries and seconds.
"""

__extra__ = "build,solve"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import solver
from pawnstorm_tools.common import arguments
from pawnstorm_tools.training import TrainingError


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument("--set", choices=solver.SETS, default="small", help="of games (%(default)s)")
    parser.add_argument(
        "--variant",
        action="append",
        metavar="GAME",
        help="a game to measure instead of those of --set; may be repeated",
    )
    parser.add_argument(
        "--games", type=Path, metavar="PGN", help="positions from the games in this file instead; needs one --variant"
    )
    arguments.add_plies(parser, (14, 22), "with --games: plies left to the end of the game")
    parser.add_argument(
        "--count",
        type=cli.positive,
        default=40,
        metavar="N",
        help="with --games: the number of positions (%(default)s)",
    )
    parser.add_argument("--runs", type=cli.positive, default=1, metavar="N", help="of each game (%(default)s)")
    parser.add_argument(
        "--most", type=cli.positive, metavar="N", help="the most expansions of a run; a longer one is given up"
    )
    arguments.add_solver(parser)
    args = parser.parse_args(argv)
    if args.games and len(args.variant or []) != 1:
        parser.error("--games: expected one --variant, the game that was played in the file")
    return args


def cases(args):
    """The Cases that the command line names. Raises UnknownGame, TrainingError, OSError."""
    if args.games:
        return [solver.from_games(args.games, get_rules(args.variant[0]), args.plies, args.count)]
    if args.variant:
        return [solver.start(get_rules(name)) for name in args.variant]
    return solver.SETS[args.set]()


@startup.program(UnknownGame, TrainingError)
def main(argv):
    args = parse(argv)
    solver.measure(cases(args), args.hash, args.threads, args.runs, args.most)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
