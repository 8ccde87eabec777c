"""Reads games from PGN text, written by this and other programs."""

import re
import sys

from pawnstorm.system import textfile

LONGEST = 10_000
"""The most characters of a comment or of a tag's value that are kept."""


class PgnGame:
    """A game as read.

    tags            name -> value
    moves           as written
    notes           for each comment, (number of moves before it, its text on one line)
    resigned_after  the number of moves before the word `resign`, with which Little Golem ends a game; None without it
    result          "1-0", "0-1", "1/2-1/2" or "*"
    end_offset      the offset at which the result ends in the text; 0 if the game is cut off
    """

    def __init__(self):
        self.tags, self.moves, self.notes, self.resigned_after, self.result, self.end_offset = {}, [], [], None, "*", 0

    @property
    def comments(self):
        """The first comment after each move, or ""."""
        first = dict(reversed(self.notes))
        return [first.get(number, "") for number in range(1, len(self.moves) + 1)]

    @property
    def last_comment(self):
        """The last comment at the end of the game; "" if there is none.

        The first comment after the last move does not count: it belongs to that move.
        """
        notes = [text for number, text in self.notes if number == len(self.moves)]
        return notes[-1] if len(notes) > bool(self.moves) else ""


# A tag that begins a line may contain quotes without their backslash. A comment may have several lines, but if one of
# them looks like a tag, the comment was cut off and another game has begun. A comment without an end is a token too;
# otherwise the expression would search for an end again at each { in it. Only single letters repeat without a bound,
# since each repetition of a group takes 200 bytes until the token ends.
TOKEN = re.compile(
    r"""
    (?P<first>^)? \[ (?P<tag>\w+) \s+ "(?P<value>[^"\\\n]*(?:\\.[^"\\\n]*){0,10000}(?(first)(?:"[^\n]*?)??))" \s* \]
  | \{ (?P<note>[^}]*?) (?:\}|(?P<cut>(?=\n\[\w+\s+"|\Z)))
  | ; (?P<rest>[^\n]*)
  | (?P<escape>^%[^\n]*)
  | (?P<passing>e\.p\.[+\#!?]*) (?![^\s{;()])
  | (?P<bracket>[()])
  | (?P<nag>\$\d+)
  | (?P<number>\d+\.+)
  | (?P<result>1-0|0-1|1/2-1/2|\*) (?![^\s{;()])
  | (?P<resign>(?i:resigns?)) (?![^\s{;()])
  | (?P<word>[^\s{};()]+)
""",
    re.VERBOSE | re.MULTILINE,
)


def read(path):
    """The finished games of a PGN file, as PgnGames. A game that is cut off is left out. Raises OSError.

    Variations, the word `e.p.` and lines that begin with % are skipped.
    """
    yield from games(textfile.text(path, "surrogateescape"))


def games(text):
    """The finished games of a text."""
    return (game for game in all_games(text) if game.end_offset)


def all_games(text):
    """All games of a text, including those that are cut off."""
    game, depth = PgnGame(), 0
    for token in TOKEN.finditer(text):
        kind, found = token.lastgroup, token[token.lastgroup]
        if kind == "value":
            if game.moves or game.resigned_after is not None or game.tags and game.notes:
                yield game
                game = PgnGame()
            game.notes.clear()
            game.tags[token["tag"]] = re.sub(r"\\(.)", r"\1", found[: 2 * LONGEST])[:LONGEST]
            depth = 0
        elif kind == "bracket":
            depth = max(0, depth + (1 if found == "(" else -1))
        elif depth:
            continue
        elif kind == "word":
            game.moves.append(sys.intern(found))  # saves memory: all games have the same few words
        elif kind in ("note", "rest"):
            if note := " ".join(found[:LONGEST].split()):
                game.notes.append((len(game.moves), note))
        elif kind == "resign":
            game.resigned_after = len(game.moves) if game.resigned_after is None else game.resigned_after
        elif kind == "result":
            game.result, game.end_offset = found, token.end()
            yield game
            game = PgnGame()
    if game.tags or game.moves or game.resigned_after is not None:
        yield game
