"""The static score by an n-tuple network: the sum of six scores. Each is a score of the pawns on three neighbouring files.

Such networks come from pattern recognition (Bledsoe and Browning 1959) and are known from Othello (Lucas 2008). In a
pawn game, files are the natural tuples. A pawn meets others on its own file and on the two beside it, and only a whole
file shows how many moves the pawn still has.

A network is a table of int16 at the address state.ntuple. At these indices it has:

    own bits | opponent's bits << 6, 0 to 4095      the class, 0 to 63, of a file with these pawns on its six inner squares
    4096 + (triple << 18 | a << 12 | b << 6 | c)    centipawns of three neighbouring files of classes a, b, c

Triple t, from 0 to 2, is the files t, t + 1 and t + 2. It is scored twice: at the files counted from the left edge of the
board, and at those counted from the right edge.
engine/pawnstorm/evaluation/networks.py loads a network, scripts/learn.py makes it.
"""

import numpy as np

from pawnstorm.kernels.bits import load_i16
from pawnstorm.kernels.kernel import EIGHT, ONE, STATE, i32, kernel, u64
from pawnstorm.kernels.position import SIX

# Masks and distances of the three rounds in which an 8x8 matrix of bits is transposed (Warren, Hacker's Delight, 7-3).
ODD, PAIRS, FOURS = (np.uint64(mask) for mask in (0x00AA00AA00AA00AA, 0x0000CCCC0000CCCC, 0x00000000F0F0F0F0))
BY1, BY2, BY4 = (np.uint64(distance) for distance in (7, 14, 28))
INNER = np.uint64(0x3F)
TWELVE = np.uint64(12)
TRIPLES = tuple(np.uint64(4096 + (number << 18)) for number in range(3))  # where each begins
FILES = tuple(EIGHT * np.uint64(file) + ONE for file in range(8))  # the inner squares' first bit in a transposed board


@kernel(u64(u64))
def transpose(board):
    """Files as bytes: bit r of byte f is the pawn on file f, rank r."""
    swap = (board ^ board >> BY1) & ODD
    board ^= swap ^ swap << BY1
    swap = (board ^ board >> BY2) & PAIRS
    board ^= swap ^ swap << BY2
    swap = (board ^ board >> BY4) & FOURS
    return board ^ swap ^ swap << BY4


@kernel(u64(u64, u64, u64, STATE))
def file_class(own, opp, first, state):
    """Class of the file whose inner squares begin at bit `first` of the transposed boards."""
    return u64(load_i16(state.ntuple, (own >> first & INNER) | (opp >> first & INNER) << SIX))


@kernel(i32(u64, u64, u64, u64, STATE))
def weight(triple, a, b, c, state):
    """Centipawns of three neighbouring files of classes a, b and c. triple: index of the first weight of this triple."""
    return i32(load_i16(state.ntuple, triple + (a << TWELVE | b << SIX | c)))


@kernel(i32(u64, u64, STATE))
def evaluate_ntuple(own, opp, state):
    """Centipawns for the side to move, by the network at state.ntuple."""
    own, opp = transpose(own), transpose(opp)
    a, b = file_class(own, opp, FILES[0], state), file_class(own, opp, FILES[1], state)
    c, d = file_class(own, opp, FILES[2], state), file_class(own, opp, FILES[3], state)
    e, f = file_class(own, opp, FILES[4], state), file_class(own, opp, FILES[5], state)
    g, h = file_class(own, opp, FILES[6], state), file_class(own, opp, FILES[7], state)
    return i32(
        weight(TRIPLES[0], a, b, c, state)
        + weight(TRIPLES[0], h, g, f, state)
        + weight(TRIPLES[1], b, c, d, state)
        + weight(TRIPLES[1], g, f, e, state)
        + weight(TRIPLES[2], c, d, e, state)
        + weight(TRIPLES[2], f, e, d, state)
    )
