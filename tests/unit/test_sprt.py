"""The sequential test: published values, the formulas computed another way, and its error rates."""

from math import log, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from pawnstorm_tools.referee import stats
from pawnstorm_tools.referee.sprt_math import Sprt, with_mean, with_ratio


# Elo values and log-likelihood ratios to which fastchess holds itself, in its app/tests/elo_test.cpp and sprt_test.cpp;
# they were made with fishtest's stats/LLRcalc.py. Cells from lost to won.
@pytest.mark.parametrize(
    "cells, elo0, elo1, model, expected",
    [
        ([365, 16618, 36229, 16974, 390], 0, 2, "normalized", 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, "normalized", 3.01),
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, "logistic", -3.07),
        ([871, 26175, 55983, 26678, 821], 0, 2, "logistic", -4.98),
        ([36027, 68692, 36433], 0, 2, "normalized", 0.92),
        ([10650, 20431, 10871], -1.75, 0.25, "normalized", 2.30),
        ([21184, 40708, 21404], 0.5, 2.5, "logistic", -1.57),
        ([57030, 106593, 57433], 0, 2, "logistic", -2.59),
    ],
)
def test_published_log_likelihood_ratios(cells, elo0, elo1, model, expected):
    assert Sprt(elo0, elo1, model=model).llr(cells) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(
    "cells, elo, nelo, nelo_error",
    [
        ([34, 54, 63, 64, 75], 55.58, 57.94, 28.28),
        ([332, 433, 498, 333, 334], -8.64, -9.17, 10.96),
        ([7895, 8757, 5685, 568, 9999], -21.04, -19.01, 2.65),
    ],
)
def test_published_elo_and_normalised_elo(cells, elo, nelo, nelo_error):
    found = stats.estimate(cells)
    assert (found.elo, found.nelo, found.nelo_high - found.nelo) == pytest.approx((elo, nelo, nelo_error), abs=0.005)


FIVE = [[30, 0, 50, 0, 45], [0, 0, 90, 0, 10], [12, 0, 7, 0, 40], [1, 2, 3, 4, 5], [250, 0, 480, 0, 270]]


@pytest.mark.parametrize("cells", FIVE)
def test_five_results_equal_the_published_formulas(cells):
    """Elo, LOS, normalised Elo and both ratios written out once more from the formulas, with none of our functions."""
    found = stats.estimate(cells)
    counts = np.array([n or 1e-3 for n in cells])
    scores, p, n = np.arange(5) / 4, counts / counts.sum(), counts.sum()
    mean = (p * scores).sum()
    variance = (p * (scores - mean) ** 2).sum()
    assert found.elo == pytest.approx(400 * np.log10(mean / (1 - mean)), abs=5e-4)
    assert found.nelo == pytest.approx(800 / log(10) * (mean - 0.5) / sqrt(2 * variance), abs=5e-4)
    assert found.los == pytest.approx(NormalDist().cdf((mean - 0.5) / sqrt(variance / n)), abs=5e-4)
    s0, s1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (0, 10))

    def likeliest(s):  # the secular equation of "support_MLE_multinomial.pdf", by another root finder
        x = brentq(
            lambda x: (p * (scores - s) / (1 + x * (scores - s))).sum(), -1 / (1 - s) + 1e-13, 1 / s - 1e-13, xtol=1e-15
        )
        return p / (1 + x * (scores - s))

    assert Sprt(0, 10).llr(cells) == pytest.approx(n * (p * np.log(likeliest(s1) / likeliest(s0))).sum(), abs=5e-4)
    if min(cells) or n > 900:  # section 4.2's approximation, which is close where there are many games
        nt, nt0, nt1 = found.nelo * log(10) / 800, 0, 10 * log(10) / 800
        assert Sprt(0, 10, model="normalized").llr(cells) == pytest.approx(
            n * log((1 + (nt - nt0) ** 2) / (1 + (nt - nt1) ** 2)), abs=0.05
        )


