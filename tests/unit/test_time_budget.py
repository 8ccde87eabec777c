"""Clocks to milliseconds: what holds whatever the clock says, and when a search has seen enough."""

import itertools
import random

import pytest

from pawnstorm.search.limits import Limits
from pawnstorm.search.time_budget import (
    LATENCY,
    MIN_MOVES_AHEAD,
    OVERHEAD_MOVES,
    UNKNOWN_CLOCK,
    TimeManager,
    budget,
    fixed_budget,
    moves_ahead,
    node_budget,
    soft_scale,
)

HUGE = 10**15
EDGES = [-HUGE, -1, 0, 1, 2, 9, 10, 11, 20, 99, 1000, 60_000, 10**12, HUGE]
CASES = list(
    itertools.product(
        EDGES,
        [-5, 0, 1, 10, 1000, HUGE],
        [0, 1, 2, 26, 27, 40, HUGE],
        [0, 1, 10, 10_000],
        [MIN_MOVES_AHEAD, 24, OVERHEAD_MOVES],
    )
)


def random_cases(count=20_000):
    rng = random.Random(6)
    for _ in range(count):
        time, moves_to_go = rng.randrange(-100, 10 ** rng.randrange(1, 8)), rng.choice([0, 0, 1, 2, rng.randrange(80)])
        yield (
            time,
            rng.randrange(20_000),
            moves_to_go,
            rng.randrange(500),
            rng.randrange(MIN_MOVES_AHEAD, OVERHEAD_MOVES + 1),
        )


def test_soft_and_hard_are_ordered_whole_milliseconds_and_leave_the_overhead():
    for case in itertools.chain(CASES, random_cases()):
        time, _, _, overhead, _ = case
        soft, hard = budget(*case)
        assert type(soft) is type(hard) is int and 1 <= soft <= hard <= 4 * soft, case
        assert hard <= max(1, time - overhead), case


def test_no_clock_left_means_the_least_time():
    assert all(budget(time, 1000, 0, 10) == (1, 1) for time in (0, -1, -HUGE))


def test_more_time_is_never_less_thought():
    for case in itertools.product([0, 10, 1000], [0, 1, 2, 10, 40], [0, 10, 100], [MIN_MOVES_AHEAD, 24]):
        budgets = [budget(time, *case) for time in sorted(EDGES)]
        assert budgets == sorted(budgets), case
        assert [hard for _, hard in budgets] == sorted(hard for _, hard in budgets)


@pytest.mark.parametrize("ahead", [MIN_MOVES_AHEAD, 24])
@pytest.mark.parametrize(
    "time, increment, moves_to_go, overhead",
    [
        (1000, 10, 0, 10),
        (60_000, 600, 0, 10),
        (10_000, 0, 0, 10),
        (500, 0, 0, 1),
        (1000, 100, 0, 50),
        (3000, 0, 40, 10),
    ],
)
def test_clock_lasts_for_the_longest_game(time, increment, moves_to_go, overhead, ahead):
    """104 moves a side, each to its hard limit, all the overhead really lost; the increment covers that, or there is
    time to spare.
    """
    left = time
    for number in range(104):
        _, hard = budget(left, increment, moves_to_go and moves_to_go - number % moves_to_go, overhead, ahead)
        left -= hard
        assert left >= 0
        if left < overhead and not increment and not moves_to_go:
            return  # nothing could be done: the overhead alone uses up what is left
        left += increment + (time if moves_to_go and (number + 1) % moves_to_go == 0 else 0)


def test_last_move_of_a_control_may_use_the_clock():
    soft, hard = budget(10_000, 0, 1, 10)
    assert hard > 5000 and soft > budget(10_000, 0, 10, 10)[0]


def test_two_moves_to_the_control_share_the_clock():
    """A third of the clock, the most for other moves, would leave time over."""
    for time in (1000, 60_000):
        soft, hard = budget(time, 0, 2, 10)
        assert soft == hard == time // 2 - 10


def test_move_that_earns_more_than_the_clock_holds_may_use_most_of_it():
    soft, hard = budget(100, 1000, 0, 10)
    assert 60 < soft == hard < 90


def test_hard_limit_cuts_no_move_short_of_the_most_that_it_can_deserve():
    """Where the clock is long: the soft limit of an open question whose score falls."""
    for time in (10_000, 60_000, 900_000):
        soft, hard = budget(time, 0, 0, 10)
        assert hard >= soft * soft_scale(0, HUGE) // 100


def test_fixed_time_is_spent_but_for_the_overhead():
    for movetime, overhead in itertools.product(EDGES, [0, 1, 10, 10_000]):
        soft, hard = fixed_budget(movetime, overhead)
        assert 1 <= soft == hard <= max(1, movetime)
        assert hard >= movetime // 2, "an overhead that is too large leaves half of it"
        kept = max(overhead, LATENCY)
        if movetime > 2 * kept:
            assert hard == movetime - kept


