"""Boards as numpy arrays, one or thousands at once.

**Planes** describe a position as it lies on the board. `Board.to_array()` is a uint8 array (4, ranks, files) of zeros and
ones. Element [plane, rank, file] belongs to the square whose rank and file, counted from 0, these are: [0, 1, 4] is 1 if
a white pawn stands on e2.

    plane   is 1 on
    0       the squares of White's pawns
    1       the squares of Black's pawns
    2       the square on which an en passant capture may land; on none if there is no such capture
    3       all squares if Black is to move, on none if White is

    hexapawn's start   array[0]   array[1]    rank 3 is printed last, since index 0 is rank 1
                       1 1 1      0 0 0
                       0 0 0      0 0 0
                       0 0 0      1 1 1

A batch of n positions is an array (n, 4, ranks, files). The counters of a FEN are not in it.

**Bitboards** describe a position as the engine's core takes it: own pawns, the opponent's pawns and the en passant square,
seen by the side to move (engine/pawnstorm/games/rules.py has the squares' numbers). A batch is a uint64 array (n, 3) in
this order, and a bool array (n,), which is True where Black is to move. No function here loops over n in Python.

numpy is an extra: `pip install 'pawnstorm[numpy]'`.
"""

from __future__ import annotations

import re

from pawnstorm.games.actions import SHIFTS, action_count, directions
from pawnstorm.games.notation import ParseError, parse_fen, square_name
from pawnstorm.games.position import Board as Position
from pawnstorm.games.rules import Rules

try:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
except ImportError as error:
    raise ImportError("arrays need numpy: pip install 'pawnstorm[numpy]'") from error

PLANES = 4
NOT_A, NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
WEST, NORTH, EAST, DOUBLE = (np.uint64(shift) for shift in SHIFTS)


