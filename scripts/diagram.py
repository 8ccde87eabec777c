"""Draw a board: `python scripts/diagram.py FEN [--variant GAME] [--move e2e4] [--line "e7e5 d2d4"] [--dark] -o board.svg`."""

__extra__ = "build,report"

from pawnstorm_tools import startup  # noqa: F401  first, before what takes long to import

# isort: split
import sys

from pawnstorm_tools.programs import diagram

if __name__ == "__main__":
    sys.exit(diagram.run(sys.argv[1:]))
