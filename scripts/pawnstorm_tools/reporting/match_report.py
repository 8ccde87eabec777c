"""The report of a match that is being played. What makes the page is loaded when the match is over: NumPy takes longer to
load than a match to begin.
"""

from pawnstorm_protocol.system.appendfile import check_regular
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.reporting import check_address, check_libraries


def check(path, engine):
    """Raise ReportError or OSError where the page cannot be made, or written, before anything was played.

    engine: the address of page.py's page, or None, as for write().
    """
    check_address("-report page", engine)
    check_libraries()
    check_regular(path, "which is written as a whole")
    atomicfile.check(path)


def write(path, pgn, engine):
    """Write the page of HTML on the games so far, read from their PGN as that of any other match."""
    from pawnstorm_tools.reporting import page, reading

    atomicfile.write(path, page.page(reading.parse(pgn, "the match"), engine).encode())
