"""What logistic regressions share: chances to aim at, and how well scores tell them."""

import numpy as np
from scipy.optimize import minimize_scalar

STEEPEST, FLATTEST = -5, 12  # natural logarithms between which a temperature is sought


def targets(phi, delta, softness):
    """What df-pn's numbers say of the chance to win: 1 where it is won, 0 where it is lost, a logistic function of
    their ratio between.
    """
    phi, delta = (np.asarray(numbers, np.float64) for numbers in (phi, delta))
    ratio = softness * (np.log2(np.maximum(delta, 1)) - np.log2(np.maximum(phi, 1)))
    return np.where(phi == 0, 1.0, np.where(delta == 0, 0.0, 1 / (1 + np.exp(-ratio)))).astype(np.float32)


def cross_entropy(odds, target):
    """The mean cross entropy of targets, 0 to 1, under logarithms of the odds."""
    odds = odds.astype(np.float64)
    return float((np.logaddexp(0, odds) - target * odds).mean())


def temperature(scores, target):
    """(q, the cross entropy of scores / q), q such that it is least."""
    best = minimize_scalar(
        lambda log: cross_entropy(scores / np.exp(log), target), bounds=(STEEPEST, FLATTEST), method="bounded"
    )
    return float(np.exp(best.x)), float(best.fun)
