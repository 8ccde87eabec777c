"""The regression that finds a neural network's weights: Adam (Kingma and Ba 2014) on batches of positions."""

import sys
from typing import NamedTuple

import numpy as np
from numba import njit, prange
from tqdm import tqdm

from common import engine_kernels  # noqa: F401  before the engine's kernels
from pawnstorm.engine.kernels.bits import lowest, popcount
from pawnstorm.engine.kernels.position import flip
from pawnstorm.engine.state import BUCKETS
from training import network_model, regression
from training.network_model import HALF

BATCH = 16384
RATES = 2e-3, 1e-5  # Adam's, at the beginning and at the end; in between as a cosine falls
MOMENTS = 0.9, 0.999
TINY = 1e-8
LANES = 8  # parts of a batch, each with a gradient of its own, so that the sum does not depend on the processors
ONE, SEVEN = np.uint64(1), np.uint64(7)


class Part(NamedTuple):
    """Positions to learn from: bitboards, the chance to win that is aimed at, and whether the side to move won."""

    own: np.ndarray
    opp: np.ndarray
    target: np.ndarray
    won: np.ndarray


@njit(fastmath=True)
def inputs(own, opp, found):
    """Write the numbers of the inputs of a view; returns how many there are."""
    count = 0
    for side in range(2):
        left = opp if side else own
        while left:
            found[count] = np.int64(lowest(left)) + 64 * side
            left &= left - ONE
            count += 1
    return count


@njit(fastmath=True)
def bucket_of(own, opp):
    """The number of the output weights."""
    return min((np.int64(popcount(own | opp)) - 1) >> 2, BUCKETS - 1)


@njit(fastmath=True)
def hidden(mirror, weights, bias, found, count, layers):
    """Fill layers (2, HALF): the view's units, not cut off, and those of its mirror image."""
    for unit in range(HALF):
        layers[0, unit] = bias[unit]
        layers[1, unit] = bias[unit]
    for number in range(count):
        straight, mirrored = found[number], (found[number] ^ 7) - mirror
        for unit in range(HALF):
            layers[0, unit] += weights[straight, unit]
        for unit in range(HALF):
            layers[1, unit] += weights[mirrored, unit]


@njit(fastmath=True)
def forward(own, opp, shift, mirror, weights, bias, output, output_bias, found, counts, layers):
    """The logarithm of the odds of a position; found (2, 128), counts (2,) and layers (2, 2, HALF) are filled."""
    counts[0] = inputs(own, opp, found[0])
    counts[1] = inputs(flip(opp, shift), flip(own, shift), found[1])
    bucket = bucket_of(own, opp)
    odds = output_bias[bucket]
    for view in range(2):
        hidden(mirror, weights, bias, found[view], counts[view], layers[view])
        for image in range(2):
            for unit in range(HALF):
                value = min(max(layers[view, image, unit], np.float32(0)), np.float32(1))
                odds += output[bucket, view, unit] * value * value
    return odds


@njit(fastmath=True)
def backward(own, opp, error, mirror, output, found, counts, layers, g_weights, g_bias, g_output, g_output_bias):
    """Add a position's share to the gradients; error: of its chance to win."""
    bucket = bucket_of(own, opp)
    g_output_bias[bucket] += error
    for view in range(2):
        for image in range(2):
            for unit in range(HALF):
                value = min(max(layers[view, image, unit], np.float32(0)), np.float32(1))
                inside = (
                    np.float32(1) if layers[view, image, unit] > 0 and layers[view, image, unit] < 1 else np.float32(0)
                )
                g_output[bucket, view, unit] += error * value * value
                layers[view, image, unit] = error * output[bucket, view, unit] * np.float32(2) * value * inside
                g_bias[unit] += layers[view, image, unit]
        for number in range(counts[view]):
            straight, mirrored = found[view, number], (found[view, number] ^ 7) - mirror
            for unit in range(HALF):
                g_weights[straight, unit] += layers[view, 0, unit]
            for unit in range(HALF):
                g_weights[mirrored, unit] += layers[view, 1, unit]


