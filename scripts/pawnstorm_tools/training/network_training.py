"""The regression that finds a neural network's weights: Adam (Kingma and Ba 2014) on batches of positions."""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

import sys
from typing import NamedTuple

import numpy as np
from numba import njit, prange

from pawnstorm.core.state import OUTPUT_BUCKETS
from pawnstorm.kernels.bits import lsb
from pawnstorm.kernels.network import output_bucket, row_of, traits_of
from pawnstorm.kernels.position import flip
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.training import network_model, solver_positions
from pawnstorm_tools.training.network_model import HALF

BATCH = 1024
FIRST_RATE, LAST_RATE = 1e-3, 1e-5  # Adam's, with cosine decay in between
MOMENTS = 0.9, 0.999
TINY = 1e-8
EFFORT = np.float32(0.1)  # the weight of the effort's squared error; the cross entropy of the odds has weight 1
LANES = 8  # parts of a batch, each with a gradient of its own, so that the sum does not depend on the processors
ONE = np.uint64(1)


class Part(NamedTuple):
    """Positions to learn from: bitboards, the target for the chance to win, and whether the side to move won; for a solver's
    network, also the work of the proof.

    proof: the index of the output that learns the effort: 1 if the position is proven won, 2 if it is proven lost, and 0 if
    no proof is known. effort: the base-2 logarithm of the number of positions expanded.
    """

    own: np.ndarray
    opp: np.ndarray
    target: np.ndarray
    won: np.ndarray
    proof: np.ndarray
    effort: np.ndarray


@njit
def inputs(own, opp, mirror, found):
    """Write the indices of a view's inputs to found[0], those of its mirror image to found[1]; returns how many there are."""
    traits = traits_of(own, opp)
    left, right, attacked, blocked, opponent = traits
    mirrored = right, left, attacked, blocked, opponent
    pawns, count = own | opp, 0
    while pawns:
        square = lsb(pawns)
        pawns &= pawns - ONE
        found[0, count] = row_of(square, traits)
        found[1, count] = (row_of(square, mirrored) ^ 7) - mirror
        count += 1
    return count


@njit(fastmath=True)
def hidden(weights, bias, found, count, layers):
    """Fill layers (2, HALF): the view's units, not yet clamped, and those of its mirror image."""
    for image in range(2):
        for unit in range(HALF):
            layers[image, unit] = bias[unit]
        for number in range(count):
            row = found[image, number]
            for unit in range(HALF):
                layers[image, unit] += weights[row, unit]


@njit(fastmath=True)
def forward(own, opp, shift, mirror, weights, bias, found, counts, layers):
    """Fill found (2, 2, 128), counts (2,) and layers (2, 2, HALF) of a position; returns its bucket."""
    counts[0] = inputs(own, opp, mirror, found[0])
    counts[1] = inputs(flip(opp, shift), flip(own, shift), mirror, found[1])
    for view in range(2):
        hidden(weights, bias, found[view], counts[view], layers[view])
    return output_bucket(own, opp)


@njit(fastmath=True)
def output_of(row, output, output_bias, layers):
    """The output whose weights are output[row]. An output for the odds is their logarithm."""
    total = output_bias[row]
    for view in range(2):
        for image in range(2):
            for unit in range(HALF):
                value = min(max(layers[view, image, unit], np.float32(0)), np.float32(1))
                total += output[row, view, unit] * value * value
    return total


@njit(fastmath=True)
def blame(row, error, output, layers, slopes, g_output, g_output_bias):
    """Add the share of one output to the gradients g_output and g_output_bias, and to `slopes`.

    slopes: the gradients of the hidden layers' values, with the shape of `layers`.
    """
    g_output_bias[row] += error
    for view in range(2):
        for image in range(2):
            for unit in range(HALF):
                value = min(max(layers[view, image, unit], np.float32(0)), np.float32(1))
                inside = (
                    np.float32(1) if layers[view, image, unit] > 0 and layers[view, image, unit] < 1 else np.float32(0)
                )
                g_output[row, view, unit] += error * value * value
                slopes[view, image, unit] += error * output[row, view, unit] * np.float32(2) * value * inside


