"""What may be written to a terminal."""

import os

from pawnstorm.engine.system import WINDOWS
from pawnstorm.protocol.system import console

PLAIN = ("dumb", "linux")
"""Values of TERM without colours, or without the symbols that are drawn in them."""


def printable(text):
    """The text on one line, with each letter that cannot be shown as Python's escape.

    For text from others. Escaped are control characters, line breaks, marks that turn the direction of writing, and
    bytes that were not UTF-8: whatever str.isprintable() denies. What is escaped already stays as it is.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def shows(stream, symbols):
    """Whether a stream is a terminal that shows colours and these symbols, and the user wants colours.

    Who sets NO_COLOR wants none (https://no-color.org).
    """
    try:
        symbols.encode(stream.encoding)
    except UnicodeEncodeError:
        return False
    if not stream.isatty() or os.environ.get("NO_COLOR"):
        return False
    return console.can_colour(stream) if WINDOWS else os.environ.get("TERM", "dumb") not in PLAIN
