"""What may be written to a terminal."""

import os
import re
import textwrap

from pawnstorm.system import WINDOWS, console

PLAIN = ("dumb", "linux")
"""Values of TERM without colours, or without the symbols that are drawn in them."""


def escaped(text):
    """The text on one line, with each letter that cannot be shown as Python's escape.

    For text from others. Escaped are control characters, line breaks, marks that turn the direction of writing, and
    bytes that were not UTF-8: whatever str.isprintable() denies. What is escaped already stays as it is.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def can_show(stream, symbols):
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


def width(stream):
    """Columns for text on a stream: the terminal's, or what COLUMNS in the environment says, or 80, less two.

    Some terminals wrap a line that is full. argparse would use shutil for this, which the executables lack.
    """
    try:
        columns = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        columns = 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(stream.fileno()).columns or 80  # 0: nobody has told the terminal its size
        except (AttributeError, OSError, ValueError):  # no stream, no terminal, a closed stream
            columns = 80
    return max(columns - 2, 20)


ROW = re.compile(r" *\S+(?: \S+)* {2,}")
"""The head of a row, up to the text beside it, which two spaces or more set apart."""


def wrap(text, width):
    """The text in lines of at most `width` columns, broken between words; a longer word has a line of its own.

    Consecutive lines are one paragraph. A line that is indented, or has two spaces inside, is a row of a table: it starts
    a new line. What does not fit continues below the row's last column, and so do following lines indented that far. If
    that leaves less than a third of the width, it is indented by four instead.
    """
    lines = []  # of the text, each with what belongs to it
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        before = lines[-1] if lines else ""
        goes_on = before and indent == _column(before) and bool(indent) == bool(ROW.match(before))
        if goes_on and line.strip() and not ROW.match(line):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line.rstrip())
    return "\n".join(_fill(line, width) for line in lines)


def _column(line):
    """Where a line's last column begins, or its words."""
    row = ROW.match(line)
    return row.end() if row else len(line) - len(line.lstrip(" "))


def _fill(line, width):
    column = _column(line)
    if 3 * column <= 2 * width:
        line = line[:column].replace(" ", "\0") + line[column:]  # its head stays in one piece
    elif ROW.match(line):
        line, column = line[:column].rstrip() + "  " + line[column:], 4
    filled = textwrap.fill(line, width, subsequent_indent=" " * column, break_long_words=False, break_on_hyphens=False)
    return filled.replace("\0", " ")


def fit(text, stream):
    """The text wrapped to the stream's terminal; unchanged if the stream is no terminal."""
    return wrap(text, width(stream)) if stream.isatty() else text
