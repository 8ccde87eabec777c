"""How deep each engine searched and how its tree branched, for the page and for the terminal.

A move counts as searched if its depth is known and above 0, its nodes are not 0, its score is not a proven mate, and another move
was legal. A move of a book has depth 0 or no nodes, the depth of a proven mate means nothing, and a forced move is often played
at once. Depths and nodes are what the engine reports. The nodes are those of the whole search for a move, including lower depths
and quiescence.
"""

from dataclasses import dataclass
from math import exp, expm1, log, log1p
from statistics import fmean

from pawnstorm_tools.referee.stats import moves_of

STEPS = 40
"""How often the interval around a branching factor is halved. The relative error is then below 1e-11."""


@dataclass(frozen=True)
class Range:
    """The least, the mean and the greatest of some numbers."""

    least: int
    mean: float
    greatest: int

    @classmethod
    def of(cls, numbers):
        """The Range of a list; None if it is empty."""
        return cls(min(numbers), fmean(numbers), max(numbers)) if numbers else None


@dataclass(frozen=True)
class SearchStatistics:
    """One engine's moves. Each move is counted once: in `searched`, or else in the first of unknown, proven and forced that fits.

    moves      number of all moves searched   number of searched moves, as the module defines them unknown    number of moves
    whose depth is missing or 0, or whose nodes are 0: book moves, or moves of a player who reports no depth proven     number
    of moves with a mate score forced     number of moves that were the only legal one depth      the Range of depths over the
    searched moves, or None nodes      mean nodes of the searched moves whose nodes are known, or None branching  geometric
    mean of effective_branching_factor() over the same moves, or None legal      the Range of the number of legal moves, over
    all moves
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
    """The b > 0 with nodes + 1 = 1 + b + b^2 + ... + b^depth: the branching factor of a uniform tree of this depth with this
    number of nodes below its root. It is below 1 if there are fewer nodes than plies.

    nodes, depth: at least 1. Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, 4th edition,
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
    """The number of legal moves at each of the engine's moves in one of its games."""
    return moves_of(record | {"moves": record["legal"]}, name)


def is_searched(move, legal):
    """Whether a move of a record counts as searched. legal: the number of legal moves."""
    return _has_depth(move) and not isinstance(move[3], str) and legal > 1


def _has_depth(move):
    """Whether a move of a record comes from a search of known depth."""
    return bool(move[4]) and move[5] != 0


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
    unknown = sum(not _has_depth(move) for move in others)
    proven = sum(_has_depth(move) and isinstance(move[3], str) for move in others)
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
    """[(Rules, Range of the number of legal moves)], one for each game and size, over all positions in which a side moved."""
    counts = {}
    for record in records:
        counts.setdefault(record["rules"].name, (record["rules"], []))[1].extend(record["legal"])
    return [(rules, Range.of(found)) for rules, found in counts.values() if found]