@njit(parallel=True, fastmath=True, nogil=True)
def gradient(
    own,
    opp,
    target,
    batch,
    shift,
    mirror,
    weights,
    bias,
    output,
    output_bias,
    g_weights,
    g_bias,
    g_output,
    g_output_bias,
):
    """Fill the gradients, a row a lane, with the sums over a batch of positions, given by their numbers."""
    for lane in prange(LANES):
        g_weights[lane] = 0
        g_bias[lane] = 0
        g_output[lane] = 0
        g_output_bias[lane] = 0
        found, counts = np.empty((2, 128), np.int64), np.empty(2, np.int64)
        layers = np.empty((2, 2, HALF), np.float32)
        for place in range(lane * len(batch) // LANES, (lane + 1) * len(batch) // LANES):
            number = batch[place]
            odds = forward(
                own[number], opp[number], shift, mirror, weights, bias, output, output_bias, found, counts, layers
            )
            error = np.float32(1) / (np.float32(1) + np.exp(-odds)) - target[number]
            backward(
                own[number], opp[number], error, mirror, output, found, counts, layers,
                g_weights[lane], g_bias[lane], g_output[lane], g_output_bias[lane],
            )  # fmt: skip


@njit(parallel=True, fastmath=True, nogil=True)
def all_odds(own, opp, shift, mirror, weights, bias, output, output_bias, result):
    """Fill result with the logarithm of the odds of each position."""
    for lane in prange(LANES):
        found, counts = np.empty((2, 128), np.int64), np.empty(2, np.int64)
        layers = np.empty((2, 2, HALF), np.float32)
        for number in range(lane * len(own) // LANES, (lane + 1) * len(own) // LANES):
            result[number] = forward(
                own[number], opp[number], shift, mirror, weights, bias, output, output_bias, found, counts, layers
            )


def part(records, share, scale):
    """The Part of RECORDs. share: of the result in the target, the rest is the search's score, in odds by `scale`."""
    won = records["won"].astype(np.float32)
    chance = 1 / (1 + np.exp(-records["score"].astype(np.float32) / np.float32(scale)))
    own, opp = (np.ascontiguousarray(records[name]) for name in ("own", "opp"))
    return Part(own, opp, (share * won + (1 - share) * chance).astype(np.float32), won)


def solved_part(records, softness):
    """The Part of the RECORDs of solver_positions.py; the result is what df-pn's numbers take for more likely."""
    target = regression.targets(records["phi"], records["delta"], softness)
    own, opp = (np.ascontiguousarray(records[name]) for name in ("own", "opp"))
    return Part(own, opp, target, (target > 0.5).astype(np.float32))


def losses(parameters, aside, rules):
    """(cross entropy with the targets, with the results) of the Part aside."""
    result = np.empty(len(aside.own), np.float32)
    all_odds(aside.own, aside.opp, int(rules.flip_shift), int(rules.mirror_shift), *parameters, result)
    return regression.cross_entropy(result, aside.target), regression.cross_entropy(result, aside.won)


def train(training, aside, rules, passes, seed):
    """(the Parameters learned in so many passes, in an order that follows from the seed; their losses()). Prints the
    losses after each pass.
    """
    parameters = network_model.random_parameters(seed)
    means, squares = network_model.zeros(), network_model.zeros()
    lanes = [np.empty((LANES, *array.shape), np.float32) for array in parameters]
    chance = np.random.default_rng(seed)
    batches = len(training.own) // BATCH or 1
    total, step = passes * batches, 0
    shifts = int(rules.flip_shift), int(rules.mirror_shift)
    for number in range(1, passes + 1):
        order = chance.permutation(len(training.own))
        for first in tqdm(range(batches), unit="batch", desc=f"pass {number}", file=sys.stderr, leave=False):
            batch = order[first * BATCH : (first + 1) * BATCH]
            gradient(training.own, training.opp, training.target, batch, *shifts, *parameters, *lanes)
            step += 1
            rate = RATES[1] + (RATES[0] - RATES[1]) * 0.5 * (1 + np.cos(np.pi * step / total))
            for array, mean, square, lane in zip(parameters, means, squares, lanes):
                slope = lane.sum(axis=0) / np.float32(len(batch))
                mean += np.float32(1 - MOMENTS[0]) * (slope - mean)
                square += np.float32(1 - MOMENTS[1]) * (slope * slope - square)
                steady = mean / np.float32(1 - MOMENTS[0] ** step)
                array -= (
                    np.float32(rate)
                    * steady
                    / (np.sqrt(square / np.float32(1 - MOMENTS[1] ** step)) + np.float32(TINY))
                )
            network_model.bound(parameters)
        found = losses(parameters, aside, rules)
        print(
            f"pass {number}: cross entropy {found[0]:.4f} with the targets, {found[1]:.4f} with the results", flush=True
        )
    return parameters, found
