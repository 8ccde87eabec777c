"""Measures the games a second in our environments for learning agents, in OpenSpiel's, and in PettingZoo's own games:
`python scripts/bench_environments.py`.

The environments take turns, and all play random games in this process. An environment whose package is missing is left out.
`pip install pygame-ce shimmy` installs two of these packages, and the extra `dev` the others.
"""

__extra__ = "dev"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import environments


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument(
        "--variant", default="breakthrough", metavar="GAME", help="Breakthrough of 6 to 8 ranks (%(default)s)"
    )
    parser.add_argument(
        "--games", type=cli.positive, default=20, metavar="N", help="games in each environment and run (%(default)s)"
    )
    parser.add_argument(
        "--runs", type=cli.positive, default=9, metavar="N", help="runs of each environment (%(default)s)"
    )
    args = parser.parse_args(argv)
    args.rules = get_rules(args.variant)
    if args.rules.family != "breakthrough" or args.rules.ranks < 6:
        parser.error(
            f"--variant {args.variant}: expected Breakthrough of 6 to 8 ranks, which OpenSpiel plays by the same rules"
        )
    return args


@startup.program(UnknownGame)
def main(argv):
    args = parse(argv)
    environments.measure(args.rules, args.games, args.runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
