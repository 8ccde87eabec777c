"""Text in a terminal of any width."""

import sys

import pytest

from pawnstorm.system import WINDOWS
from pawnstorm_protocol.system import terminal

TEXT = """\
One paragraph, whose lines
follow one another and are filled anew.

name     what it does, in more words than a narrow terminal has columns
longer   what this does,
         which is one row of two lines
    an indented line
    another one, which begins a line of its own
The end."""


def test_paragraphs_are_filled_and_rows_keep_their_columns():
    assert (
        terminal.wrap(TEXT, 40)
        == """\
One paragraph, whose lines follow one
another and are filled anew.

name     what it does, in more words
         than a narrow terminal has
         columns
longer   what this does, which is one
         row of two lines
    an indented line
    another one, which begins a line of
    its own
The end."""
    )


def test_row_whose_text_would_be_squeezed_gives_up_its_column():
    assert terminal.wrap("a-name-with-a-length   words beside it, some of them", 24) == (
        "a-name-with-a-length\n    words beside it,\n    some of them"
    )


@pytest.mark.parametrize("width", range(20, 100, 7))
def test_no_word_is_lost_or_broken(width):
    said = terminal.wrap(TEXT, width)
    assert said.split() == TEXT.split() and max(map(len, said.splitlines())) <= width


def test_columns_say_how_wide_the_terminal_is(monkeypatch):
    monkeypatch.setenv("COLUMNS", "57")
    assert terminal.width(sys.stdout) == 55
    for nothing in "", "0", "-3", "many", "9" * 5000:
        monkeypatch.setenv("COLUMNS", nothing)
        assert terminal.width(None) == 78


@pytest.mark.skipif(WINDOWS, reason="no such terminals")
def test_terminal_is_asked_and_other_streams_are_left_as_they_are(monkeypatch, tmp_path):
    import fcntl
    import pty
    import struct
    import termios

    monkeypatch.delenv("COLUMNS", raising=False)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 44, 0, 0))
    with open(master), open(slave, "w") as stream:
        assert terminal.width(stream) == 42 and terminal.fit(TEXT, stream) == terminal.wrap(TEXT, 42)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 0, 0, 0, 0))  # as in a pty whose size was never set
        assert terminal.width(stream) == 78
    with open(tmp_path / "file", "w") as stream:
        assert terminal.width(stream) == 78 and terminal.fit(TEXT, stream) == TEXT
