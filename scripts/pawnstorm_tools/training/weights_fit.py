"""The regression on positions of games (training/game_positions.py) that finds the evaluation's weights, and the file
of them.
"""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

import sys

import numpy as np
from numba import njit, prange
from scipy.optimize import minimize

from pawnstorm.core.state import COUNTS, State
from pawnstorm.evaluation.weights import PATTERN_PLACES, PATTERNS, fill, rank_place
from pawnstorm.kernels import evaluate
from pawnstorm.kernels.bits import lowest, popcount
from pawnstorm.kernels.kernel import DTYPE
from pawnstorm.kernels.position import flip
from pawnstorm_tools.common.bar import tqdm

WIDTH = 52  # places of a position: 48 pawns at most, four home rows
PAWNS, ROWS = 2 * 2048, 2 * 512  # as state.pawns and state.rows
PARTS = {"CLASSES": 256, "SQUARES": 32, "ROWS": 2 * PATTERNS, "COUNTS": COUNTS}
BASE = sum(PARTS.values())
CHUNKS = 16


@njit
def extract(own, opp, places, counts, phase, full, state):
    """Fill, for each position, the table places that it has (-1 behind the last), its counts and how full its board is,
    0 to 1.
    """
    one = np.uint64(1)
    for index in range(len(own)):
        found = 0
        for side in range(2):
            mine, other = own[index], opp[index]
            if side:
                mine, other = flip(opp[index], state.flip_shift), flip(own[index], state.flip_shift)
            held, hit, weak = evaluate.attacks(mine), evaluate.attacks_down(other), evaluate.weakness(mine, other)
            left = mine
            while left:
                square = lowest(left)
                left &= left - one
                places[index, found] = side * 2048 + np.int64(evaluate.place(square, held, hit, weak, other, state))
                found += 1
            home = mine >> np.uint64(state.first_row)
            for row in range(2):
                pattern = np.int64(home >> np.uint64(8 * row) & np.uint64(255))
                places[index, found] = 4096 + side * 512 + row * 256 + pattern
                found += 1
            counted = evaluate.counts(mine, other, state)
            for number in range(COUNTS):
                counts[index, side * COUNTS + number] = counted[number]
        phase[index] = min(1.0, popcount(own[index] | opp[index]) / full)
        places[index, found:] = -1


@njit(parallel=True, fastmath=True)
def loss(places, counts, phase, target, table, counted, gradient, counted_gradient):
    """Summed cross entropy of the positions under a table of (place, phase) and weights of the counts; adds to the
    gradients, which are one a chunk.
    """
    total = np.zeros(CHUNKS)
    size = (len(phase) + CHUNKS - 1) // CHUNKS
    for chunk in prange(CHUNKS):
        for index in range(chunk * size, min(len(phase), (chunk + 1) * size)):
            opening, ending = 0.0, 0.0
            for column in range(WIDTH):
                at = places[index, column]
                if at < 0:
                    break
                sign = 1.0 if at < 2048 or 4096 <= at < 4608 else -1.0
                opening += sign * table[at, 0]
                ending += sign * table[at, 1]
            for number in range(2 * COUNTS):
                sign = 1.0 if number < COUNTS else -1.0
                opening += sign * counts[index, number] * counted[number, 0]
                ending += sign * counts[index, number] * counted[number, 1]
            p = phase[index]
            x = opening * p + ending * (1 - p)
            chance = 1 / (1 + np.exp(-x))
            # log(1 + exp(-|x|)) stays finite where the chance does not.
            total[chunk] += np.log1p(np.exp(-abs(x))) + max(x, 0.0) - target[index] * x
            error = chance - target[index]
            for column in range(WIDTH):
                at = places[index, column]
                if at < 0:
                    break
                sign = 1.0 if at < 2048 or 4096 <= at < 4608 else -1.0
                gradient[chunk, at, 0] += sign * error * p
                gradient[chunk, at, 1] += sign * error * (1 - p)
            for number in range(2 * COUNTS):
                sign = 1.0 if number < COUNTS else -1.0
                counted_gradient[chunk, number, 0] += sign * counts[index, number] * error * p
                counted_gradient[chunk, number, 1] += sign * counts[index, number] * error * (1 - p)
    return total.sum()


def base_of_places(rules):
    """(PAWNS + ROWS, 2) int: the base weights, within one side, whose sum a place's weight is; BASE for none."""
    base = np.full((PAWNS + ROWS, 2), BASE)
    squares, rows = PARTS["CLASSES"], PARTS["CLASSES"] + PARTS["SQUARES"]
    for side in range(2):
        for kind in range(32):
            for square in range(8 * rules.ranks):
                rank, file = rank_place(square >> 3, rules), square & 7
                if file < rules.files:
                    edge = min(file, rules.files - 1 - file)
                    base[side << 11 | kind << 6 | square] = 8 * kind + rank, squares + 4 * rank + edge
        for row in range(2):
            for pattern in range(256):
                base[PAWNS + (side << 9 | row << 8 | pattern), 0] = rows + PATTERNS * row + PATTERN_PLACES[pattern]
    return base


