"""Check a proof of who wins: `python scripts/verify.py FILE`."""

__extra__ = "solve"

from pawnstorm_tools import startup  # noqa: F401  first, before what takes long to import

# isort: split
import sys

from pawnstorm_tools.programs import verify

if __name__ == "__main__":
    sys.exit(verify.run(sys.argv[1:]))
