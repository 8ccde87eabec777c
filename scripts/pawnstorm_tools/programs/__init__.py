"""The programs that `pip install` installs as commands: `pawnstorm match` is match.py.

Each has main(words). A program that also sets up or ends its own process has run(words).
"""

import sys

from pawnstorm_tools import startup


def start(name, extra, argv):
    """Run a program as a command, and exit. extra: the optional dependencies of pyproject.toml that it needs."""
    sys.argv[0] = f"pawnstorm {name}"  # the name in help and errors
    sys.modules["__main__"].__extra__ = extra
    startup.run(name, argv)
