"""Reads the proof numbers of a root from the log of a run: what `solve.py` or `strategy.py make` wrote to stderr."""

import re

from pawnstorm_tools.common.random_openings import evenly
from pawnstorm_tools.solving.figures import FigureError

UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
ROW = re.compile(
    r"(?P<name>[^:]+): (?P<count>\d+(?:\.\d+)?)(?P<unit>[kMG]?) positions \[[\d:]+"
    r"(?:, [^,]+ positions/s)?(?:, proof (?P<proof>\d+), disproof (?P<disproof>\d+)|, (?P<proven>proven))?",
    re.ASCII,
)


def read(path):
    """[(expansions, proof number, disproof number)] of the rows of a log; both numbers are None in the row that says "proven".

    The log may be that of an unfinished run. It may hold several runs, if each continued from the table of the previous run.
    If a row has fewer expansions than earlier rows, a run has continued from there, and these earlier rows are left out. The
    rows of other bars are left out too, such as those of the second proof. Raises OSError, and FigureError if the log has no
    proof number.
    """
    rows, name = [], None
    with open(path, encoding="utf-8", errors="replace") as lines:  # a lone carriage return ends a line too
        for line in lines:
            if not (row := ROW.match(line)) or row["name"] != (name := name or row["name"]):
                continue
            expansions = round(float(row["count"]) * UNITS[row["unit"]])
            rows = [earlier for earlier in rows if earlier[0] <= expansions]
            if row["proof"] or row["proven"]:
                rows.append((expansions, *(row[key] and int(row[key]) for key in ("proof", "disproof"))))
    if not rows:
        raise FigureError(f"{path} has no proof numbers: expected the stderr of `solve.py` or of `strategy.py make`")
    return rows


def thinned(rows, count):
    """At most `count` rows: the last one, and others that are evenly spaced."""
    return rows if len(rows) <= count else [*evenly(rows[:-1], count - 1), rows[-1]]
