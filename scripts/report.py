"""Make one page of HTML of a match: `python scripts/report.py games.pgn -o out.html`; -h lists the flags."""

__extra__ = "build,report"

from pawnstorm_tools import startup  # noqa: F401  first, before what takes long to import

# isort: split
import sys

from pawnstorm_tools.programs import report

if __name__ == "__main__":
    sys.exit(report.run(sys.argv[1:]))
