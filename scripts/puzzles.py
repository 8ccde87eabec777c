"""Make puzzles for the page, positions in which only one move wins: `python scripts/puzzles.py COMMAND -h`.

    make FILE   plays games between levels of the engine and keeps positions in which the solver proves that one move wins
                and all others lose, unless the answer is obvious. It grades each puzzle by how often the levels miss the move
    table FILE  prints, for each game, the number of puzzles, how often each level misses them, and their grades

`make` can be interrupted or killed; the same command then continues. The games, the count, the seed and the engine's
version determine the file.

This command made scripts/positions/puzzles.jsonl:

    python scripts/puzzles.py make scripts/positions/puzzles.jsonl
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm.games.rules import UnknownGame
from pawnstorm.proof.prover import Prover
from pawnstorm_protocol import cli
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.measuring import puzzle_maker, puzzles
from pawnstorm_tools.measuring.level_player import LevelPlayer

GAMES = ["twoflags", "breakthrough"]
TABLE = 32  # MiB; enough for the expansions of one position, and quick to clear


def parse(argv):
    parser = cli.Parser(
        description="Positions in which only one move wins, graded by how often the engine's levels miss it."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="find puzzles and grade them")
    made.add_argument("file", type=Path, help="the file to write or to complete")
    made.add_argument(
        "--variant", action="append", metavar="GAME", help=f"a game, once or several times ({' and '.join(GAMES)})"
    )
    made.add_argument("--count", type=cli.positive, default=200, help="puzzles of each game (%(default)s)")
    made.add_argument("--seed", type=int, default=1, help="seed of the games (%(default)s)")
    shown = commands.add_parser("table", help="print a summary of a file")
    shown.add_argument("file", type=Path, help="a file written by `make`")
    return parser.parse_args(argv)


@startup.program(UnknownGame, JournalError, puzzle_maker.TooFew)
def main(argv):
    args = parse(argv)
    if args.command == "table":
        print(puzzles.table(puzzles.read(args.file)), flush=True)
        return
    with startup.when_stopped("the same command goes on"):
        puzzle_maker.make(args.file, args.variant or GAMES, args.count, args.seed, Prover(TABLE), LevelPlayer())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