def test_limits_choose_the_budget():
    assert Limits(movetime=500).budget(10) == fixed_budget(500, 10)
    assert Limits(clock=(1000, 20), moves_to_go=5).budget(10) == budget(1000, 20, 5, 10)
    assert Limits(clock=(1000, 20)).budget(10, 8) == budget(1000, 20, 0, 10, 8) > budget(1000, 20, 0, 10, 9)
    assert Limits(clock=(None, 0)).budget(10) == (UNKNOWN_CLOCK, UNKNOWN_CLOCK)
    assert Limits(movetime=500, clock=(1000, 0), infinite=True).budget(10) is None
    assert Limits(depth=3).budget(10) is None is Limits(nodes=3).budget(10)
    assert Limits(movetime=0).budget(10) == (1, 1)


def test_a_thinner_board_and_a_smaller_one_have_less_to_come():
    counts = [moves_ahead(pieces, 32, 64, True) for pieces in range(65)]
    assert (
        counts == sorted(counts)
        and counts[0] == MIN_MOVES_AHEAD
        and 20 < counts[32] <= OVERHEAD_MOVES
        and counts[64] == counts[32]
    )
    sizes = [moves_ahead(4 * side, 4 * side, side * side, True) for side in range(4, 9)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]
    assert {moves_ahead(pieces, 16, 64, False) for pieces in range(17)} == {MIN_MOVES_AHEAD}


@pytest.mark.parametrize("pieces, measured", [(32, 22), (28, 13), (24, 8), (20, 5)])
def test_moves_ahead_are_a_few_more_than_games_of_breakthrough_have(pieces, measured):
    """Time that is left over costs less than time that runs out."""
    assert measured < moves_ahead(pieces, 32, 64, True) <= measured + 3


def test_overhead_is_kept_back_for_moves_that_take_no_thought():
    """The fewer moves are to be thought about, the more each gets, but ten seconds of overhead are never given away."""
    assert budget(10_000, 0, 0, 1000, MIN_MOVES_AHEAD) == (1, 1)
    assert budget(60_000, 0, 0, 1000, MIN_MOVES_AHEAD)[0] == (60_000 - OVERHEAD_MOVES * 1000) // MIN_MOVES_AHEAD
    assert budget(60_000, 0, 0, 1000, 40)[0] == (60_000 - 40 * 1000) // 40  # more thought than OVERHEAD_MOVES


def test_overhead_is_kept_back_up_to_the_next_time_control_only():
    assert budget(60_000, 0, 10, 1000, MIN_MOVES_AHEAD)[0] == (60_000 - 10 * 1000) // MIN_MOVES_AHEAD
    assert budget(60_000, 0, 40, 1000, MIN_MOVES_AHEAD) == budget(60_000, 0, 0, 1000, MIN_MOVES_AHEAD)


def test_a_stable_move_gets_less_and_a_falling_score_more():
    for drop in range(-300, 300, 7):
        percents = [soft_scale(stable, drop) for stable in range(100)]
        assert percents == sorted(percents, reverse=True) and 0 < percents[-1] < 100 < percents[0]
    for stable in range(12):
        percents = [soft_scale(stable, drop) for drop in range(-300, 300)]
        assert percents == sorted(percents) and percents[-1] == 2 * soft_scale(stable, 0) > 2 * percents[0]


def iterate(moves, scores=None, growth=1.5, soft=1000, hard=4000):
    """Milliseconds after which a TimeManager has had enough of a search whose iteration number n takes growth ** n and finds
    moves[n].
    """
    manager, elapsed = TimeManager(), 0
    for number, move in enumerate(moves):
        elapsed += round(growth**number)
        assert elapsed <= hard, "an iteration was begun that the hard limit cut"
        manager.update(move, scores[number] if scores else 0, elapsed)
        if manager.should_stop(soft, hard - elapsed):
            return elapsed
    raise AssertionError("never enough")


def test_obvious_move_is_played_sooner_than_a_doubtful_one():
    same, changing = [7] * 60, list(range(60))
    late = [7] * 12 + [8] * 48  # another best move at a quarter of the soft limit
    assert iterate(same) < 600 and iterate(same) < iterate(late) < iterate(changing)
    assert 1500 < iterate(changing) < 3000


def test_falling_score_prolongs_the_search():
    falling, rising = [-15 * number for number in range(60)], [15 * number for number in range(60)]
    assert iterate([7] * 60, rising) <= iterate([7] * 60) < iterate([7] * 60, falling)


def test_search_ends_about_where_it_should():
    """Whatever the growth: an iteration is begun where half of it still fits."""
    for tenths in range(12, 26):
        assert 200 <= iterate([7] * 60, growth=tenths / 10) <= 800, tenths


def test_iteration_that_would_not_be_finished_is_not_begun():
    manager = TimeManager()
    for elapsed in (1, 4, 13, 40):
        manager.update(elapsed, 0, elapsed)  # the best move changes each time; the next iteration will take 81
    assert not manager.should_stop(1000, 82) and manager.should_stop(1000, 80)


