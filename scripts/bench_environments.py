"""Games a second in the environments for learning agents, beside OpenSpiel and PettingZoo's own games:
`python scripts/bench_environments.py`.

All play random games in this process and take turns. What is not installed is left out; pygame-ce and Shimmy come with
`pip install pygame-ce shimmy`, the rest with the extra `dev`.
"""

__extra__ = "dev"

from pawnstorm_tools import startup  # first, before what takes long to import

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
        "--games", type=cli.positive, default=20, metavar="N", help="of each player in a run (%(default)s)"
    )
    parser.add_argument("--runs", type=cli.positive, default=9, metavar="N", help="of each player (%(default)s)")
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
