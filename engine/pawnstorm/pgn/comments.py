"""The comment after a move, which describes the search for it.

This program writes `{+0.25/12 0.051s n=20030 t=0.050s [%clk 0:00:00.959]}`:

    +0.25/12           score in pawns from the mover's view (M5: mates in 5, -M4: is mated in 4), and depth
    d=12               depth, if no score is known
    0.051s             time taken
    n=20030 t=0.050s   nodes, and the time that the engine reports for searching them
    [%clk 0:00:00.959] time left on the clock

These comments can also be read:

    +0.25/12 0.051s, White mates                     cutechess-cli; some versions write 2.9 instead of 2.9s
    +M5/12 0.051s, n=20030, nps=...                  fastchess
    [%eval 0.25,12] [%clk 0:00:00.959] [%emt 0.051]  python-chess; the score is from White's view: #-3 if Black mates in 3
"""

import re
from collections import namedtuple

MoveComment = namedtuple("MoveComment", "elapsed clock_left score depth nodes search_time", defaults=(None,) * 6)
MoveComment.__doc__ = """The figures of the search for one move; None if a figure is not known.

elapsed      milliseconds that the move took
clock_left   milliseconds left on the clock
score        centipawns, or "M5", "-M4" for mates in moves, from the mover's view
depth, nodes
search_time  milliseconds that the engine reports for searching these nodes
"""

# A score stands at the comment's beginning, or after text in brackets, which some programs put there. A number with an
# s after it is a time. A number without an s is a time only if it follows the depth and has a decimal point.
SCORE = re.compile(
    r"(?:\([^)]*\)\s*)?(?P<score>[-+]?M\d{1,9}|[-+]\d{1,9}(?:\.\d+)?|\d{1,9}\.\d+|\d{1,9}(?=/))"
    r"(?:/(?P<depth>\d{1,9})(?:\s+(?P<taken>\d{1,9}\.\d+))?)?(?![^\s,;])"
)
TAKEN = re.compile(r"(?<![^\s,;])(?P<taken>\d{1,9}(?:\.\d+)?)s(?![^\s,;])")
DEPTH = re.compile(r"(?<![^\s,;])d=(?P<depth>\d{1,9})(?![^\s,;])")
NODES = re.compile(r"(?<![^\s,;])n=(?P<nodes>\d{1,15})(?![^\s,;])")
SEARCHED = re.compile(r"(?<![^\s,;])t=(?P<searched>\d{1,13}\.\d{3})s(?![^\s,;])")
EVAL = re.compile(r"\[%eval\s+(?P<score>[-+]?\d{1,9}(?:\.\d+)?|#[-+]?\d{1,9})(?:,(?P<depth>\d{1,9}))?\s*\]")
TIME = re.compile(
    r"\[%(?P<kind>clk|emt)\s+(?:(?:(?P<hours>\d{1,9}):)?(?P<minutes>\d{1,9}):)?(?P<seconds>\d{1,9}(?:\.\d+)?)\s*\]"
)


def comment(elapsed, clock_left=None, score=None, depth=None, nodes=None, search_time=None):
    """The comment after a move, without braces, from the fields of a MoveComment. Unknown fields are left out."""
    words = []
    if score is not None:
        text = f"{score / 100:+.2f}" if isinstance(score, int) else score if score.startswith("-") else f"+{score}"
        words.append(f"{text}/{depth}" if depth is not None else text)
    elif depth is not None:
        words.append(f"d={depth}")
    words.append(f"{round(elapsed) / 1000:.3f}s")
    if nodes is not None:
        words.append(f"n={nodes}")
        if search_time is not None:
            words.append(f"t={search_time / 1000:.3f}s")
    if clock_left is not None:
        # Rounded first: 59.9996 seconds must not become 60.000
        minutes, milliseconds = divmod(round(clock_left), 60_000)
        words.append(f"[%clk {minutes // 60}:{minutes % 60:02}:{milliseconds / 1000:06.3f}]")
    return " ".join(words)


def parse_comment(text, black):
    """The MoveComment in a comment, which is given without its braces. black: whether Black made the move."""
    elapsed = clock_left = score = depth = nodes = search_time = None
    if found := EVAL.search(text):
        score = _score(found["score"].replace("#-", "-M").replace("#+", "M").replace("#", "M"), -1 if black else 1)
        depth = found["depth"]
    elif found := SCORE.match(text):
        score, depth = _score(found["score"]), found["depth"]
        elapsed = found["taken"] and 1000 * float(found["taken"])
    if depth is None and (found := DEPTH.search(text)):
        depth = found["depth"]
    if found := TAKEN.search(text):
        elapsed = 1000 * float(found["taken"])
    if found := NODES.search(text):
        nodes = int(found["nodes"])
    if found := SEARCHED.search(text):
        search_time = round(1000 * float(found["searched"]))
    for clock in TIME.finditer(text):
        seconds = 3600 * int(clock["hours"] or 0) + 60 * int(clock["minutes"] or 0) + float(clock["seconds"])
        if clock["kind"] == "clk":
            clock_left = 1000 * seconds
        elif elapsed is None:
            elapsed = 1000 * seconds
    return MoveComment(elapsed, clock_left, score, None if depth is None else int(depth), nodes, search_time)


def comment_text(text):
    """The text in a form that a comment can hold: on one line, with parentheses in place of braces."""
    return one_line(text).replace("{", "(").replace("}", ")")


def one_line(text):
    """The text on one line, with a question mark in place of each character that cannot be printed."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def _score(text, sign=1):
    """The score of a MoveComment, from its text in a comment, such as "+0.25" or "M5"; negated if sign is -1."""
    negative = (text[0] == "-") != (sign < 0)
    text = text.lstrip("+-")
    if text[0] == "M":
        return f"-{text}" if negative else text
    centipawns = round(100 * float(text))
    return -centipawns if negative else centipawns
