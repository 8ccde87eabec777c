"""Proof files: who wins a position, and by what moves. scripts/verify.py checks them.

A file is a JSON line {"file": "pawnstorm proof 2", "game": ..., "fen": ..., "winner": "w" or "b"}, filled up with
spaces to a multiple of eight bytes, then records of three 64-bit words, little endian: White's pawns, Black's pawns (bit
8 * rank + file from 0, seen by White, eight bits to a rank on every board) and a plan. The winner is to move in every
record. A plan, by its bits:

     2-0   n, the number of moves, 1 to 7
       3   0
     7-4   en passant: the file, from 1, on which a pawn can be taken so now; 0 where none can
    55-8   n + 1 squares of six bits, first where a pawn stands, then where it goes at each of n moves
   63-56   0

n = 1 is one move, after which each reply must lead to another record or to none, the game being over. n > 1 is a path
that the pawn goes whatever the replies, the last move ending the game at the latest. A record stands for its left-right
mirror image too. Where a position is listed more than once, itself or its mirror image, the first record counts.

A position needs no record if a pawn of the winner's can go to the far rank at once; or stands before it after a move of
the winner's, and can go there whatever the loser replies. Most of those that a strategy meets are such.

If the first line has "within", 3 or 4 (Breakthrough only), a position also needs no record if the winner reaches its far
rank by threats within that many moves:

    in 1         a pawn stands before the far rank
    in 2         no pawn of the loser's stands before its own far rank, and the winner has a move before the far rank onto
                 a square that the loser does not attack
    in n > 2     after some move of the winner's no pawn of the loser's stands before its own far rank, and the winner
                 reaches its own in n - 1 moves at most after each reply, if there is any, and would if it might move
                 again at once
"""

import json
import os
from typing import NamedTuple

import numpy as np

from pawnstorm_tools.common import atomicfile, jsonline

MAGIC = "pawnstorm proof 2"
WORD = np.dtype("<u8")
RECORD = 3 * WORD.itemsize
HEADER = 10_000  # bytes of the first line, at most
ALIGNED = WORD.itemsize  # of which it has a multiple, so that the records can be mapped
DEFAULT_WITHIN, MAX_WITHIN = 2, 4  # moves within which a winner who is home may be left out; more take long to find out
FILLED = 512  # the first line is padded to a multiple of this many bytes


class BadProof(ValueError):
    """A file that is no proof file, or is none of a known game and position."""


class Proof(NamedTuple):
    """A proof file's header and its records, (n, 3) uint64."""

    game: str
    fen: str
    winner: str
    records: np.ndarray
    within: int = DEFAULT_WITHIN


def encode_plan(squares, ep=0):
    """The plan of a pawn's path, by the numbers of its squares; ep: the en passant file from 1, or 0."""
    return len(squares) - 1 | ep << 4 | sum(square << 8 + 6 * place for place, square in enumerate(squares))


def plan_squares(word):
    """The squares of a plan, by their numbers."""
    return [int(word) >> 8 + 6 * place & 63 for place in range((int(word) & 7) + 1)]


def header(game, fen, winner, within=DEFAULT_WITHIN, **more):
    """The first line of a file, in bytes; more: what else it is to tell, or otherwise."""
    fields = {"file": MAGIC, "game": game, "fen": fen, "winner": winner}
    line = json.dumps(fields | ({} if within == DEFAULT_WITHIN else {"within": within}) | more)
    return (line + " " * (-(len(line) + 1) % FILLED) + "\n").encode()


def write(file, proof):
    """Write a Proof under a name. Raises OSError."""
    with atomicfile.replacing(file) as out:
        out.write(header(proof.game, proof.fen, proof.winner, proof.within))
        out.write(np.asarray(proof.records, WORD).tobytes())


def _without_wait(file, flags):
    """Open a file so that no read waits, as one from /proc might."""
    return os.open(file, flags | getattr(os, "O_NONBLOCK", 0))


def read(file):
    """The Proof of a file, its records mapped, not loaded. Raises BadProof, OSError; game, position and records may still be
    nonsense.
    """
    if os.path.exists(file) and not os.path.isfile(file):  # which could not be mapped
        raise BadProof(f"{file} is no regular file: expected a proof file")
    with open(file, "rb", opener=_without_wait) as source:
        line = source.readline(HEADER)
        fields = jsonline.parse(line)
        if (found := fields.get("file")) != MAGIC:
            told = json.dumps(found)[:50] if found else "none"
            raise BadProof(f'{file} is not a proof file: expected a first line with "file": "{MAGIC}", found {told}')
        told = [fields.get(key) for key in ("game", "fen", "winner")]
        if not all(isinstance(value, str) for value in told) or told[2] not in ("w", "b") or not line.endswith(b"\n"):
            raise BadProof(f"{file} is no whole proof file: its first line must tell game, fen and winner (w or b)")
        if (
            type(within := fields.get("within", DEFAULT_WITHIN)) is not int
            or not DEFAULT_WITHIN <= within <= MAX_WITHIN
        ):
            raise BadProof(f'{file}: "within" is {json.dumps(within)[:50]}, expected {DEFAULT_WITHIN} to {MAX_WITHIN}')
        if len(line) % ALIGNED:
            raise BadProof(
                f"{file} is no whole proof file: its first line must be filled up to a multiple of {ALIGNED} bytes"
            )
        count, rest = divmod(os.fstat(source.fileno()).st_size - len(line), RECORD)
        if rest:
            raise BadProof(f"{file} is cut short: {rest} bytes after its last whole record of {RECORD}")
        words = np.memmap(source, WORD, "r", len(line), (count, 3)) if count else np.empty((0, 3), WORD)
    return Proof(*told, np.asarray(words).astype(np.uint64, copy=False), within)
