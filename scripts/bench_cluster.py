"""What a cluster's master and scheduler can do: `python scripts/bench_cluster.py proof` or `match FILE`.

A real scheduler, and real workers of any number whose jobs are mostly waits, as long as real ones took here: a position
is expanded in place of --factor, or a game is one of a match's results file (match.py -resume FILE). So one machine
simulates hundreds. Printed are jobs a second, the share of the time in which a worker had nothing to do, and what the
master and the scheduler take of a core.
"""

__extra__ = "cluster"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import sys

from pawnstorm.core import native
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import cluster
from pawnstorm_tools.cluster.workers import ClusterError
from pawnstorm_tools.common.journal import JournalError


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parsers = parser.add_subparsers(dest="what", required=True)
    proof = parsers.add_parser("proof", help="the proof of a game's start")
    proof.add_argument("--variant", default="breakthrough5x6", metavar="GAME", help="(%(default)s)")
    proof.add_argument(
        "--factor",
        type=cli.positive,
        default=4000,
        metavar="N",
        help="positions of which one is expanded (%(default)s)",
    )
    proof.add_argument(
        "--speed", type=cli.positive, metavar="N", help="positions a second of a worker (as measured when it starts)"
    )
    match = parsers.add_parser("match", help="a match like one that was played")
    match.add_argument("file", metavar="FILE", help="its results, as -resume keeps them")
    for one in proof, match:
        one.add_argument(
            "--workers",
            type=cli.positive,
            nargs="+",
            default=[10, 100, 1000],
            metavar="N",
            help="how many, one number after the other (10 100 1000)",
        )
        one.add_argument(
            "--seconds", type=cli.seconds, default=60.0, help="that are measured with each number (%(default)s)"
        )
    return parser.parse_args(argv)


@startup.program(UnknownGame, ClusterError, JournalError)
def main(argv):
    args = parse(argv)
    native.core()
    if args.what == "match":
        cluster.match(args.file, args.workers, args.seconds)
    else:
        cluster.proof(get_rules(args.variant), args.workers, args.seconds, args.factor, args.speed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
