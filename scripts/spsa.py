"""Tune numbers of the search by SPSA (Spall 1992): `python scripts/spsa.py -h`.

In each iteration all numbers are changed at once, each by its step up or down at random; the one setting plays some
games against the opposite one, at a fixed number of nodes a move, and every number moves towards the side that has won
more. Steps and moves become smaller as usual: step * k ** -0.101, and a gain of k ** -0.602 behind A, a tenth of the
iterations. Bounds and steps are those of engine/parameters.py.

The file has a line for each iteration; the same command goes on where it was stopped. Values are rounded to whole
numbers at random, so that the mean is what was meant. What comes out is to be tested in a match of its own.
"""

import startup  # first, before what takes long to import

import argparse
import contextlib
import multiprocessing
import random
import signal
import sys
from pathlib import Path

from tqdm import tqdm

from common import arguments
from common.journal import Journal, JournalError
from pawnstorm.engine.games.rules import UnknownGame, game
from pawnstorm.engine.parameters import ROWS
from pawnstorm.protocol import cli
from training.errors import TrainingError

PLIES = 4, 8  # random ones before each game
ALPHA, GAMMA = 0.602, 0.101
GAIN = 0.002  # of the last iteration, as a share of the squared step for each game won more than lost

_source = None  # of this process


def parse(words):
    parser = argparse.ArgumentParser(description="Tune numbers of the search by SPSA.")
    parser.add_argument("game", help="twoflags, breakthrough, or a size such as breakthrough6x6")
    parser.add_argument("file", type=Path, help="the journal to write or to go on with")
    parser.add_argument("names", nargs="+", metavar="NAME", help="numbers of engine/parameters.py")
    parser.add_argument("--iterations", type=cli.positive, default=1000, help="(%(default)s)")
    parser.add_argument("--openings", type=cli.positive, default=16, help="each twice, of an iteration (%(default)s)")
    parser.add_argument("--nodes", type=cli.positive, default=5_000, help="for each move (%(default)s)")
    arguments.add_seed(parser)
    arguments.add_processes(parser)
    return parser.parse_args(words)


def rows_of(names):
    """The rows of engine/parameters.py. Raises TrainingError."""
    rows = {row.name: row for row in ROWS}
    for name in names:
        if name not in rows:
            raise TrainingError(f"'{name}' is no number of the search: expected names of engine/parameters.py")
    return [rows[name] for name in dict.fromkeys(names)]


def rounded(values, rows, chance):
    """{name: whole number} within the bounds; the fractions decide how likely the greater neighbour is."""
    return {
        row.name: min(max(int(value // 1 + (chance.random() < value % 1)), row.low), row.high)
        for row, value in zip(rows, values)
    }


class Spsa:
    """The present values, and what an iteration does to them. All that is random follows from seed and iteration."""

    def __init__(self, rows, iterations, seed):
        self.rows, self.seed = rows, seed
        self.stability = iterations / 10
        self.last = iterations
        self.values = [float(row.value) for row in rows]

    def steps(self, number):
        """The signed steps of an iteration, of which the last one's would be those of the table."""
        chance = random.Random(f"spsa {self.seed} {number}")
        scale = (self.last / number) ** GAMMA
        return [chance.choice((-1, 1)) * row.step * scale for row in self.rows]

    def settings(self, number):
        """The two settings that play: {name: value}."""
        chance, steps = random.Random(f"rounding {self.seed} {number}"), self.steps(number)
        return [
            rounded([value + sign * step for value, step in zip(self.values, steps)], self.rows, chance)
            for sign in (1, -1)
        ]

    def update(self, number, lead):
        """Move the values. lead: games that the first setting has won more than it has lost."""
        gain = GAIN * ((self.stability + self.last) / (self.stability + number)) ** ALPHA
        for place, (row, step) in enumerate(zip(self.rows, self.steps(number))):
            self.values[place] = min(max(self.values[place] + gain * lead * step, row.low), row.high)


def _begin(name, nodes):
    global _source
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the run
    from training.spsa_games import Source

    _source = Source(name, nodes, PLIES)


def _wins(job):
    return _source.wins(*job)


def run(args, rows, journal):
    """Do what iterations the journal lacks, and print the values."""
    spsa = Spsa(rows, args.iterations, args.seed)
    for number in sorted(journal.records):
        spsa.update(number, journal.records[number]["lead"])
    todo = range(len(journal.records) + 1, args.iterations + 1)
    with multiprocessing.get_context("spawn").Pool(args.processes, _begin, (args.game, args.nodes)) as pool:
        for number in tqdm(todo, initial=todo.start - 1, total=args.iterations, unit="iteration", file=sys.stderr):
            settings = spsa.settings(number)
            jobs = [
                (f"{args.seed} {number} {place}", len(range(place, args.openings, args.processes)), settings)
                for place in range(min(args.processes, args.openings))
            ]
            lead = 2 * int(sum(pool.imap_unordered(_wins, jobs))) - 2 * args.openings
            spsa.update(number, lead)
            values = {row.name: round(value, 2) for row, value in zip(rows, spsa.values)}
            journal.add({"iteration": number, "lead": lead, "values": values})
    for row, value in zip(rows, spsa.values):
        print(f"{row.name} {row.value} {value:.2f}")


@startup.program(UnknownGame, TrainingError, JournalError)
def main(words):
    args = parse(words)
    game(args.game)
    rows = rows_of(args.names)
    free = ("file", "processes")
    settings = {name: value for name, value in vars(args).items() if name not in free}
    journal = Journal(args.file, "tuning", "iteration", settings)
    with contextlib.closing(journal), startup.when_stopped("the same command goes on"):
        run(args, rows, journal)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
