"""What an `info` line says of a search."""

from pawnstorm.numbers import MAX_LIMIT


def parse_info(line):
    """(score, depth, nodes, milliseconds) of an info line as bytes, as a MoveComment of pgn/comments.py has them; None for
    what is missing or no number that an engine can mean.
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
