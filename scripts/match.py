"""Play a match between UCI engines, two or many: `python scripts/match.py -help` lists the flags."""

__extra__ = "build,match"

from pawnstorm_tools import startup

if __name__ == "__main__":
    startup.run("match")
