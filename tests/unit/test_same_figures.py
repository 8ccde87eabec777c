"""A match has the same figures in the terminal and, read from its PGN, in the report."""

import random

import pytest

from pawnstorm_tools.referee import stats
from pawnstorm_tools.referee.results import Results
from pawnstorm_tools.reporting import reading

NAMES = ["one", "two"]


def records(count, chance, says_time):
    """Finished games with random times and nodes; says_time: whether the engines say how long they have searched."""
    made = []
    for number in range(1, count + 1):
        moves = [
            [
                text,
                chance.uniform(0.01, 200),
                None,
                chance.choice([25, "M3", None]),
                chance.randint(1, 30),
                chance.choice([7, 10**6, None]),
                chance.randint(0, 190) if says_time else None,
            ]
            for text in ("a1a2", "b3a2", "b1a2")
        ]
        white, black = NAMES if number % 2 else NAMES[::-1]
        made.append(
            {
                "game": number,
                "round": f"{number}.1",
                "date": "2025.01.31",
                "white": white,
                "black": black,
                "first": "white",
                "limits": {"white": "1+0", "black": "1+0"},
                "opening": "ppp/3/PPP w - - 0 1",
                "result": "1-0",
                "reason": "crash",
                "detail": "Black loses",
                "moves": moves,
                "lags": [],
            }
        )
    return made


@pytest.mark.parametrize("says_time", [True, False])
def test_depth_speed_and_pace_are_those_of_the_report(says_time):
    results = Results({"variant": "hexapawn"})
    for record in records(40, random.Random(3), says_time):
        results.add(record)
    read = reading.parse(results.pgn(), "the match").records
    for name in NAMES:
        played = stats.move_stats(results.games.values(), name)
        assert played.nps and played.depth and played.seconds_per_move and stats.move_stats(read, name) == played
