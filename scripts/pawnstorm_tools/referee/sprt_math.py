"""A sequential test of two engines. It decides between two Elo differences, as soon as the results suffice for it.

It is the generalised sequential probability ratio test of fishtest (stats/LLRcalc.py, LLR_logistic and LLR_normalized), as
M. Van den Bergh derives it. The distribution of a unit's score is unknown, so the ratio is that of the maximum likelihoods under
H0, "the difference is elo0", and under H1, "the difference is elo1". Let p be the observed frequencies of the scores a. The
likeliest distribution

    with  mean = s               is  p / (1 + x (a - s))
                                 ("support_MLE_multinomial.pdf", proposition 1.1)
    with  (mean - 1/2) / sd = t  is  p / (1 + x b), b = a - 1/2 - t sd (1 + ((mean - a) / sd)^2) / 2
                                 ("normalized_elo_practical.pdf", section 4.1)

The number x is the one for which this distribution gives a - s, or b, the mean 0. (Both papers are on cantate.be/Fishtest.) b
depends on the mean and the sd of the distribution that is sought, so the second formula is applied again until the distribution
does not change. Empty cells count as stats.PRIOR. Fishtest's correction for overshooting the bounds is left out, so the error
rates are at most alpha and beta, and a test takes a little longer.
"""

import math
from dataclasses import dataclass

from pawnstorm_tools.referee.stats import NELO, expected_score, games_in_a_unit, regularise

MODELS = ("logistic", "normalized")
HIGHEST = {"logistic": 800, "normalized": 200}
"""Model -> the largest Elo difference of a test. Beyond it, the expected score would be almost 0 or 1, or no result could have
the normalised difference.
"""


@dataclass(frozen=True)
class Sprt:
    """A test, declared before the match starts. elo0 < elo1, in the model's Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __str__(self):
        return f"elo0={self.elo0:g} elo1={self.elo1:g} alpha={self.alpha:g} beta={self.beta:g} model={self.model}"

    @property
    def bounds(self):
        """The bounds of the ratio (Wald): H0 is accepted at or below the first, H1 at or above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts):
        """The log-likelihood ratio of H1 to H0. counts: the number of units in each cell.

        It is None while all units have the same score, as when a deterministic engine plays itself. Their variance is 0, and
        the ratio would depend only on PRIOR.
        """
        if sum(n > 0 for n in counts) < 2:
            return None
        counts = regularise(counts)
        count, top = sum(counts), len(counts) - 1
        scores, observed = [i / top for i in range(top + 1)], [n / count for n in counts]
        if self.model == "logistic":
            h0, h1 = (mle_expected(scores, observed, expected_score(elo)) for elo in (self.elo0, self.elo1))
        else:
            unit = math.sqrt(games_in_a_unit(counts)) / NELO
            h0, h1 = (mle_t_value(scores, observed, elo * unit) for elo in (self.elo0, self.elo1))
        if h0 is None or h1 is None:
            return None
        return count * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(observed, h0, h1))

    def verdict(self, ratio):
        """The hypothesis that a ratio of llr() accepts, "H0" or "H1"; None while the test goes on."""
        low, high = self.bounds
        if ratio is None or low < ratio < high:
            return None
        return "H1" if ratio >= high else "H0"


def mle_expected(scores, observed, mean):
    """The likeliest distribution of the scores with this mean. `mean` is between the lowest and the highest score."""
    return tilted(observed, [a - mean for a in scores])


def mle_t_value(scores, observed, ratio):
    """The likeliest distribution whose mean is `ratio` standard deviations above 1/2; None if none is found."""
    found = [1 / len(scores)] * len(scores)
    for _ in range(100):
        mean = sum(p * a for p, a in zip(found, scores))
        deviation = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(found, scores)))
        if deviation == 0:
            return None
        before = found
        found = tilted(
            observed, [a - 0.5 - ratio * deviation * (1 + ((mean - a) / deviation) ** 2) / 2 for a in scores]
        )
        if found is None:
            return None
        if max(abs(p - q) for p, q in zip(found, before)) < 1e-9:
            return found
    return None


def tilted(observed, values):
    """The distribution observed / (1 + x * values), with the x for which the mean of the values is 0.

    None if all values are on one side of 0.
    """
    low, high = min(values), max(values)
    if not low < 0 < high:
        return None
    left, right = (
        -1 / high,
        -1 / low,
    )  # between these bounds, every probability is positive, and the mean falls from +inf to -inf
    for _ in range(200):
        x = (left + right) / 2
        if not left < x < right:
            break
        if sum([p * b / (1 + x * b) for p, b in zip(observed, values)]) > 0:
            left = x
        else:
            right = x
    return [p / (1 + x * b) for p, b in zip(observed, values)]
