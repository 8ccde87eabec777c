"""The regression on positions of games (training/game_positions.py) that finds the evaluation's weights, and the text of
the file for them.
"""

from pawnstorm_tools.common import engine_kernels  # before the engine's kernels

# isort: split

import sys

import numpy as np
from numba import njit
from scipy.optimize import minimize
from scipy.sparse import csr_array, hstack
from scipy.special import expit

from pawnstorm.core.state import FEATURE_COUNT
from pawnstorm.evaluation.weights import PATTERN_PLACES, PATTERNS, rank_place
from pawnstorm.kernels import evaluate
from pawnstorm.kernels.bits import lsb, popcount
from pawnstorm.kernels.position import flip
from pawnstorm_tools.common.bar import tqdm

WIDTH = 52  # places of a position: 48 pawns at most, four home rows
PAWNS, ROWS = 2 * 2048, 2 * 512  # as state.pawns and state.rows
PARTS = {"CLASSES": 256, "SQUARES": 32, "ROWS": 2 * PATTERNS, "COUNTS": FEATURE_COUNT}
BASE = sum(PARTS.values())


@njit
def extract(own, opp, places, counts, phase, full, state):
    """Fill a row for each position. places: the indices, in the tables of pawns and home rows, of the weights that the position
    uses (-1 after the last). counts: its features. phase: how full its board is, from 0 to 1.

    full: the number of pawns on a full board.
    """
    one = np.uint64(1)
    for index in range(len(own)):
        found = 0
        for side in range(2):
            mine, other = own[index], opp[index]
            if side:
                mine, other = flip(opp[index], state.flip_shift), flip(own[index], state.flip_shift)
            held, hit, weak = evaluate.attacks(mine), evaluate.attacks_down(other), evaluate.weak_pawns(mine, other)
            left = mine
            while left:
                square = lsb(left)
                left &= left - one
                places[index, found] = side * 2048 + np.int64(
                    evaluate.pawn_index(square, held, hit, weak, other, state)
                )
                found += 1
            home = mine >> np.uint64(state.home_shift)
            for row in range(2):
                pattern = np.int64(home >> np.uint64(8 * row) & np.uint64(255))
                places[index, found] = 4096 + side * 512 + row * 256 + pattern
                found += 1
            counted = evaluate.count_features(mine, other, state)
            for number in range(FEATURE_COUNT):
                counts[index, side * FEATURE_COUNT + number] = counted[number]
        phase[index] = min(1.0, popcount(own[index] | opp[index]) / full)
        places[index, found:] = -1


def base_weights(rules):
    """The sparse matrix (places and counts, 2 * BASE) that maps base weights to weights. The weight of a place or a count is a
    sum of base weights. The first BASE columns are for the parts that the two sides have in common, the last BASE for the
    differences. The weights of the side to move are common + difference. The opponent's are common - difference; the score
    subtracts them, so the matrix has them with the opposite sign.
    """
    squares, rows, found = PARTS["CLASSES"], PARTS["CLASSES"] + PARTS["SQUARES"], []  # of (place, base weight, side)
    for side in range(2):
        for kind in range(32):
            for square in range(8 * rules.ranks):
                rank, file = rank_place(square >> 3, rules), square & 7
                if file < rules.files:
                    place, edge = side << 11 | kind << 6 | square, min(file, rules.files - 1 - file)
                    found += [(place, 8 * kind + rank, side), (place, squares + 4 * rank + edge, side)]
        for row in range(2):
            for pattern in range(256):
                base = rows + PATTERNS * row + PATTERN_PLACES[pattern]
                found.append((PAWNS + (side << 9 | row << 8 | pattern), base, side))
        for number in range(FEATURE_COUNT):
            found.append((PAWNS + ROWS + side * FEATURE_COUNT + number, BASE - FEATURE_COUNT + number, side))
    place, base, side = np.array(found).T
    values = np.r_[1 - 2 * side, np.ones(len(side))]
    return csr_array(
        (values, (np.r_[place, place], np.r_[base, BASE + base])), (PAWNS + ROWS + 2 * FEATURE_COUNT, 2 * BASE)
    )


