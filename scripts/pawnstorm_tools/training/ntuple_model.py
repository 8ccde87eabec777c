"""The n-tuple evaluation of 8x8 Two Flags: what it reads of a position, the regression that learns its weights, and the
file that holds the weights.

A position's score is the sum of six numbers. Each is looked up by the classes of three neighbouring files: files t,
t + 1 and t + 2, with t from 0 to 2, and their mirror images, files 7 - t, 6 - t and 5 - t. Mirror images use the same
weights, so a mirrored position scores the same.

During training there are also numbers for two neighbouring files, t and t + 1 with t from 0 to 3, and their mirror images.
A pair occurs more often than a triple, so its numbers are learned sooner, and help to score triples that are rare. In the end,
fold() adds the numbers of the pairs to those of the triples.

engine/pawnstorm/evaluation/networks.py describes the file, engine/pawnstorm/kernels/ntuple.py how the engine reads it.
"""

import zlib
from itertools import product

import numpy as np
from numba import njit

from pawnstorm.evaluation.networks import NTUPLE_FORMAT
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.training.solver_positions import GAME

CLASSES, KNOWN = 64, 58  # the number of classes in a table of weights, and of those that file_class() gives
PAIRS, TRIPLES = 4 * CLASSES**2, 3 * CLASSES**3
READ = 14  # weights that a position reads: two sides, on each four pairs and three triples


def file_class(own, opp):
    """The class of a file, from 0 to KNOWN - 1. It depends on the ranks of the pawns on the file.

    own, opp: the ranks of the pawns of the side to move, and of its opponent, rising; 0 to 5 stand for ranks 2 to 7.

        0        no pawn
        1-6      one own pawn, by its rank
        7-12     one of the opponent, by its rank
        13-42    one of each, by their ranks
        43-47    several own pawns alone, by the rank of the foremost
        48-52    several of the opponent alone, by the rank of the foremost
        53, 55   several own pawns and one of the opponent: 55 if it is in front of all own pawns, otherwise 53
        54, 56   one own pawn and several of the opponent: 56 if all of these are in front of the own pawn, otherwise 54
        57       several of each
    """
    match min(len(own), 2), min(len(opp), 2):
        case 0, 0:
            return 0
        case 1, 0:
            return 1 + own[0]
        case 0, 1:
            return 7 + opp[0]
        case 1, 1:
            return 13 + 5 * own[0] + opp[0] - (opp[0] > own[0])
        case 2, 0:
            return 43 + min(4, own[-1] - 1)
        case 0, 2:
            return 48 + min(4, 4 - opp[0])
        case 2, 1:
            return 55 if own[-1] < opp[0] else 53
        case 1, 2:
            return 56 if own[0] < opp[0] else 54
    return 57


def classes():
    """(4096,) int16: the class of each possible arrangement of pawns on a file. The index is own | opp << 6, with a bit for
    each pawn on ranks 2 to 7. The class is 0 if both sides are on one square, which cannot happen.
    """
    ranks = [[rank for rank in range(6) if pawns >> rank & 1] for pawns in range(64)]
    return np.array(
        [0 if own & opp else file_class(ranks[own], ranks[opp]) for opp, own in product(range(64), repeat=2)], np.int16
    )


@njit
def contents(own, opp, known):
    """(positions, 8) uint8: the classes of each position's files; known: the result of classes()."""
    rows = np.empty((len(own), 8), np.uint8)
    for index in range(len(own)):
        for file in range(8):
            content = 0
            for rank in range(6):
                shift = np.uint64(8 * (rank + 1) + file)
                content |= np.int64(own[index] >> shift & np.uint64(1)) << rank | np.int64(
                    opp[index] >> shift & np.uint64(1)
                ) << (6 + rank)
            rows[index, file] = known[content]
    return rows


def rows(own, opp):
    """(positions, 8) uint8: the class of each file of each position. own, opp: bitboards as the side to move sees them."""
    return contents(np.ascontiguousarray(own), np.ascontiguousarray(opp), classes())


@njit
def places(row, found):
    """Write to `found` the indices, in the array of weights, of the weights that a row of classes reads.

    The array first has the weights of all pairs, [t][a][b], and then those of all triples, [t][a][b][c]. a, b, c: the classes
    of the files t, t + 1, t + 2.
    """
    number = 0
    for side in range(2):
        for t in range(4):
            first, step = (7 - t, -1) if side else (t, 1)
            pair = (t * CLASSES + np.int64(row[first])) * CLASSES + np.int64(row[first + step])
            found[number] = pair
            number += 1
            if t < 3:
                found[number] = PAIRS + pair * CLASSES + np.int64(row[first + 2 * step])
                number += 1


@njit
def learn(rows, target, order, rate, weights, squares):
    """Learn once from each position whose index is in `order`, in this order. Returns the sum of the positions'
    cross entropies, each measured just before its position changes the weights.

    Adagrad (Duchi and others 2011): squares holds the sums of the squared gradients so far. weights and squares are changed.
    """
    total, found = 0.0, np.empty(READ, np.int64)
    for index in order:
        places(rows[index], found)
        x = 0.0
        for place in found:
            x += weights[place]
        error = 1 / (1 + np.exp(-x)) - target[index]
        # In this form the logarithm stays finite even if the chance is rounded to 0 or 1.
        total += np.log1p(np.exp(-abs(x))) + max(x, 0.0) - target[index] * x
        for place in found:
            squares[place] += error * error
            weights[place] -= rate * error / np.sqrt(squares[place] + 1)
    return total


@njit
def scores(rows, weights):
    """For each row of classes, the logarithm of the odds that the side to move wins, according to the weights."""
    result, found = np.empty(len(rows), np.float32), np.empty(READ, np.int64)
    for index in range(len(rows)):
        places(rows[index], found)
        x = 0.0
        for place in found:
            x += weights[place]
        result[index] = x
    return result


def empty():
    """(weights, squares) with which learn() begins."""
    return np.zeros(PAIRS + TRIPLES, np.float32), np.zeros(PAIRS + TRIPLES, np.float32)


def fold(weights):
    """(3, 64, 64, 64) float64: numbers of triples that give the same sums without pairs.

    A pair's number is added to the triples that begin with this pair. The middle pair begins no triple: its number is added to
    the triples that end with it. A triple that was never met has only the numbers of its pairs. A triple with a class that no
    file has is 0.
    """
    pairs = weights[:PAIRS].reshape(4, CLASSES, CLASSES).astype(np.float64)
    triples = weights[PAIRS:].reshape(3, CLASSES, CLASSES, CLASSES) + pairs[:3, :, :, None]
    triples[2] += pairs[3]
    triples[:, KNOWN:] = triples[:, :, KNOWN:] = triples[:, :, :, KNOWN:] = 0
    return triples


def write(path, weights, centipawns):
    """Write the file of weights in one step; a weight of 1 is worth `centipawns`. Raises OSError."""
    whole = np.clip(np.rint(centipawns * fold(weights)), -32767, 32767).astype("<i2")
    body = classes().astype("<i2").tobytes() + whole.tobytes()
    with atomicfile.replacing(path) as file:
        file.write(NTUPLE_FORMAT.header(GAME, zlib.crc32(body)) + zlib.compress(body, 9))
