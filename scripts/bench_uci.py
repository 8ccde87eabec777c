"""Measures how fast the executables start, how big they are, and how soon they answer `stop`.

`python scripts/bench_uci.py`, after `pyinstaller build.spec`. A start is measured from before the process is made until each of
three answers comes: uciok, readyok and bestmove. The median for each answer is printed. The same run measures two references: a
program of six lines frozen by PyInstaller, which is the lower bound, and a native engine, fairy-stockfish. The programs take
turns, so that the load of the machine affects all of them. If a reference's median is more than 1.5 times its fastest start,
the machine was busy, and all starts are measured again, at most --attempts times in all. A stop is measured from `stop` to the
best move; the median, the 99th percentile and the slowest are printed.

warm   the same user and home as the last start
cold   every start in a new, empty HOME, from a read-only folder; as another user if root runs this

With --source it measures `python -m pawnstorm`, warm, and nothing needs to be built.
"""

__extra__ = "dev"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import os
import sys
import tempfile
from pathlib import Path

from pawnstorm_protocol import cli
from pawnstorm_tools.benchmarks import starts
from pawnstorm_tools.startup import ROOT


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where pyinstaller has put the executables")
    parser.add_argument("--source", action="store_true", help="measure the engine of this clone instead, warm")
    parser.add_argument(
        "--starts", type=cli.positive, default=20, help="starts of each program, warm and cold (%(default)s)"
    )
    parser.add_argument(
        "--stops", type=cli.positive, default=1000, help="searches stopped, for each number of threads (%(default)s)"
    )
    parser.add_argument(
        "--attempts",
        type=cli.positive,
        default=3,
        help="the most times that the starts are measured if the machine is busy; the last measurement counts (%(default)s)",
    )
    return parser.parse_args(argv)


@startup.program()
def main(argv):
    args = parse(argv)
    with tempfile.TemporaryDirectory(prefix="bench-uci-") as work:
        os.chmod(work, 0o755)  # because the other user must reach the copies and their home
        starts.measure(args, Path(work))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
