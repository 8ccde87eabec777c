"""Play a match between two or more UCI engines: `python scripts/match.py -help` lists the flags."""

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
    """Raise ReportError or OSError, before the match, if the report cannot be made or written.

    engine: the address of page.py's page, or None.
    """
    check_address("-report page", engine)
    check_libraries()
    check_regular(path, "which is written as a whole")
    atomicfile.check(path)


def write_report(path, pgn, engine):
    """Write the HTML report of the games so far, which are read from their PGN like those of any other match.

    The modules that make it are imported only now: importing NumPy takes longer than starting a match.
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
    stopped=None,  # the summary says that the match was stopped
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
    """Run main() with this process's signals and streams set up for it; returns the exit status."""
    signals.interrupt_once()
    console.use_utf8()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="backslashreplace")  # the terminal's encoding may lack a name's characters
    status = main(argv)
    signals.ignore()  # the match is over
    return status
