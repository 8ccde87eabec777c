"""Games -> PGN text.

Each move carries a comment `{+0.25/12 0.051s n=20030 t=0.050s [%clk 0:00:00.959]}`: score in pawns from the mover's
view (M5: mates in 5) and depth, time taken, nodes and the time in which the engine says that it searched them, time left
on the clock. The last comment says how the game ended.

The pawn game on 8x8 is written as chess writes pawns, `e4`, `exd5`, `e8=Q`: any reader of chess PGN, python-chess included, replays it from
the FEN, kings or none, once it takes the name in [Variant] for chess (in python-chess: a chess.Board subclass with that name among its
aliases, appended to chess.variant.VARIANTS). Breakthrough's quiet diagonal steps and the small boards are not chess, and stay in
coordinates, `e2e4`.
"""

TERMINATIONS = {"normal": "normal", "adjudication": "adjudication", "time": "time forfeit", "illegal": "rules infraction",
                "protocol": "rules infraction", "unfinished": "unterminated"}
"""A record's reason -> the PGN Termination; whatever is not here (crash, hang, start) is `abandoned`."""


def format_game(record, tags, moves):
    """One game as PGN text.

    record: a dict of result ("1-0", "0-1", "*"), reason (see TERMINATIONS), detail (the end in words) and moves, of each: [text,
    milliseconds taken, milliseconds left or None, score, depth, nodes, milliseconds searched]; score in centipawns, or "M5", "-M4" for
    mates in moves, from the mover's view; the last four None where they are not known.
    tags: those before Result, in order, FEN among them; moves: each move's text.
    """
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


def gap(text):
    """What must stand between the text of a file of games and one game more."""
    return "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"


def lines(words, width=100):
    """The words in lines of at most `width` letters, unless one word alone (a comment counts as one) is longer."""
    rows = [""]
    for word in words:
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] += (" " if rows[-1] else "") + word
    return "\n".join(rows)


def comment(taken, left, score, depth, nodes, searched):
    """The comment after a move; what is not known is left out."""
    words = []
    if score is not None:
        text = f"{score / 100:+.2f}" if isinstance(score, int) else score if score.startswith("-") else f"+{score}"
        words.append(f"{text}/{depth}" if depth is not None else text)
    words.append(f"{round(taken) / 1000:.3f}s")
    if nodes is not None:
        words.append(f"n={nodes}")
        if searched is not None:
            words.append(f"t={searched / 1000:.3f}s")
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


def is_chess(rules):
    """Whether chess's notation is unambiguous for the game, and its readers know the board."""
    return rules.files == rules.ranks == 8 and bool(rules.doubles) and not rules.diagonals


def written(rules, move):
    """One move, given in coordinates, as PGN has it."""
    if not is_chess(rules):
        return move
    source, target = move[:2], move[2:4]
    capture = f"{source[0]}x" if source[0] != target[0] else ""
    return capture + target + ("=Q" if target[1] in "18" else "")
