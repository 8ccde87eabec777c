"""The standings of a tournament: each engine's rating, and its wins against each other engine.

The ratings are the maximum likelihood estimates of the Bradley-Terry model in Elo, from all games at once, with error bars. The
chance that i beats j is 1 / (1 + 10^((r_j - r_i) / 400)). The log-likelihood is concave, so Newton's method finds its maximum.
The information matrix, which the method inverts, also gives the errors (D. Hunter, "MM algorithms for generalized Bradley-Terry
models", Annals of Statistics 32, 2004). No library is used: choix finds the same ratings without errors, and statsmodels needs
pandas.

The maximum is finite only if no group of engines has won every game against the rest (L. Ford, 1957). Otherwise half a won
game is added for both sides of every pairing that was played, the usual correction of log odds (J. Haldane, 1956).
"""

from dataclasses import dataclass
from math import log

import numpy as np

from pawnstorm_tools.referee.stats import QUANTILE

ELO = 400 / log(10)
"""Elo of one unit of log odds."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of all engines. Engines that no chain of games connects are rated in groups, each with mean 0.

    elo         the Elo of each engine, relative to the mean
    error       half the width of the 95 % interval of each engine's `elo`
    corrected   whether half wins were added
    """

    elo: list
    error: list
    corrected: bool


def rate(wins):
    """Compute the Ratings. wins[i][j]: how often engine i beat engine j. There are no draws."""
    wins = np.array(wins, float)
    corrected = not has_finite_ratings(wins)
    if corrected:
        wins += 0.5 * (wins + wins.T > 0)
    games = wins + wins.T
    strengths = np.zeros(len(wins))
    for _ in range(200):
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        gradient = (wins - games * expected).sum(axis=1)
        weights = games * expected * expected.T
        # The likelihood does not change if the same number is added to all strengths, so the information matrix is singular.
        # Its pseudo-inverse keeps the mean at 0.
        covariance = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights, hermitian=True)
        step = covariance @ gradient
        strengths += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-10:
            break
    errors = QUANTILE * ELO * np.sqrt(np.maximum(0.0, covariance.diagonal()))
    return Ratings(list(ELO * strengths), list(errors), corrected)


def has_finite_ratings(wins):
    """Whether chains of wins lead both ways between any two engines that met."""
    beats = wins > 0
    for middle in range(len(beats)):
        beats = beats | beats[:, [middle]] & beats[[middle], :]
    return bool((beats == beats.T).all())


@dataclass(frozen=True)
class Standing:
    """One engine: its Elo, half the width of its 95 % interval, and its games.

    beat[i]   how often it won against the i-th best engine
    """

    name: str
    elo: float
    error: float
    games: int
    won: int
    beat: list


@dataclass(frozen=True)
class Standings:
    """The engines that have played, best first. corrected: as in Ratings."""

    engines: list
    corrected: bool

    def games_between(self, i, j):
        """The number of games between the i-th and the j-th best engine."""
        return self.engines[i].beat[j] + self.engines[j].beat[i]


def standings(records, names):
    """The Standings after all games. Engines without a game are left out."""
    players = {name for record in records for name in (record["white"], record["black"])}
    names = [name for name in names if name in players]
    beat = np.zeros((len(names), len(names)), int)
    for record in records:
        white, black = names.index(record["white"]), names.index(record["black"])
        beat[(white, black) if record["result"] == "1-0" else (black, white)] += 1
    found = rate(beat)
    order = sorted(range(len(names)), key=lambda i: -found.elo[i])
    won, lost = beat.sum(axis=1).tolist(), beat.sum(axis=0).tolist()
    return Standings(
        [
            Standing(names[i], found.elo[i], found.error[i], won[i] + lost[i], won[i], beat[i, order].tolist())
            for i in order
        ],
        found.corrected,
    )
