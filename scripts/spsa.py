"""Tune numbers of the search by SPSA (Spall 1992), and compare two settings: `python scripts/spsa.py COMMAND -h`.

Both commands play games with a fixed number of nodes a move, in one process for each processor, so that a thousand games take
a minute. Such games do not show what a setting costs in time, so test the result in a match on the clock (match.py -sprt).

    tune      In each iteration, all numbers change at once, each by its step, up or down at random. This setting plays
              against the setting with the opposite changes, and every number moves towards its value in the setting that
              has won more games. In iteration k, the steps are proportional to k ** -0.101, and the gain to
              (A + k) ** -0.602, where A is a tenth of the iterations. The bounds, and the steps of the last iteration, are
              those of engine/pawnstorm/core/parameters.py. Values are rounded to whole numbers at random, so that their mean
              is exact.
    compare   Pairs of games from random openings are played until the sequential test of match.py is decided, but for at
              most --iterations iterations. The test is made before each iteration.

The file that a command writes has a line for each iteration. The same command continues a stopped run.
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import ast
import contextlib
import random
import sys
from functools import partial
from pathlib import Path

from pawnstorm.core import parameters
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments, pool
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.fields import is_int, is_list_of, require
from pawnstorm_tools.common.journal import Journal, JournalError
from pawnstorm_tools.referee import sprt_math, stats
from pawnstorm_tools.training import TrainingError

PLIES = 4, 8  # the least and the most random plies before each game
ALPHA, GAMMA = 0.602, 0.101
GAIN = 0.004  # in the last iteration, the share of its step by which a number moves for each game won more than lost
HIGHEST = sprt_math.HIGHEST["logistic"]
FIELDS = {
    "tune": {"lead": (is_int, "a whole number")},
    "compare": {"pairs": (is_list_of(lambda won: won in (0, 1, 2)), "a list with the games won of each pair, 0 to 2")},
}  # the fields of a record of each command
# The kernels of the search. The solver's kernels also have an argument `state`, but take no part in these games.
MODULES = ("search", "root", "quiescence", "movepick", "table")


def numbers():
    """{name: row} of the numbers in engine/pawnstorm/core/parameters.py that can be changed in this program's games.

    They are those whose names appear in functions of MODULES that have an argument `state`. Such functions can read the
    numbers from the record (training/tunable.py). The sources are parsed, so nothing is compiled.
    """
    kernels, found = Path(parameters.__file__).parents[1] / "kernels", set()
    for module in MODULES:
        for node in ast.walk(ast.parse((kernels / f"{module}.py").read_text())):
            if isinstance(node, ast.FunctionDef) and "state" in [argument.arg for argument in node.args.args]:
                found |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return {row.name: row for row in parameters.PARAMETERS if row.name in found}


NUMBERS = numbers()


def parse(argv):
    parser = cli.Parser(description="Tune numbers of the search, and compare two settings of them.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    tune = commands.add_parser("tune", help="find better values")
    compare = commands.add_parser(
        "compare", help="test whether values are better than those of engine/pawnstorm/core/parameters.py"
    )
    for command, openings in (tune, 16), (compare, 64):
        command.add_argument("game", help="twoflags, breakthrough, or a size such as breakthrough6x6")
        command.add_argument("file", type=Path, help="the file to write or to complete")
        command.add_argument("--nodes", type=cli.positive, default=5_000, help="for each move (%(default)s)")
        command.add_argument(
            "--openings",
            type=cli.positive,
            default=openings,
            help="openings of an iteration, each played twice (%(default)s)",
        )
        arguments.add_seed(command)
        arguments.add_processes(command)
    tune.add_argument("names", nargs="+", metavar="NAME", help="numbers of engine/pawnstorm/core/parameters.py")
    tune.add_argument("--iterations", type=cli.positive, default=1000, help="(%(default)s)")
    compare.add_argument(
        "values", nargs="+", metavar="NAME=VALUE", help="numbers that differ from engine/pawnstorm/core/parameters.py"
    )
    compare.add_argument(
        "--elo0", type=float, default=0.0, help="H0 of the test: at most this Elo difference (%(default)s)"
    )
    compare.add_argument(
        "--elo1", type=float, default=5.0, help="H1 of the test: at least this Elo difference (%(default)s)"
    )
    compare.add_argument("--iterations", type=cli.positive, default=200, help="at most (%(default)s)")
    return parser.parse_args(argv)


def row_of(name):
    """The row of a number in engine/pawnstorm/core/parameters.py. Raises TrainingError."""
    if name not in NUMBERS:
        raise TrainingError(f"'{name}' is no number that spsa.py can change: expected one of {', '.join(NUMBERS)}")
    return NUMBERS[name]


def value_of(word):
    """Read NAME=VALUE as (name, value). Raises TrainingError."""
    name, _, text = word.partition("=")
    row = row_of(name)
    if not text.isdecimal() or not row.low <= int(text) <= row.high:
        raise TrainingError(f"'{word}': expected {name}= and a whole number from {row.low} to {row.high}")
    return name, int(text)


def round_values(values, rows, chance):
    """Round values at random to {name: whole number} within the bounds.

    A value's fraction is the probability that it is rounded up.
    """
    return {
        row.name: min(max(int(value // 1 + (chance.random() < value % 1)), row.low), row.high)
        for row, value in zip(rows, values)
    }


class Spsa:
    """The present values, and the update after each iteration. Seed and iteration determine all random choices."""

    def __init__(self, rows, iterations, seed):
        self.rows, self.seed = rows, seed
        self.stability = iterations / 10
        self.last = iterations
        self.values = [float(row.value) for row in rows]

    def steps(self, number):
        """The signed steps of an iteration. In the last iteration, they have the size given in parameters.py."""
        chance = random.Random(f"spsa {self.seed} {number}")
        scale = (self.last / number) ** GAMMA
        return [chance.choice((-1, 1)) * row.step * scale for row in self.rows]

    def settings(self, number):
        """The two settings that play against each other, each as {name: value}."""
        chance, steps = random.Random(f"rounding {self.seed} {number}"), self.steps(number)
        return [
            round_values([value + sign * step for value, step in zip(self.values, steps)], self.rows, chance)
            for sign in (1, -1)
        ]

    def update(self, number, lead):
        """Move the values. lead: the games that the first setting has won, minus those that it has lost."""
        gain = GAIN * ((self.stability + self.last) / (self.stability + number)) ** ALPHA
        for place, (row, step) in enumerate(zip(self.rows, self.steps(number))):
            self.values[place] = min(max(self.values[place] + gain * lead * step, row.low), row.high)

    @property
    def told(self):
        """The values for the journal, as {name: value}."""
        return {row.name: round(value, 2) for row, value in zip(self.rows, self.values)}


def pairs(args, workers, number, settings):
    """Play an iteration in all processes; returns how many of the two games of each pair the first setting won."""
    jobs = [
        (f"{args.seed} {number} {place}", len(range(place, args.openings, args.processes)), settings)
        for place in range(min(args.processes, args.openings))
    ]
    return [won for results in workers.in_order(jobs, len(jobs)) for won in results]


def iterations(args, journal):
    """The numbers of the iterations that the journal lacks, with a progress bar."""
    first = len(journal.records) + 1
    todo = range(first, args.iterations + 1)
    return tqdm(todo, initial=first - 1, total=args.iterations, unit="iteration", file=sys.stderr)


def tune(args, journal, workers):
    """Do the iterations that the journal lacks, and print the values."""
    spsa = Spsa([row_of(name) for name in dict.fromkeys(args.names)], args.iterations, args.seed)
    for number in sorted(journal.records):
        spsa.update(number, journal.records[number]["lead"])
    for number in iterations(args, journal):
        lead = 2 * (sum(pairs(args, workers, number, spsa.settings(number))) - args.openings)
        spsa.update(number, lead)
        journal.add({"iteration": number, "lead": lead, "values": spsa.told})
    for row, value in zip(spsa.rows, spsa.values):
        print(f"{row.name} {row.value} {value:.2f}")


def compare(args, journal, workers):
    """Play until the test is decided, but at most args.iterations iterations, and print the result."""
    settings = [dict(map(value_of, args.values)), {}]
    test, counts = sprt_math.Sprt(args.elo0, args.elo1), [0] * 5

    def count(found):
        for won in found:
            counts[2 * won] += 1

    for number in sorted(journal.records):
        count(journal.records[number]["pairs"])
    for number in iterations(args, journal):
        if test.verdict(test.llr(counts)):
            break
        found = pairs(args, workers, number, settings)
        count(found)
        journal.add({"iteration": number, "pairs": found})
    found, ratio = stats.try_estimate(counts), test.llr(counts)
    elo = f"Elo {found.elo:+.1f} [{found.elo_low:+.1f}, {found.elo_high:+.1f}]" if found else "all pairs ended alike"
    print(f"{' '.join(args.values)}: {2 * sum(counts)} games, {elo}")
    print(f"SPRT {test}: {'no ratio' if ratio is None else f'LLR {ratio:.2f}'}, {test.verdict(ratio) or 'undecided'}")


COMMANDS = {"tune": tune, "compare": compare}


@startup.program(UnknownGame, TrainingError, JournalError, pool.PoolError)
def main(argv):
    args = parse(argv)
    get_rules(args.game)
    for name in args.names if args.command == "tune" else args.values:
        row_of(name) if args.command == "tune" else value_of(name)
    if args.command == "compare" and not -HIGHEST <= args.elo0 < args.elo1 <= HIGHEST:
        raise TrainingError(
            f"--elo0 {args.elo0:g} --elo1 {args.elo1:g}: expected elo0 below elo1, both from -{HIGHEST} to {HIGHEST}"
        )
    free = ("file", "processes") if args.command == "tune" else ("file", "processes", "iterations")
    settings = {name: value for name, value in vars(args).items() if name not in free}
    journal = Journal(args.file, "tuning", "iteration", settings, partial(require, fields=FIELDS[args.command]))
    working = pool.workers("pawnstorm_tools.training.tunable", (args.game, args.nodes, PLIES), args.processes)
    with contextlib.closing(journal), startup.when_stopped("the same command goes on"), working as workers:
        COMMANDS[args.command](args, journal, workers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
