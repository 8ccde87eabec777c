"""The review of a game in Chromium and Firefox: faults are found, marked and explained, and the user may try again."""

import json

import pytest
from page_hands import MOVES, make
from pages import browser, opened, written  # noqa: F401  fixtures

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol import pgn

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
TEXT = "document.getElementById('review-text').textContent"
SHOWN = "document.getElementById('position').textContent"
SIDE_LINES = "[...document.querySelectorAll('#moves .variation')].map(line => line.textContent)"
GIVEN_AWAY = "1. e4 a6 2. a3 *"
"""White gives its win away by e4; a6 gives it back."""


def review(browser, text):
    """Have the page review a game; returns what it says in the end."""
    browser.press("#mode-analyse")
    browser.evaluate(f"(document.getElementById('text').value = {json.dumps(text)}, 0)")
    browser.act("open")
    browser.press("#review-game")
    return browser.until(f"!{TEXT}.startsWith('Reviewing') && {TEXT}", 60)


def try_move(browser, text):
    """Make a move of the start position on the page's board."""
    board = Board.start(get_rules("twoflags"))
    make(browser, board, pgn.parse_san(board, text), "click")


def test_wins_given_away_are_proven_and_marked(opened):
    assert review(opened, GIVEN_AWAY).startswith("White: 1 win given away")
    assert opened.evaluate(MOVES)[0] == "e4??"
    assert any(line.startswith("1.\u00a0b4") for line in opened.evaluate(SIDE_LINES))
    opened.press("#first")
    opened.press("#next-fault")
    opened.until(f"{TEXT} === 'e4 gives the win away: b4 wins.'")
    assert "e4 gives the win away: b4 wins." in opened.evaluate("document.getElementById('moves').textContent")


def test_a_fault_is_tried_again_until_it_is_right(opened):
    review(opened, GIVEN_AWAY)
    opened.press("#first")
    opened.press("#next-fault")
    opened.press("#try-fault")
    opened.until(f"{TEXT} === 'White to move: find a better move than e4.'")
    assert opened.evaluate("document.querySelectorAll('.arrow').length") == 0
    assert not opened.evaluate("document.getElementById('lines').checkVisibility()")
    try_move(opened, "d4")
    assert opened.until(f"{TEXT}.includes('loses') && {TEXT}").startswith("d4 loses: Black answers ")
    opened.press("#try-fault")
    opened.until(f"{SHOWN} === 'White to move.'")
    assert not any(line.startswith("1.\u00a0d4") for line in opened.evaluate(SIDE_LINES))
    try_move(opened, "c4")
    assert opened.until(f"{TEXT}.startsWith('Right') && {TEXT}") == "Right: c4 wins."
    assert opened.evaluate("document.getElementById('lines').checkVisibility()")


def test_a_review_ends_with_its_game(opened):
    opened.press("#mode-analyse")
    opened.evaluate(f"(document.getElementById('text').value = {json.dumps(GIVEN_AWAY)}, 0)")
    opened.act("open")
    opened.press("#review-game")
    opened.press("#mode-learn")
    opened.press("#mode-analyse")
    opened.until("document.querySelectorAll('#lines li').length")
    assert opened.evaluate(MOVES) == ["e4", "a6", "a3"]


def test_a_game_without_faults_says_so(opened):
    assert review(opened, "1. b4 *") == "White: no faults. Black: no faults."


def test_play_goes_on_instead_of_a_fault(opened):
    review(opened, GIVEN_AWAY)
    opened.press("#last")
    opened.press("#next-fault")  # the first
    opened.until(f"{TEXT}.startsWith('e4 gives')")
    opened.press("#play-fault")
    assert opened.text("play-from-what") == "Two Flags, 8 by 8: move 1, White to move."
    opened.choose("#time", "move 100")
    opened.press("#new-game")
    assert opened.evaluate(MOVES) == [] and opened.text("player-below").startswith("White: you")
    try_move(opened, "b4")
    opened.until(f"({MOVES}).length === 2")
