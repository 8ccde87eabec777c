"""What the comment after a move says of the search, in the words of several programs.

    match.py        +0.25/12 0.051s n=20030 t=0.050s [%clk 0:00:00.959]
    cutechess-cli   +0.25/12 0.051s, White mates                        +0.25/12 2.9 in some versions: seconds
    fastchess       +M5/12 0.051s, n=20030, nps=...
    python-chess    [%eval 0.25,12] [%clk 0:00:00.959] [%emt 0.051]     the score is White's; #-3 is a mate
"""

import re
from dataclasses import dataclass

# At the comment's beginning, behind a line in brackets that some put there. A number with an s behind it is a time, a bare one only if it
# follows the depth and has a point.
SCORE = re.compile(r"(?:\([^)]*\)\s*)?(?P<score>[-+]?M\d{1,9}|[-+]\d{1,9}(?:\.\d+)?|\d{1,9}\.\d+|\d{1,9}(?=/))"
                   r"(?:/(?P<depth>\d{1,9})(?:\s+(?P<taken>\d{1,9}\.\d+))?)?(?![^\s,;])")
TAKEN = re.compile(r"(?<![^\s,;])(?P<taken>\d{1,9}(?:\.\d+)?)s(?![^\s,;])")
NODES = re.compile(r"(?<![^\s,;])n=(?P<nodes>\d{1,15})(?![^\s,;])")
SEARCHED = re.compile(r"(?<![^\s,;])t=(?P<searched>\d{1,13}\.\d{3})s(?![^\s,;])")
EVAL = re.compile(r"\[%eval\s+(?P<score>[-+]?\d{1,9}(?:\.\d+)?|#[-+]?\d{1,9})(?:,(?P<depth>\d{1,9}))?\s*\]")
TIME = re.compile(r"\[%(?P<kind>clk|emt)\s+(?:(?:(?P<hours>\d{1,9}):)?(?P<minutes>\d{1,9}):)?(?P<seconds>\d{1,9}(?:\.\d+)?)\s*\]")


@dataclass
class Search:
    """What is known of one move; None where the comment does not say. score: centipawns, or "M5", "-M4", from the mover's view; times
    in milliseconds; searched: as the engine says, for its nodes."""

    score: int | str | None = None
    depth: int | None = None
    taken: float | None = None
    left: float | None = None
    nodes: int | None = None
    searched: int | None = None


def parse(comment, black):
    """The Search that a comment tells of; black: whether Black made the move."""
    found = Search()
    if command := EVAL.search(comment):
        found.score = read_score(command["score"].replace("#-", "-M").replace("#+", "M").replace("#", "M"), -1 if black else 1)
        found.depth = whole(command["depth"])
    elif written := SCORE.match(comment):
        found.score, found.depth = read_score(written["score"]), whole(written["depth"])
        found.taken = written["taken"] and 1000 * float(written["taken"])
    if written := TAKEN.search(comment):
        found.taken = 1000 * float(written["taken"])
    if written := NODES.search(comment):
        found.nodes = int(written["nodes"])
    if written := SEARCHED.search(comment):
        found.searched = round(1000 * float(written["searched"]))
    for clock in TIME.finditer(comment):
        milliseconds = 1000 * (3600 * int(clock["hours"] or 0) + 60 * int(clock["minutes"] or 0) + float(clock["seconds"]))
        if clock["kind"] == "clk":
            found.left = milliseconds
        elif found.taken is None:
            found.taken = milliseconds
    return found


def read_score(text, sign=1):
    """A score as written, or its opposite."""
    negative = (text[0] == "-") != (sign < 0)
    text = text.lstrip("+-")
    if text[0] == "M":
        return f"-{text}" if negative else text
    centipawns = round(100 * float(text))
    return -centipawns if negative else centipawns


def whole(text):
    return None if text is None else int(text)
