"""A file of rows as npz: an array for each of COLUMNS, and the boards as planes (engine/pawnstorm/planes.py)."""

import zipfile

import numpy as np

from pawnstorm.games.notation import parse_fen
from pawnstorm.planes import to_planes
from pawnstorm_tools.datasets.columns import COLUMNS

SUFFIX = ".npz"


def write(file, rules, rows, about):
    """Write rows of games with these rules to a binary file, with `planes` (rows, 4, ranks, files). about: name -> text; each
    becomes an array. Texts are ASCII bytes.
    """
    arrays = {name: np.array(text.encode()) for name, text in about.items()}
    for column, values in zip(COLUMNS, zip(*rows)):
        known = [column.missing if value is None else value for value in values]
        arrays[column.name] = np.array(known, "S" if column.kind == "text" else column.kind)
    boards = [parse_fen(rules, fen.decode()) for fen in arrays["fen"].tolist()]
    bitboards = np.array([board.bitboards for board in boards], np.uint64)
    black = np.array([board.black_to_move for board in boards])
    np.savez_compressed(file, planes=to_planes(rules, bitboards, black), **arrays)


def read_fens(path):
    """The FENs of a file, in order. Raises OSError, and ValueError for another kind of file."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return [fen.decode() for fen in arrays["fen"].tolist()]
    except (KeyError, zipfile.BadZipFile) as error:
        raise ValueError(str(error)) from None
