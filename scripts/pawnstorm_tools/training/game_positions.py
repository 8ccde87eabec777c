"""Positions of the engine's own games, and the files that hold them: plain arrays of RECORD, one game after the other."""

import os

import numpy as np

from pawnstorm_tools.training import TrainingError, record_file

RECORD = np.dtype([("own", "u8"), ("opp", "u8"), ("game", "u4"), ("score", "i2"), ("ply", "u1"), ("won", "u1")])
"""A position seen by the side to move: its pawns and the opponent's, the game's number, the search's score in
centipawns, plies since the start, and whether the side to move won.
"""
ASIDE = 10  # one of this many games is kept aside
PLAYING = "pawnstorm_tools.training.self_play"  # its Source plays the games; each process imports it


def read(path, rules):
    """The complete RECORDs of a file. Raises OSError, MemoryError; TrainingError if they cannot be of this game."""
    record_file.check_regular(path, "datagen.py")
    records = np.fromfile(path, RECORD)
    number, sound = records["game"], record_file.possible(records, rules) & (records["won"] <= 1)
    if not sound.all() or (number[1:] < number[:-1]).any() or os.path.getsize(path) and not len(records):
        raise TrainingError(
            f"{path} holds no positions of {rules.name}: expected a file that `datagen.py {rules.name}` has written"
        )
    return records


def load(paths, rules):
    """(RECORDs to learn from, RECORDs of the games kept aside) of files. Raises as read(), and TrainingError if one of the
    two is empty.
    """
    records = np.concatenate([read(path, rules) for path in paths])
    aside = records["game"] % ASIDE == ASIDE - 1
    if aside.all() or not aside.any():
        raise TrainingError(
            f"{', '.join(map(str, paths))}: expected positions of {ASIDE} games or more, as every tenth is kept aside"
        )
    return records[~aside], records[aside]


def resume(path, games, rules):
    """The number of the game from which to continue a file that is to have `games` games. Cuts off the file's last game,
    which may be incomplete. Raises as read(), and TrainingError if the file has more than `games` games already.
    """
    if not path.exists():
        return 0
    return record_file.cut_last(path, read(path, rules)["game"], RECORD.itemsize, games, "game")
