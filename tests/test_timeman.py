"""Clocks to milliseconds: what holds whatever the clock says."""
import itertools
import random

import pytest

from engine.engine import Limits
from engine.timeman import BLIND, LATENCY, budget, fixed

HUGE = 10**15
EDGES = [-HUGE, -1, 0, 1, 2, 9, 10, 11, 20, 99, 1000, 60_000, 10**12, HUGE]
CASES = list(itertools.product(EDGES, [-5, 0, 1, 10, 1000, HUGE], [0, 1, 2, 26, 27, 40, HUGE], [0, 1, 10, 10_000]))


def random_cases(count=20_000):
    rng = random.Random(6)
    for _ in range(count):
        time, moves_to_go = rng.randrange(-100, 10 ** rng.randrange(1, 8)), rng.choice([0, 0, 1, 2, rng.randrange(80)])
        yield time, rng.randrange(20_000), moves_to_go, rng.randrange(500)


def test_soft_and_hard_are_ordered_whole_milliseconds():
    for case in itertools.chain(CASES, random_cases()):
        soft, hard = budget(*case)
        assert type(soft) is type(hard) is int and 1 <= soft <= hard, case


def test_hard_leaves_the_overhead_on_the_clock():
    for time, increment, moves_to_go, overhead in itertools.chain(CASES, random_cases()):
        _, hard = budget(time, increment, moves_to_go, overhead)
        assert hard <= max(1, time - overhead), (time, increment, moves_to_go, overhead)


def test_no_clock_left_means_the_least_time():
    assert all(budget(time, 1000, 0, 10) == (1, 1) for time in (0, -1, -HUGE))


def test_more_time_is_never_less_thought():
    for increment, moves_to_go, overhead in itertools.product([0, 10, 1000], [0, 1, 2, 10, 40], [0, 10, 100]):
        budgets = [budget(time, increment, moves_to_go, overhead) for time in sorted(EDGES)]
        assert budgets == sorted(budgets), (increment, moves_to_go, overhead)
        assert [hard for _, hard in budgets] == sorted(hard for _, hard in budgets)


@pytest.mark.parametrize("time, increment, moves_to_go, overhead", [
    (1000, 10, 0, 10), (60_000, 600, 0, 10), (10_000, 0, 0, 10), (500, 0, 0, 1), (1000, 100, 0, 50), (3000, 0, 40, 10)])
def test_clock_lasts_for_the_longest_game(time, increment, moves_to_go, overhead):
    """104 moves a side, each to its hard limit, all the overhead really lost; with an increment no less than the overhead, or time to spare."""
    left = time
    for number in range(104):
        _, hard = budget(left, increment, moves_to_go and moves_to_go - number % moves_to_go, overhead)
        left -= hard
        assert left >= 0
        if left < overhead and not increment and not moves_to_go:
            return   # nothing could be done: the overhead alone uses up what is left
        left += increment + (time if moves_to_go and (number + 1) % moves_to_go == 0 else 0)


def test_last_move_of_a_control_may_use_the_clock():
    soft, hard = budget(10_000, 0, 1, 10)
    assert hard > 5000 and soft > budget(10_000, 0, 10, 10)[0]


def test_fixed_time_is_spent_but_for_the_overhead():
    for movetime, overhead in itertools.product(EDGES, [0, 1, 10, 10_000]):
        soft, hard = fixed(movetime, overhead)
        assert 1 <= soft == hard <= max(1, movetime)
        kept = max(overhead, LATENCY)
        if movetime > 2 * kept:
            assert hard == movetime - kept


def test_limits_choose_the_budget():
    assert Limits(movetime=500).budget(10) == fixed(500, 10)
    assert Limits(clock=(1000, 20), moves_to_go=5).budget(10) == budget(1000, 20, 5, 10)
    assert Limits(clock=(None, 0)).budget(10) == (BLIND, BLIND)
    assert Limits(movetime=500, clock=(1000, 0), infinite=True).budget(10) is None
    assert Limits(depth=3).budget(10) is None is Limits(nodes=3).budget(10)
    assert Limits(movetime=0).budget(10) == (1, 1)
