"""The scores of neural networks, slowly and from the files alone."""

import numpy as np

from pawnstorm.core.state import HIDDEN_WIDTH, MAX_ACTIVATION, OUTPUT_BUCKETS, OUTPUT_SCALE
from pawnstorm.evaluation import networks


def numbers_of(path, rules, load=networks.load_network):
    """The numbers of a game's file."""
    return np.frombuffer(load(path, rules.full_name)[1], "<i2").astype(int)


def numbers_of_inputs(pawns, behind, first=0):
    """The numbers of one colour's inputs; behind: offset to the rank from which a pawn is protected, 1 or -1."""
    return [
        first + 64 * ((file - 1, rank + behind) in pawns) + 128 * ((file + 1, rank + behind) in pawns) + 8 * rank + file
        for file, rank in pawns
    ]


def slow_outputs(numbers, board, outputs):
    """The outputs of a position, out of all inputs."""
    count = 513 + 2 * OUTPUT_BUCKETS * outputs
    rows, added, scales = np.split(numbers, [HIDDEN_WIDTH * count, HIDDEN_WIDTH * count + OUTPUT_BUCKETS * outputs])
    rows, added = rows.reshape(-1, HIDDEN_WIDTH), added.reshape(outputs, OUTPUT_BUCKETS)
    last = board.rules.ranks - 1
    # (file, rank) of the pawns of the side to move, which moves up, and of the other; then from the other's view.
    own, opp = (
        [(square % 8, square // 8) for square in range(64) if side >> square & 1] for side in (board.own, board.opp)
    )
    views = (own, opp), tuple([(file, last - rank) for file, rank in side] for side in (opp, own))
    bucket, totals = min((len(own) + len(opp) - 1) // 4, OUTPUT_BUCKETS - 1), [0] * outputs
    for view, (mine, others) in enumerate(views):
        layer = rows[512] + rows[numbers_of_inputs(mine, -1) + numbers_of_inputs(others, 1, 256)].sum(axis=0)
        for number in range(outputs):
            row = rows[513 + 2 * (OUTPUT_BUCKETS * number + bucket) + view]
            totals[number] += int((layer.clip(0, MAX_ACTIVATION) ** 2 * row).sum())
    unit = MAX_ACTIVATION * MAX_ACTIVATION * OUTPUT_SCALE
    return tuple(total * int(scale) // unit + int(more[bucket]) for total, scale, more in zip(totals, scales, added))


def slow_score(numbers, board):
    """Centipawns, out of all inputs."""
    return slow_outputs(numbers, board, 1)[0]
