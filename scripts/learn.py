"""Learn the n-tuple evaluation of 8x8 Two Flags, or the solver's network for another game, from the solver's work:
`python scripts/learn.py COMMAND -h`.

    positions FILE   draws random positions, the roots. A solver with an empty table works on each root for a number of
                     expansions. FILE gets the root and the positions below it, each once, with their proof and disproof
                     numbers, but only positions on which the solver spent some work. Random positions differ from the
                     positions that a solver meets in a proof. So there are two other kinds of roots: with --from, positions
                     of another such file that were not proven there; with --games, positions near the end of games
    table TABLE FILE writes such a file from a table that `solve.py --save` wrote. A run that continued a saved table proves
                     its result a second time at the end. If TABLE was saved during this second proof, it has few proofs
    fit FILE ...     learns the weights by logistic regression, and writes them for the engine. Their sum over the board's files
                     predicts the chance of a win. The proof numbers give an estimate of this chance, which is the target
                     (training/ntuple_model.py describes the sum and the file)
    solver GAME FILE ...
                     learns, from positions that were made with --variant GAME, the network with which the solver predicts
                     the work of a proof (training/network_training.py)

The command line and the engine's version alone determine what `positions` writes, because one thread works on each root with the
engine's own evaluation. The same `positions` command continues a run that was interrupted or killed; the others begin again. The
positions and the command line determine what is learned. The last tenth of the roots of each file is kept
aside to measure losses on it. After each pass, `fit` prints the loss against the targets, which are the estimated chances of a
win. At the end, it also compares the new evaluation with the engine's present one. For each of them, with its best scale, it
prints the loss on the proven positions, where the targets are the actual winners. `fit` scales its score, in centipawns, so
that a score of --scale means odds of e to one on the proven positions that are kept aside. After each pass, `solver` prints the
loss against the targets, the loss against the likelier winner, and how far the predicted work is from the work of the proofs.
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import argparse
import sys
from itertools import islice
from pathlib import Path

from pawnstorm.core import native
from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import SOLVER_OUTPUTS
from pawnstorm.evaluation import networks
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments, atomicfile, pool
from pawnstorm_tools.common.random_openings import candidates
from pawnstorm_tools.solving.savefile import BadSave
from pawnstorm_tools.startup import ROOT
from pawnstorm_tools.training import TrainingError
from pawnstorm_tools.training.solver_positions import GAME, from_games, resume, split_each, unproven

DATA = ROOT / "engine" / "pawnstorm" / "evaluation" / "data"
OUTPUT = DATA / f"{GAME}.ntuple"
SOLVER_UNIT = 256  # the number for 1 in each output of a solver's network (engine/pawnstorm/kernels/network.py)


def rules(name):
    """The Rules of a game's name. Raises ArgumentTypeError."""
    try:
        return get_rules(name)
    except UnknownGame as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_learning(parser, source, passes, output=None):
    """Add FILE ..., -o, --passes, --seed and --softness. source: the command that writes the files."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=f"what `{source}` has written")
    parser.add_argument("-o", "--output", type=Path, default=output, help="the file to write instead of the engine's")
    parser.add_argument("--passes", type=cli.positive, default=passes, help="through the positions (%(default)s)")
    parser.add_argument("--seed", type=cli.positive, default=1, help="of all that is drawn at random (%(default)s)")
    parser.add_argument(
        "--softness",
        type=cli.positive_number,
        default=0.5,
        help="how much the logarithm of the odds to win grows each time that the disproof number, divided by the proof number, "
        "doubles (%(default)s)",
    )


def parse(argv):
    parser = cli.Parser(description="Learn a game's evaluation from the solver.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    harvest = commands.add_parser("positions", help="make training positions; the same command continues a stopped run")
    harvest.add_argument("file", type=Path, help="the file to write or to complete")
    harvest.add_argument("--variant", type=rules, default=GAME, help="the game (%(default)s)")
    harvest.add_argument("--roots", type=cli.positive, default=600, help="random positions to begin from (%(default)s)")
    harvest.add_argument("--nodes", type=cli.positive, default=1_500_000, help="expansions for each root (%(default)s)")
    arguments.add_plies(harvest, (3, 12), "random plies before a root; with --games, plies left to the end")
    chosen = harvest.add_mutually_exclusive_group()
    chosen.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="begin from positions of this file instead"
    )
    chosen.add_argument("--games", type=Path, metavar="PGN", help="begin from positions of these games instead")
    arguments.add_seed(harvest)
    arguments.add_processes(harvest)
    harvest.add_argument(
        "--hash", type=cli.positive, default=256, metavar="MB", help="size of each process's table (%(default)s)"
    )
    table = commands.add_parser("table", help="take training positions from a saved table of the solver")
    table.add_argument("table", type=Path, help="what `solve.py --save` has written")
    table.add_argument("file", type=Path, help="the file to write")
    table.add_argument("--variant", type=rules, default=GAME, help="the game (%(default)s)")
    table.add_argument(
        "--least",
        type=cli.positive,
        default=512,
        help="the least number of expansions below a position that is taken (%(default)s)",
    )
    fit = commands.add_parser("fit", help="learn the weights of 8x8 Two Flags and write them")
    add_learning(fit, "positions", 3, OUTPUT)
    fit.add_argument(
        "--scale",
        type=cli.positive_number,
        default=50,
        help="score with odds of e (2.718) to one, centipawns (%(default)s)",
    )
    solver = commands.add_parser("solver", help="learn the solver's network of a game and write it")
    solver.add_argument("variant", type=rules, help="such as breakthrough5x6")
    add_learning(solver, "positions --variant", 4)
    solver.add_argument(
        "--begin",
        type=Path,
        metavar="NETWORK",
        help="begin with this solver's network, or with the hidden layer and the odds of this evaluation network",
    )
    solver.add_argument(
        "--odds",
        type=cli.positive_number,
        default=1,
        metavar="TIMES",
        help="how strongly the predicted winner counts in the proof numbers (%(default)s)",
    )
    solver.add_argument(
        "--effort",
        type=cli.positive_number,
        default=1,
        metavar="TIMES",
        help="how strongly the predicted work counts in the proof numbers (%(default)s)",
    )
    return parser.parse_args(argv)


def positions(args):
    """Make the positions that the file lacks."""
    native.core()
    # Allocated here so that too little memory is reported in one line.
    HashTable(args.hash * args.processes)
    seed = f"learn {args.seed}"  # differs from the seeds of scripts/positions.py, whose positions are for measuring
    if args.source:
        if args.source.resolve() == args.file.resolve():
            raise TrainingError(f"--from {args.source}: expected a file other than the one to write")
        roots = unproven(args.source, args.variant, args.roots, seed)
        few = f"{args.source} has no more positions that are not proven"
    elif args.games:
        roots = from_games(args.games, args.variant, args.plies, args.roots, seed)
        few = f"{args.games} has no more positions that lie --plies before the end of a game"
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


def saved_positions(args):
    """Make the file from a saved table."""
    if args.file.exists():
        raise TrainingError(f"{args.file} exists: expected the name of a new file")
    atomicfile.check(args.file)
    from pawnstorm_tools.training import harvest  # numba: some seconds

    records = harvest.saved_records(args.table, args.variant, args.least)
    atomicfile.write(args.file, records.tobytes())
    print(f"{args.file}: {len(records):,} positions")


def fit(args):
    """Learn the weights from the files' positions and write them."""
    atomicfile.check(args.output, read=args.files)
    records = split_each(args.files)
    from pawnstorm_tools.training import ntuple_model, ntuple_training  # numba: some seconds

    training, aside = ntuple_training.load(records, args.softness)
    learned = ntuple_training.train(training, aside, args.passes, args.seed)
    ntuple_model.write(args.output, learned, args.scale / ntuple_training.temperature(learned, aside))
    print(f"{args.output}: {args.output.stat().st_size:,} bytes")


