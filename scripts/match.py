"""Play a match between UCI engines, two or many: `python scripts/match.py -help` lists the flags."""

__extra__ = "build,match"

from pawnstorm_tools import startup  # noqa: F401  first, before what takes long to import

# isort: split
import sys

from pawnstorm_tools.programs import match

if __name__ == "__main__":
    sys.exit(match.run(sys.argv[1:]))