def unpack(rules: Rules, bitboards: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The squares of bitboards (...) as zeros and ones (..., ranks, files), from the first rank up."""
    rows = np.ascontiguousarray(bitboards, "<u8").view(np.uint8).reshape(*bitboards.shape, 8)
    bits = np.unpackbits(rows, axis=-1, bitorder="little").reshape(*bitboards.shape, 8, 8)
    return bits[..., : rules.ranks, : rules.files]


def pack(rules: Rules, squares: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """The bitboards (...) of zeros and ones (..., ranks, files); the inverse of unpack()."""
    bits = np.zeros((*squares.shape[:-2], 8, 8), np.uint8)
    bits[..., : rules.ranks, : rules.files] = squares
    rows = np.packbits(bits.reshape(*squares.shape[:-2], 64), axis=-1, bitorder="little")
    return rows.view("<u8")[..., 0].astype(np.uint64)


def flip(rules: Rules, bitboards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same squares seen from the other side of the board; its own inverse."""
    return bitboards.byteswap() >> np.uint64(rules.flip_shift)


def to_planes(rules: Rules, bitboards: NDArray[np.uint64], black: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The planes (n, 4, ranks, files) of positions (n, 3); black is True where Black is to move."""
    flipped = flip(rules, bitboards)
    seen_by_white = np.where(black[:, None], flipped[:, [1, 0, 2]], bitboards)
    planes = np.empty((len(bitboards), PLANES, rules.ranks, rules.files), np.uint8)
    planes[:, :3] = unpack(rules, seen_by_white)
    planes[:, 3] = black[:, None, None]
    return planes


def from_planes(rules: Rules, planes: ArrayLike) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """(bitboards, black) of planes (n, 4, ranks, files), as to_planes() takes them.

    The numbers may have any type. An en passant square is kept only where a capture on it exists, as in a FEN.

    Raises:
        ParseError: A position is wrong. The message says which one, counted from 0, and how.
        ValueError: The array has another shape, or holds something other than 0 and 1.
    """
    array = check_planes(planes, rules, batch=True)
    black = array[:, 3, 0, 0].astype(np.bool_)
    white_pawns, black_pawns, ep = pack(rules, array[:, :3]).T
    own: NDArray[np.uint64] = np.where(black, flip(rules, black_pawns), white_pawns)
    opp: NDArray[np.uint64] = np.where(black, flip(rules, white_pawns), black_pawns)
    ep = np.where(black, flip(rules, ep), ep)
    wrong = (opp == 0) | (own & np.uint64(rules.goal) != 0) | ~_just_passed(rules, own | opp, opp, ep)
    if wrong.any():
        _raise_fault(rules, array, int(wrong.argmax()))
    takers = (ep & NOT_A) >> EAST | (ep & NOT_H) >> WEST
    return np.stack([own, opp, np.where(own & takers, ep, np.uint64(0))], axis=1), black


def _just_passed(
    rules: Rules, taken: NDArray[np.uint64], opp: NDArray[np.uint64], ep: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Where there is no en passant square, or a double step has just passed it (Board.is_valid() of games/position.py)."""
    passed = (ep & ~np.uint64(rules.ep_squares)) | (taken & (ep << NORTH | ep)) | (ep & ~(opp << NORTH))
    return passed == 0


def _raise_fault(rules: Rules, planes: NDArray[np.uint8], index: int) -> None:
    """Raise the ParseError of a wrong position of a batch."""
    try:
        parse_fen(rules, planes_fen(planes[index]))
    except ParseError as error:
        raise ParseError(f"position {index}: {error}") from None


def check_planes(planes: ArrayLike, rules: Rules | None, *, batch: bool) -> NDArray[np.uint8]:
    """The planes as uint8, checked for what no game allows, and for the size of the board if a game is given.

    batch: whether they are (n, 4, ranks, files) or (4, ranks, files). Raises ParseError for a position that is wrong, naming
    its index in a batch, and otherwise ValueError.
    """
    given = np.asarray(planes)
    size = given.shape[-2:]
    if given.ndim != 3 + batch or given.shape[-3] != PLANES or size != ((rules.ranks, rules.files) if rules else size):
        expected = f"{rules.ranks}, {rules.files}) for {rules.name}" if rules else "ranks, files)"
        raise ValueError(f"an array of shape {given.shape}: expected ({'n, ' * batch}{PLANES}, {expected}")
    if not all(1 <= length <= 8 for length in size):
        raise ValueError(f"an array of shape {given.shape}: expected 1 to 8 ranks and files")
    if given.dtype.kind not in "biuf":
        raise ValueError(f"an array of {given.dtype}: expected numbers, each 0 or 1")
    with np.errstate(invalid="ignore"):  # no number, which is found next
        array = given.astype(np.uint8)
    unequal = (array > 1) | (array != given)
    if unequal.any():
        place = tuple(int(number) for number in np.argwhere(unequal)[0])
        raise ValueError(f"{given[place]} at {list(place)} of an array: expected 0 or 1")
    positions = array if batch else array[None]
    white, black, ep, side = (positions[:, plane] for plane in range(PLANES))
    for wrong, fault in (
        (white & black, "plane 0 and plane 1 both have a pawn on {square}"),
        (side != side[:, :1, :1], "plane 3 has {value} on {square}, and another value on a1: expected one value"),
        (
            ep & (ep.sum(axis=(1, 2), dtype=np.uint8) > 1)[:, None, None],
            "plane 2 has several squares: expected one or none",
        ),
    ):
        if wrong.any():
            index, rank, file = (int(number) for number in np.argwhere(wrong)[0])
            text = fault.format(square=square_name(8 * rank + file), value=side[index, rank, file])
            raise ParseError(f"position {index}: {text}" if batch else text)
    return array


def planes_fen(planes: NDArray[np.uint8]) -> str:
    """Four fields of the FEN of a position's planes (4, ranks, files), which check_planes() has passed."""
    white, black, ep, side = planes
    letters = np.where(white, "P", np.where(black, "p", "."))
    rows = "/".join("".join(row) for row in letters[::-1])
    placement = re.sub("[.]+", lambda gap: str(len(gap[0])), rows)
    squares = np.argwhere(ep)
    passed = square_name(8 * int(squares[0][0]) + int(squares[0][1])) if len(squares) else "-"
    return f"{placement} {'b' if side[0, 0] else 'w'} - {passed}"


def position_bitboards(position: Position) -> NDArray[np.uint64]:
    """One position as a batch of bitboards (1, 3)."""
    return np.array([position.bitboards], np.uint64)


def position_planes(position: Position) -> NDArray[np.uint8]:
    """The planes (4, ranks, files) of one position."""
    return to_planes(position.rules, position_bitboards(position), np.array([position.black_to_move]))[0]


def action_masks(rules: Rules, bitboards: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which actions are legal in positions (n, 3): (n, number of actions), by their numbers (games/actions.py).

    All are False in a finished position.
    """
    return unpack(rules, sources(rules, bitboards)).reshape(len(bitboards), action_count(rules)).view(np.bool_)


def sources(rules: Rules, bitboards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The squares of the pawns that may move in each direction, in positions (n, 3): (n, directions of the game).

    The counterpart of targets() in kernels/movegen.py.
    """
    own, opp, ep = bitboards.T
    own = np.where(opp & np.uint64(rules.home), np.uint64(0), own)
    empty = np.uint64(rules.board) & ~(own | opp)
    diagonal_targets = opp | ep | (empty & np.uint64(rules.quiet_diagonals))
    found = np.empty((len(bitboards), directions(rules)), np.uint64)
    found[:, 0] = own & NOT_A & diagonal_targets >> WEST
    found[:, 1] = own & empty >> NORTH
    found[:, 2] = own & NOT_H & diagonal_targets >> EAST
    if rules.double_step_squares:
        found[:, 3] = own & np.uint64(rules.double_step_squares) & empty >> NORTH & empty >> DOUBLE
    return found
