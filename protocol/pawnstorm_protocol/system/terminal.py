"""Text for a terminal: escapes, colours, width and line breaks."""

import os
import re
import textwrap

from pawnstorm.system import WINDOWS, console

PLAIN = ("dumb", "linux")
"""Values of TERM for terminals that lack colours, or the symbols that this program draws in colours."""


def escaped(text):
    """The text on one line, with Python's escape for each character that cannot be shown.

    This is for text that comes from another program or from a file. It escapes every character for which str.isprintable() is
    false: control characters, line breaks, marks that change the direction of writing, and bytes that were not UTF-8. Text that
    is escaped already does not change.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def can_show(stream, symbols):
    """Whether a stream is a terminal that shows colours and these symbols, and the user wants colours.

    A user who sets NO_COLOR wants none (https://no-color.org).
    """
    try:
        symbols.encode(stream.encoding)
    except UnicodeEncodeError:
        return False
    if not stream.isatty() or os.environ.get("NO_COLOR"):
        return False
    return console.can_colour(stream) if WINDOWS else os.environ.get("TERM", "dumb") not in PLAIN


def width(stream):
    """The columns for text on a stream, at least 20.

    It is two less than the first of these that is known: COLUMNS of the environment, the terminal's width, 80. Two are
    subtracted because some terminals wrap a full line. argparse would use shutil for this, which the executables lack.
    """
    try:
        columns = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        columns = 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(stream.fileno()).columns or 80  # 0 if the terminal does not know its size
        except (AttributeError, OSError, ValueError):  # respectively no stream, no terminal, or a closed stream
            columns = 80
    return max(columns - 2, 20)


ROW = re.compile(r" *\S+(?: \S+)* {2,}")
"""The first column of a table's row, with the two or more spaces that separate it from the next column."""


def wrap(text, width):
    """Break the text between words into lines of at most `width` columns. A longer word gets a line of its own.

    Consecutive lines are one paragraph. A line that is indented, or has two spaces inside, is a row of a table: it starts
    a new line. Following lines that are indented to the row's second column belong to the row. The rest of a long row
    continues below its second column. If less than a third of the width is left there, the rest is indented by four instead.
    """
    lines = []  # the lines of the text, each with its continuation lines joined to it
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
    """The number of characters before a row's second column, or else before a line's first word."""
    row = ROW.match(line)
    return row.end() if row else len(line) - len(line.lstrip(" "))


def _fill(line, width):
    column = _column(line)
    if 3 * column <= 2 * width:
        line = line[:column].replace(" ", "\0") + line[column:]  # so that the first column is not broken
    elif ROW.match(line):
        line, column = line[:column].rstrip() + "  " + line[column:], 4
    filled = textwrap.fill(line, width, subsequent_indent=" " * column, break_long_words=False, break_on_hyphens=False)
    return filled.replace("\0", " ")


def fit(text, stream):
    """The text wrapped to the stream's terminal; unchanged if the stream is not a terminal."""
    return wrap(text, width(stream)) if stream.isatty() else text
