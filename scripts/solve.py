"""Find out who wins with best play: `python scripts/solve.py --variant breakthrough5x5`."""

__extra__ = "build,solve"

from pawnstorm_tools import startup  # noqa: F401  first, before what takes long to import

# isort: split
import sys

from pawnstorm_tools.programs import solve

if __name__ == "__main__":
    sys.exit(solve.run(sys.argv[1:]))
