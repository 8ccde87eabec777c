"""The page wins 8x8 Two Flags with White at 0.1 s a move, as `strategy.py walk` has a UCI engine do: a sample of the
positions after everything that Black can begin with in three moves, from there random replies.

PAWNSTORM_TEST_LINES is how many games are played; a game takes some seconds.
"""

import os

import browsers
import pytest
from page_hands import Opponent
from pages import written  # noqa: F401  a fixture

from pawnstorm.games.notation import fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.measuring import strategy_walk

LINES = int(os.environ.get("PAWNSTORM_TEST_LINES", "10"))

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300 + 20 * LINES)]


def test_the_page_wins_every_line_as_white(written):
    root = Board.start(get_rules("twoflags"))
    with browsers.chromium() as new_page:
        browser = new_page()
        browser.load(written.as_uri())
        winner = Opponent(browser, root.rules.name, False, "move 100")
        played = list(strategy_walk.walk(winner, root, False, 3, seed=1, sample=LINES))
    lost = [f"{fen(start)} moves {' '.join(moves)}" for start, won, moves in played if not won]
    print(f"White won {len(played) - len(lost)} of {len(played)} games")
    assert lost == browser.complaints == [] and len(played) == LINES
