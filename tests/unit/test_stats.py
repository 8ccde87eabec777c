"""The numbers of a match: score, Elo, normalised Elo, LOS, ratings, and the summary that shows them."""

import random
from math import inf, log, log10
from statistics import NormalDist, fmean, pvariance

import numpy as np
import pytest

from pawnstorm.games.rules import get_rules
from pawnstorm_tools.referee import output, stats
from pawnstorm_tools.referee.standings import rate, standings


def test_estimate_equals_published_formulas():
    # Expected from the definitions, with nothing of ours: the sample written out, its mean and variance, the normal
    # distribution.
    for cells in (
        [10789, 19328, 33806, 19402, 10543],
        [39, 2226, 31451, 2412, 40],
        [30, 1, 50, 1, 45],
        [1, 2, 3, 4, 5],
    ):
        sample = [points / 4 for points, count in enumerate(cells) for _ in range(count)]
        mean, error = fmean(sample), (pvariance(sample) / len(sample)) ** 0.5
        found, normal = stats.estimate(cells), NormalDist()
        assert found.score == pytest.approx(mean)
        assert found.elo == pytest.approx(400 * log10(mean / (1 - mean)))
        for end, p in ((found.elo_low, 0.025), (found.elo_high, 0.975)):
            score = mean + normal.inv_cdf(p) * error
            assert end == pytest.approx(400 * log10(score / (1 - score)))
        assert found.los == pytest.approx(normal.cdf((mean - 0.5) / error))
        # Normalised Elo: 800 / ln 10 standard deviations of a game ("Comments on Normalized Elo"); a pair's score is
        # the mean of two.
        deviation = (2 * pvariance(sample)) ** 0.5
        assert found.nelo == pytest.approx(800 / log(10) * (mean - 0.5) / deviation)
        assert found.nelo_high - found.nelo == pytest.approx(
            800 / log(10) * normal.inv_cdf(0.975) / (2 * len(sample)) ** 0.5
        )


def test_estimate_of_few_and_of_equal_pairs():
    assert stats.estimate([0] * 5) is None
    even = stats.estimate([10, 0, 10, 0, 10])
    assert even.elo == pytest.approx(0) and even.los == pytest.approx(0.5)
    assert even.score_high - 0.5 == pytest.approx(1.96 * (1 / 6 / 30) ** 0.5, rel=1e-3)
    won = stats.estimate([0, 0, 0, 0, 50])
    assert won.score == pytest.approx(1, abs=1e-4) and won.elo > 1190 and won.los == pytest.approx(1)
    same = stats.estimate([0, 0, 50, 0, 0])
    assert same.elo == pytest.approx(0, abs=1e-6) and 0 < same.elo_high < 5
    assert stats.elo(0.75) == pytest.approx(190.8485) and stats.elo(0.25) == pytest.approx(-190.8485)


@pytest.mark.parametrize(
    "cells, bounded",
    [
        ([1, 0, 0, 0, 1], (False, False)),
        ([0, 0, 1, 0, 1], (True, False)),
        ([1, 0, 1, 0, 0], (False, True)),
        ([1, 0, 1], (False, False)),
        ([0, 0, 40, 0, 60], (True, True)),
    ],
)
def test_elo_has_no_end_where_the_scores_interval_reaches_the_edge(cells, bounded):
    found = stats.estimate(cells)
    assert (found.elo_low > -inf, found.elo_high < inf) == bounded
    assert (found.score_low > 0, found.score_high < 1) == bounded and abs(found.elo) < inf
    for elo, score in ((found.elo_low, found.score_low), (found.elo_high, found.score_high)):
        assert stats.expected_score(elo) == pytest.approx(score)


def test_games_are_counted_in_pairs_in_any_order():
    counted = stats.Tally(pairs=True)
    for number, points in ((1, 1), (4, 0), (3, 1), (2, 1), (6, 0), (7, 1), (5, 0)):
        counted.add(number, points)
    assert counted.counts == [1, 0, 1, 0, 1] and sum(counted.points.values()) == 4  # game 7 waits for game 8
    counted = stats.Tally(pairs=False)
    counted.add(1, 1)
    counted.add(2, 0)
    counted.add(3, 1)
    assert counted.counts == [1, 0, 2]


def test_summary_of_fixed_results():
    def record(number, result, first, reason="normal"):
        return {
            "game": number,
            "result": result,
            "reason": reason,
            "detail": "Black loses: so it goes",
            "first": first,
            "white": "A",
            "black": "B",
            "opening": get_rules("hexapawn").start_fen,
            "lags": [100, 300],
            "moves": [["a1a2", 100.0, None, 5, 10, 1000, 1], ["b3b2", 300.0, None, "M2", 90, None, None]],
        }

    records = [
        record(1, "1-0", "white"),
        record(2, "1-0", "black"),
        record(3, "1-0", "white"),
        record(4, "0-1", "black", "time"),
    ]
    text = output.summary(records, ["A", "B"], pairs=True)
    for part in (
        "4 games",
        "Score   3 - 1   75.0 %",
        "Elo     +190.3   95 % [-68.8, +inf]   score [40.2, 100.0] %",
        "0: 0   1/2: 0   1: 1   3/2: 0   2: 1",
        "nElo    +",
        "Faults  1",
        "game 4: A: time",
        "median 0.200 ms",
    ):
        assert part in text, text
    assert "1,000,000" in text and "10.0" in text
    assert "no estimate: all pairs ended alike" in output.summary(
        records[2:] + [record(5, "1-0", "white")], ["A", "B"], pairs=True
    )


