"""Draw a board: `python scripts/diagram.py FEN [--variant GAME] [--move e2e4] [--line "e7e5 d2d4"] [--dark] -o board.svg`."""

__extra__ = "build,report"

from pawnstorm_tools import startup

if __name__ == "__main__":
    startup.run("diagram")
