"""The page wins the games of its books at 0.1 s a move, as `strategy.py walk` has a UCI engine do. The games start
from a sample of the positions after all combinations of the loser's first moves; from there on, the replies are random.

PAWNSTORM_TEST_LINES is how many games of a book are played; a game takes some seconds. If PAWNSTORM_TEST_AGAINST is the
command of a UCI engine, this engine plays the loser from the second move on, at 1 s a move; PAWNSTORM_TEST_OPTION is an option
of this engine. If there are more games than first moves of the loser, each of these moves is played several times. An example:

    PAWNSTORM_TEST_AGAINST=pawnstorm PAWNSTORM_TEST_OPTION=OwnBook=false PAWNSTORM_TEST_LINES=100 \
      python -m pytest -m slow tests/slow/test_page_books.py -k breakthrough6x6 -n 0 -rP
"""

import contextlib
import os
from pathlib import Path

import browsers
import pytest
from page_hands import Opponent
from pages import written  # noqa: F401  a fixture

from pawnstorm.games.notation import fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import book
from pawnstorm_tools.measuring import strategy_walk

LINES = int(os.environ.get("PAWNSTORM_TEST_LINES", "10"))
AGAINST, OPTION = os.environ.get("PAWNSTORM_TEST_AGAINST"), os.environ.get("PAWNSTORM_TEST_OPTION")
BOOKS = sorted(path.stem for path in Path(book.FOLDER).glob("*.book"))
REPLIES = 3
"""The number of the loser's first moves, after which the games are sampled. The page plays every line up to there."""

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(600 + 60 * LINES)]


@pytest.mark.parametrize("name", BOOKS)
def test_the_page_wins_every_line_of_a_book(name, written):
    rules = get_rules(name)
    root = Board.start(rules)
    with browsers.chromium() as new_page, contextlib.ExitStack() as stack:
        loser = None
        if AGAINST:
            loser = strategy_walk.EnginePlayer(AGAINST, 1000, rules, [tuple(OPTION.split("=", 1))] if OPTION else ())
            stack.callback(loser.quit)
        browser = new_page()
        browser.load(written.as_uri())
        winner = Opponent(browser, rules.name, False, "move 100")
        played, replies = [], 1 if AGAINST else REPLIES
        while len(played) < LINES:
            again = strategy_walk.walk(winner, root, False, replies, seed=1, sample=LINES - len(played), loser=loser)
            played += again
            if not AGAINST:
                break  # the replies are determined by the seed
    games = {(start, *moves) for start, _, moves in played}
    lost = [f"{fen(start)} moves {' '.join(moves)}" for start, won, moves in played if not won]
    print(f"White won {len(played) - len(lost)} of {len(played)} games, {len(games)} of them different")
    assert lost == browser.complaints == [] and len(played) == LINES
