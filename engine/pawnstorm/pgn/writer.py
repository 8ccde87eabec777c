"""Writes finished games as PGN text, and adds them to files."""

import os
import time

from pawnstorm.pgn.comments import comment, comment_text, one_line
from pawnstorm.pgn.san import move_san

WIDTH = 100
"""The most characters of a line, unless one word alone is longer. A comment counts as one word."""

TERMINATIONS = {
    "normal": "normal",
    "adjudication": "adjudication",
    "time": "time forfeit",
    "illegal": "rules infraction",
    "protocol": "rules infraction",
    "unfinished": "unterminated",
}
"""A record's reason -> the PGN Termination; any other reason (crash, hang, start) is `abandoned`."""


def game_tags(event, number, white, black, variant, start, date=None):
    """The tags of a game, in order, without the result.

    number: the number of the round. start: the FEN of the first position. date: year.month.day, None for today.
    """
    return {
        "Event": event,
        "Site": "?",
        "Date": date or time.strftime("%Y.%m.%d"),
        "Round": number,
        "White": white,
        "Black": black,
        "Variant": variant,
        "SetUp": "1",
        "FEN": start,
    }


def format_game(record, tags, rules):
    """One game of these rules as PGN text, with an empty line after it.

    tags: name -> value, in order, FEN among them, without Result and Termination.
    record: a dict of
        result   "1-0", "0-1" or "*"
        reason   a key of TERMINATIONS; with any other text, Termination is "abandoned"
        detail   how the game ended, in words
        moves    for each move: its coordinates, then the arguments of comment()
    """
    tags = tags | {"Result": record["result"], "Termination": TERMINATIONS.get(record["reason"], "abandoned")}
    moves = [(text, comment(*about)) for text, *about in record["moves"]]
    return pgn_text(tags, rules, moves, last=record["detail"]) + "\n\n"


def pgn_text(tags, rules, moves, first="", last=""):
    """A game of these rules as PGN text, without a newline at the end.

    tags: name -> value, in order, with FEN and Result. moves: (coordinates, comment) of each move. first: the comment before
    the moves. last: a comment after the comment of the last move. Comments have no braces; "" means no comment.
    """
    fields = tags["FEN"].split()
    black, number = fields[1] == "b", int(fields[5])
    words = [_braced(first)]
    for index, (text, note) in enumerate(moves):
        if not black:
            words.append(f"{number}.")
        elif index == 0:
            words.append(f"{number}...")
        words += [move_san(rules, text), _braced(note)]
        number += black
        black = not black
    words += [_braced(last), tags["Result"]]
    return "".join(f'[{name} "{quote(value)}"]\n' for name, value in tags.items()) + "\n" + _lines(words)


def append(path, text):
    """Add a game's text to a file, after an empty line if the file has other games. Raises OSError."""
    with open(path, "ab+") as file:
        end = b""
        if os.path.isfile(path):  # a device may have no end
            file.seek(max(0, file.seek(0, os.SEEK_END) - 2))
            end = file.read()
        file.write((separator(end.decode("utf-8", "replace")) + text).encode())


def separator(text):
    """The newlines to add at the end of `text`, a file of games, so that another game follows after an empty line."""
    return "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"


def quote(value):
    """A tag's value, with PGN's two escapes."""
    return one_line(str(value)).replace("\\", "\\\\").replace('"', '\\"')


def _braced(text):
    """A comment in braces; "" if there is none."""
    return "{" + comment_text(text) + "}" if text else ""


def _lines(words):
    """The words in lines of at most WIDTH characters."""
    rows = [""]
    for word in filter(None, words):
        if rows[-1] and len(rows[-1]) + 1 + len(word) > WIDTH:
            rows.append("")
        rows[-1] += (" " if rows[-1] else "") + word
    return "\n".join(rows)
