"""The statistics of a match: score, Elo, its 95 % interval and the likelihood of superiority, from the results of pairs.

Two games from one opening with colours swapped are not independent, so the unit is the pair. Its score is 0, 1/2, 1, 3/2 or 2
points, counted in five cells (pentanomial). Without draws, only 0, 1 and 2 occur. The formulas are fishtest's,
stats/stat_util.py (get_elo) and stats/LLRcalc.py (regularize). The theory is in M. Van den Bergh, "Comments on Normalized Elo"
and "The generalized maximum likelihood ratio for the expectation value of a distribution", cantate.be/Fishtest.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

QUANTILE = NormalDist().inv_cdf(0.975)
"""The normal quantile for a two-sided interval of 95 %."""
PRIOR = 1e-3
"""The count of an empty cell, so that a match whose pairs all have one score has a variance (fishtest's regularize)."""
NELO = 800 / math.log(10)
"""The normalised Elo of one standard deviation of a game. It equals Elo in games without draws between equal players."""


@dataclass(frozen=True)
class Estimate:
    """The score (0 to 1), the Elo difference and the normalised one, with both ends of their 95 % intervals.

    los: the probability that Elo > 0.
    """

    score: float
    score_low: float
    score_high: float
    elo: float
    elo_low: float
    elo_high: float
    nelo: float
    nelo_low: float
    nelo_high: float
    los: float


class Tally:
    """Counts the pairs or the single games of a match by score. The games may come in any order.

    counts: five cells for pairs (games 1 and 2, 3 and 4, ...), or three cells (lost, drawn, won) for single games. A pair
    counts when both its games have come.
    """

    def __init__(self, pairs):
        self.pairs, self.points = pairs, {}
        self.counts = [0] * (5 if pairs else 3)

    def add(self, game, points):
        """Count a game. game: its number. points: the first engine's, 0 or 1."""
        self.points[game] = points
        if not self.pairs:
            self.counts[2 * points] += 1
        elif (other := self.points.get(game + 1 if game % 2 else game - 1)) is not None:
            self.counts[2 * (points + other)] += 1


def points(record):
    """The points in a game, 1 or 0, of the engine that comes before its opponent on the command line."""
    return int((record["result"] == "1-0") == (record["first"] == "white"))


def tally(records, pairs):
    """The Tally of a match between two engines."""
    counted = Tally(pairs)
    for record in records:
        counted.add(record["game"], points(record))
    return counted


def elo(score):
    """The logistic Elo difference at which `score` is expected: -400 log10(1/score - 1); -inf for 0, inf for 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def expected_score(difference):
    """The score that is expected at a logistic Elo difference; the inverse of elo()."""
    return 1 / (1 + 10 ** (-difference / 400))


def regularise(counts):
    """The counts with PRIOR for each empty cell."""
    return [n or PRIOR for n in counts]


def games_in_a_unit(counts):
    """The number of games in a unit: 2 if there are five cells, for pairs; 1 if there are three, for single games."""
    return (len(counts) - 1) // 2


def estimate(counts):
    """The Estimate from counts of units by score: five cells for pairs, three (loss, draw, win) for single games.

    The score is the mean over the units. Its standard error is sqrt(variance / units). Elo's interval is the image of the
    score's interval. It is not symmetric, and it is infinite on a side where the score's interval reaches 0 or 1, as with few
    units or one-sided results (fastchess and cutechess-cli print inf or nan then). LOS is Phi((score - 1/2) / standard
    error), with Phi the normal distribution function. Normalised Elo is NELO times (score - 1/2) over the standard
    deviation of a game, sqrt(variance * games in a unit). Returns None if there are no units.
    """
    if not sum(counts):
        return None
    counts = regularise(counts)
    top, count = len(counts) - 1, sum(counts)
    mean = sum(n * i / top for i, n in enumerate(counts)) / count
    variance = sum(n * (i / top - mean) ** 2 for i, n in enumerate(counts)) / count
    error = math.sqrt(variance / count)
    scores = mean, mean - QUANTILE * error, mean + QUANTILE * error
    possible = [min(max(score, 0.0), 1.0) for score in scores]
    deviation = math.sqrt(variance * games_in_a_unit(counts))
    nelos = (NELO * (score - 0.5) / deviation for score in scores)
    return Estimate(*possible, *map(elo, possible), *nelos, NormalDist().cdf((mean - 0.5) / error))


def try_estimate(counts):
    """The Estimate; None if all units have the same score, because it would mean nothing."""
    return estimate(counts) if max(counts) < sum(counts) else None


@dataclass(frozen=True)
class MoveStats:
    """The means of one engine's moves; None for a mean that is not known.

    depth             the mean over its moves. Moves without a score, or with a mate score (whose depth means nothing), are
                      left out, and so are moves with 0 nodes, which come from a book
    nps               nodes a second, by the search time that the engine reports, or else by the referee's clock
    seconds_per_move  seconds a move on the referee's clock

    Clock times are rounded to whole milliseconds, as in the PGN, so that a report made from the PGN has the same figures.
    """

    moves: int
    depth: float | None
    nps: float | None
    seconds_per_move: float | None


def moves_of(record, name):
    """The engine's moves in one of its games."""
    return record["moves"][(record["black"] == name) ^ (record["opening"].split()[1] == "b") :: 2]


def move_stats(records, name):
    """The MoveStats of an engine over all its games."""
    moves = [
        move for record in records if name in (record["white"], record["black"]) for move in moves_of(record, name)
    ]
    depths = [move[4] for move in moves if move[4] is not None and move[5] != 0 and isinstance(move[3], int)]
    clocked = [None if move[1] is None else round(move[1]) for move in moves]
    taken = [time for time in clocked if time is not None]
    timed = [
        (move[5], time)
        for move, clock in zip(moves, clocked)
        if move[5] is not None and (time := clock if move[6] is None else move[6])
    ]
    return MoveStats(
        len(moves),
        sum(depths) / len(depths) if depths else None,
        1000 * sum(n for n, _ in timed) / sum(t for _, t in timed) if timed else None,
        sum(taken) / len(taken) / 1000 if taken else None,
    )
