"""Make an HTML page of a match: `python scripts/report.py games.pgn -o out.html`; -h lists the flags."""

__extra__ = "build,report"

from pawnstorm_tools import startup

if __name__ == "__main__":
    startup.run("report")
