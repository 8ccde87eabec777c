"""Learn the n-tuple evaluation of 8x8 Two Flags from the solver: `python scripts/learn.py COMMAND -h`.

    positions FILE   lets a solver with an empty table work on one random position after the other, each for so many expansions, and keeps
                     the positions below that it had to do with for a while, each once, with df-pn's numbers for them
    fit FILE ...     finds, by logistic regression, the weights whose sum best tells from a position's files what the numbers say of its
                     chance to be won, and writes them for the engine (learning/ntuple.py tells what is summed, and the file)

The positions follow from the command line and the engine's version alone, since one thread works on each root with the engine's own
evaluation; a run that was interrupted, or killed, goes on when it is started again with the same words. The weights follow from the
positions and the words. Of each file the last tenth of the roots is kept aside, and losses are compared on it: of the targets in each pass,
then of who has won, where that is proven, each evaluation with its best scale. The score is in centipawns: so large that by the proven
positions the odds are e to one at --scale.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import multiprocessing
import signal
import sys
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from openings import candidates
from learning.errors import Unfit
from learning.positions import GAME, resume, split
from proving import arguments, wholefile
from referee import ROOT

from engine import native
from engine.hashtable import HashTable
from engine.rules import game

OUTPUT = ROOT / "engine" / "data" / f"{GAME}.ntuple"


def parse(words):
    parser = argparse.ArgumentParser(description="Learn the n-tuple evaluation of 8x8 Two Flags.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    harvest = commands.add_parser("positions", help="make training positions; run again with the same words to go on")
    harvest.add_argument("file", type=Path, help="the file to write or to complete")
    harvest.add_argument("--roots", type=arguments.positive, default=600, help="random positions to begin from (%(default)s)")
    harvest.add_argument("--nodes", type=arguments.positive, default=1_500_000, help="to expand for each (%(default)s)")
    harvest.add_argument("--plies", type=int, nargs=2, default=(3, 12), metavar=("LEAST", "MOST"), help="random plies before (3 12)")
    harvest.add_argument("--seed", type=int, default=1, help="of the random moves (%(default)s)")
    harvest.add_argument("--processes", type=arguments.positive, default=multiprocessing.cpu_count(), help="(%(default)s)")
    harvest.add_argument("--hash", type=arguments.positive, default=256, metavar="MB", help="the table of each (%(default)s)")
    fit = commands.add_parser("fit", help="learn the weights and write them")
    fit.add_argument("files", type=Path, nargs="+", metavar="FILE", help="what `positions` has written")
    fit.add_argument("-o", "--output", type=Path, default=OUTPUT, help="the file to write instead of the engine's")
    fit.add_argument("--passes", type=arguments.positive, default=3, help="through the positions (%(default)s)")
    fit.add_argument("--seed", type=arguments.positive, default=1, help="of their order (%(default)s)")
    fit.add_argument("--scale", type=arguments.above_nought, default=50, help="centipawns at which the odds are e to one (%(default)s)")
    fit.add_argument("--softness", type=arguments.above_nought, default=0.5,
                     help="logarithm of the odds that a doubling of delta by phi stands for (%(default)s)")
    asked = parser.parse_args(words)
    if asked.command == "positions" and not 0 <= asked.plies[0] <= asked.plies[1]:
        parser.error(f"argument --plies: {asked.plies[0]} {asked.plies[1]}: expected LEAST from 0 to MOST")
    return asked


_source = None


def _begin(*settings):
    global _source
    signal.signal(signal.SIGINT, signal.SIG_IGN)   # the parent ends the run
    from learning.harvest import Source   # numba: some seconds, which the parent need not spend
    _source = Source(*settings)


def _root(numbered):
    return _source.records(*numbered)


def positions(asked):
    """Complete the file."""
    native.core()
    HashTable(asked.hash * asked.processes)   # one that cannot be had is said here: a process that cannot begin would be begun for ever
    # Not the seeds of scripts/positions.py, whose positions are there to measure by.
    boards = list(islice(candidates(game(GAME), asked.plies, f"learn {asked.seed}"), asked.roots))
    if len(boards) < asked.roots:
        raise Unfit(f"--roots {asked.roots}: only {len(boards)} found: too few positions after so many plies")
    first = resume(asked.file, asked.roots)
    numbered = [(number, board.bitboards) for number, board in enumerate(boards)][first:]
    with (open(asked.file, "ab") as file,
          multiprocessing.get_context("spawn").Pool(asked.processes, _begin, (asked.nodes, asked.hash)) as pool,
          tqdm(total=asked.roots, initial=min(first, asked.roots), unit="root", file=sys.stderr, smoothing=0) as bar):
        for records in pool.imap(_root, numbered):
            file.write(records.tobytes())
            file.flush()
            bar.update()


def fit(asked):
    """Write the weights of the files' positions."""
    wholefile.check(asked.output)
    records = [split(path) for path in asked.files]
    from learning import fitting, ntuple   # numba: some seconds
    training, aside = fitting.load(records, asked.softness)
    learned = fitting.train(training, aside, asked.passes, asked.seed)
    ntuple.write(asked.output, learned, asked.scale / fitting.temperature(learned, aside))
    print(f"{asked.output}: {asked.output.stat().st_size:,} bytes")


COMMANDS = {"positions": positions, "fit": fit}


def main(words):
    asked = parse(words)
    try:
        COMMANDS[asked.command](asked)
    except (Unfit, OSError, MemoryError) as error:
        print(f"learn.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        goes_on = asked.command == "positions"
        print(f"learn.py: stopped; {'the same command goes on' if goes_on else 'nothing was saved'}", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