def test_moves_of_a_book_do_not_count_for_the_mean_depth():
    moves = [
        ["a1a2", 1.0, None, 5, depth, nodes, None] for depth, nodes in ((10, 900), (1, 0), (4, None), (None, None))
    ]
    record = {"white": "A", "black": "A", "opening": "x w", "moves": [move for move in moves for _ in "ab"]}
    assert stats.move_stats([record], "A").depth == 7


def test_no_delay_is_told_that_is_longer_than_the_longest():
    assert output.lag_lines([{"lags": [100] * 48 + [300, 10_000]}])[0].endswith("median 0.100 ms, 99 % 5.247 ms")
    assert output.lag_lines([{"lags": [1000]}]) == []


# Ratings.


def test_ratings_of_two_are_the_elo_difference_of_their_score():
    found = rate([[0, 30], [10, 0]])
    assert found.elo == pytest.approx([stats.elo(0.75) / 2, -stats.elo(0.75) / 2]) and not found.corrected
    # The information of n games at p is n p (1 - p) on the difference, and each stands half a difference from the mean.
    error = 1.959964 * 400 / log(10) / (40 * 0.75 * 0.25) ** 0.5
    assert found.error == pytest.approx([error / 2, error / 2], rel=1e-6)


def test_ratings_stand_at_the_top_of_the_likelihood():
    chance = random.Random(1)
    for size in (3, 5, 8):
        wins = [[0 if i == j else chance.randint(1, 30) for j in range(size)] for i in range(size)]
        found = rate(wins)
        assert sum(found.elo) == pytest.approx(0, abs=1e-9) and not found.corrected
        for i in range(size):  # where the derivative is 0, everybody has won as many games as the ratings let expect
            expected = sum(
                (wins[i][j] + wins[j][i]) * stats.expected_score(found.elo[i] - found.elo[j]) for j in range(size)
            )
            assert expected == pytest.approx(sum(wins[i]), abs=1e-6)


def test_ratings_and_errors_come_back_from_simulated_games():
    true, source = np.array([150.0, 40.0, -60.0, -130.0]), np.random.default_rng(5)
    inside = 0
    for _ in range(100):
        wins = np.zeros((4, 4))
        for i in range(4):
            for j in range(i):
                wins[i, j] = source.binomial(60, stats.expected_score(true[i] - true[j]))
                wins[j, i] = 60 - wins[i, j]
        found = rate(wins)
        inside += sum(abs(np.array(found.elo) - true) <= found.error)
    assert 0.92 <= inside / 400 <= 0.98


def test_ratings_without_a_finite_maximum_are_corrected():
    found = rate([[0, 8, 8], [0, 0, 4], [0, 4, 0]])
    assert found.corrected and found.elo[0] > 200 and found.elo[1] == pytest.approx(found.elo[2])
    corrected = rate([[0, 8.5, 8.5], [0.5, 0, 4.5], [0.5, 4.5, 0]])
    assert found.elo == pytest.approx(corrected.elo) and not corrected.corrected
    # A circle of wins has a maximum: all alike. Two groups that never met are rated each around 0.
    assert rate([[0, 3, 0], [0, 0, 3], [3, 0, 0]]).elo == pytest.approx([0, 0, 0], abs=1e-9)
    apart = rate([[0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 2, 0]])
    assert apart.elo == pytest.approx([stats.elo(0.75) / 2, -stats.elo(0.75) / 2, 0, 0], abs=1e-6)


def test_standings_of_fixed_results():
    def record(white, black, result):
        return {"white": white, "black": black, "result": result}

    records = (
        [record("a", "b", "1-0")] * 3 + [record("b", "a", "1-0")] + [record("b", "c", "0-1"), record("c", "b", "0-1")]
    )
    lines = output.standings_lines(standings(records, ["c", "b", "a", "absent"]))
    assert [line.split()[1] for line in lines[1:4]] == ["a", "c", "b"] and "absent" not in "".join(lines)
    assert lines[1].split()[2:] == [f"{400 * log10(3) * 2 / 3:+.0f}", lines[1].split()[3], "4", "3", "75.0", "%"]
    assert lines[-3].split() == ["1", "a", "-", "-", "3"] and lines[-1].split() == ["3", "b", "1", "1", "-"]
    assert "half" not in lines[5] and "half a won game" in "\n".join(
        output.standings_lines(standings(records[:3], ["a", "b"]))
    )
