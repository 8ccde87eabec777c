"""Make training positions from the engine's own games: `python scripts/datagen.py -h`.

Each game begins with random moves. Then each move comes from a search of a fixed number of nodes, until a search proves who
wins. The program keeps the positions in which the static score matters: the search has not proven who wins, no race decides the
game, no pawn of the opponent stands one step before its far rank, no pawn can be taken en passant, and the best move is not a
capture. The file is a plain array of RECORD (training/game_positions.py). The command line and the engine's version alone
determine the file. The same command continues an interrupted run.
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm.core import native
from pawnstorm.evaluation import networks
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments, pool
from pawnstorm_tools.training import TrainingError
from pawnstorm_tools.training.game_positions import PLAYING, resume


def parse(argv):
    parser = cli.Parser(
        description="Make training positions of the engine's games; the same command continues a stopped run."
    )
    parser.add_argument("game", help="twoflags, breakthrough, or a size such as breakthrough6x6")
    parser.add_argument("file", type=Path, help="the file to write or to complete")
    parser.add_argument("--games", type=cli.positive, default=30_000, help="(%(default)s)")
    parser.add_argument("--nodes", type=cli.positive, default=5_000, help="for each move (%(default)s)")
    arguments.add_plies(parser, (3, 9), "random plies at the beginning of each game")
    arguments.add_seed(parser)
    arguments.add_processes(parser)
    parser.add_argument(
        "--network", metavar="FILE", help="evaluate by this neural network instead of the game's weights"
    )
    return parser.parse_args(argv)


@startup.program(UnknownGame, BadFile, TrainingError, pool.PoolError)
def main(argv):
    args = parse(argv)
    rules = get_rules(args.game)
    if args.network:
        networks.address_of(args.network, rules)  # reports a file that is not a network
    done = resume(args.file, args.games, rules)
    native.core()
    settings = args.game, args.nodes, args.seed, args.plies, args.network
    with startup.when_stopped("the same command goes on"):
        pool.append(args.file, PLAYING, settings, range(args.games), done, args.processes, "game")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
