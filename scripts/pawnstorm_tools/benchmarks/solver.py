"""Runs the solver on a fixed set of positions, and prints the expansions, the entries in its table and the seconds."""

import math
import statistics
import sys
import time
from collections import namedtuple
from itertools import islice

from pawnstorm.core import native
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import UNLIMITED, Prover
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.random_openings import candidates
from pawnstorm_tools.solving import table_save
from pawnstorm_tools.training import TrainingError, solver_positions

SMALL = ("twoflags7x7", "twoflags8x6", "twoflags6x8", "breakthrough3x7", "breakthrough5x5", "twoflags7x8")
LARGE = ("breakthrough4x6", "breakthrough6x5", "twoflags8x8", "breakthrough5x6")
RANDOM = {
    "twoflags8x8": ((5, 10), (2, 5, 8, 11, 13, 16, 17, 18, 19, 20, 22, 23, 24, 26, 30, 32)),
    "breakthrough5x6": ((8, 16), (3, 7, 8, 10, 12, 15, 21, 29, 40, 43, 44, 47, 48)),
    "breakthrough6x6": ((12, 22), (9, 17, 18, 30, 34, 43, 86, 98, 111, 115)),
}
"""Game -> (random plies before, numbers of positions). Of the first 50 positions, or 120 on 6x6, these took the solver
15,000 to 400,000 expansions when they were chosen.
"""

Case = namedtuple("Case", "name boards")
Case.__doc__ = """A line of the output: its name, and the boards to prove. Each proof begins with an empty table."""


def start(rules):
    """The Case of a game's start."""
    return Case(rules.name, [Board.start(rules)])


def draw_case(name):
    """The Case of a game's random positions."""
    plies, numbers = RANDOM[name]
    boards = list(islice(candidates(get_rules(name), plies, "pn"), numbers[-1] + 1))
    return Case(f"{name}, random", [boards[number] for number in numbers])


def from_games(path, rules, plies, count):
    """The Case of `count` positions from the games in a PGN file. plies: (least, most) from a position to the end of its game.

    Raises TrainingError, OSError.
    """
    least, most = plies
    found = solver_positions.from_games(path, rules, plies, count, "bench")
    if len(found) < count:
        raise TrainingError(
            f"--count {count}: {path} has only {len(found)} positions that lie {least} to {most} plies before the end of a game"
        )
    return Case(f"{rules.name}, games", [Board(rules, *bitboards, False) for bitboards in found])


SETS = {
    "random": lambda: [draw_case(name) for name in RANDOM],
    "small": lambda: [start(get_rules(name)) for name in SMALL],
    "large": lambda: [start(get_rules(name)) for name in LARGE],
}
"""Name -> function that makes its Cases. The first two take seconds, the last up to half an hour."""


def prove(prover, board, most):
    """(value, expansions, entries, seconds) of a board, proven from an empty table within `most` expansions (0: no limit)."""
    prover.clear()
    start = time.monotonic()
    proof = interruptible.prove(prover, board, lambda: None, most or UNLIMITED)
    seconds = time.monotonic() - start
    return proof.value, prover.nodes, table_save.count(prover.table), seconds


def result(case, prover, most, bar):
    """(values, expansions, entries, seconds) of a Case: the value of each board, the geometric mean of the expansions, the sums
    of entries and seconds.
    """
    found = []
    for board in case.boards:
        found.append(prove(prover, board, most))
        bar.update()
    values, nodes, entries, seconds = zip(*found)
    mean = math.exp(statistics.fmean(math.log(max(1, count)) for count in nodes))
    return values, round(mean), sum(entries), sum(seconds)


def measure(cases, mebibytes, threads, runs, most):
    """Prove each Case `runs` times, and print a line with the medians for each."""
    native.core()
    prover = Prover(mebibytes, threads, endings=True)
    for case in cases:
        with tqdm(desc=case.name, total=runs * len(case.boards), file=sys.stderr, leave=False) as bar:
            values, *numbers = zip(*(result(case, prover, most, bar) for _ in range(runs)))
        nodes, entries, seconds = map(statistics.median, numbers)
        first, count = values[0], len(case.boards)
        if count > 1:
            told = f"{count} positions, {sum(map(abs, first))} proven, geometric mean"
        else:
            told = {1: "won", -1: "lost", 0: "?"}[first[0]]
        print(f"{case.name:24} {told}, {nodes:,.0f} expanded, {entries:,.0f} entries, {seconds:.1f} s", flush=True)
