"""The sequential test: published values, the formulas computed another way, and its error rates."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from pawnstorm_tools.referee import stats
from pawnstorm_tools.referee.sprt_math import Sprt, mle_t_value


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
def test_logistic_ratio_is_that_of_the_likeliest_distributions(cells):
    """By the secular equation of "support_MLE_multinomial.pdf" and another root finder."""
    counts = np.array([n or 1e-3 for n in cells])
    scores, p, n = np.arange(5) / 4, counts / counts.sum(), counts.sum()

    def likeliest(elo):
        s = 1 / (1 + 10 ** (-elo / 400))
        ends = -1 / (1 - s) + 1e-13, 1 / s - 1e-13
        x = brentq(lambda x: (p * (scores - s) / (1 + x * (scores - s))).sum(), *ends, xtol=1e-15)
        return p / (1 + x * (scores - s))

    assert Sprt(0, 10).llr(cells) == pytest.approx(n * (p * np.log(likeliest(10) / likeliest(0))).sum(), abs=5e-4)


@pytest.mark.parametrize("cells", FIVE)
def test_no_distribution_of_a_normalised_elo_is_likelier(cells):
    """Against a general optimiser under the same constraint."""
    counts = np.array(stats.regularise(cells))
    p, scores = counts / counts.sum(), np.arange(5) / 4

    def excess(q):
        mean = (q * scores).sum()
        return mean - 0.5 - 0.05 * sqrt(max(1e-12, (q * (scores - mean) ** 2).sum()))

    def loss(q):
        return -(p * np.log(np.maximum(q, 1e-300))).sum()

    sums = [{"type": "eq", "fun": lambda q: q.sum() - 1}, {"type": "eq", "fun": excess}]
    options = {"maxiter": 1000, "ftol": 1e-14}
    found = [
        minimize(loss, start, method="SLSQP", bounds=[(1e-12, 1)] * 5, constraints=sums, options=options)
        for start in (p, np.ones(5) / 5)
    ]
    ratio = np.array(mle_t_value(list(scores), list(p), 0.05))
    assert ratio.sum() == pytest.approx(1) and excess(ratio) == pytest.approx(0, abs=1e-6)
    assert loss(ratio) <= min(result.fun for result in found if result.success) + 1e-4


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


def accepted(test, score, matches, source):
    """The share of the matches between engines with this expected score that end with H1.

    Pairs without draws: half of them are shared, the others go to one side.
    """
    h1 = 0
    for _ in range(matches):
        cells, verdict = [0] * 5, None
        while verdict is None:
            for cell in source.choice((0, 2, 4), size=64, p=(0.75 - score, 0.5, score - 0.25)):
                cells[cell] += 1
                verdict = test.verdict(test.llr(cells))
                if verdict:
                    break
        h1 += verdict == "H1"
    return h1 / matches


def normalised_elo(score):
    """That of an engine whose pairs are those of accepted()."""
    variance = 0.5 * (score - 0.5) ** 2 + (score - 0.25) * (1 - score) ** 2 + (0.75 - score) * score**2
    return 800 / log(10) * (score - 0.5) / sqrt(2 * variance)


def rates(test, matches, seed):
    """(false accepts, false rejects) as shares, at the edges of the bounds."""
    source = np.random.default_rng(seed)
    if test.model == "logistic":
        low, high = map(stats.expected_score, (test.elo0, test.elo1))
    else:
        low, high = (brentq(lambda s: normalised_elo(s) - elo, 0.3, 0.7) for elo in (test.elo0, test.elo1))
    return accepted(test, low, matches, source), 1 - accepted(test, high, matches, source)


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
