"""The argument parser and the argument types of all programs that use argparse.

An argument type is a function text -> value. Its error names the text and what was expected.
"""

import argparse
import math
import os
import re
import stat
import sys

from pawnstorm import numbers
from pawnstorm.suggestions import did_you_mean
from pawnstorm_protocol import addresses
from pawnstorm_protocol.system import terminal


class Parser(argparse.ArgumentParser):
    """A parser whose help is as wide as the terminal. For an unknown flag it suggests a similar one.

    An abbreviated flag is an unknown flag. terminal.wrap() wraps the description and the epilog.
    """

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, allow_abbrev=False, formatter_class=_HelpFormatter, **settings)

    def parse_known_args(self, words=None, found=None):
        words, known = sys.argv[1:] if words is None else list(words), self._option_string_actions
        for word in words:
            if word == "--" or self._subparsers and not word.startswith("-"):  # a subcommand has its own parser
                break
            flag = word.partition("=")[0]
            # Numbers, texts with spaces, and -oFILE do not count as unknown flags.
            if re.fullmatch("--?[a-zA-Z]\\S*", flag) and flag not in known and flag[:2] not in known:
                self.error(f"unknown flag '{flag[:60]}'{did_you_mean(flag, known)}; -h lists all")
        return super().parse_known_args(words, found)

    def _check_value(self, action, value):
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError:
            choices = [str(choice) for choice in action.choices]
            raise argparse.ArgumentError(
                action, f"'{str(value)[:60]}'{did_you_mean(str(value), choices)}: expected one of {', '.join(choices)}"
            ) from None


class _HelpFormatter(argparse.HelpFormatter):
    """Sets the width itself, because argparse would ask shutil, a module that the executables lack."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=30, width=terminal.width(sys.stdout))

    def _fill_text(self, text, width, indent):
        return terminal.wrap(text, width)

    def _split_lines(self, text, width):
        return terminal.wrap(" ".join(text.split()), width).splitlines()


def typed(read):
    """The argument type whose value is read(text). If read() raises a ValueError, its text becomes the error message."""

    def checked(text):
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(error) from None

    return checked


def int_range(low, high=None):
    """The argument type of a whole number from low to high."""
    return typed(lambda text: numbers.parse_int(text, low, high))


def number(fits, expected):
    """The argument type of a number for which fits(number) is true. The error message ends with `expected`."""

    def read(text):
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not fits(found):
            raise argparse.ArgumentTypeError(f"'{text[:40]}': expected {expected}")
        return found

    return read


positive = int_range(1)
seconds = number(lambda found: found >= 0, "a number of seconds from 0")
minutes = number(lambda found: 0 < found <= 10_000, "a number of minutes, such as 30 or 0.5")
positive_number = number(lambda found: 0 < found < math.inf, "a number above 0")
address = typed(addresses.address)
fraction = number(lambda found: 0 <= found <= 1, "a number from 0 to 1")


def host(text):
    """The argument type of an address or a name to listen at. An IPv6 address may be in brackets, the form that it has before
    a port.
    """
    found = addresses.HOST.fullmatch(f"[{text}]" if ":" in text and "[" not in text else text)
    if not found:
        raise argparse.ArgumentTypeError(
            f"'{text[:80]}': expected an address or a name, as in 127.0.0.1, :: or localhost"
        )
    try:
        addresses.host_name(found[1] or found[2])
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return found[1] or found[2]


def name_value(text):
    """The argument type of NAME=VALUE. Returns (name, value)."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not NAME=VALUE, as in Hash=64")
    return name, value


def appendable(text):
    """The argument type of a file to append to. The file is made if it is missing. Returns its path."""
    try:
        if os.path.exists(text) and stat.S_ISFIFO(os.stat(text).st_mode):  # open() might wait for a reader for ever
            raise argparse.ArgumentTypeError(f"'{text[:80]}' is a pipe: expected a file")
        open(text, "ab").close()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"'{text[:80]}' cannot be written: {error.strerror}") from None
    return text
