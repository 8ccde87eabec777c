"""The page where its user hesitates, comes by a link, or loads it again."""

import time

import pytest
from page_hands import MOVES, begin, follow, make
from pages import READY, browser, opened, written  # noqa: F401  fixtures

from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.rules import game
from pawnstorm.engine.strength import levels

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
TEXT = "document.getElementById('{}').textContent"


def test_levels_are_those_of_the_engine_and_all_play(opened):
    values = opened.evaluate("[...document.querySelectorAll('#level option')].map(option => option.value)")
    assert values == ["", *map(str, range(levels.LOWEST, levels.HIGHEST + 1, 100))]
    assert opened.evaluate("document.getElementById('level').value") == "1200"
    for name, level in (("twoflags", values[1]), ("breakthrough", values[-1])):
        begin(opened, name, "black", level=level)
        follow(opened, game(name), 1)
        assert opened.evaluate(TEXT.format("player-above")).startswith(f"White: Pawnstorm {level}")


def test_taking_back_before_the_first_move_changes_nothing(opened):
    begin(opened, "breakthrough", "black", time="move 1000")
    opened.press("#take-back")
    follow(opened, game("breakthrough"), 1)
    opened.press("#take-back")
    assert len(opened.evaluate(MOVES)) == 1


def test_link_opened_while_learning_is_shown(opened):
    opened.press("#mode-learn")
    opened.press("#next-lesson")
    for mode in ("&mode=analyse", ""):
        opened.evaluate(f"(location.hash = '#game=breakthrough&moves=a2a3a7a6{mode}', 0)")
        opened.until(f"({MOVES}).length === 2")
        assert opened.evaluate("document.getElementById('mode-learn').getAttribute('aria-pressed')") == "false"
        opened.press("#mode-learn")


def test_link_of_a_lesson_leads_to_it(opened, written):
    opened.press("#mode-learn")
    opened.press("#next-lesson")
    opened.press("#next-lesson")
    opened.until("location.hash.includes('mode=learn')")
    told, link = opened.evaluate(TEXT.format("lesson")), opened.evaluate("location.href")
    assert told.startswith("Position 3 of ")
    opened.open("about:blank")
    opened.open(link)
    opened.until(READY)
    assert opened.evaluate(TEXT.format("lesson")) == told


def test_bad_link_leaves_the_game_and_a_new_one_ends_what_is_said(opened):
    begin(opened, "twoflags", "both")
    board = Board.start(game("twoflags"))
    make(opened, board, board.moves()[0], "click")
    opened.evaluate("(location.hash = '#game=chess', 0)")
    opened.until(f"{TEXT.format('trouble')}.includes('unknown game')")
    assert len(opened.evaluate(MOVES)) == 1
    opened.press("#new-game")
    assert opened.evaluate(TEXT.format("trouble")) == ""


def test_turning_the_board_keeps_the_focus(opened):
    begin(opened, "twoflags", "both")
    opened.evaluate("(document.querySelector('#squares [tabindex=\"0\"]').focus(), 0)")
    square = "document.activeElement.dataset.square"
    before = opened.evaluate(square)
    assert before
    opened.evaluate(
        "(document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'f', bubbles: true})), 0)"
    )
    assert opened.evaluate("document.getElementById('flip').getAttribute('aria-pressed')") == "true"
    assert opened.evaluate(square) == before


def reload(browser):
    """Load the page again, as the browser's button does."""
    browser.evaluate("(setTimeout(() => location.reload(), 0), 0)")
    fact, end = f"performance.getEntriesByType('navigation')[0].type === 'reload' && {READY}", time.monotonic() + 20
    while True:
        try:
            if browser.evaluate(fact):
                return
        except Exception:  # the page that was asked has just gone: each driver has an error of its own
            assert time.monotonic() < end
        time.sleep(0.02)


def test_reload_goes_on_with_the_game(opened):
    begin(opened, "breakthrough", "black", level="1000")
    board, _ = follow(opened, game("breakthrough"), 1)
    make(opened, board, board.moves()[0], "click")
    board, texts = follow(opened, game("breakthrough"), 3)
    reload(opened)
    assert opened.evaluate(MOVES) == texts
    assert opened.evaluate(TEXT.format("player-above")).startswith("White: Pawnstorm 1000")
    make(opened, board, board.moves()[0], "click")
    follow(opened, game("breakthrough"), 5)
