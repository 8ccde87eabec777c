"""Trains the n-tuple evaluation on files of positions, and compares it with the engine's present evaluation."""

from pawnstorm_tools.common import engine_kernels  # before the engine's kernels

# isort: split

import sys
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.optimize import minimize_scalar

from pawnstorm.kernels.evaluate import evaluate
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.training import TrainingError, ntuple_model
from pawnstorm_tools.training.network_model import cross_entropy
from pawnstorm_tools.training.solver_positions import RULES, targets

RATES = 0.2, 0.02  # Adagrad's, in the first pass and in the last
STEEPEST, FLATTEST = -5, 12  # natural logarithms between which a temperature is sought
PORTION = 1 << 18  # positions between two looks at Ctrl-C


class Part(NamedTuple):
    """Positions, as three arrays.

    rows     (n, 8): the classes of the files of the board
    target   (n): the chance to win, as the proof and disproof numbers estimate it
    present  (n): the engine's static score in centipawns; None in the part to learn from
    """

    rows: np.ndarray
    target: np.ndarray
    present: np.ndarray | None

    @property
    def proven(self):
        """Which positions are proven, or as good as proven: the target is 0 or 1."""
        return (self.target == 0) | (self.target == 1)


@njit
def present(own, opp, state):
    """The engine's static scores of positions, as float32."""
    result = np.empty(len(own), np.float32)
    for index in range(len(own)):
        result[index] = evaluate(own[index], opp[index], 0, state)
    return result


def part(records, softness, compared):
    """The Part of RECORDs; compared: whether to add the engine's static scores."""
    own, opp = (np.ascontiguousarray(records[name]) for name in ("own", "opp"))
    return Part(
        ntuple_model.rows(own, opp),
        targets(records["phi"], records["delta"], softness),
        present(own, opp, engine_kernels.record(RULES)) if compared else None,
    )


def load(records, softness):
    """(Part to train on, Part kept aside for the test), each with the positions of all files. Raises TrainingError.

    records: for each file, the result of solver_positions.split().
    """
    training, aside = zip(
        *((part(first, softness, compared=False), part(last, softness, compared=True)) for first, last in records)
    )
    together = Part(*map(np.concatenate, zip(*aside)))
    if len(set(together.target[together.proven])) < 2:
        raise TrainingError("the roots kept aside have no won position, or no lost one: expected more roots")
    return Part(*map(np.concatenate, list(zip(*training))[:2]), None), together


def train(training, aside, passes, seed):
    """The weights learned in `passes` passes, each in an order that the seed determines. Prints the losses after each."""
    learned, squares = ntuple_model.empty()
    _, base = best_temperature(aside.present, aside.target)
    print(
        f"{len(training.rows):,} positions, {len(aside.rows):,} aside; loss of the present evaluation there {base:.4f}",
        flush=True,
    )
    chance, order = np.random.default_rng(seed), np.arange(len(training.rows), dtype=np.uint32)
    for number, rate in enumerate(np.geomspace(*RATES, passes), 1):
        chance.shuffle(order)
        loss = 0.0
        with tqdm(total=len(order), desc=f"pass {number}", unit=" positions", unit_scale=True, file=sys.stderr) as bar:
            for first in range(0, len(order), PORTION):
                some = order[first : first + PORTION]
                loss += ntuple_model.learn(training.rows, training.target, some, rate, learned, squares)
                bar.update(len(some))
        apart = cross_entropy(ntuple_model.scores(aside.rows, learned), aside.target)
        print(f"pass {number}: loss {loss / len(order):.4f}, aside {apart:.4f}", flush=True)
    return learned


def best_temperature(scores, target):
    """(q, the cross entropy of scores / q), for the q with the least cross entropy."""
    best = minimize_scalar(
        lambda log: cross_entropy(scores / np.exp(log), target), bounds=(STEEPEST, FLATTEST), method="bounded"
    )
    return float(np.exp(best.x)), float(best.fun)


def temperature(learned, aside):
    """The number by which to divide sums of weights so that they best predict the proven positions that were kept aside.
    Prints the losses of the learned and of the present evaluation on these positions, each with its own best number.
    """
    proven = aside.proven
    hard = aside.target[proven]
    q, loss = best_temperature(ntuple_model.scores(aside.rows[proven], learned), hard)
    _, base = best_temperature(aside.present[proven], hard)
    print(f"{len(hard):,} proven aside: loss {loss:.4f}, of the present evaluation {base:.4f}; temperature {q:.3f}")
    return q
