"""The scores of neural networks, slowly and from the files alone; and the files themselves."""

import re
import zlib

import numpy as np

from pawnstorm.core.state import HIDDEN_WIDTH, MAX_ACTIVATION, OUTPUT_BUCKETS, OUTPUT_SCALE
from pawnstorm.evaluation import networks


def numbers_of(path, rules, load=networks.load_network):
    """The numbers of a game's file."""
    return np.frombuffer(load(path, rules.full_name)[1], "<i2").astype(int)


def stored_numbers(data):
    """The numbers that the bytes of a file hold, in its order."""
    stored = zlib.decompress(data.partition(b"\n")[2])
    return np.frombuffer(stored, np.uint8).reshape(2, -1).T.copy().view("<i2").reshape(-1).astype(int)


def with_numbers(data, numbers):
    """The bytes of a file whose numbers are others, with the right checksum."""
    stored = np.asarray(numbers).astype("<i2").view(np.uint8).reshape(-1, 2).T.tobytes()
    line = re.sub(rb"check \d+", b"check %d" % zlib.crc32(stored), data.partition(b"\n")[0])
    return line + b"\n" + zlib.compress(stored, 1)


def number_of_input(file, rank, behind, pawns, others):
    """The number of a pawn's input among those of its colour; behind: offset to the rank from which it is protected, 1 or -1."""
    ahead = rank - behind
    kind = (
        ((file - 1, rank + behind) in pawns)
        + 2 * ((file + 1, rank + behind) in pawns)
        + 4 * ((file - 1, ahead) in others or (file + 1, ahead) in others)
        + 8 * ((file, ahead) in others)
    )
    return 64 * kind + 8 * rank + file


def slow_outputs(numbers, board, outputs):
    """The outputs of a position, out of all inputs."""
    count = 2049 + 2 * OUTPUT_BUCKETS * outputs
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
        inputs = [number_of_input(*pawn, -1, mine, others) for pawn in mine]
        inputs += [1024 + number_of_input(*pawn, 1, others, mine) for pawn in others]
        layer = rows[2048] + rows[inputs].sum(axis=0)
        for number in range(outputs):
            row = rows[2049 + 2 * (OUTPUT_BUCKETS * number + bucket) + view]
            totals[number] += int((layer.clip(0, MAX_ACTIVATION) ** 2 * row).sum())
    unit = MAX_ACTIVATION * MAX_ACTIVATION * OUTPUT_SCALE
    return tuple(total * int(scale) // unit + int(more[bucket]) for total, scale, more in zip(totals, scales, added))


def slow_score(numbers, board):
    """Centipawns, out of all inputs."""
    return slow_outputs(numbers, board, 1)[0]
