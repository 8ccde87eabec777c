"""Boards as numpy arrays, one or thousands at once.

**Planes** describe a position as it lies on the board, whoever is to move. `Board.to_array()` returns a uint8 array
(4, ranks, files) of zeros and ones. In element [plane, rank, file], rank and file count from 0: [0, 1, 4] is 1 if a white
pawn stands on e2. ::

    plane   is 1 on
    0       the squares of White's pawns
    1       the squares of Black's pawns
    2       the square on which an en passant capture may land; on none if there is no such capture
    3       all squares if Black is to move, on none if White is

    hexapawn's start   array[0]   array[1]   rank
                       1 1 1      0 0 0      1
                       0 0 0      0 0 0      2
                       0 0 0      1 1 1      3

A batch of n positions is an array (n, 4, ranks, files). Planes do not contain the move counters of a FEN.

**Bitboards** describe a position as the engine's core takes it, seen by the side to move: its own pawns, the opponent's pawns
and the en passant square, in this order (engine/pawnstorm/games/rules.py has the squares' numbers). A batch is a uint64
array (n, 3), and a bool array (n,), which is True where Black is to move. No function here loops over n in Python.

The functions take the rules of a game, such as `get_rules("breakthrough6")`.

numpy is an extra: `pip install 'pawnstorm[numpy]'`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pawnstorm.games.actions import NOT_A, NOT_H, action_count, move_of, sources
from pawnstorm.games.notation import ParseError, parse_fen, square_name
from pawnstorm.games.position import Board as Position
from pawnstorm.games.rules import Rules, get_rules  # noqa: F401  the latter is for the users of this module

try:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
except ImportError as error:
    raise ImportError("arrays need numpy: pip install 'pawnstorm[numpy]'") from error

PLANES = 4


def unpack(rules: Rules, bitboards: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The squares of bitboards (...) as zeros and ones (..., ranks, files), from the first rank up."""
    rows = np.ascontiguousarray(bitboards, "<u8").view(np.uint8).reshape(*bitboards.shape, 8)
    bits = np.unpackbits(rows, axis=-1, bitorder="little").reshape(*bitboards.shape, 8, 8)
    return bits[..., : rules.ranks, : rules.files]


