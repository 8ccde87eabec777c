"""Numbers and what they count."""

import pytest

from pawnstorm.numbers import counted


@pytest.mark.parametrize(
    "number, noun, text",
    [
        (0, "game", "0 games"),
        (1, "game", "1 game"),
        (2000, "game", "2,000 games"),
        (1, "ply", "1 ply"),
        (3, "ply", "3 plies"),
        (2, "entry", "2 entries"),
    ],
)
def test_one_is_singular_and_all_else_plural(number, noun, text):
    assert counted(number, noun) == text
