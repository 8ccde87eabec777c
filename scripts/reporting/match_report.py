"""The report of a match that is being played. What makes the page is loaded when the match is over: NumPy takes longer to
load than a match to begin.
"""

from pathlib import Path

from pawnstorm.protocol.system.appendfile import AppendFile, check_regular
from reporting import check_libraries


def check(path):
    """Raise ReportError or OSError where the page cannot be made, or written, before anything was played."""
    check_libraries()
    check_regular(path, "which is written as a whole")
    AppendFile(path).close()


def write(path, pgn):
    """Write the page of HTML on the games so far, read from their PGN as that of any other match."""
    from reporting import page, reading

    Path(path).write_text(page.page(reading.parse(pgn, "the match")), encoding="utf-8")
