"""Tune the evaluation's weights by logistic regression: `python scripts/tune.py -h`.

Takes positions from scripts/datagen.py, finds the weights under which the logistic function of the static score best predicts how
their games ended (mixed with what the search said), and writes engine/data/<family>.py. The last tenth of the games is kept aside;
its loss is the one to compare. Weights of the side to move and of the other are drawn towards each other, and all towards nought.
Those of twoflags serve its smaller boards: 8x8 has a network instead (scripts/learn.py).
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import sys
from pathlib import Path

import referee  # noqa: F401  makes engine/ importable
from learning.errors import Unfit
from proving import arguments, wholefile

from engine.rules import UnknownGame, game
from engine.weights import BY_FAMILY

def parse(words):
    parser = argparse.ArgumentParser(description="Tune the weights of a family of games.")
    parser.add_argument("game", help="the game that the positions are of: twoflags, breakthrough")
    parser.add_argument("files", type=Path, nargs="+", help="positions, from scripts/datagen.py")
    parser.add_argument("--result", type=arguments.share, default=1.0,
                        help="share of the game's result in the target, the search's score has the rest (%(default)s)")
    parser.add_argument("--scale", type=arguments.above_nought, default=100, help="centipawns at which the odds are e to one (%(default)s)")
    parser.add_argument("--pull", type=arguments.above_nought, default=3e-6, help="strength of the pull of a weight towards nought (%(default)s)")
    parser.add_argument("--apart", type=arguments.above_nought, default=3e-6, help="and of both sides' towards each other (%(default)s)")
    parser.add_argument("--iterations", type=arguments.positive, default=300, help="(%(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="the file to write instead of the engine's")
    return parser.parse_args(words)


def tune(asked, words):
    """Fit the weights to the files and write them."""
    rules = game(asked.game)
    if rules.family not in BY_FAMILY:
        raise Unfit(f"{rules.family} has no weights: expected a game of {', '.join(sorted(set(BY_FAMILY)))}")
    module = BY_FAMILY[rules.family].__name__
    output = asked.output or referee.ROOT.joinpath(*module.split(".")).with_suffix(".py")
    wholefile.check(output)     # said before the work, not after it
    from learning import games    # numpy
    training, aside = games.load(asked.files, rules)
    print("tune.py: compiling the regression", file=sys.stderr)
    from learning import linear   # numba and scipy
    weights = linear.fitted(rules, training, aside, (asked.result, asked.scale), asked.pull, asked.apart, asked.iterations)
    with wholefile.replacing(output) as file:
        file.write(linear.written(weights, rules.name, words).encode())


def main(words):
    asked = parse(words)
    try:
        tune(asked, words)
    except (UnknownGame, Unfit, OSError, MemoryError) as error:
        print(f"tune.py: {error or 'not enough memory'}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tune.py: stopped; nothing was saved", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
