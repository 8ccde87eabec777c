"""Files of training records, which are plain arrays. Each record has the number of a game, or of a root. Records with the same
number are together, and the numbers rise through the file.
"""

import os

import numpy as np

from pawnstorm.numbers import pluralize
from pawnstorm.system import pages
from pawnstorm_tools.training import TrainingError


def check_regular(path, program):
    """Raise TrainingError for a device or a folder, and for a file that memory cannot hold. program: the program that writes
    files of the kind expected, for the message.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise TrainingError(f"{path} is not a regular file: expected one that {program} has written")
    if os.path.exists(path) and os.path.getsize(path) > pages.physical_mebibytes() << 20:
        raise TrainingError(f"{path} is too large: {os.path.getsize(path):,} bytes, more than this machine's memory")


def cut_last(path, numbers, size, most, unit):
    """Cut off the records of the last game or root, which may be incomplete; returns its number, from which to continue.
    Raises TrainingError if the file has records of more than `most` games or roots.

    numbers: for each record in the file, the number of its game or root; size: bytes of a record; unit: what is numbered, a
    "game" or a "root".
    """
    last = int(numbers[-1]) if len(numbers) else 0
    if last >= most:
        raise TrainingError(f"{path} holds {pluralize(last + 1, unit)} already: expected --{unit}s {last + 1} or more")
    os.truncate(path, int(np.searchsorted(numbers, last)) * size)
    return last


def possible(records, rules):
    """For each record, whether it may be a position of a game that is not over, seen by the side to move.

    Both sides must have pawns, but no more than at the start. No two pawns may be on one square. A pawn may be neither on its far
    rank nor behind the rows on which its side begins.
    """
    own, opp = records["own"], records["opp"]
    ground, army = rules.board & ~rules.goal & ~((1 << 8 * rules.first_row) - 1), rules.start_pawns.bit_count()
    return (
        (own & opp == 0)
        & (own & ~np.uint64(ground) == 0)
        & (opp & ~np.uint64(rules.flip(ground)) == 0)
        & (own != 0)
        & (opp != 0)
        & (np.bitwise_count(own) <= army)
        & (np.bitwise_count(opp) <= army)
    )
