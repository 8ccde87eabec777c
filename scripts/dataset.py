"""Make a dataset of positions with values: `python scripts/dataset.py breakthrough FOLDER`; -h lists the flags."""

__extra__ = "build,data"

from pawnstorm_tools import startup

if __name__ == "__main__":
    startup.run("dataset")
