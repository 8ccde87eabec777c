"""Types of the words that programs take, for argparse: an error names the word and what was expected."""

import argparse


def positive(text):
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected a whole number from 1")
    return int(text)


def seconds(text):
    """A number from 0."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not found >= 0:      # nor nan
        raise argparse.ArgumentTypeError(f"'{text}': expected a number of seconds from 0")
    return found
