"""A second implementation of the rules, to check proofs: compiled, on sets of squares, without any code of the engine.

A square is bit 8 * rank + file, both counted from 0: a rank has eight bits, whatever the board's width. A position is (white,
black, ep), always seen by White, and `white_to_move`. White moves up the board. ep is the set with the one square on which a pawn
of the side to move can capture en passant now, or the empty set. A game is over if the side to move has no move. A side has
no move once its opponent has a pawn on the far rank.

scripts/verify.py compares these functions with scripts/pawnstorm_tools/checking/naive.py, on a sample of the positions of every
proof that it checks.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.types import Array, UniTuple, boolean
from numba.types import int64 as i64
from numba.types import uint64 as u64

from pawnstorm_tools.common.machinecode import compiled

ZERO, ONE, TWO, FOUR, SEVEN, EIGHT = (np.uint64(n) for n in (0, 1, 2, 4, 7, 8))
NOT_A, NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
ODD, PAIRS, HALVES = (np.uint64(n) for n in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F))

KINDS = 4  # the number of kinds of moves
PUSH, DOUBLE, WEST, EAST = range(KINDS)
MAX_MOVES = KINDS * 64
"""A bound on the moves of a position: at most one move of each kind leads to a square."""


class Rules(NamedTuple):
    """A game on its board. All fields but `files` are sets of squares (uint64).

    board            all squares
    top, bottom      White's far rank, and Black's
    second, seventh  the squares from which White, and Black, may make a double step (empty: no double steps)
    quiet_diagonals  the squares to which a pawn may step diagonally without capturing (empty: none)
    ep_squares       the squares on which an en passant capture is possible (empty: no en passant)
    files            the board's width
    """

    board: np.uint64
    top: np.uint64
    bottom: np.uint64
    second: np.uint64
    seventh: np.uint64
    quiet_diagonals: np.uint64
    ep_squares: np.uint64
    files: np.uint64


RULES = types.NamedUniTuple(u64, len(Rules._fields), Rules)
WORDS = Array(u64, 2, "C")  # rows of words, such as positions


def make(game):
    """The Rules of a game of scripts/pawnstorm_tools/checking/naive.py."""
    ranks = [((1 << game.files) - 1) << 8 * rank for rank in range(game.ranks)]
    board = sum(ranks)
    return Rules(
        *map(
            np.uint64,
            (
                board,
                ranks[-1],
                ranks[0],
                ranks[1] if game.double_step else 0,
                ranks[-2] if game.double_step else 0,
                board if game.quiet_diagonals else 0,
                ranks[2] | ranks[-3] if game.en_passant else 0,
                game.files,
            ),
        )
    )


@compiled(u64(u64, boolean))
def ahead(squares, up):
    """The squares one rank ahead: up the board if `up`, else down."""
    return squares << EIGHT if up else squares >> EIGHT


@compiled(u64(u64))
def west(squares):
    return (squares & NOT_A) >> ONE


@compiled(u64(u64))
def east(squares):
    return (squares & NOT_H) << ONE


@compiled(u64(u64, u64))
def mirror(squares, files):
    """The mirror image of a set of squares. files: the board's width."""
    squares = squares >> ONE & ODD | (squares & ODD) << ONE
    squares = squares >> TWO & PAIRS | (squares & PAIRS) << TWO
    squares = squares >> FOUR & HALVES | (squares & HALVES) << FOUR
    return squares >> (EIGHT - files)


@compiled(u64(i64, u64, u64, u64, u64, boolean, RULES))
def move_targets(kind, pawns, white, black, ep, white_to_move, rules):
    """The squares to which these pawns of the side to move can go by one kind of move, even if the game is over."""
    free = rules.board & ~(white | black)
    front = ahead(pawns, white_to_move)
    if kind == PUSH:
        return front & free
    if kind == DOUBLE:
        start = rules.second if white_to_move else rules.seventh
        return ahead(ahead(pawns & start, white_to_move) & free, white_to_move) & free
    target = (black if white_to_move else white) | ep & rules.ep_squares | free & rules.quiet_diagonals
    return (west(front) if kind == WEST else east(front)) & target


@compiled(u64(i64, u64, boolean))
def origin(kind, to, white_to_move):
    """The square from which a pawn has come to the square `to` by a move of this kind."""
    behind = ahead(to, not white_to_move)
    if kind == PUSH:
        return behind
    if kind == DOUBLE:
        return ahead(behind, not white_to_move)
    return east(behind) if kind == WEST else west(behind)


@compiled(u64(u64, u64, u64, u64, boolean, RULES))
def pawn_targets(pawn, white, black, ep, white_to_move, rules):
    """The squares to which this pawn of the side to move can go, even if the game is over."""
    squares = ZERO
    for kind in range(KINDS):
        squares |= move_targets(kind, pawn, white, black, ep, white_to_move, rules)
    return squares


@compiled(UniTuple(u64, 3)(u64, u64, u64, u64, u64, boolean, RULES))
def play(pawn, to, white, black, ep, white_to_move, rules):
    """(white, black, ep) after a legal move."""
    taken = to | ahead(to, not white_to_move) if to == ep & rules.ep_squares else to
    mine, theirs = (white, black) if white_to_move else (black, white)
    mine, theirs = mine & ~pawn | to, theirs & ~taken
    passed = ZERO
    if to == ahead(ahead(pawn, white_to_move), white_to_move) and theirs & (west(to) | east(to)):
        passed = ahead(pawn, white_to_move) & rules.ep_squares
    return (mine, theirs, passed) if white_to_move else (theirs, mine, passed)


@compiled(boolean(u64, u64, boolean, RULES))
def on_far_rank(white, black, white_to_move, rules):
    """Whether White (if `white_to_move`) or Black (if not) has a pawn on its own far rank."""
    return (white & rules.top if white_to_move else black & rules.bottom) != ZERO


@compiled(i64(u64, u64, u64, boolean, RULES, Array(u64, 2, "C")))
def successors(white, black, ep, white_to_move, rules, rows):
    """Write the position after each legal move to a row of `rows` (MAX_MOVES, 3); returns the number of moves.

    It is 0 if the game is over.
    """
    if on_far_rank(white, black, not white_to_move, rules):
        return 0
    mine = white if white_to_move else black
    count = 0
    for kind in range(KINDS):
        left = move_targets(kind, mine, white, black, ep, white_to_move, rules)
        while left:
            to = left & ~(left - ONE)
            left ^= to
            rows[count, 0], rows[count, 1], rows[count, 2] = play(
                origin(kind, to, white_to_move), to, white, black, ep, white_to_move, rules
            )
            count += 1
    return count


@compiled(boolean(u64, u64, u64, boolean, RULES))
def can_reach_far_rank(white, black, ep, white_to_move, rules):
    """Whether the side to move can move a pawn to its far rank, even if the game is over."""
    far, squares = rules.top if white_to_move else rules.bottom, ZERO
    for kind in range(KINDS):
        squares |= move_targets(kind, white if white_to_move else black, white, black, ep, white_to_move, rules)
    return squares & far != ZERO
