"""What programs share that read their command line with argparse: argument types, and the form of the help.

An argument type is a function text -> value. Its error names the text and what was expected.
"""

import argparse
import math
import os
import stat

from pawnstorm.protocol import parse


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help of a fixed width. To ask the terminal for its width takes a module that nothing else needs."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=30, width=110)


def whole(low, high=None):
    """The type of a whole number from low to high."""

    def read(text):
        try:
            return parse.whole(text, low, high)
        except ValueError as error:
            raise argparse.ArgumentTypeError(error) from None

    return read


def number(fits, expected):
    """The type of a number for which fits(number) is true; expected: what it is, for the error."""

    def read(text):
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not fits(found):
            raise argparse.ArgumentTypeError(f"'{text[:40]}': expected {expected}")
        return found

    return read


positive = whole(1)
seconds = number(lambda found: found >= 0, "a number of seconds from 0")
minutes = number(lambda found: 0 < found <= 10_000, "a number of minutes, such as 30 or 0.5")
above_nought = number(lambda found: 0 < found < math.inf, "a number above 0")
share = number(lambda found: 0 <= found <= 1, "a number from 0 to 1")


def name_value(text):
    """The type of NAME=VALUE: (name, value)."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not NAME=VALUE, as in Hash=64")
    return name, value


def appendable(text):
    """The type of a file to append to, which is made where there is none."""
    try:
        if os.path.exists(text) and stat.S_ISFIFO(os.stat(text).st_mode):  # to open it might take for ever
            raise argparse.ArgumentTypeError(f"'{text[:80]}' is a pipe: expected a file")
        open(text, "ab").close()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"'{text[:80]}' cannot be written: {error.strerror}") from None
    return text
