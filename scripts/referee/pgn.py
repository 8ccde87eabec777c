"""Games as PGN text, and back.

Moves are written in coordinates, as UCI has them: two of the three games have moves that chess's own notation cannot tell apart, and
readers of chess PGN take `e2e4` too. Each move carries a comment `{+0.25/12 0.051s n=20030 [%clk 0:00:00.959]}`: score in pawns from
the mover's view (M5: mates in 5) and depth, time taken, nodes, time left on the clock. The last comment says how the game ended.
"""

import re
from dataclasses import dataclass

TERMINATIONS = {"normal": "normal", "time": "time forfeit", "illegal": "rules infraction", "protocol": "rules infraction"}
"""A record's reason -> the PGN Termination; whatever is not here (crash, hang, start) is `abandoned`."""


@dataclass
class PgnGame:
    """A game as read: tags, moves as written, one comment (or "") after each move, and the last comment."""

    tags: dict
    moves: list
    comments: list
    ending: str
    result: str


def format_game(record, tags):
    """One game as PGN text. record: what Game.play returns; tags: the tags before Result, in order."""
    tags = tags | {"Result": record["result"], "Termination": TERMINATIONS.get(record["reason"], "abandoned")}
    fields = tags["FEN"].split()
    black, number = fields[1] == "b", int(fields[5])
    words = []
    for index, move in enumerate(record["moves"]):
        if not black:
            words.append(f"{number}.")
        elif index == 0:
            words.append(f"{number}...")
        words += [move[0], comment(*move[1:])]
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
        minutes, seconds = divmod(left / 1000, 60)
        words.append(f"[%clk {int(minutes // 60)}:{int(minutes % 60):02}:{seconds:06.3f}]")
    return "{" + " ".join(words) + "}"


def clean(text):
    """Text that can stand in a comment on one line."""
    text = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
    return text.replace("{", "(").replace("}", ")")


def quoted(value):
    """A tag's value with PGN's two escapes."""
    return clean(str(value)).replace("\\", "\\\\").replace('"', '\\"')


TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$')
TOKEN = re.compile(r"\{([^}]*)\}|(\d+\.+)|(1-0|0-1|1/2-1/2|\*)(?!\S)|(\S+)")


def read(path):
    """The finished games of a PGN file, one PgnGame after the other; a game cut off by the end of the file is left out."""
    with open(path, encoding="utf-8") as file:
        tags, text = {}, []
        for line in file:
            tag = TAG.match(line)
            if tag and not "".join(text).strip():
                tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
                continue
            text.append(line)
            if re.search(r"(?:^|\s)(1-0|0-1|1/2-1/2|\*)\s*$", line):
                yield _parse(tags, "".join(text))
                tags, text = {}, []


def _parse(tags, text):
    moves, comments, ending, result = [], [], "", "*"
    for note, number, end, move in TOKEN.findall(text):
        if move:
            moves.append(move)
            comments.append("")
        elif end:
            result = end
        elif not number:
            note = " ".join(note.split())
            if moves and not comments[-1]:
                comments[-1] = note
            else:
                ending = note
    return PgnGame(tags, moves, comments, ending, result)