@njit(fastmath=True)
def backward(found, counts, slopes, g_weights, g_bias):
    """Add a position's share to the gradients of the weights and biases that make the hidden layers."""
    for view in range(2):
        for image in range(2):
            for unit in range(HALF):
                g_bias[unit] += slopes[view, image, unit]
            for number in range(counts[view]):
                row = found[view, image, number]
                for unit in range(HALF):
                    g_weights[row, unit] += slopes[view, image, unit]


@njit(parallel=True, fastmath=True, nogil=True)
def gradient(
    own,
    opp,
    target,
    proof,
    effort,
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
    """Fill the gradients of a batch. Each has a row for each lane, with the sum over the lane's part of the batch.

    batch: the indices of the batch's positions.
    """
    for lane in prange(LANES):
        g_weights[lane] = 0
        g_bias[lane] = 0
        g_output[lane] = 0
        g_output_bias[lane] = 0
        found, counts = np.empty((2, 2, 128), np.int64), np.empty(2, np.int64)
        layers, slopes = np.empty((2, 2, HALF), np.float32), np.empty((2, 2, HALF), np.float32)
        for place in range(lane * len(batch) // LANES, (lane + 1) * len(batch) // LANES):
            number = batch[place]
            bucket = forward(own[number], opp[number], shift, mirror, weights, bias, found, counts, layers)
            slopes[:] = 0
            odds = output_of(bucket, output, output_bias, layers)
            error = np.float32(1) / (np.float32(1) + np.exp(-odds)) - target[number]
            blame(bucket, error, output, layers, slopes, g_output[lane], g_output_bias[lane])
            row = proof[number] * OUTPUT_BUCKETS + bucket
            if bucket < row < len(output):  # only a solver's network has outputs for the effort
                error = EFFORT * (output_of(row, output, output_bias, layers) - effort[number])
                blame(row, error, output, layers, slopes, g_output[lane], g_output_bias[lane])
            backward(found, counts, slopes, g_weights[lane], g_bias[lane])


@njit(parallel=True, fastmath=True, nogil=True)
def outputs_of(own, opp, shift, mirror, weights, bias, output, output_bias, result):
    """Fill result (positions, outputs) with all outputs."""
    for lane in prange(LANES):
        found, counts = np.empty((2, 2, 128), np.int64), np.empty(2, np.int64)
        layers = np.empty((2, 2, HALF), np.float32)
        for number in range(lane * len(own) // LANES, (lane + 1) * len(own) // LANES):
            bucket = forward(own[number], opp[number], shift, mirror, weights, bias, found, counts, layers)
            for which in range(result.shape[1]):
                result[number, which] = output_of(which * OUTPUT_BUCKETS + bucket, output, output_bias, layers)


def part(records, share, scale):
    """The Part of RECORDs. share: the share of the game's result in the target; the rest is the search's score.

    scale: the score in centipawns at which the odds of winning are e (2.718) to 1.
    """
    won = records["won"].astype(np.float32)
    chance = 1 / (1 + np.exp(-records["score"].astype(np.float32) / np.float32(scale)))
    own, opp = (np.ascontiguousarray(records[name]) for name in ("own", "opp"))
    target = (share * won + (1 - share) * chance).astype(np.float32)
    return Part(own, opp, target, won, np.zeros(len(own), np.int8), np.zeros(len(own), np.float32))


def solved_part(records, softness):
    """The Part of the RECORDs of solver_positions.py. For `won`, it takes the result that df-pn's numbers make more likely."""
    target = solver_positions.targets(records["phi"], records["delta"], softness)
    own, opp = (np.ascontiguousarray(records[name]) for name in ("own", "opp"))
    proof = np.where(records["phi"] == 0, 1, np.where(records["delta"] == 0, 2, 0)).astype(np.int8)
    effort = np.log2(records["work"]).astype(np.float32)
    return Part(own, opp, target, (target > 0.5).astype(np.float32), proof, effort)


def losses(parameters, aside, rules):
    """The losses on the Part that is kept aside: the cross entropy with the targets, and with the results. For a solver's
    network, also the root mean square errors of the effort: for positions proven won, and for those proven lost.
    """
    outputs = len(parameters.output) // OUTPUT_BUCKETS
    result = np.empty((len(aside.own), outputs), np.float32)
    outputs_of(aside.own, aside.opp, int(rules.flip_shift), int(rules.mirror_shift), *parameters, result)
    missed = [(result[:, number] - aside.effort)[aside.proof == number] for number in range(1, outputs)]
    return (
        network_model.cross_entropy(result[:, 0], aside.target),
        network_model.cross_entropy(result[:, 0], aside.won),
        *(float(np.sqrt(np.square(by).mean())) if len(by) else 0.0 for by in missed),
    )


def losses_text(found):
    """The result of losses() as text."""
    text = f"cross entropy {found[0]:.4f} with the targets, {found[1]:.4f} with the results"
    return text + (
        f"; error of the predicted work {found[2]:.3f} doublings for wins, {found[3]:.3f} for losses"
        if found[2:]
        else ""
    )


def first_parameters(training, seed, outputs):
    """Random Parameters, whose outputs for the effort begin at the mean of the known efforts."""
    parameters = network_model.random_parameters(seed, outputs)
    for number in range(1, outputs):
        known = training.effort[training.proof == number]
        parameters.output_bias[number * OUTPUT_BUCKETS : (number + 1) * OUTPUT_BUCKETS] = (
            known.mean() if len(known) else 0
        )
    return parameters


def train(training, aside, rules, passes, seed, outputs=1, begin=None, first_rate=FIRST_RATE):
    """(the Parameters learned in `passes` passes, their losses()). Prints the losses after each pass. The seed determines
    the order of the positions and, without `begin`, the random Parameters at the beginning.

    begin: Parameters to begin with instead of random ones; they are changed. first_rate: Adam's learning rate in the first batch.
    """
    parameters = first_parameters(training, seed, outputs) if begin is None else begin
    means, squares = network_model.zeros(outputs), network_model.zeros(outputs)
    lanes = [np.empty((LANES, *array.shape), np.float32) for array in parameters]
    chance = np.random.default_rng(seed)
    batches = len(training.own) // BATCH or 1
    total, step = passes * batches, 0
    shifts = int(rules.flip_shift), int(rules.mirror_shift)
    for number in range(1, passes + 1):
        order = chance.permutation(len(training.own))
        for first in tqdm(range(batches), unit="batch", desc=f"pass {number}", file=sys.stderr, leave=False):
            batch = order[first * BATCH : (first + 1) * BATCH]
            gradient(
                training.own, training.opp, training.target, training.proof, training.effort, batch, *shifts, *parameters, *lanes
            )  # fmt: skip
            step += 1
            rate = LAST_RATE + (first_rate - LAST_RATE) * 0.5 * (1 + np.cos(np.pi * step / total))
            for array, mean, square, lane in zip(parameters, means, squares, lanes):
                slope = lane.sum(axis=0) / np.float32(len(batch))
                mean += np.float32(1 - MOMENTS[0]) * (slope - mean)
                square += np.float32(1 - MOMENTS[1]) * (slope * slope - square)
                steady = mean / np.float32(1 - MOMENTS[0] ** step)
                spread = np.sqrt(square / np.float32(1 - MOMENTS[1] ** step))
                array -= np.float32(rate) * steady / (spread + np.float32(TINY))
            network_model.bound(parameters)
        found = losses(parameters, aside, rules)
        print(f"pass {number}: {losses_text(found)}", flush=True)
    return parameters, found
