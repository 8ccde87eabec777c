"""The known opponents, one UCI program: `python scripts/players.py --player NAME`; `-h` lists the names."""

__extra__ = "build,match"

from pawnstorm_tools import startup  # noqa: F401  first, before what takes long to import

# isort: split
import sys

from pawnstorm_tools.programs import players

if __name__ == "__main__":
    sys.exit(players.run(sys.argv[1:]))
