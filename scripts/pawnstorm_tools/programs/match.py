"""Play a match between UCI engines, two or many: `python scripts/match.py -help` lists the flags."""

import sys

from pawnstorm.core.build import BuildError
from pawnstorm.system import console, signals
from pawnstorm_protocol.client.process import EngineError
from pawnstorm_protocol.system.appendfile import check_regular
from pawnstorm_tools import startup
from pawnstorm_tools.cluster.workers import ClusterError
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.referee import commandline, match_run
from pawnstorm_tools.referee.opening_book import OpeningError
from pawnstorm_tools.reporting import ReportError, check_address, check_libraries


def check_report(path, engine):
    """Raise ReportError or OSError where the page cannot be made, or written, before anything was played.

    engine: the address of page.py's page, or None, as for write().
    """
    check_address("-report page", engine)
    check_libraries()
    check_regular(path, "which is written as a whole")
    atomicfile.check(path)


def write_report(path, pgn, engine):
    """Write the page of HTML on the games so far, read from their PGN as that of any other match. What makes it is loaded
    when the match is over: NumPy takes longer to load than a match to begin.
    """
    from pawnstorm_tools.reporting import page, reading

    atomicfile.write(path, page.page(reading.parse(pgn, "the match"), engine).encode())


@startup.program(
    commandline.UsageError,
    OpeningError,
    EngineError,
    JournalError,
    ClusterError,
    ReportError,
    BuildError,
    stopped=None,  # the summary says it
)
def main(argv):
    if not argv:
        print(f"{startup.display_name('match.py')}: {commandline.NOTHING_TO_PLAY}", file=sys.stderr)
        return startup.WRONG
    if answer := commandline.help_or_version(argv):
        print(answer, end="")
        return 0
    settings = commandline.parse(argv)
    if settings.report:
        check_report(settings.report, settings.page)
    return match_run.run(settings, write_report)


def run(argv):
    """main() with the signals and streams of a program of its own; returns the exit status."""
    signals.interrupt_once()
    console.use_utf8()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="backslashreplace")  # a name need not fit the terminal's encoding
    status = main(argv)
    signals.ignore()  # it is over
    return status
