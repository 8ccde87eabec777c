"""Speed of batches of positions against one position at a time: `python scripts/bench_batches.py [evaluate] [solve]`.

Without an argument it measures both.

evaluate  scores of positions of random games: by pawnstorm.evaluate() in a loop, by evaluate_many() with one and two
          threads, and, if a neural network evaluates the game, by the same network in numpy (one thread)
solve     proofs of positions shortly before the end of games that the engine plays against itself: by pawnstorm.solve() in a
          loop, by one solver that keeps its table, and by solve_many() with one and two threads

The methods take turns in each round. For each it prints two medians over the rounds: positions a second, and the ratio to
the first method in the same round. It fails if two methods disagree.
"""

__extra__ = "dev"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when numpy is imported

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import batches


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument(
        "benches", nargs="*", metavar="bench", help=f"one or more of {', '.join(batches.BENCHES)} (all)"
    )
    parser.add_argument(
        "--game", action="append", help="a game, in place of breakthrough and twoflags; may be repeated"
    )
    parser.add_argument("--runs", type=cli.positive, default=5, metavar="N", help="rounds (%(default)s)")
    parser.add_argument(
        "--positions", type=cli.positive, default=400_000, metavar="N", help="positions to evaluate (%(default)s)"
    )
    parser.add_argument(
        "--different", type=cli.positive, default=2000, metavar="N", help="how many of them differ (%(default)s)"
    )
    parser.add_argument("--late", type=cli.positive, default=1000, metavar="N", help="positions to prove (%(default)s)")
    parser.add_argument(
        "--plies",
        type=cli.positive,
        nargs=2,
        default=(2, 10),
        metavar=("LEAST", "MOST"),
        help="how many plies before the end of the game the positions to prove are (2 10)",
    )
    parser.add_argument(
        "--nodes", type=cli.positive, default=500, metavar="N", help="for each move of the games (%(default)s)"
    )
    parser.add_argument(
        "--limit", type=cli.positive, default=10_000, metavar="N", help="the most expansions of a proof (%(default)s)"
    )
    args = parser.parse_args(argv)
    if unknown := [name for name in args.benches if name not in batches.BENCHES]:
        parser.error(f"unknown bench {', '.join(unknown)}: expected {', '.join(batches.BENCHES)}")
    args.games = [get_rules(name).name for name in args.game or ("breakthrough", "twoflags")]
    return args


@startup.program(UnknownGame, batches.BenchmarkError)
def main(argv):
    args = parse(argv)
    for name in args.benches or batches.BENCHES:
        batches.BENCHES[name](args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
