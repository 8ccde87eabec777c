"""Bytes -> lines. Pure."""

LONGEST = 1024
"""Bytes of the longest line. A Setup with a pawn on every square has 261."""


class TooLong(ValueError):
    """More bytes without a newline than any line has."""


class Wire:
    """What has come through one connection.

    partial   the bytes behind the last whole line
    newline   how the other side ended its last line: b"\\n", b"\\r\\n", or b"" if take() found no end; None before
    """

    def __init__(self):
        self.partial, self.newline = b"", None

    def feed(self, data):
        """The lines that are whole now, as text without their ends, and without empty ones.

        Raises TooLong, and forgets the line.
        """
        *lines, self.partial = (self.partial + data).split(b"\n")
        longest = max(map(len, (*lines, self.partial)))
        if longest > LONGEST:
            self.partial = b""
            raise TooLong(f"a line longer than {LONGEST} bytes")
        if lines:
            self.newline = b"\r\n" if lines[-1].endswith(b"\r") else b"\n"
        return [text for text in map(_text, lines) if text]

    def take(self):
        """Take the partial line, as if it had ended."""
        text, self.partial, self.newline = _text(self.partial), b"", b""
        return text

    def peek(self):
        """The partial line, which stays where it is."""
        return _text(self.partial)


def _text(data):
    return data.decode("ascii", "backslashreplace").strip()
