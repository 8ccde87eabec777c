"""The scores of neural networks, slowly and from the files alone."""

import numpy as np

from pawnstorm.core.state import HIDDEN_WIDTH, MAX_ACTIVATION, OUTPUT_BUCKETS, OUTPUT_SCALE
from pawnstorm.evaluation import networks


def numbers_of(path, rules, load=networks.load_network):
    """The numbers of a game's file."""
    return np.frombuffer(load(path, rules.full_name)[1], "<i2").astype(int)


def slow_outputs(numbers, board, outputs):
    """The outputs of a position, out of all inputs."""
    count = 130 + 2 * OUTPUT_BUCKETS * outputs
    rows, added, scales = np.split(numbers, [HIDDEN_WIDTH * count, HIDDEN_WIDTH * count + OUTPUT_BUCKETS * outputs])
    rows, added = rows.reshape(-1, HIDDEN_WIDTH), added.reshape(outputs, OUTPUT_BUCKETS)
    squares = [[square for square in range(64) if side >> square & 1] for side in (board.own, board.opp)]
    last = board.rules.ranks - 1
    views = squares, [[8 * (last - square // 8) + square % 8 for square in side] for side in reversed(squares)]
    bucket, totals = min((len(squares[0]) + len(squares[1]) - 1) // 4, OUTPUT_BUCKETS - 1), [0] * outputs
    for view, (mine, others) in enumerate(views):
        layer = rows[129] + rows[mine].sum(axis=0) + rows[[64 + square for square in others]].sum(axis=0)
        for number in range(outputs):
            row = rows[130 + 2 * (OUTPUT_BUCKETS * number + bucket) + view]
            totals[number] += int((layer.clip(0, MAX_ACTIVATION) ** 2 * row).sum())
    unit = MAX_ACTIVATION * MAX_ACTIVATION * OUTPUT_SCALE
    return tuple(total * int(scale) // unit + int(more[bucket]) for total, scale, more in zip(totals, scales, added))


def slow_score(numbers, board):
    """Centipawns, out of all inputs."""
    return slow_outputs(numbers, board, 1)[0]
