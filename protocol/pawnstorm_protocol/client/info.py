"""Reads the score, depth, nodes and time of an `info` line."""

from pawnstorm.numbers import MAX_LIMIT


def parse_info(line):
    """Read an `info` line (bytes) as (score, depth, nodes, milliseconds).

    These are the last four fields of a MoveComment (pgn/comments.py). A value is None if it is missing, or is not a number
    that makes sense.
    """
    words = line.decode("utf-8", "replace").split()

    def number(name):
        try:
            value = int(words[words.index(name) + 1])
        except (ValueError, IndexError):
            return None
        return value if abs(value) <= MAX_LIMIT else None

    mate = number("mate")
    score = number("cp") if mate is None else f"{'-' if mate < 0 else ''}M{abs(mate)}"
    counts = (number("depth"), number("nodes"), number("time"))
    return score, *(count if count is not None and count >= 0 else None for count in counts)