def pack(squares: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """The bitboards (...) of zeros and ones (..., ranks, files); the inverse of unpack()."""
    *shape, ranks, files = squares.shape
    bits = squares
    if (ranks, files) != (8, 8):
        bits = np.zeros((*shape, 8, 8), np.uint8)
        bits[..., :ranks, :files] = squares
    rows = np.packbits(bits.reshape(*shape, 64), axis=-1, bitorder="little")
    return rows.view("<u8")[..., 0].astype(np.uint64)


def flip(rules: Rules, bitboards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same squares seen from the other side of the board. Flipping twice changes nothing."""
    return bitboards.byteswap() >> rules.flip_shift


def to_planes(rules: Rules, bitboards: NDArray[np.uint64], black: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The planes (n, 4, ranks, files) of positions (n, 3); black is True where Black is to move."""
    flipped = flip(rules, bitboards)
    seen_by_white = np.where(black[:, None], flipped[:, [1, 0, 2]], bitboards)
    planes = np.empty((len(bitboards), PLANES, rules.ranks, rules.files), np.uint8)
    planes[:, :3] = unpack(rules, seen_by_white)
    planes[:, 3] = black[:, None, None]
    return planes


def from_planes(rules: Rules, planes: ArrayLike) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """(bitboards, black) of planes (n, 4, ranks, files); the inverse of to_planes().

    The numbers may have any type. An en passant square is kept only if a capture on it exists, as in a FEN.

    Raises:
        ParseError: A position is wrong. The message says which one, counted from 0, and why.
        ValueError: The array has the wrong shape, or holds something other than 0 and 1.
    """
    array, words = check_planes(planes, rules, batch=True)
    white_pawns, black_pawns, ep, side = words.T
    black = side != 0
    own: NDArray[np.uint64] = np.where(black, flip(rules, black_pawns), white_pawns)
    opp: NDArray[np.uint64] = np.where(black, flip(rules, white_pawns), black_pawns)
    ep = np.where(black, flip(rules, ep), ep)
    wrong = (opp == 0) | (own & rules.goal != 0) | ~_just_passed(rules, own | opp, opp, ep)
    if wrong.any():
        _raise_fault(rules, array, int(wrong.argmax()))
    takers = (ep & NOT_A) >> 9 | (ep & NOT_H) >> 7
    return np.stack([own, opp, np.where(own & takers, ep, np.uint64(0))], axis=1), black


def _just_passed(
    rules: Rules, taken: NDArray[np.uint64], opp: NDArray[np.uint64], ep: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """For each position, whether a double step can just have passed its en passant square; True if it has none.

    Board.is_valid() of games/position.py checks this for one position.
    """
    passed = (ep & ~np.uint64(rules.ep_squares)) | (taken & (ep << 8 | ep)) | (ep & ~(opp << 8))
    return passed == 0


def _raise_fault(rules: Rules, planes: NDArray[np.uint8], index: int) -> None:
    """Raise the ParseError of the wrong position with this index in a batch."""
    try:
        parse_fen(rules, planes_fen(planes[index]))
    except ParseError as error:
        raise ParseError(f"position {index}: {error}") from None


def check_planes(
    planes: ArrayLike, rules: Rules | None, *, batch: bool
) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Check planes, and return (the planes as uint8, a bitboard of each plane).

    The planes are checked by the rules that all games share. Their size is checked if a game is given. batch: whether the shape
    is (n, 4, ranks, files) rather than (4, ranks, files). Raises ParseError for a wrong position, with its index if it is in a
    batch, and ValueError for any other fault.
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
    with np.errstate(invalid="ignore"):  # NaN, which the next line refuses
        array = given.astype(np.uint8)
    if array.max(initial=0) > 1 or not (given.dtype == np.uint8 or np.array_equal(array, given)):
        place = tuple(int(number) for number in np.argwhere((array > 1) | (array != given))[0])
        raise ValueError(f"{given[place]} at {list(place)} of an array: expected 0 or 1")
    words = pack(array)
    _check_words(words if batch else words[None], array, batch)
    return array, words


def _check_words(words: NDArray[np.uint64], array: NDArray[np.uint8], batch: bool) -> None:
    """Raise the ParseError of the first position whose planes contradict each other. words: a bitboard of each plane (n, 4)."""
    white, black, ep, side = words.T
    mixed = (side != 0) & (side != pack(np.ones(array.shape[-2:], np.uint8)))
    wrong = (white & black != 0) | (ep & (ep - (ep != 0)) != 0) | mixed
    if not wrong.any():
        return
    index = int(wrong.argmax())
    if both := int(white[index] & black[index]):
        fault = f"plane 0 and plane 1 both have a pawn on {square_name(both.bit_length() - 1)}"
    elif mixed[index]:
        fault = "plane 3 has zeros and ones: expected all ones if Black is to move, all zeros if White is"
    else:
        fault = "plane 2 has several squares: expected one or none"
    raise ParseError(f"position {index}: {fault}" if batch else fault)


def planes_fen(planes: NDArray[np.uint8]) -> str:
    """The first four fields of a FEN, from planes (4, ranks, files) that check_planes() has accepted."""
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
    """Which actions are legal in positions (n, 3): an array (n, number of actions), indexed by action number (games/actions.py).

    If the game is over, all are False.
    """
    own, opp, ep = bitboards.T
    alive = np.where(opp & rules.home, np.uint64(0), own)
    found = np.stack(sources(rules, alive, opp, ep), axis=1)
    return unpack(rules, found).reshape(len(bitboards), action_count(rules)).view(np.bool_)


def play(rules: Rules, bitboards: NDArray[np.uint64], actions: NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """Play one action (n,) in each position (n, 3); returns the new positions (n, 3), seen by the side that is then to move.

    Every action must be legal. make_move() in kernels/position.py does this for one position.
    """
    own, opp, ep = bitboards.T
    origin, target = _moves(rules)[actions].T
    victim = (target & ep) >> 8 & rules.ep_victims
    own, opp = flip(rules, opp & ~(target | victim)), flip(rules, own ^ (origin | target))
    attacked = (own & NOT_A) << 7 | (own & NOT_H) << 9
    passed = np.where(target == origin << 16, flip(rules, origin << 8), np.uint64(0))
    return np.stack([own, opp, passed & attacked & rules.ep_squares], axis=1)


@cache
def _moves(rules: Rules) -> NDArray[np.uint64]:
    """The squares that each action leaves and goes to, as bitboards (actions, 2); 0 for a square above the board."""
    moves = (move_of(rules, action) for action in range(action_count(rules)))
    return np.array([(1 << (move & 63), 1 << (move >> 6) & rules.board) for move in moves], np.uint64)
