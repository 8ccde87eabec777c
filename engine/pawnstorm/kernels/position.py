"""Position = (own, opp, ep): three bitboards seen by the side to move, which always moves up the board.

ep holds the square that a pawn has just passed in a double step. It is set only if a pawn attacks that square, so that
equal positions are equal words. A move is from | to << 6, both seen by the mover; 0 is no move. Each move makes a new
position (copy-make), so no move is ever taken back.
"""

import numpy as np
from numba import types

from pawnstorm.kernels.bits import popcount, swap_files, swap_ranks
from pawnstorm.kernels.kernel import EIGHT, NINE, NOT_A, NOT_H, ONE, SEVEN, SIXTEEN, STATE, ZERO, kernel, u64

SQUARE = np.uint64(63)
SIX, THIRTY_TWO = np.uint64(6), np.uint64(32)
POSITION = types.UniTuple(u64, 3)
ODD_RANKS, UPPER_PAIRS, UPPER_HALF = (  # ranks, counted from 0, whose numbers have bit 1, 2 and 4
    np.uint64(mask) for mask in (0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000)
)


@kernel(u64(u64, u64))
def flip(bitboard, flip_shift):
    """The same squares seen from the other side. flip_shift is Rules.flip_shift. Flipping twice changes nothing."""
    return swap_ranks(bitboard) >> flip_shift


@kernel(u64(u64, u64))
def mirror(bitboard, mirror_shift):
    """The same squares with the first file last. mirror_shift is Rules.mirror_shift. Mirroring twice changes nothing."""
    return swap_files(bitboard) >> mirror_shift


@kernel(u64(u64))
def attacks(own):
    """Squares that own pawns attack. On a board narrower than eight files, they may lie off it, on the east side only."""
    return ((own & NOT_A) << SEVEN) | ((own & NOT_H) << NINE)


@kernel(u64(u64))
def attacks_down(opp):
    """Squares that the opponent's pawns attack. They may lie off a narrow board, on the east side only."""
    return ((opp & NOT_A) >> NINE) | ((opp & NOT_H) >> SEVEN)


@kernel(u64(u64))
def south_fill(bitboard):
    """The squares of a set, and all squares below them on their files."""
    bitboard |= bitboard >> EIGHT
    bitboard |= bitboard >> SIXTEEN
    return bitboard | (bitboard >> THIRTY_TWO)


@kernel(u64(u64))
def north_fill(bitboard):
    """The squares of a set, and all squares above them on their files."""
    bitboard |= bitboard << EIGHT
    bitboard |= bitboard << SIXTEEN
    return bitboard | (bitboard << THIRTY_TWO)


@kernel(u64(u64))
def rank_sum(bitboard):
    """Sum of the ranks of a set's squares; the first rank is 0."""
    pairs = (popcount(bitboard & UPPER_HALF) << ONE) + popcount(bitboard & UPPER_PAIRS)
    return (pairs << ONE) + popcount(bitboard & ODD_RANKS)


@kernel(u64(u64, u64))
def encode_move(source, target):
    """The move between two squares given by their numbers."""
    return source | (target << SIX)


@kernel(POSITION(u64, u64, u64, u64, STATE))
def make_move(own, opp, ep, move, state):
    """The position after a legal move, seen by the opponent."""
    source = ONE << (move & SQUARE)
    target = ONE << ((move >> SIX) & SQUARE)
    victim = ((target & ep) >> EIGHT) & state.ep_victims
    own = own ^ (source | target)
    opp = opp & ~(target | victim)
    new_own, new_opp = flip(opp, state.flip_shift), flip(own, state.flip_shift)
    new_ep = ZERO
    if target == source << SIXTEEN:
        new_ep = flip(source << EIGHT, state.flip_shift) & state.ep_squares & attacks(new_own)
    return new_own, new_opp, new_ep
