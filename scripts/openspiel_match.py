"""Games against OpenSpiel's MCTS, run by OpenSpiel: `python scripts/openspiel_match.py FILE`.

On each board size of Breakthrough that Pawnstorm and OpenSpiel both have, the bot of pawnstorm.openspiel plays half of its
games as player 0, which moves first, and half as player 1. Each game is one call of pyspiel.evaluate_bots. The opponent is
pyspiel.MCTSBot with random rollouts and a number of simulations for each move. Every action is checked against OpenSpiel's
list of legal actions.

FILE gets a line of JSON for each game. If the run is stopped or killed, the same command continues it; you may add sizes,
simulations or games. At the end it prints a table of all games in FILE, with a row for each size. A row shows who wins
with best play, if the solver proves this within --solve expansions. For each number of simulations, it shows how many games
the bot won as player 0 and how many as player 1. A size is written as columns x rows.
"""

__extra__ = "build,match,openspiel"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm.games.rules import FAMILIES
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments
from pawnstorm_tools.common.journal import Journal, JournalError

*_, FILES, RANKS = FAMILIES["breakthrough"]
SIZES = [f"{files}x{ranks}" for ranks in RANKS for files in FILES]


def parse(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument("file", type=Path, help="the games; a run continues from those that are there")
    parser.add_argument("--size", action="append", choices=SIZES, metavar="SIZE", help="a size; may be repeated (all)")
    parser.add_argument(
        "--simulations",
        action="append",
        type=cli.positive,
        metavar="N",
        help="the opponent's simulations for a move; may be repeated (1000 and 10000)",
    )
    parser.add_argument(
        "--games", type=cli.positive, default=40, help="for each size and number of simulations (%(default)s)"
    )
    parser.add_argument(
        "--time", type=cli.seconds, default=0.05, metavar="SECONDS", help="the bot's time for a move (%(default)s)"
    )
    parser.add_argument("--nodes", type=cli.positive, help="the bot's nodes for a move, in place of a time")
    parser.add_argument("--elo", type=cli.int_range(800, 3400), help="the bot's level, 800 to 3400 (full strength)")
    parser.add_argument(
        "--solve",
        type=cli.positive,
        default=10_000_000,
        metavar="N",
        help="the most positions that the solver expands to solve a size (%(default)s)",
    )
    parser.add_argument("--table", action="store_true", help="only print the table")
    arguments.add_seed(parser)
    return parser.parse_args(argv)


@startup.program(JournalError)
def main(argv):
    args = parse(argv)
    settings = {"time": args.time, "nodes": args.nodes, "elo": args.elo, "seed": args.seed}
    journal = Journal(args.file, "openspiel match", "game", settings)
    from pawnstorm_tools.measuring import openspiel_games  # pyspiel, numpy

    with startup.when_stopped("the same command goes on"):
        match = openspiel_games.Match(journal, args.solve)
        if not args.table:
            match.play(args.size or SIZES, args.simulations or [1000, 10_000], args.games)
        print("\n".join(match.table()), flush=True)
        return match.illegal > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
