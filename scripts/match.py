"""Play a match between UCI engines, two or many: `python scripts/match.py -help` lists the flags."""

__extra__ = "match"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import sys

from pawnstorm.core.build import BuildError
from pawnstorm.system import console, signals
from pawnstorm_protocol.client.process import EngineError
from pawnstorm_tools.cluster.workers import ClusterError
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.referee import commandline, match_run, usage
from pawnstorm_tools.referee.opening_book import OpeningError
from pawnstorm_tools.reporting import ReportError, match_report


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
def main(words):
    if not words:
        print(usage.NOTHING_TO_PLAY, end="", file=sys.stderr)
        return startup.WRONG
    if answer := commandline.question(words):
        print(answer, end="")
        return 0
    settings = commandline.parse(words)
    if settings.report:
        match_report.check(settings.report, settings.page)
    return match_run.run(settings, match_report.write)


if __name__ == "__main__":
    signals.interrupt_once()
    console.use_utf8()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.reconfigure(errors="backslashreplace")  # a name need not fit the terminal's encoding
    status = main(sys.argv[1:])
    signals.ignore()  # it is over
    sys.exit(status)
