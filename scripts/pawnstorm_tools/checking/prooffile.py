"""Proof files: who wins a position, and by what moves. scripts/verify.py checks them.

A file has a JSON line {"file": "pawnstorm proof 2", "game": ..., "fen": ..., "winner": "w" or "b"}, padded with spaces to a
multiple of eight bytes, and then records. A record is three 64-bit words, little endian: White's pawns, Black's pawns, and a
plan. Pawns are bits 8 * rank + file, counted from 0 and seen by White; a rank has eight bits on every board. The winner is to
move in every record. The bits of a plan:

     2-0   n, the number of moves, 1 to 7
       3   0
     7-4   en passant: the file, from 1, on which a pawn can be captured en passant now; 0 if there is none
    55-8   n + 1 squares of six bits: the square of a pawn, then the squares to which it goes in n moves
   63-56   0

If n = 1, the plan is one move. Either the move ends the game, or each reply to it leads to a position that has a record or needs
none. If n > 1, the plan is a path: the pawn makes these moves whatever the replies are, and the last move, or an earlier one,
ends the game. A record also stands for its left-right mirror image. If a position or its mirror image is listed more than once,
the first record counts.

A position needs no record in two cases: a pawn of the winner can go to the far rank at once; or, after a move of the winner, a
pawn stands before the far rank, and the winner can go there whatever the loser replies. Most positions of a strategy need no
record.

If the first line has "within", 3 or 4 (Breakthrough only), a position also needs no record if the winner reaches its far
rank by threats within that many moves:

    in 1         a pawn of the winner stands before the far rank
    in 2         no pawn of the loser stands before the loser's far rank, and the winner can move to an unattacked square before
                 its own far rank
    in n > 2     after some move of the winner, no pawn of the loser stands before the loser's far rank, and the winner reaches
                 its own far rank by threats within n - 1 moves, both after every reply and if the loser passes
"""

import json
import os
from typing import NamedTuple

import numpy as np

from pawnstorm_tools.common import atomicfile, jsonline

MAGIC = "pawnstorm proof 2"
WORD = np.dtype("<u8")
RECORD = 3 * WORD.itemsize
HEADER = 10_000  # the most bytes of the first line
ALIGNED = WORD.itemsize  # its length is a multiple of this, so that the records can be mapped
DEFAULT_WITHIN, MAX_WITHIN = 2, 4  # values of "within"; a larger one would take too long to check
FILLED = 512  # the first line is padded to a multiple of this many bytes


class BadProof(ValueError):
    """A file is not a complete proof file, or its header is invalid, or it has too many records."""


class Proof(NamedTuple):
    """A proof file's header and its records, (n, 3) uint64."""

    game: str
    fen: str
    winner: str
    records: np.ndarray
    within: int = DEFAULT_WITHIN


def encode_plan(squares, ep=0):
    """The plan for a pawn's path. squares: the numbers of the path's squares. ep: the en passant file from 1, or 0."""
    return len(squares) - 1 | ep << 4 | sum(square << 8 + 6 * place for place, square in enumerate(squares))


def plan_squares(word):
    """The numbers of the squares of a plan."""
    return [int(word) >> 8 + 6 * place & 63 for place in range((int(word) & 7) + 1)]


def header(game, fen, winner, within=DEFAULT_WITHIN, **more):
    """The first line of a file, in bytes. more: fields to add or to replace."""
    fields = {"file": MAGIC, "game": game, "fen": fen, "winner": winner}
    line = json.dumps(fields | ({} if within == DEFAULT_WITHIN else {"within": within}) | more)
    return (line + " " * (-(len(line) + 1) % FILLED) + "\n").encode()


def write(file, proof):
    """Write a Proof to a file. Raises OSError."""
    with atomicfile.replacing(file) as out:
        out.write(header(proof.game, proof.fen, proof.winner, proof.within))
        out.write(np.asarray(proof.records, WORD).tobytes())


def _without_wait(file, flags):
    """Open a file so that no read waits, as a read of a file in /proc might."""
    return os.open(file, flags | getattr(os, "O_NONBLOCK", 0))


def read(file):
    """Read the Proof of a file. The records are mapped, not loaded. Raises BadProof, OSError.

    The game, the position and the records are not checked.
    """
    if os.path.exists(file) and not os.path.isfile(file):  # it could not be mapped
        raise BadProof(f"{file} is not a regular file: expected a proof file")
    with open(file, "rb", opener=_without_wait) as source:
        line = source.readline(HEADER)
        fields = jsonline.parse(line)
        if (found := fields.get("file")) != MAGIC:
            told = json.dumps(found)[:50] if found else "none"
            raise BadProof(f'{file} is not a proof file: expected a first line with "file": "{MAGIC}", found {told}')
        told = [fields.get(key) for key in ("game", "fen", "winner")]
        if not all(isinstance(value, str) for value in told) or told[2] not in ("w", "b") or not line.endswith(b"\n"):
            raise BadProof(
                f"{file} is not a complete proof file: its first line must give game, fen and winner (w or b)"
            )
        if (
            type(within := fields.get("within", DEFAULT_WITHIN)) is not int
            or not DEFAULT_WITHIN <= within <= MAX_WITHIN
        ):
            raise BadProof(f'{file}: "within" is {json.dumps(within)[:50]}, expected {DEFAULT_WITHIN} to {MAX_WITHIN}')
        if len(line) % ALIGNED:
            raise BadProof(
                f"{file} is not a complete proof file: its first line must be filled up to a multiple of {ALIGNED} bytes"
            )
        count, rest = divmod(os.fstat(source.fileno()).st_size - len(line), RECORD)
        if rest:
            raise BadProof(f"{file} is cut short: {rest} bytes after its last whole record of {RECORD} bytes")
        words = np.memmap(source, WORD, "r", len(line), (count, 3)) if count else np.empty((0, 3), WORD)
    return Proof(*told, np.asarray(words).astype(np.uint64, copy=False), within)