@pytest.mark.parametrize("cells", FIVE)
def test_no_distribution_is_likelier(cells):
    """The two maximum-likelihood distributions against a general optimiser under the same constraint."""
    counts = stats.regularised(cells)
    p = [n / sum(counts) for n in counts]
    scores = [i / 4 for i in range(5)]

    def best(constraint):
        def start(shape):
            return np.array(shape) / sum(shape)

        found = [
            minimize(
                lambda q: -(np.array(p) * np.log(np.maximum(q, 1e-300))).sum(),
                start(shape),
                method="SLSQP",
                bounds=[(1e-12, 1)] * 5,
                constraints=[{"type": "eq", "fun": lambda q: q.sum() - 1}, {"type": "eq", "fun": constraint}],
                options={"maxiter": 1000, "ftol": 1e-14},
            )
            for shape in (p, [1] * 5)
        ]
        return -min(result.fun for result in found if result.success)

    def likelihood(q):
        return sum(a * log(b) for a, b in zip(p, q))

    mean = with_mean(scores, p, 0.52)
    assert sum(mean) == pytest.approx(1) and sum(a * q for a, q in zip(scores, mean)) == pytest.approx(0.52)
    assert likelihood(mean) == pytest.approx(best(lambda q: (q * scores).sum() - 0.52), abs=1e-4)
    ratio = with_ratio(scores, p, 0.05)
    centre = sum(a * q for a, q in zip(scores, ratio))
    assert (centre - 0.5) / sqrt(sum(q * (a - centre) ** 2 for a, q in zip(scores, ratio))) == pytest.approx(0.05)

    def excess(q):
        mean = (q * scores).sum()
        return mean - 0.5 - 0.05 * sqrt(max(1e-12, (q * (scores - mean) ** 2).sum()))

    assert likelihood(ratio) >= best(excess) - 1e-4


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_units_that_ended_alike_decide_nothing(model):
    test = Sprt(0, 10, model=model)
    for cells in (
        [0] * 5,
        [0, 0, 1, 0, 0],
        [0, 0, 10**6, 0, 0],
        [0, 0, 0, 0, 10**6],
        [10**6, 0, 0, 0, 0],
        [0, 0, 500],
        [500, 0, 0],
    ):
        assert test.llr(cells) is None and test.verdict(test.llr(cells)) is None
    for cells in ([0, 0, 500, 0, 1], [1, 0, 0, 0, 500], [1, 0, 10**6, 0, 0], [1, 0, 0, 0, 1], [1, 0, 1]):
        assert test.llr(cells) is not None


def test_bounds_are_walds():
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    low, high = Sprt(0, 5, alpha=0.01, beta=0.1).bounds
    assert low == pytest.approx(log(0.1 / 0.99)) and high == pytest.approx(log(0.9 / 0.01))
    test = Sprt(0, 5)
    assert [test.verdict(ratio) for ratio in (-3, -2.9, 0, 2.9, 3)] == ["H0", None, None, None, "H1"]
    assert Sprt(0, 5).llr([30, 0, 50, 0, 45]) == pytest.approx(-Sprt(-5, 0).llr([45, 0, 50, 0, 30]))


def accepted(test, score, matches, source, even=0.5):
    """How many of the matches between engines with this expected score end with H1, and the mean number of pairs.

    Pairs without draws: `even` of them are shared, the others go to one side.
    """
    both = score - even / 2
    h1 = played = 0
    for _ in range(matches):
        cells, verdict = [0] * 5, None
        while verdict is None:
            for cell in source.choice((0, 2, 4), size=64, p=(1 - even - both, even, both)):
                cells[cell] += 1
                played += 1
                verdict = test.verdict(test.llr(cells))
                if verdict:
                    break
        h1 += verdict == "H1"
    return h1, played / matches


def rates(test, matches, seed):
    """(false accepts, false rejects) as shares, at the edges of the bounds."""
    source = np.random.default_rng(seed)
    scores = []
    for elo in (test.elo0, test.elo1):
        if test.model == "logistic":
            scores.append(stats.expected_score(elo))
        else:  # a pair's deviation is about sqrt(1/8) at half of the pairs even, a game's sqrt(2) times that
            scores.append(
                brentq(
                    lambda s: (
                        800
                        / log(10)
                        * (s - 0.5)
                        / sqrt(2 * (0.5 * (s - 0.5) ** 2 + (s - 0.25) * (1 - s) ** 2 + (0.75 - s) * s**2))
                        - elo
                    ),
                    0.3,
                    0.7,
                )
            )
    return accepted(test, scores[0], matches, source)[0] / matches, 1 - accepted(test, scores[1], matches, source)[
        0
    ] / matches


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_error_rates_of_some_simulated_matches(model):
    false_accepts, false_rejects = rates(Sprt(0, 80, 0.1, 0.1, model), 25, 1)
    assert false_accepts <= 0.2 and false_rejects <= 0.2


@pytest.mark.slow
@pytest.mark.parametrize(
    "test", [Sprt(0, 40), Sprt(-10, 30, model="normalized"), Sprt(-20, 20, alpha=0.1, beta=0.02)], ids=str
)
def test_error_rates_of_1000_simulated_matches(test):
    """A binomial share of 1,000 at p has standard deviation sqrt(p (1 - p) / 1000); three of them are allowed above.
    Below, the overshoot over the bounds may make the test better than it promises, but not so much that it is another
    test.
    """
    for rate, promised in zip(rates(test, 1000, 2), (test.alpha, test.beta)):
        assert 0.3 * promised <= rate <= promised + 3 * sqrt(promised * (1 - promised) / 1000)
