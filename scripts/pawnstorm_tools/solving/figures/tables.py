"""Reads and writes the tables of the figures."""

import csv
import io
from pathlib import Path
from typing import NamedTuple

from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.solving.figures import FigureError

FOLDER = Path(__file__).parent


class Table(NamedTuple):
    """A CSV file: its name, its columns of text, its columns of numbers, and which of the numbers may be missing."""

    file: str
    texts: tuple
    numbers: tuple
    optional: tuple = ()

    @property
    def columns(self):
        return [*self.texts, *self.numbers]


GROWTH = Table(
    "growth.csv",
    ("game", "winner"),
    ("files", "ranks", "plies", "expansions", "seconds", "records"),
    ("seconds", "records"),
)
DEPTHS = Table("depths.csv", ("game",), ("plies", "positions"))
PROOF_NUMBERS = Table("proof_numbers.csv", ("run",), ("expansions", "proof", "disproof"), ("proof", "disproof"))
"""proof and disproof: the estimated work for a win and for a loss of the side to move; both are missing once it is proven."""


def read(table, folder=FOLDER):
    """The rows of a table as dicts. Numbers are int or float, None if missing. Raises FigureError, OSError."""
    path = Path(folder) / table.file
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames is None or set(rows.fieldnames) != set(table.columns):
            raise FigureError(f"{path}: columns are {rows.fieldnames}, expected {', '.join(table.columns)}")
        return [_parsed(table, row, f"{path}, line {rows.line_num}") for row in rows]


def _parsed(table, row, place):
    parsed = {name: row[name] for name in table.texts}
    for name in table.numbers:
        text = row[name] or ""
        digits = text.replace(".", "", 1)
        if not (digits.isascii() and digits.isdigit()) and (text or name not in table.optional):
            raise FigureError(f"{place}: '{name}' is '{text[:40]}', expected a number")
        parsed[name] = (float(text) if "." in text else int(text)) if text else None
    return parsed


def replace(table, rows, folder=FOLDER):
    """Write rows, which are dicts, in place of those with the same text in the first column. Raises FigureError, OSError."""
    first, path = table.columns[0], Path(folder) / table.file
    new = {row[first] for row in rows}
    kept = [row for row in read(table, folder) if row[first] not in new] if path.exists() else []
    text = io.StringIO()
    writer = csv.DictWriter(text, table.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept + rows)
    atomicfile.write(path, text.getvalue().encode())
