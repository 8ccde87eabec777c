"""Learn from the solver the n-tuple evaluation of 8x8 Two Flags, or the solver's own network for another game:
`python scripts/learn.py COMMAND -h`.

    positions FILE   lets a solver with an empty table work on one random position after the other, each for so many
                     expansions. Of the positions below, those on which it spent some work are kept, each once, with
                     df-pn's numbers for them. With --from they are positions of another such file that were not
                     proven there: what a solver meets in earnest, not at random
    fit FILE ...     finds, by logistic regression, the weights whose sum best tells from a position's files what the
                     numbers say of its chance to be won, and writes them for the engine (training/ntuple_model.py says
                     what is summed, and what the file is)
    solver GAME FILE ...
                     learns, from the positions that were made with --variant GAME, the network that tells the solver
                     what a proof will take (training/network_training.py)

The positions follow from the command line and the engine's version alone, since one thread works on each root with the
engine's own evaluation. A run that was interrupted, or killed, goes on when it is started again with the same words.
What is learned follows from the positions and the words. Of each file the last tenth of the roots is kept aside, and
losses are compared on it: of the targets in each pass, then of who has won; by `fit`, where that is proven and each
evaluation with its best scale; by `solver`, also how far the effort that it expects is from what proofs took. `fit`
scales its score, in centipawns, so that a score of --scale means odds of e to one on the proven positions.
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import argparse
import sys
from itertools import islice
from pathlib import Path

from pawnstorm.core import native
from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import SOLVER_OUTPUTS
from pawnstorm.evaluation import networks
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments, atomicfile, pool
from pawnstorm_tools.common.random_openings import candidates
from pawnstorm_tools.startup import ROOT
from pawnstorm_tools.training import TrainingError
from pawnstorm_tools.training.solver_positions import GAME, resume, split, unproven

DATA = ROOT / "engine" / "pawnstorm" / "evaluation" / "data"
OUTPUT = DATA / f"{GAME}.ntuple"
SOLVER_UNIT = 256  # of each output of a solver's network: 1 (engine/pawnstorm/kernels/network.py)


def rules(name):
    """The Rules of a game's name. Raises ArgumentTypeError."""
    try:
        return get_rules(name)
    except UnknownGame as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_learning(parser, source, passes, output=None):
    """FILE ..., -o, --passes, --seed, --softness; source: the command that has written the files."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=f"what `{source}` has written")
    parser.add_argument("-o", "--output", type=Path, default=output, help="the file to write instead of the engine's")
    parser.add_argument("--passes", type=cli.positive, default=passes, help="through the positions (%(default)s)")
    parser.add_argument("--seed", type=cli.positive, default=1, help="of their order (%(default)s)")
    parser.add_argument(
        "--softness",
        type=cli.positive_number,
        default=0.5,
        help="logarithm of the odds that a doubling of delta by phi stands for (%(default)s)",
    )


def parse(argv):
    parser = cli.Parser(description="Learn a game's evaluation from the solver.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    harvest = commands.add_parser("positions", help="make training positions; the same command continues a stopped run")
    harvest.add_argument("file", type=Path, help="the file to write or to complete")
    harvest.add_argument("--variant", type=rules, default=GAME, help="the game (%(default)s)")
    harvest.add_argument("--roots", type=cli.positive, default=600, help="random positions to begin from (%(default)s)")
    harvest.add_argument("--nodes", type=cli.positive, default=1_500_000, help="to expand for each (%(default)s)")
    arguments.add_plies(harvest, (3, 12), "random plies before")
    harvest.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="begin from positions of this file instead"
    )
    arguments.add_seed(harvest)
    arguments.add_processes(harvest)
    harvest.add_argument("--hash", type=cli.positive, default=256, metavar="MB", help="the table of each (%(default)s)")
    fit = commands.add_parser("fit", help="learn the weights of 8x8 Two Flags and write them")
    add_learning(fit, "positions", 3, OUTPUT)
    fit.add_argument(
        "--scale", type=cli.positive_number, default=50, help="centipawns at which the odds are e to one (%(default)s)"
    )
    solver = commands.add_parser("solver", help="learn the solver's network of a game and write it")
    solver.add_argument("variant", type=rules, help="such as breakthrough5x6")
    add_learning(solver, "positions --variant", 4)
    solver.add_argument(
        "--odds",
        type=cli.positive_number,
        default=1,
        metavar="TIMES",
        help="how much the odds count beside the effort (%(default)s)",
    )
    return parser.parse_args(argv)


def positions(args):
    """Complete the file."""
    native.core()
    # A table that cannot be had is said here, in a line.
    HashTable(args.hash * args.processes)
    seed = f"learn {args.seed}"  # not those of scripts/positions.py, whose positions are there to measure by
    if args.source:
        if args.source.resolve() == args.file.resolve():
            raise TrainingError(f"--from {args.source}: expected another file than the one to write")
        roots = unproven(args.source, args.variant, args.roots, seed)
        few = f"{args.source} has no more that are not proven"
    else:
        boards = islice(candidates(args.variant, args.plies, seed), args.roots)
        roots, few = [board.bitboards for board in boards], "too few positions after so many plies"
    if len(roots) < args.roots:
        raise TrainingError(f"--roots {args.roots}: only {len(roots)} found: {few}")
    done = resume(args.file, args.roots, args.variant)
    settings = args.variant.name, args.nodes, args.hash
    pool.append(
        args.file, "pawnstorm_tools.training.harvest", settings, list(enumerate(roots)), done, args.processes, "root"
    )


def fit(args):
    """Write the weights of the files' positions."""
    atomicfile.check(args.output, read=args.files)
    records = [split(path) for path in args.files]
    from pawnstorm_tools.training import ntuple_model, ntuple_training  # numba: some seconds

    training, aside = ntuple_training.load(records, args.softness)
    learned = ntuple_training.train(training, aside, args.passes, args.seed)
    ntuple_model.write(args.output, learned, args.scale / ntuple_training.temperature(learned, aside))
    print(f"{args.output}: {args.output.stat().st_size:,} bytes")


def solver(args):
    """Write the solver's network of the files' positions."""
    output = args.output or DATA / f"{args.variant.full_name}.solver"
    atomicfile.check(output, read=args.files)
    parts = [split(path, args.variant) for path in args.files]
    import numpy as np

    from pawnstorm_tools.training import network_model, network_training  # numba: some seconds

    training, aside = (network_training.solved_part(np.concatenate(part), args.softness) for part in zip(*parts))
    print(f"{len(training.own):,} positions, {len(aside.own):,} aside", flush=True)
    learned, _ = network_training.train(training, aside, args.variant, args.passes, args.seed, SOLVER_OUTPUTS)
    units = [SOLVER_UNIT * args.odds, *[SOLVER_UNIT] * (SOLVER_OUTPUTS - 1)]
    network_model.write(output, args.variant, learned, units, networks.SOLVER_FORMAT)
    print(f"{output}: {output.stat().st_size:,} bytes")


@startup.program(TrainingError, pool.PoolError)
def main(argv):
    args = parse(argv)
    if args.command != "positions":
        with startup.when_stopped("nothing was saved"):
            return {"fit": fit, "solver": solver}[args.command](args)
    with startup.when_stopped("the same command goes on"):
        return positions(args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
