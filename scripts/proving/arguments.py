"""Types of the words that programs take, for argparse: an error names the word and what was expected."""

import argparse
import math


def positive(text):
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected a whole number from 1")
    return int(text)


def seconds(text):
    """A number from 0."""
    found = _number(text)
    if not found >= 0:
        raise argparse.ArgumentTypeError(f"'{text}': expected a number of seconds from 0")
    return found


def above_nought(text):
    """A finite number above 0."""
    found = _number(text)
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}': expected a number above 0")
    return found


def share(text):
    """A number from 0 to 1."""
    found = _number(text)
    if not 0 <= found <= 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected a number from 0 to 1")
    return found


def _number(text):
    """The number that a text is, nan where it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan
