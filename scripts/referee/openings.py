"""Opening positions for a match: read from a file, checked by the rules, put in order."""

import random

from engine.notation import fen, parse_fen


class OpeningError(ValueError):
    """An opening that the game does not allow; the text names the file and the line."""


def read(path, rules):
    """The positions of an EPD or FEN file, as FENs, in the file's order.

    A line holds a FEN's fields, then possibly EPD operations; empty lines and those that begin with # are passed over.
    Raises OpeningError, OSError.
    """
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fields = line.split()
            if not fields or fields[0].startswith("#"):
                continue
            counters = 6 if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit() else 4
            try:
                board = parse_fen(rules, " ".join(fields[:counters]))
            except ValueError as error:
                raise OpeningError(f"{path}, line {number}: {error}") from None
            if board.over():
                raise OpeningError(f"{path}, line {number}: the game is already over in '{line.strip()}'")
            found.append(fen(board))
    if not found:
        raise OpeningError(f"{path} holds no opening")
    return found


def arranged(openings, order, seed):
    """The openings in the order in which a match uses them: as they are, or shuffled by the seed."""
    openings = list(openings)
    if order == "random":
        random.Random(seed).shuffle(openings)
    return openings
