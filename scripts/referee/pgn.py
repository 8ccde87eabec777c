"""Games as PGN text, and back.

Each move carries a comment `{+0.25/12 0.051s n=20030 [%clk 0:00:00.959]}`: score in pawns from the mover's view (M5: mates in 5) and
depth, time taken, nodes, time left on the clock. The last comment says how the game ended.
"""

import re
from dataclasses import dataclass, field

TERMINATIONS = {"normal": "normal", "adjudication": "adjudication", "time": "time forfeit", "illegal": "rules infraction",
                "protocol": "rules infraction"}
"""A record's reason -> the PGN Termination; whatever is not here (crash, hang, start) is `abandoned`."""


@dataclass
class PgnGame:
    """A game as read: tags, moves as written, one comment (or "") after each move, the last comment, and the offset of its end."""

    tags: dict = field(default_factory=dict)
    moves: list = field(default_factory=list)
    comments: list = field(default_factory=list)
    ending: str = ""
    result: str = "*"
    end: int = 0


def format_game(record, tags, moves):
    """One game as PGN text. record: what Game.play returns; tags: those before Result, in order; moves: each move's text."""
    tags = tags | {"Result": record["result"], "Termination": TERMINATIONS.get(record["reason"], "abandoned")}
    fields = tags["FEN"].split()
    black, number = fields[1] == "b", int(fields[5])
    words = []
    for index, (text, move) in enumerate(zip(moves, record["moves"])):
        if not black:
            words.append(f"{number}.")
        elif index == 0:
            words.append(f"{number}...")
        words += [text, comment(*move[1:])]
        number += black
        black = not black
    words += ["{" + clean(record["detail"]) + "}", record["result"]]
    return "".join(f'[{name} "{quoted(value)}"]\n' for name, value in tags.items()) + "\n" + lines(words) + "\n\n"


def lines(words, width=100):
    """The words in lines of at most `width` letters, unless one word alone (a comment counts as one) is longer."""
    rows = [""]
    for word in words:
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] += (" " if rows[-1] else "") + word
    return "\n".join(rows)


def comment(taken, left, score, depth, nodes, _):
    """The comment after a move; what is not known is left out."""
    words = []
    if score is not None:
        text = f"{score / 100:+.2f}" if isinstance(score, int) else score if score.startswith("-") else f"+{score}"
        words.append(f"{text}/{depth}" if depth is not None else text)
    words.append(f"{taken / 1000:.3f}s")
    if nodes is not None:
        words.append(f"n={nodes}")
    if left is not None:
        minutes, milliseconds = divmod(round(left), 60_000)     # rounded first, or 59.9996 seconds became 60.000
        words.append(f"[%clk {minutes // 60}:{minutes % 60:02}:{milliseconds / 1000:06.3f}]")
    return "{" + " ".join(words) + "}"


def clean(text):
    """Text that can stand in a comment on one line."""
    text = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
    return text.replace("{", "(").replace("}", ")")


def quoted(value):
    """A tag's value with PGN's two escapes."""
    return clean(str(value)).replace("\\", "\\\\").replace('"', '\\"')


# A comment may have several lines, but none that looks like a tag: then it was cut off, and another game has begun.
TOKEN = re.compile(r"""
    \[ (?P<tag>\w+) \s+ "(?P<value>(?:[^"\\\n]|\\.)*)" \s* \]
  | \{ (?P<note>(?:[^}\n]|\n(?!\[\w+\s+"))*) \}
  | ; (?P<rest>[^\n]*)
  | (?P<escape>^%[^\n]*)
  | (?P<passing>e\.p\.[+\#!?]*) (?![^\s{;()])
  | (?P<bracket>[()])
  | (?P<nag>\$\d+)
  | (?P<number>\d+\.+)
  | (?P<result>1-0|0-1|1/2-1/2|\*) (?![^\s{;()])
  | (?P<word>[^\s{};()]+)
""", re.VERBOSE | re.MULTILINE)


def read(path):
    """The finished games of a PGN file, one PgnGame after the other; a game that is cut off is left out.

    Variations, lines that begin with % and the word `e.p.` are passed over.
    """
    with open(path, "rb") as file:
        yield from games(file.read().decode("utf-8-sig", "surrogateescape"))


def games(text):
    """The finished games of a text."""
    game, depth = PgnGame(), 0
    for token in TOKEN.finditer(text):
        kind, found = token.lastgroup, token[token.lastgroup]
        if kind == "value":
            if game.moves or game.ending:
                game = PgnGame()
            game.tags[token["tag"]] = re.sub(r"\\(.)", r"\1", found)
            depth = 0
        elif kind == "bracket":
            depth = max(0, depth + (1 if found == "(" else -1))
        elif depth:
            continue
        elif kind == "word":
            game.moves.append(found)
            game.comments.append("")
        elif kind in ("note", "rest"):
            note = " ".join(found.split())
            if game.moves and not game.comments[-1]:
                game.comments[-1] = note
            else:
                game.ending = note
        elif kind == "result":
            game.result, game.end = found, token.end()
            yield game
            game = PgnGame()
