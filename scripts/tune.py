"""Tune the evaluation's weights by logistic regression: `python scripts/tune.py -h`.

It takes positions from scripts/datagen.py and finds the weights with which the logistic function of the static score best
predicts the targets: the results of the games mixed with the search's scores. It writes
engine/pawnstorm/evaluation/data/<family>.py. Every tenth game is kept aside; compare the losses on these games. The regression
draws the weights of the side to move and of its opponent towards each other, and all weights towards zero. The weights evaluate
the games that have no network (scripts/learn.py, scripts/train.py).
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm.evaluation.weights import BY_FAMILY
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments, atomicfile
from pawnstorm_tools.training import TrainingError


def parse(argv):
    parser = cli.Parser(description="Tune the weights of a family of games.")
    parser.add_argument("game", help="the game of the positions: twoflags or breakthrough")
    parser.add_argument("files", type=Path, nargs="+", help="positions, from scripts/datagen.py")
    arguments.add_result(parser, 1.0)
    parser.add_argument(
        "--scale",
        type=cli.positive_number,
        default=100,
        help="score with odds of e (2.718) to one, centipawns (%(default)s)",
    )
    parser.add_argument(
        "--pull",
        type=cli.positive_number,
        default=3e-6,
        help="how strongly a weight is drawn towards zero (%(default)s)",
    )
    parser.add_argument(
        "--apart",
        type=cli.positive_number,
        default=3e-6,
        help="how strongly both sides' weights draw together (%(default)s)",
    )
    parser.add_argument(
        "--iterations", type=cli.positive, default=300, help="most steps of the regression (%(default)s)"
    )
    parser.add_argument("-o", "--output", type=Path, help="the file to write instead of the engine's")
    return parser.parse_args(argv)


def tune(args, words):
    """Fit the weights to the files and write them."""
    rules = get_rules(args.game)
    if rules.family not in BY_FAMILY:
        raise TrainingError(f"{rules.family} has no weights: expected a game of {', '.join(sorted(set(BY_FAMILY)))}")
    module = BY_FAMILY[rules.family].__name__
    output = args.output or startup.ROOT.joinpath("engine", *module.split(".")).with_suffix(".py")
    atomicfile.check(output, read=args.files)  # checked before the work, not after it
    from pawnstorm_tools.training import game_positions  # numpy

    training, aside = game_positions.load(args.files, rules)
    print("tune.py: compiling the regression", file=sys.stderr)
    from pawnstorm_tools.training import weights_fit  # numba and scipy

    weights = weights_fit.fit_weights(
        rules, training, aside, (args.result, args.scale), args.pull, args.apart, args.iterations
    )
    with atomicfile.replacing(output) as file:
        file.write(weights_fit.source_text(weights, rules.name, words).encode())


@startup.program(UnknownGame, TrainingError)
def main(argv):
    args = parse(argv)
    with startup.when_stopped("nothing was saved"):
        tune(args, argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
