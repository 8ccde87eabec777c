"""Find out who wins with best play: `python scripts/solve.py --variant breakthrough5x5`."""

__extra__ = "build,solve"

from pawnstorm_tools import startup

if __name__ == "__main__":
    startup.run("solve")
