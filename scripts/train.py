"""Train a game's neural network on games that the engine plays against itself: `python scripts/train.py -h`.

In each generation, the engine plays games against itself with the network of the generation before. The first generation
plays with the game's weights and trains a new network. With --begin, it plays with the network that --begin names, and trains
this network further. The previous network is trained further on the positions of the last generations
(training/network_training.py), and the new one plays a match against it. generations.jsonl gets a line of figures for each
stage. All files are in one folder. A position's target is the result of its game mixed with the search's score.

The command line and the engine's version determine all files. To continue an interrupted run, repeat its command; to add
generations, give a larger --generations. To use the last network, copy it to engine/pawnstorm/evaluation/data/GAME.network, or
name it in the option EvalFile.
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import contextlib
import json
import math
import sys
import time
from pathlib import Path

from pawnstorm.evaluation import networks
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments, pool
from pawnstorm_tools.common.journal import Journal, JournalError
from pawnstorm_tools.referee import stats
from pawnstorm_tools.training import TrainingError

LOG = "generations.jsonl"
STAGES = "play", "learn", "compare"
MATCH_PLIES = 4, 8


def parse(argv):
    parser = cli.Parser(description="Learn the neural network that evaluates a game, from nothing.")
    parser.add_argument("game", help="breakthrough, or a size such as breakthrough7x7")
    parser.add_argument("folder", type=Path, help="where all files go; made where there is none")
    parser.add_argument("--begin", metavar="FILE", help="a network to begin with instead of the weights")
    parser.add_argument("--generations", type=cli.positive, default=4, help="(%(default)s)")
    parser.add_argument("--games", type=cli.positive, default=400_000, help="of each generation (%(default)s)")
    parser.add_argument("--nodes", type=cli.positive, default=400, help="for each move (%(default)s)")
    arguments.add_plies(parser, (4, 14), "random plies at the beginning of each game")
    parser.add_argument(
        "--window", type=cli.positive, default=3, help="generations whose positions are learned from (%(default)s)"
    )
    parser.add_argument("--passes", type=cli.positive, default=6, help="through the positions (%(default)s)")
    parser.add_argument(
        "--rate", type=cli.positive_number, default=1e-3, help="learning rate in the first batch (%(default)s)"
    )
    arguments.add_result(parser, 0.5)
    parser.add_argument(
        "--scale", type=cli.positive, default=160, help="score with odds of e (2.718) to one, centipawns (%(default)s)"
    )
    parser.add_argument("--match", type=cli.positive, default=200, help="openings of the match (%(default)s)")
    parser.add_argument(
        "--match-nodes", type=cli.positive, default=20_000, help="for each move of the match (%(default)s)"
    )
    arguments.add_seed(parser)
    arguments.add_processes(parser)
    return parser.parse_args(argv)


class Generation:
    """One generation's files and stages; each stage returns the figures for the log."""

    def __init__(self, args, number):
        self.args, self.number, self.rules = args, number, get_rules(args.game)
        self.network, self.positions, self.match = (
            args.folder / f"{number}.{kind}" for kind in ("network", "positions", "match")
        )
        self.seed = f"{args.seed} {number}"

    @property
    def before(self):
        """The previous generation."""
        return Generation(self.args, self.number - 1)

    @property
    def player(self):
        """The file of this generation's network. For generation 0: what --begin names, or None for the game's weights."""
        return str(self.network) if self.number else self.args.begin

    def play(self):
        """Make the positions of this generation's games."""
        from pawnstorm_tools.training import game_positions

        args = self.args
        settings = args.game, args.nodes, self.seed, args.plies, self.before.player
        done = game_positions.resume(self.positions, args.games, self.rules)
        games = range(args.games)
        pool.append(self.positions, game_positions.PLAYING, settings, games, done, args.processes, "game")
        return {"positions": self.positions.stat().st_size // game_positions.RECORD.itemsize}

    def learn(self):
        """Train the network on the positions of the last generations."""
        from pawnstorm_tools.training import game_positions, network_model, network_training

        args = self.args
        window = range(max(1, self.number - args.window + 1), self.number + 1)
        records = game_positions.load([Generation(args, number).positions for number in window], self.rules)
        training, aside = (network_training.part(part, args.result, args.scale) for part in records)
        before = self.before.player
        begin = network_model.read(before, self.rules) if before else None
        parameters, losses = network_training.train(
            training, aside, self.rules, args.passes, args.seed, begin=begin, first_rate=args.rate
        )
        network_model.write(self.network, self.rules, parameters, args.scale)
        return {
            "width": network_model.HIDDEN_WIDTH,
            "generations": len(window),
            "loss": round(losses[0], 4),
            "result_loss": round(losses[1], 4),
        }

    def compare(self):
        """Play the match against the previous generation. An infinite Elo becomes None, because JSON has no infinity."""
        from pawnstorm_tools.training import network_match

        args = self.args
        settings = args.game, args.match_nodes, self.seed, MATCH_PLIES, self.player, self.before.player
        done = network_match.resume(self.match)
        pool.append(self.match, network_match.__name__, settings, range(args.match), done, args.processes, "opening")
        found = stats.try_estimate(network_match.cells(self.match))
        figures = {name: getattr(found, name, math.inf) for name in ("elo", "elo_low", "elo_high")}
        return {name: round(value) if math.isfinite(value) else None for name, value in figures.items()}


def settings(args):
    """The settings that determine a run, in the form that JSON gives back.

    The numbers of generations and processes are not among them: a run that continues may change these.
    """
    free = ("folder", "generations", "processes")
    return json.loads(json.dumps({name: value for name, value in vars(args).items() if name not in free}))


@startup.program(UnknownGame, BadFile, TrainingError, JournalError, pool.PoolError)
def main(argv):
    args = parse(argv)
    rules = get_rules(args.game)
    if args.begin:
        networks.address_of(args.begin, rules)  # reports a file that is not a network
    args.folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(args.folder / LOG, "training", "stage", settings(args))
    with contextlib.closing(journal), startup.when_stopped("the same command goes on"):
        for number in range(1, args.generations + 1):
            for name in STAGES:
                stage, start = f"{number} {name}", time.monotonic()
                if stage in journal.records:
                    continue
                figures = getattr(Generation(args, number), name)()
                journal.add({"stage": stage} | figures | {"seconds": round(time.monotonic() - start)})
                print(
                    f"generation {stage}: " + ", ".join(f"{name} {value}" for name, value in figures.items()),
                    flush=True,
                )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
