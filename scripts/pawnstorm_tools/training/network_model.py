"""The neural network that evaluates a game (engine/pawnstorm/kernels/network.py), in the form in which it is trained.

It is in floating point, and half of its hidden units are the mirror images of the other half, so that mirrored positions
score the same.

There are two views of the board: that of the side to move, and that of its opponent. A view's hidden layer is hidden_bias + the
sum of the weights of its inputs, clamped to [0, 1]: HALF units, and HALF units more for the mirrored board. The units of both
views are squared, multiplied by output weights, and summed. The number of pawns puts a position into one of OUTPUT_BUCKETS
buckets. Each bucket has its own output bias, and its own output weights for each view. The sum plus the bias is the logarithm
of the odds that the side to move wins.

A solver's network has two more outputs over the same hidden layers: the base-2 logarithms of the numbers of positions that the
solver expands to prove that the side to move wins, and to prove that it loses.
"""

import zlib
from typing import NamedTuple

import numpy as np

from pawnstorm.core.state import (
    BIAS_ROW,
    HIDDEN_WIDTH,
    INPUTS,
    MAX_ACTIVATION,
    OUTPUT_BUCKETS,
    OUTPUT_ROW,
    OUTPUT_SCALE,
    PAWN_KINDS,
)
from pawnstorm.evaluation import networks
from pawnstorm.evaluation.networks import HALF
from pawnstorm_tools.common import atomicfile

MOST_HIDDEN = 4.0  # the largest weight before the hidden layer: the sum for a crowded board must fit an int16
MOST_OUTPUT = networks.MAX_OUTPUT_WEIGHT / OUTPUT_SCALE


class Parameters(NamedTuple):
    """The learned numbers, as float32."""

    weights: np.ndarray  # (INPUTS, HALF)
    hidden_bias: np.ndarray  # (HALF,)
    output: np.ndarray  # (outputs * OUTPUT_BUCKETS, 2, HALF)
    output_bias: np.ndarray  # (outputs * OUTPUT_BUCKETS,)


def zeros(outputs):
    """Parameters that are 0."""
    shapes = (INPUTS, HALF), (HALF,), (outputs * OUTPUT_BUCKETS, 2, HALF), (outputs * OUTPUT_BUCKETS,)
    return Parameters(*(np.zeros(shape, np.float32) for shape in shapes))


def random_parameters(seed, outputs=1):
    """Random Parameters to begin with. The two views have opposite output weights for the odds, and equal ones for the
    work of a proof.
    """
    chance, begun = np.random.default_rng(seed), zeros(outputs)
    # All kinds of a pawn begin alike: rare ones learn from the others.
    begun.weights.reshape(2, PAWN_KINDS, 64, HALF)[:] = chance.normal(0, 0.1, (2, 1, 64, HALF))
    begun.hidden_bias[:] = chance.uniform(0.2, 0.6, HALF)
    begun.output[:, 0] = chance.normal(0, 0.1, HALF)
    begun.output[:, 1] = begun.output[:, 0]
    begun.output[:OUTPUT_BUCKETS, 1] *= -1
    return begun


def copy_evaluation(evaluation, solver):
    """Copy the hidden layer, and the output for the odds, from an evaluation network's Parameters to a solver's network's."""
    solver.weights[:], solver.hidden_bias[:] = evaluation.weights, evaluation.hidden_bias
    solver.output[:OUTPUT_BUCKETS], solver.output_bias[:OUTPUT_BUCKETS] = evaluation.output, evaluation.output_bias


def cross_entropy(odds, target):
    """The mean cross entropy between targets, 0 to 1, and predictions, which are given as logarithms of the odds."""
    odds = odds.astype(np.float64)
    return float((np.logaddexp(0, odds) - target * odds).mean())


def bound(parameters):
    """Clip the Parameters, in place, to the range of the engine's integers."""
    np.clip(parameters.weights, -MOST_HIDDEN, MOST_HIDDEN, out=parameters.weights)
    np.clip(parameters.output, -MOST_OUTPUT, MOST_OUTPUT, out=parameters.output)


def quantise(parameters, scale):
    """The numbers of Parameters as int16, in the order of a file (engine/pawnstorm/evaluation/networks.py). All rows are
    whole; pack() replaces some of them by differences, as a file has them.

    scale: the engine's score for an output of 1: one number for each output, or one for all. For an evaluation network, it
    is in centipawns.
    """
    outputs = len(parameters.output) // OUTPUT_BUCKETS
    scales = np.broadcast_to(scale, outputs)
    output = np.clip(parameters.output * OUTPUT_SCALE, -networks.MAX_OUTPUT_WEIGHT, networks.MAX_OUTPUT_WEIGHT)
    numbers = (
        parameters.weights.reshape(-1) * MAX_ACTIVATION,
        parameters.hidden_bias * MAX_ACTIVATION,
        output.reshape(-1),
        parameters.output_bias * np.repeat(scales, OUTPUT_BUCKETS),
        scales,
    )
    return np.rint(np.concatenate(numbers)).clip(-32768, 32767).astype("<i2")


def pack(numbers):
    """The numbers from quantise() as bytes, in the form that a file has before compression."""
    inputs, others = np.split(numbers, [INPUTS * HALF])
    rows = inputs.reshape(2, PAWN_KINDS, -1)
    differences = rows.copy()
    for kind in range(1, PAWN_KINDS):
        differences[:, kind] -= rows[:, kind ^ 1 << kind.bit_length() - 1]
    stored = np.concatenate([differences.reshape(-1), others])
    return stored.view(np.uint8).reshape(-1, 2).T.tobytes()


def split(numbers, outputs=1):
    """The parts of a network's numbers (bytes), as float32: rows (n, HIDDEN_WIDTH), output biases (outputs * OUTPUT_BUCKETS,),
    and the scales (outputs,).
    """
    numbers = np.frombuffer(numbers, "<i2").astype(np.float32)
    rows, added, scales = np.split(numbers, [-outputs * (OUTPUT_BUCKETS + 1), -outputs])
    return rows.reshape(-1, HIDDEN_WIDTH), added, scales


def read(path, rules, form=networks.NETWORK_FORMAT, outputs=1):
    """The Parameters of the network in a file, up to the rounding of its numbers. Raises BadFile, OSError.

    form, outputs: networks.NETWORK_FORMAT and 1 for an evaluation network,
    networks.SOLVER_FORMAT and SOLVER_OUTPUTS for a solver's network.
    """
    rows, added, scales = split(networks.load_network(path, rules.full_name, form, outputs)[1], outputs)
    rows = rows[:, :HALF]
    weights, bias = rows[:INPUTS] / MAX_ACTIVATION, rows[BIAS_ROW] / MAX_ACTIVATION
    output = rows[OUTPUT_ROW:].reshape(-1, 2, HALF) / OUTPUT_SCALE
    return Parameters(weights, bias, output, added / np.repeat(scales, OUTPUT_BUCKETS))


def write(path, rules, parameters, scale, form=networks.NETWORK_FORMAT):
    """Write the network of a game for the engine; form: networks.NETWORK_FORMAT or networks.SOLVER_FORMAT."""
    numbers = pack(quantise(parameters, scale))
    with atomicfile.replacing(path) as file:
        file.write(
            form.header(rules.full_name, HIDDEN_WIDTH, OUTPUT_BUCKETS, zlib.crc32(numbers)) + zlib.compress(numbers, 9)
        )