class Fit:
    """The regression over one set of positions. Weights: (2, 2, BASE): common and difference of the sides, opening and
    ending.
    """

    def __init__(self, rules, records, mix, pull, apart):
        """mix: share of the game's result in the target; pull, apart: how strongly weights are drawn to nought and to
        each other.
        """
        state = State()
        state.set_game(rules)
        fill(state, rules)
        state = np.frombuffer(bytearray(bytes(state)), DTYPE).view(np.recarray)[0]
        count = len(records)
        self.places, self.counts = np.empty((count, WIDTH), np.int16), np.empty((count, 2 * COUNTS), np.int8)
        self.phase = np.empty(count, np.float32)
        extract(
            records["own"], records["opp"], self.places, self.counts, self.phase, 2 * rules.rows * rules.files, state
        )
        searched = 1 / (1 + np.exp(-records["score"] / mix[1]))
        self.target = (mix[0] * records["won"] + (1 - mix[0]) * searched).astype(np.float32)
        self.base = base_of_places(rules)
        self.pull = np.array([pull, apart])[:, None, None]
        self.units = 1 / np.sqrt(self.curvature() + self.pull)

    def curvature(self):
        """(2, 2, BASE) about the second derivative of the loss by each weight: in units of its root the regression is
        well conditioned.
        """
        squares = np.zeros((2, PAWNS + ROWS + 1))
        shares = self.phase.astype(float), 1 - self.phase.astype(float)
        for phase, share in enumerate(shares):
            for column in range(WIDTH):
                squares[phase] += np.bincount(self.places[:, column] + 1, share**2, PAWNS + ROWS + 1)
        result = np.zeros((2, BASE + 1))
        for phase, share in enumerate(shares):
            for column in range(2):
                result[phase] += np.bincount(self.base[:, column], squares[phase, 1:], BASE + 1)
            result[phase, BASE - COUNTS : BASE] += (share**2) @ (self.counts.astype(float) ** 2).reshape(
                -1, 2, COUNTS
            ).sum(axis=1)
        return np.stack([result[:, :BASE]] * 2) / (4 * len(self.phase))

    def tables(self, weights):
        """(table of places, weights of the counts), each for (place or count, phase)."""
        common, difference = weights
        sides = np.concatenate(
            [np.stack([common + difference, common - difference]), np.zeros((2, 2, 1))], axis=2
        )  # side, phase, base
        table = np.empty((PAWNS + ROWS, 2), np.float32)
        for side, places in enumerate(SIDES):
            table[places] = sides[side][:, self.base[places]].sum(axis=2).T
        return table, np.concatenate([sides[0, :, BASE - COUNTS : BASE].T, sides[1, :, BASE - COUNTS : BASE].T]).astype(
            np.float32
        )

    def weights(self, flat):
        """The weights of a vector of the regression, in which they are measured in self.units."""
        return flat.reshape(2, 2, BASE) * self.units

    def __call__(self, flat):
        """(mean loss with the pulls, its gradient) by such a vector."""
        weights = self.weights(flat)
        value, slope = self.predict(weights)
        value += (self.pull * weights**2).sum()
        return value, ((slope + 2 * self.pull * weights) * self.units).ravel()

    def predict(self, weights):
        """(mean cross entropy, its gradient by the weights)."""
        table, counted = self.tables(weights)
        gradient, counted_gradient = np.zeros((CHUNKS, *table.shape)), np.zeros((CHUNKS, *counted.shape))
        total = loss(self.places, self.counts, self.phase, self.target, table, counted, gradient, counted_gradient)
        gradient, counted_gradient = gradient.sum(axis=0), counted_gradient.sum(axis=0)
        sides = np.zeros((2, 2, BASE + 1))
        for side, places in enumerate(SIDES):
            for phase in range(2):
                for column in range(2):
                    sides[side, phase] += np.bincount(self.base[places, column], gradient[places, phase], BASE + 1)
            sides[side, :, BASE - COUNTS : BASE] += counted_gradient[side * COUNTS : (side + 1) * COUNTS].T
        sides = sides[:, :, :BASE] / len(self.phase)
        return total / len(self.phase), np.stack([sides[0] + sides[1], sides[0] - sides[1]])


SIDES = [np.r_[side * 2048 : (side + 1) * 2048, PAWNS + side * 512 : PAWNS + (side + 1) * 512] for side in range(2)]


def fitted(rules, training, aside, mix, pull, apart, iterations):
    """(2 sides, 2 phases, BASE) weights in centipawns, learned from RECORDs; mix, pull and apart as Fit has them.
    Prints the losses.
    """
    fit, check = (Fit(rules, part, mix, pull, apart) for part in (training, aside))
    check.target = aside["won"].astype(np.float32)  # what counts in the end is who won
    print(f"{len(training)} positions, {len(aside)} aside", file=sys.stderr)
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
    searched = 1 / (1 + np.exp(-aside["score"] / mix[1]))
    print(
        f"loss aside {check.predict(weights)[0]:.5f}; that of the search's own scores "
        f"{-np.log(np.where(aside['won'], searched, 1 - searched)).mean():.5f}"
    )
    common, difference = weights
    return np.rint(mix[1] * np.stack([common + difference, common - difference])).astype(int)


def written(weights, family, words):
    """The text of engine/pawnstorm/evaluation/data/<family>.py; weights (2 sides, 2 phases, BASE), int."""
    lines = [
        f'"""{family}: weights in centipawns, in the order that engine/pawnstorm/evaluation/weights.py tells.',
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