class Fit:
    """The regression over one set of positions. Weights have the shape (2, 2, BASE). The first index selects the part that the
    two sides have in common, or their difference; the second selects the opening or the ending.
    """

    def __init__(self, rules, records, mix, pull, apart):
        """mix: the share of the game's result in the target, and the score in centipawns that stands for odds of e to 1.
        pull: how strongly the common parts are drawn to 0; apart: how strongly the differences are.
        """
        count = len(records)
        places, counts = np.empty((count, WIDTH), np.int16), np.empty((count, 2 * FEATURE_COUNT), np.int8)
        phase, full = np.empty(count), 2 * rules.pawn_rows * rules.files
        extract(records["own"], records["opp"], places, counts, phase, full, engine_kernels.record(rules))
        there = places >= 0
        ends = np.r_[0, there.sum(axis=1).cumsum()]
        pawns_and_rows = csr_array((np.ones(ends[-1]), places[there], ends), (count, PAWNS + ROWS))
        self.places = hstack([pawns_and_rows, csr_array(counts.astype(float))], "csr")
        self.phases = np.column_stack([phase, 1 - phase])
        self.target = mix[0] * records["won"] + (1 - mix[0]) * expit(records["score"] / mix[1])
        self.base = base_weights(rules)
        self.pull = np.array([pull, apart])[:, None, None]
        self.units = 1 / np.sqrt(self.curvature() + self.pull)

    def curvature(self):
        """(2, 2, BASE): roughly the second derivative of the loss with respect to each weight. The regression is well
        conditioned if the unit of a weight is the reciprocal of the square root of this derivative.
        """
        return self._by_weight((self.base**2).T @ ((self.places**2).T @ self.phases**2)) / 4

    def _by_weight(self, sums):
        """Turn sums over the positions, (2 * BASE, phases), into means, (2, 2, BASE)."""
        return sums.reshape(2, BASE, 2).transpose(0, 2, 1) / len(self.phases)

    def weights(self, flat):
        """The weights (2, 2, BASE) for a vector of the regression, whose elements are the weights divided by self.units."""
        return flat.reshape(2, 2, BASE) * self.units

    def __call__(self, flat):
        """(mean loss, its gradient) for a vector of the regression. The loss includes the pull of the weights towards 0."""
        weights = self.weights(flat)
        value, slope = self.predict(weights)
        value += (self.pull * weights**2).sum()
        return value, ((slope + 2 * self.pull * weights) * self.units).ravel()

    def odds(self, weights):
        """The logarithm of the odds that the side to move wins, for each position."""
        return (self.places @ (self.base @ weights.transpose(0, 2, 1).reshape(-1, 2)) * self.phases).sum(axis=1)

    def predict(self, weights):
        """(mean cross entropy, its gradient by the weights)."""
        odds = self.odds(weights)
        error = (expit(odds) - self.target)[:, None]
        slope = self._by_weight(self.base.T @ (self.places.T @ (error * self.phases)))
        return (np.logaddexp(0, odds) - self.target * odds).mean(), slope


def fit_weights(rules, training, aside, mix, pull, apart, iterations):
    """(2 sides, 2 phases, BASE) weights in centipawns, learned from RECORDs; mix, pull and apart: as for Fit. Prints the
    losses.
    """
    fit, check = (Fit(rules, part, mix, pull, apart) for part in (training, aside))
    check.target = aside["won"].astype(float)  # what counts in the end is who won
    print(f"{len(training)} positions to learn from, {len(aside)} set aside", file=sys.stderr)
    with tqdm(total=iterations, unit="step", file=sys.stderr) as bar:

        def step(result):
            bar.update()
            if bar.n % 10 == 0:
                bar.set_postfix_str(f"loss aside {check.predict(fit.weights(result))[0]:.5f}")

        flat = minimize(
            fit,
            np.zeros(4 * BASE),
            jac=True,
            method="L-BFGS-B",
            callback=step,
            options={"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": 30},
        ).x
    weights = fit.weights(flat)
    searched = expit(aside["score"] / mix[1])
    print(
        f"loss aside {check.predict(weights)[0]:.5f}; that of the search's own scores "
        f"{-np.log(np.where(aside['won'], searched, 1 - searched)).mean():.5f}"
    )
    common, difference = weights
    return np.rint(mix[1] * np.stack([common + difference, common - difference])).astype(int)


def source_text(weights, family, words):
    """The text of engine/pawnstorm/evaluation/data/<family>.py; weights (2 sides, 2 phases, BASE), int."""
    lines = [
        f'"""{family}: weights in centipawns, in the order that engine/pawnstorm/evaluation/weights.py describes.',
        "",
        f"Written by `python scripts/tune.py {' '.join(words)}`.",
        '"""',
    ]
    first = 0
    for name, count in PARTS.items():
        lines.append(f"{name} = (")
        for side in range(2):
            lines.append("    (")
            for phase in range(2):
                numbers = weights[side, phase, first : first + count]
                lines.append("        (")
                lines += [
                    "            " + ", ".join(map(str, numbers[at : at + 16])) + "," for at in range(0, count, 16)
                ]
                lines.append("        ),")
            lines.append("    ),")
        lines.append(")")
        first += count
    return "\n".join(lines) + "\n"
