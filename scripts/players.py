"""Run one of the reference opponents as a UCI engine: `python scripts/players.py --player NAME`; `-h` lists the names."""

__extra__ = "build,match"

from pawnstorm_tools import startup

if __name__ == "__main__":
    startup.run("players")