def solver(args):
    """Learn the solver's network from the files' positions and write it."""
    output = args.output or DATA / f"{args.variant.full_name}.solver"
    atomicfile.check(output, read=[*args.files, *([args.begin] if args.begin else [])])
    parts = split_each(args.files, args.variant)
    import numpy as np

    from pawnstorm_tools.training import network_model, network_training  # numba: some seconds

    training, aside = (network_training.solved_part(np.concatenate(part), args.softness) for part in zip(*parts))
    print(f"{len(training.own):,} positions, {len(aside.own):,} aside", flush=True)
    begin = network_training.first_parameters(training, args.seed, SOLVER_OUTPUTS)
    if args.begin:
        try:
            begin = network_model.read(args.begin, args.variant, networks.SOLVER_FORMAT, SOLVER_OUTPUTS)
        except BadFile:
            network_model.copy_evaluation(network_model.read(args.begin, args.variant), begin)
    learned, _ = network_training.train(training, aside, args.variant, args.passes, args.seed, SOLVER_OUTPUTS, begin)
    units = [SOLVER_UNIT * args.odds, *[SOLVER_UNIT * args.effort] * (SOLVER_OUTPUTS - 1)]
    network_model.write(output, args.variant, learned, units, networks.SOLVER_FORMAT)
    print(f"{output}: {output.stat().st_size:,} bytes")


@startup.program(TrainingError, BadFile, BadSave, pool.PoolError)
def main(argv):
    args = parse(argv)
    if args.command == "positions":
        with startup.when_stopped("the same command goes on"):
            return positions(args)
    with startup.when_stopped("nothing was saved"):
        return {"table": saved_positions, "fit": fit, "solver": solver}[args.command](args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
