"""The programs that `pip install` brings as commands: `pawnstorm match` is match.py. Each has main(words), and
run(words) where more than that is to be done for a process of its own.
"""

import sys

from pawnstorm_tools import startup


def start(name, extra, argv):
    """Run a program as a command, and exit. extra: the optional dependencies of pyproject.toml that it needs."""
    sys.argv[0] = f"pawnstorm {name}"  # help and errors name it so
    sys.modules["__main__"].__extra__ = extra
    startup.run(name, argv)