def test_iteration_is_expected_to_take_as_long_as_the_last_and_three_times_that_at_most():
    long, short = TimeManager(), TimeManager()
    for elapsed in (1, 2, 102):  # a hundred times the one before
        long.update(elapsed, 0, elapsed)
    assert not long.should_stop(HUGE, 300) and long.should_stop(HUGE, 299)
    for elapsed in (1, 101, 111):  # a tenth of the one before
        short.update(elapsed, 0, elapsed)
    assert not short.should_stop(HUGE, 10) and short.should_stop(HUGE, 9)


def longest(scores):
    """The greatest soft limit that iterations of 100 ms with these scores use up, each with another best move."""
    manager = TimeManager()
    for number, score in enumerate(scores, 1):
        manager.update(number, score, 100 * number)
    return max(soft for soft in range(1000) if manager.should_stop(soft, HUGE))


def test_score_counts_by_its_fall_over_two_iterations():
    """Over one it swings with the side that moves last."""
    assert longest([50, 0, 0]) < longest([0, 0, 0]) == longest([0, 50, 0])
    assert longest([0, 0, 0, 0, 0]) == longest([0, 40, 0, 40, 0])


def test_one_or_two_scores_tell_of_no_fall():
    """The second iteration is expected to take 300 ms, the third 100; half of that has to lie within the limit."""
    assert longest([50]) == 100 * (100 + 150) // soft_scale(0, 0)
    assert longest([50, 0]) == 100 * (200 + 50) // soft_scale(0, 0)


def test_search_of_a_millisecond_ends_within_a_few():
    """Iterations too short for the clock do not end a search, one millisecond of them does."""
    manager = TimeManager()
    for _ in range(20):
        manager.update(7, 0, 0)
        assert not manager.should_stop(1, 1)
    manager.update(7, 0, 1)
    assert manager.should_stop(1, 0)


def spent(rng, time, increment, moves_to_go, undecided, instant, pieces, overhead=10):
    """Play one side of a made-up game; what share of all its time was used.

    undecided: moves that are thought about, while `pieces` pieces go down to 20; instant: moves after them that take 2
    ms. Iterations grow, scores fall and best moves change, less and less, at random, as often as they did in 162
    searches of Breakthrough.
    """
    left, given = time, time
    for number in range(undecided + instant):
        until = moves_to_go and moves_to_go - number % moves_to_go
        ahead = moves_ahead(pieces - (pieces - 20) * number // undecided, 32, 64, True)
        soft, hard = budget(left, increment, until, overhead, ahead)
        elapsed = 2
        if number < undecided:
            manager, best, score, length, elapsed = TimeManager(), 0, 0, 1.0, 0
            for depth in itertools.count(1):
                if elapsed + length >= hard:
                    elapsed = hard + LATENCY
                    break
                elapsed += int(length)
                best += rng.random() < max(0.02, 0.24 - depth / 100)
                score += rng.choice([-4, -2, -2, 0, 0, 2, 2, 4]) if rng.random() < 0.95 else rng.choice([-30, 30])
                manager.update(best, score, elapsed)
                if manager.should_stop(soft, hard - elapsed):
                    elapsed += 1
                    break
                length *= rng.choice([0.5, 1, 1.1, 1.2, 2.2, 4])
        left -= elapsed
        assert left > 0, "time loss"
        earned = increment + (time if until == 1 else 0)
        left, given = left + earned, given + earned
    return 1 - left / given


@pytest.mark.parametrize(
    "time, increment, moves_to_go, most",
    [(100, 1, 0, 0.95), (1000, 10, 0, 0.9), (60_000, 0, 0, 0.9), (900_000, 0, 0, 0.9), (60_000, 0, 40, 0.9)],
)
def test_clock_is_spent_over_a_game(time, increment, moves_to_go, most):
    """From 32 pieces on, 18 to 28 moves of thought and some more: half to nine tenths of the time in nearly every game,
    no time loss.
    """
    rng = random.Random(60)
    shares = sorted(
        spent(rng, time, increment, moves_to_go, rng.randrange(18, 29), rng.randrange(2, 9), 32) for _ in range(100)
    )
    assert 0.45 < shares[5] and shares[95] < most and 0.55 < sum(shares) / len(shares) < 0.8, shares[::5]


def test_no_move_of_a_long_sudden_death_takes_silly_long():
    """15 minutes: an obvious move of Breakthrough gets some seconds, of Two Flags a minute at most; nothing gets five
    minutes.
    """
    for ahead, most in ((moves_ahead(32, 32, 64, True), 20_000), (MIN_MOVES_AHEAD, 60_000)):
        soft, hard = budget(900_000, 0, 0, 10, ahead)
        assert 2000 < iterate([7] * 60, soft=soft, hard=hard) <= most and hard <= 300_000


def test_only_a_limit_too_short_for_a_timer_is_kept_by_nodes():
    counts = [node_budget(hard) for hard in range(1, LATENCY + 1)]
    assert 0 < counts[0] < 5000 and counts == sorted(counts) and node_budget(LATENCY + 1) == node_budget(HUGE) == 0
