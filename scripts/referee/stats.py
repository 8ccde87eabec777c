"""What a match result says: score, Elo, its 95 % interval and the likelihood of superiority, from the results of pairs.

Two games from one opening with colours swapped are not independent, so the unit is the pair: its score is 0, 1/2, 1, 3/2 or 2
points, counted in five cells (pentanomial). Without draws only 0, 1 and 2 occur. Formulas: fishtest, stats/stat_util.py
(get_elo) and stats/LLRcalc.py (regularize); the theory is M. Van den Bergh, "Comments on Normalized Elo" and
"The generalized maximum likelihood ratio for the expectation value of a distribution", cantate.be/Fishtest.
"""

import math
from dataclasses import dataclass

QUANTILE = 1.959963984540054
"""Of the normal distribution, for a two-sided interval of 95 %."""
PRIOR = 1e-3
"""What an empty cell counts as, so that a match of equal pairs has a variance (fishtest's regularize)."""
EDGE = 1e-3
"""Scores closer than this to 0 or 1 are Elo-rated as if they were this far away (fishtest's elo): nobody is rated beyond 1199."""


@dataclass(frozen=True)
class Estimate:
    """Score (0 to 1) and Elo difference with both ends of their 95 % intervals; los is the probability that Elo > 0."""

    score: float
    score_low: float
    score_high: float
    elo: float
    elo_low: float
    elo_high: float
    los: float


def elo(score):
    """The logistic Elo difference at which `score` is expected: -400 log10(1/score - 1)."""
    score = min(max(score, EDGE), 1 - EDGE)
    return -400 * math.log10(1 / score - 1)


def normal_cdf(x):
    """The standard normal distribution function."""
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def mean_and_variance(cells):
    """Mean and variance of one unit's score, scaled to 0..1, where cells[i] units scored i / (len(cells) - 1)."""
    top, count = len(cells) - 1, sum(cells)
    mean = sum(n * i / top for i, n in enumerate(cells)) / count
    variance = sum(n * (i / top - mean) ** 2 for i, n in enumerate(cells)) / count
    return mean, variance


def estimate(cells):
    """Estimate from counts of units by score: five cells for pairs, three (loss, draw, win) for single games.

    The score is the mean over units, its standard error sqrt(variance / units); Elo's interval is the image of the score's, so it
    is not symmetric; LOS is the normal probability that the score's error is smaller than its distance from one half.
    None without a single unit.
    """
    if not sum(cells):
        return None
    cells = [n or PRIOR for n in cells]
    mean, variance = mean_and_variance(cells)
    error = math.sqrt(variance / sum(cells))
    low, high = max(0.0, mean - QUANTILE * error), min(1.0, mean + QUANTILE * error)
    return Estimate(mean, low, high, elo(mean), elo(low), elo(high), normal_cdf((mean - 0.5) / error))


def pentanomial(pairs):
    """Counts of pairs by points: pairs of (points, points), each 0, 1/2 or 1, into [0, 1/2, 1, 3/2, 2]."""
    cells = [0] * 5
    for first, second in pairs:
        cells[round(2 * (first + second))] += 1
    return cells
