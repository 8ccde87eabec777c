"""Positions from the tables of unfinished proofs, and the files that hold them: plain arrays of RECORD. The positions
below one root stand together.
"""

import os
import random

import numpy as np

from pawnstorm import pgn
from pawnstorm.core.state import INFINITE_NUMBER
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.referee.opening_book import replay
from pawnstorm_tools.training import TrainingError, record_file

GAME = "twoflags8x8"
RULES = get_rules(GAME)
LEAST = 16  # expansions below a position; with fewer, its numbers say little more than the evaluation they began as

RECORD = np.dtype([("own", "<u8"), ("opp", "<u8"), ("root", "<u4"), ("phi", "<u4"), ("delta", "<u4"), ("work", "<u4")])
"""A position seen by the side to move: its pawns and the opponent's, the number of the root below which it was met, and
df-pn's numbers as the table had them (engine/pawnstorm/kernels/pn_table.py). phi is 0 if it is won, delta if it is lost; the
other number then has no meaning. work is about the number of positions expanded below it.
"""

ASIDE = 10  # one of this many roots is kept aside


def read(path, rules=RULES):
    """The RECORDs of a file, mapped, not loaded. An incomplete one at the end is left out. Raises OSError, and TrainingError if
    the file does not hold positions of this game.
    """
    record_file.check_regular(path, "`learn.py positions`")
    count, rest = divmod(os.path.getsize(path), RECORD.itemsize)
    if rest and not count:
        raise TrainingError(f"{path} is not a file of positions: expected one that `learn.py positions` has written")
    records = np.memmap(path, RECORD, "r", shape=count) if count else np.empty(0, RECORD)
    root, phi, delta, work = (records[name] for name in ("root", "phi", "delta", "work"))
    sound = (
        record_file.possible(records, rules)
        & (phi < INFINITE_NUMBER)
        & (delta < INFINITE_NUMBER)
        & ((phi != 0) | (delta != 0))
        & (work >= LEAST)
    )
    if not sound.all() or (root[1:] < root[:-1]).any():
        raise TrainingError(f"{path} is not a file of positions: expected one that `learn.py positions` has written")
    return records


def split(path, rules=RULES):
    """(RECORDs to learn from, RECORDs of the last roots, which are kept aside) of a file. If it has a single root, none are
    kept aside.

    Raises as read(), and TrainingError for an empty file.
    """
    records = read(path, rules)
    roots = np.unique(records["root"])
    if not len(roots):
        raise TrainingError(f"{path} holds no positions: expected positions of one or more roots")
    if len(roots) == 1:
        return records, records[:0]
    first = np.searchsorted(records["root"], roots[-max(1, len(roots) // ASIDE)])
    return records[:first], records[first:]


def split_each(paths, rules=RULES):
    """split() of each file. Raises what split() raises, and TrainingError if no records are kept aside."""
    parts = [split(path, rules) for path in paths]
    if not any(len(aside) for _, aside in parts):
        raise TrainingError(f"{paths[0]} holds positions of 1 root: expected two or more roots in one of the files")
    return parts


def unproven(path, rules, count, seed):
    """The bitboards of `count` unproven positions of a file, or of all of them if there are fewer. The seed determines the
    choice and the order. Raises the errors of read().
    """
    records = read(path, rules)
    left = np.flatnonzero((records["phi"] != 0) & (records["delta"] != 0))
    chosen = random.Random(seed).sample(range(len(left)), min(count, len(left)))
    return [(int(record["own"]), int(record["opp"]), 0) for record in records[left[chosen]]]


def from_games(path, rules, plies, count, seed):
    """The bitboards of `count` positions of the games in a PGN file, or of all suitable ones if there are fewer. The seed
    determines the choice and the order. No two positions are mirror images or transpositions. Raises TrainingError, OSError.

    plies: the least and the most plies from a position to the end of its game.
    """
    least, most = plies
    boards = {}
    for number, game in enumerate(pgn.read(path), 1):
        try:
            played = replay(game, rules)
        except ValueError as fault:
            raise TrainingError(f"{path}, game {number}: {fault}") from None
        for board in played[max(0, len(played) - 1 - most) : max(0, len(played) - least)]:
            boards.setdefault(board.canonical().bitboards)
    return random.Random(seed).sample(list(boards), min(count, len(boards)))


def resume(path, roots, rules=RULES):
    """The number of the root from which to continue a file that is to have `roots` roots. Cuts off the file's last root,
    which may be incomplete. Raises as read(), and TrainingError if the file has more than `roots` roots already.
    """
    if not path.exists():
        return 0
    numbers = np.array(read(path, rules)["root"])  # no longer mapped when the file is cut
    return record_file.cut_last(path, numbers, RECORD.itemsize, roots, "root")


def targets(phi, delta, softness):
    """The chances to win that follow from df-pn's numbers: 1 for a position that is won, 0 for one that is lost, otherwise the
    logistic function of softness * log2(delta / phi).
    """
    phi, delta = (np.asarray(numbers, np.float64) for numbers in (phi, delta))
    ratio = softness * (np.log2(np.maximum(delta, 1)) - np.log2(np.maximum(phi, 1)))
    return np.where(phi == 0, 1.0, np.where(delta == 0, 0.0, 1 / (1 + np.exp(-ratio)))).astype(np.float32)
