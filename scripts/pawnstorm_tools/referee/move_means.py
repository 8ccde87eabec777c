"""What an engine's moves were like: depth, speed and time, from the records of its games."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Means:
    """What one engine's moves were like; None where nothing is known.

    depth    over its moves without a mate score: a proven mate is searched as deep as one likes
    speed    nodes a second of the time that it says it searched, or else of that on the referee's clock
    pace     seconds a move on the referee's clock

    The clock counts in whole milliseconds here, as in the PGN, so that a report of the PGN names the same figures.
    """

    moves: int
    depth: float | None
    speed: float | None
    pace: float | None


def moves_of(record, name):
    """The engine's moves in a game that it played."""
    return record["moves"][(record["black"] == name) ^ (record["opening"].split()[1] == "b") :: 2]


def means(records, name):
    """The Means of an engine's moves in all its games."""
    moves = [
        move for record in records if name in (record["white"], record["black"]) for move in moves_of(record, name)
    ]
    depths = [move[4] for move in moves if move[4] is not None and isinstance(move[3], int)]
    clocked = [None if move[1] is None else round(move[1]) for move in moves]
    taken = [time for time in clocked if time is not None]
    timed = [
        (move[5], time)
        for move, clock in zip(moves, clocked)
        if move[5] is not None and (time := clock if move[6] is None else move[6])
    ]
    return Means(
        len(moves),
        sum(depths) / len(depths) if depths else None,
        1000 * sum(n for n, _ in timed) / sum(t for _, t in timed) if timed else None,
        sum(taken) / len(taken) / 1000 if taken else None,
    )
