"""How deep each engine searched and how its tree branched, for the page and for the terminal.

A move counts as searched if a depth above 0 is known, its score is no proven mate, and another move was legal: a proven
mate is searched as deep as one likes, and a forced move is often played at once. Depths and nodes are the engine's own;
nodes are those of the whole search for a move, lower depths and quiescence included.
"""

from dataclasses import dataclass
from math import exp, expm1, log, log1p
from statistics import fmean

from pawnstorm_tools.referee.stats import moves_of

STEPS = 40
"""Halvings of the interval in which a branching factor lies; its error is then below 1e-11 of it."""


@dataclass(frozen=True)
class Range:
    """The least, mean and greatest of some numbers."""

    least: int
    mean: float
    greatest: int

    @classmethod
    def of(cls, numbers):
        """The Range of a list; None if it is empty."""
        return cls(min(numbers), fmean(numbers), max(numbers)) if numbers else None


@dataclass(frozen=True)
class SearchStatistics:
    """One engine's moves. Each move is counted once, in `searched` or in the first of unknown, proven and forced that fits.

    moves      all of them
    searched   see the module
    unknown    without a depth above 0, as those of a book, or of a player who does not tell it
    proven     with a mate score        forced  the only legal move
    depth      the Range over the searched moves, None without any
    nodes      mean nodes of the searched moves that have both depth and nodes, None without any
    branching  geometric mean of effective_branching_factor() over these, None without any
    legal      the Range of the number of legal moves, over all moves
    """

    name: str
    moves: int
    searched: int
    unknown: int
    proven: int
    forced: int
    depth: Range | None
    nodes: float | None
    branching: float | None
    legal: Range | None


def effective_branching_factor(nodes, depth):
    """The b > 0 with nodes + 1 = 1 + b + b^2 + ... + b^depth: how a uniform tree of this depth would branch if it had so
    many nodes below its root. Below 1 if there are fewer nodes than plies.

    nodes, depth: from 1. Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, 4th edition,
    section 3.6.1; their example of 52 nodes at depth 5 gives 1.92.
    """
    # b^depth is at most `nodes`, and `nodes` at most depth times the greater of b and b^depth.
    low = min(nodes / depth, (nodes / depth) ** (1 / depth))
    high = nodes ** (1 / depth)
    for _ in range(STEPS):
        middle = (low + high) / 2
        above = middle - 1
        if middle * (expm1(depth * log1p(above)) / above if above else depth) < nodes:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def legal_counts(record, name):
    """The number of legal moves at each of the engine's moves in a game that it played."""
    return moves_of(record | {"moves": record["legal"]}, name)


def is_searched(move, legal):
    """Whether a record's move, one of so many legal ones, counts as searched."""
    return bool(move[4]) and not isinstance(move[3], str) and legal > 1


def of_engine(records, name):
    """The SearchStatistics of an engine over all its games."""
    pairs = [
        pair
        for record in records
        if name in (record["white"], record["black"])
        for pair in zip(moves_of(record, name), legal_counts(record, name), strict=True)
    ]
    searched = [move for move, legal in pairs if is_searched(move, legal)]
    others = [move for move, legal in pairs if not is_searched(move, legal)]
    unknown = sum(not move[4] for move in others)
    proven = sum(bool(move[4]) and isinstance(move[3], str) for move in others)
    counted = [(move[5], move[4]) for move in searched if move[5]]
    factors = [effective_branching_factor(*pair) for pair in counted]
    return SearchStatistics(
        name,
        len(pairs),
        len(searched),
        unknown,
        proven,
        len(others) - unknown - proven,
        Range.of([move[4] for move in searched]),
        fmean(nodes for nodes, _ in counted) if counted else None,
        exp(fmean(map(log, factors))) if factors else None,
        Range.of([legal for _, legal in pairs]),
    )


def of_games(records):
    """[(Rules, Range of the number of legal moves)] of each game: over all positions in which somebody moved."""
    counts = {}
    for record in records:
        counts.setdefault(record["rules"].name, (record["rules"], []))[1].extend(record["legal"])
    return [(rules, Range.of(found)) for rules, found in counts.values() if found]
