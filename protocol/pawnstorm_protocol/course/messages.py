"""Splits bytes into lines, reads the messages of a line, and writes messages. Pure.

It reads the messages of all dialects, from servers and clients. Usually, a line has one message. But if the sender writes no
line ends, several messages may come as one line, with nothing between them. Case does not matter.
"""

import re
from collections import namedtuple

from pawnstorm.games.notation import move_text, square_name
from pawnstorm.games.position import Board
from pawnstorm.numbers import pluralize

LONGEST = 1024
"""The most bytes of a line. A Setup with a pawn on every square has 261."""


class TooLong(ValueError):
    """A line is longer than LONGEST."""


class LineBuffer:
    """Splits the bytes of one connection into lines.

    partial   the bytes after the last whole line
    newline   how the other side ended its last line: b"\\n", b"\\r\\n", or b"" if take() ended it; None before the first line
    """

    def __init__(self):
        self.partial, self.newline = b"", None

    def feed(self, data):
        """Add bytes; returns the lines that are now complete, as text without line ends. Empty lines are left out.

        Raises TooLong if a line is too long; then the lines that are now complete and the partial line are dropped.
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
        """Take the partial line as if it had ended."""
        text, self.partial, self.newline = _text(self.partial), b"", b""
        return text

    def peek(self):
        """The partial line, which stays in the buffer."""
        return _text(self.partial)


def _text(data):
    return data.decode("ascii", "backslashreplace").strip()


Message = namedtuple("Message", "kind value text")
Message.__doc__ = """One message: its kind, the value that it carries (see GRAMMAR), and its text."""

WHITE, BLACK = 0, 1
NUMBER = r"(\d{1,7}(?:\.\d{1,20})?)(?![\d.])"


def _side(text):
    return BLACK if text[0] in "bB" else WHITE


def _setup(found):
    """Read a Setup as (white, black, side to move or None). white and black are bitboards in White's view.

    Returns None if a side has no pawns, or if a square has a pawn of each side.
    """
    pawns = [0, 0]
    for word in found[1].split():
        pawns[_side(word)] |= 1 << "abcdefgh".index(word[1].lower()) + 8 * (int(word[2]) - 1)
    return (*pawns, _side(found[2]) if found[2] else None) if all(pawns) and not pawns[0] & pawns[1] else None


def _winner(found):
    side = re.search(r"\b(white|black|w|b)\b", found[1], re.IGNORECASE)
    return _side(side[1]) if side else None


GRAMMAR = [
    (kind, re.compile(pattern, re.IGNORECASE), read)
    for kind, pattern, read in (
        # Clients send these.
        ("ok", r"ok", None),
        ("ready", r"ready", None),
        ("tournament", r"tournament\s+(\d{1,6})", lambda found: int(found[1])),
        # Both sides send these.
        ("move", r"(?:move\s+)?((?:[a-h][1-8]){2}q?)", lambda found: found[1].lower()),
        ("exit", r"exit", None),
        # Servers send these. The value of a greeting is whether the client answers it.
        ("greeting", r"(welcome|connected).*?(?=setup\s|time\s|$)", lambda found: found[1].lower() == "connected"),
        ("setup", r"setup((?:\s+[wb][a-h][1-8])+)(?:\s+(white|black)(?![a-z]))?", _setup),
        ("time", rf"(?:time[\s:]\s*)?{NUMBER}", lambda found: float(found[1])),
        ("accepted", r"tournamentaccepted(?:\s+(\d{1,6}))?", lambda found: int(found[1]) if found[1] else None),
        ("reset", r"reset", None),
        ("begin", r"begin", None),
        ("colour", r"(?:(?:colou?r|role|assign)[\s:]\s*)?(white|black)", lambda found: _side(found[1])),
        ("colour", r"(?:colou?r|role|assign)[\s:]\s*([wb])(?![a-z])", lambda found: _side(found[1])),
        ("turn", r"your\s+turn[.!]*|move", None),
        ("clocks", rf"timer\s+w:\s*{NUMBER}s?\s+b:\s*{NUMBER}s?", lambda found: (float(found[1]), float(found[2]))),
        ("remaining", rf"timeremaining[\s:]\s*{NUMBER}s?", lambda found: float(found[1])),
        # The value of "over" is the winner, or None if it is not named. The value of "verdict" is whether the client has won.
        ("over", r"game\s?over(.*?)(?=reset|$)", _winner),
        ("over", r"win\s*:\s*(white|black|w|b)(?:\s+wins)?[.!]*(?![a-z])", _winner),
        ("verdict", r"(win|lost)(?![a-z:])[.!]*", lambda found: found[1].lower() == "win"),
    )
]


def parse(text):
    """The Messages of a line, in order; [] if any part of it is not understood."""
    messages, start, text = [], 0, text.strip()
    while start < len(text):
        for kind, pattern, value in GRAMMAR:
            found = pattern.match(text, start)
            parsed = None if found is None or value is None else value(found)
            if found and (kind != "setup" or parsed):
                messages.append(Message(kind, parsed, found[0]))
                start = found.end()
                break
        else:
            return []
        while start < len(text) and text[start].isspace():
            start += 1
    return messages


def board(rules, setup):
    """The Board for the value of a setup message."""
    white, black, side = setup
    own, opp = (rules.flip(black), rules.flip(white)) if side else (white, black)
    return Board(rules, own, opp, 0, bool(side))


def setup(board):
    """The message `Setup Wa2 ... Bh7`. If Black is to move, ` BLACK` follows; the course's own server has no such word."""
    words = ["Setup"]
    for letter, pawns in (("W", board.white_pawns), ("B", board.black_pawns)):
        words += [letter + square_name(square) for square in range(64) if pawns >> square & 1]
    return " ".join(words + ["BLACK"] * board.black_to_move)


SHOWN = 8
"""The maximum number of legal moves that the message of illegal() names."""


def illegal(board, text):
    """The message about an illegal move, such as `Illegal e2-e5: expected e2-e3 or e2-e4`.

    Other clients ignore the line: it begins neither with a square nor like a message of GRAMMAR. A client that looks for
    a move of four characters anywhere in a line finds none, because of the hyphens.
    """
    legal = sorted(move_text(board, move)[:4] for move in board.moves())
    fitting = [move for move in legal if move[:2] == text[:2]] or legal
    shown = [f"{move[:2]}-{move[2:]}" for move in fitting[:SHOWN]]
    shown += [pluralize(len(fitting) - SHOWN, "other")] * (len(fitting) > SHOWN)
    return f"Illegal {text[:2]}-{text[2:]}: expected {' or '.join(shown)}"
