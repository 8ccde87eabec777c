"""Make a file of balanced random openings: `python scripts/openings.py -h`.

It plays random legal moves from the start. It drops a position that came before, or whose left-right mirror image came before.
It keeps the positions that a UCI engine finds balanced: their score is at most --bound for either side. The engine searches
each position to a fixed depth or number of nodes, with a cleared table. The command line alone determines the file, because the
candidates come from one generator in a fixed order. The same command continues an interrupted run, and ends in the same file.

These commands made scripts/openings/*.epd with the frozen engine:

    python scripts/openings.py twoflags scripts/openings/twoflags.epd --depth 24 --bound 60 \\
      --engine dist/pawnstorm/pawnstorm --option Hash=256
    python scripts/openings.py breakthrough scripts/openings/breakthrough.epd --depth 20 --bound 30 \\
      --engine dist/pawnstorm/pawnstorm --option Hash=256

At these depths, the engine rejects one of thirty Breakthrough positions, and three of five Two Flags positions. It rejects most
of these Two Flags positions because it proves who wins them.
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import contextlib
import sys
from pathlib import Path

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_protocol.client.process import EngineError, EngineFault
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools.common import arguments
from pawnstorm_tools.common.random_openings import candidates
from pawnstorm_tools.measuring import balanced_openings
from pawnstorm_tools.referee.opening_book import OpeningError
from pawnstorm_tools.startup import ROOT


def parse(argv):
    parser = cli.Parser(description="Make a file of balanced openings; the same command continues a stopped run.")
    parser.add_argument("game", help="twoflags, breakthrough, or a size such as breakthrough6x6")
    parser.add_argument("file", type=Path, help="the EPD file to write or to complete")
    parser.add_argument("--count", type=cli.positive, default=500, help="openings in the file (%(default)s)")
    arguments.add_plies(parser, (4, 8))
    arguments.add_seed(parser)
    parser.add_argument("--nodes", type=cli.positive, default=200_000, help="for each position (%(default)s)")
    parser.add_argument("--depth", type=cli.positive, help="search each position to this depth, instead of --nodes")
    parser.add_argument(
        "--bound", type=cli.positive, default=50, help="largest score of an opening, centipawns (%(default)s)"
    )
    parser.add_argument(
        "--engine",
        default="fairy-stockfish",
        metavar="COMMAND",
        help="the UCI engine that scores the positions (%(default)s)",
    )
    arguments.add_uci_options(parser, "Hash=64 and, for Fairy-Stockfish, VariantPath=scripts/variants.ini")
    return parser.parse_args(argv)


@startup.program(UnknownGame, OpeningError, EngineError, EngineFault)
def main(argv):
    args = parse(argv)
    usual, given = {"VariantPath": str(ROOT / "scripts" / "variants.ini"), "Hash": "64"}, dict(args.option)
    limit = f"depth {args.depth}" if args.depth else f"nodes {args.nodes}"
    rules = get_rules(args.game)
    engine = balanced_openings.BalanceFilter(
        args.engine, tuple((usual | given).items()), rules, limit, args.bound, usual.keys() - given.keys()
    )
    for note in engine.player.notes:
        print(f"openings.py: {engine.player.engine.name}: {escaped(note)}", file=sys.stderr)
    with startup.when_stopped("the same command goes on"), contextlib.closing(engine):
        balanced_openings.make(args.file, args.count, candidates(rules, args.plies, args.seed), engine.balanced)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
