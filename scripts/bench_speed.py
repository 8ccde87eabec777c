"""Compares speed with named references in the same run: `python scripts/bench_speed.py [perft] [search] [threads] [kernel]
[depth]`.

Without an argument it measures all of them.

perft     `go perft` from the start, one thread, against Fairy-Stockfish
search    nodes a second of a timed search of undecided positions, Hash 64, one thread, against Fairy-Stockfish
threads   nodes a second of two threads against one, on the same positions
kernel    `go perft` against scripts/pawnstorm_tools/benchmarks/perft.c, the same algorithm in C, compiled here with gcc -O3
          -march=native
depth     searches of openings, chosen evenly from a game's file, against Fairy-Stockfish: depth reached, time to a depth that
          both reached, nodes a second, and effective branching factor (the factor by which one more ply multiplies the
          nodes, from depth 6 on). Each engine counts depth in its own way

Both sides take turns, A B A B, so that a machine that slows down slows both. Every figure is the median of the ratios of such
pairs.
"""

__extra__ = "dev"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import shutil
import subprocess
import sys

from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import speed
from pawnstorm_tools.common.timed_engine import fairy_stockfish


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument("benches", nargs="*", metavar="bench", help=f"one or more of {', '.join(speed.BENCHES)} (all)")
    parser.add_argument("--engine", help="the command that starts our engine (default: from source)")
    parser.add_argument("--runs", type=cli.positive, default=5, help="pairs of perft (%(default)s)")
    parser.add_argument(
        "--shallower",
        type=int,
        choices=range(6),
        default=0,
        metavar="N",
        help="plies by which perft is made shallower, 0 to 5 (%(default)s)",
    )
    parser.add_argument("--seconds", type=cli.positive_number, default=10, help="of each search (%(default)s)")
    parser.add_argument(
        "--openings",
        type=cli.positive,
        default=20,
        metavar="N",
        help="openings of each game, for the bench `depth` (%(default)s)",
    )
    args = parser.parse_args(argv)
    if unknown := [name for name in args.benches if name not in speed.BENCHES]:
        parser.error(f"unknown bench {', '.join(unknown)}: expected {', '.join(speed.BENCHES)}")
    args.benches = args.benches or list(speed.BENCHES)
    # Checked now, because the first benchmarks take minutes.
    if fairy_stockfish() is None and (needing := [name for name in args.benches if name in speed.AGAINST_FAIRY]):
        parser.error(
            f"fairy-stockfish is not on the path: expected it there, since these need it: {', '.join(needing)}; "
            "Debian's package has this name"
        )
    if "kernel" in args.benches and shutil.which("gcc") is None:
        parser.error("gcc is not on the path: expected it there for the bench 'kernel'")
    return args


@startup.program(speed.BenchmarkError, ValueError, subprocess.CalledProcessError)  # ValueError: quotes of a command
def main(argv):
    args = parse(argv)
    for name in args.benches:
        speed.BENCHES[name](args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
