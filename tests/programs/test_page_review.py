"""The review of a game in Chromium and Firefox: faults are found, marked and explained, and the user may try again."""

import pytest
from page_hands import MOVES, analyse, make, replayed
from pages import browser, opened, written  # noqa: F401  fixtures

from pawnstorm import pgn
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
TEXT = "document.getElementById('review-text').textContent"
SHOWN = "document.getElementById('position').textContent"
SIDE_LINES = "[...document.querySelectorAll('#moves .variation')].map(line => line.textContent)"
GIVEN_AWAY = "1. e4 a6 2. a3 *"
"""White gives its win away by e4; a6 gives it back."""


def review(browser, text):
    """Have the page review a game; returns what it says in the end."""
    analyse(browser, text)
    browser.press("#review-game")
    return browser.until(f"!{TEXT}.startsWith('Reviewing') && {TEXT}", 60)


def look_at_fault(browser, text=GIVEN_AWAY):
    """Have the page review a game, and show its first fault."""
    review(browser, text)
    browser.press("#first")
    browser.press("#next-fault")


def try_again(browser, text=GIVEN_AWAY):
    """Begin to look for a better move than the first fault of a game."""
    look_at_fault(browser, text)
    browser.press("#try-fault")
    browser.until(f"{TEXT}.includes('find a better move than')")


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
    try_again(opened)
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


GIVEN_AWAY_LATER = "1. b4 a6 2. a3 f5 *"
"""White gives its win away by a3; f5 keeps Black's."""
IN_THE_LIST = "[...document.querySelectorAll('#moves a.main')].find(link => link.firstChild.data === 'f5')"
STEPS = {
    "back": lambda browser: browser.key("ArrowLeft"),
    "forward": lambda browser: browser.key("ArrowRight"),
    "first": lambda browser: browser.key("Home"),
    "last": lambda browser: browser.key("End"),
    "forward button": lambda browser: browser.press("#forward"),
    "list": lambda browser: browser.evaluate(f"({IN_THE_LIST}.click(), 0)"),
    "next fault": lambda browser: browser.press("#next-fault"),
}
"""The ways to another position than the one in which the user tries again."""
TRYING = "document.getElementById('app').classList.contains('trying')"


@pytest.mark.parametrize("step", STEPS)
def test_a_step_away_ends_the_try(step, opened):
    try_again(opened, GIVEN_AWAY_LATER)
    opened.until(f"{TEXT} === 'White to move: find a better move than a3.'")
    assert opened.evaluate(TRYING)
    STEPS[step](opened)
    assert not opened.evaluate(TRYING) and opened.evaluate("document.getElementById('lines').checkVisibility()")
    at_fault = step in ("forward", "forward button", "next fault")
    assert opened.evaluate(TEXT).startswith("a3 gives the win away" if at_fault else "White: 1 win given away.")
    opened.until("document.querySelectorAll('.arrow').length")  # all advice is back


@pytest.mark.parametrize("step", ["first", "list", "next fault"])
def test_a_wrong_try_goes_when_a_step_ends_it(step, opened):
    try_again(opened, GIVEN_AWAY_LATER)
    board, _ = replayed(get_rules("twoflags"), ["b4", "a6"])
    make(opened, board, pgn.parse_san(board, "b5"), "click")
    opened.until(f"{TEXT}.startsWith('b5 loses')")
    STEPS[step](opened)
    assert not opened.evaluate(TRYING)
    assert not any(line.startswith("2.\u00a0b5") for line in opened.evaluate(SIDE_LINES))


def test_a_step_back_from_a_wrong_try_lets_one_try_again(opened):
    tried(opened)
    opened.key("ArrowLeft")
    assert opened.evaluate(TRYING) and opened.evaluate(SHOWN) == "White to move."
    try_move(opened, "c4")
    opened.until(f"{TEXT} === 'Right: c4 wins.'")
    assert not any(line.startswith("1.\u00a0d4") for line in opened.evaluate(SIDE_LINES))


def test_the_fault_itself_may_be_tried_but_not_followed(opened):
    try_again(opened)
    try_move(opened, "e4")
    opened.until(f"{TEXT}.startsWith('e4 loses')")
    assert opened.evaluate(TRYING)
    opened.key("ArrowRight")
    assert not opened.evaluate(TRYING) and opened.evaluate(MOVES) == ["e4??", "a6??", "a3"]


def test_a_review_ends_with_its_game(opened):
    analyse(opened, GIVEN_AWAY)
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


OFFER = "Review the game: find the moves that gave a win away."
LINK = "(location.hash = '#game=twoflags&mode=analyse', 0)"
ENGINE = "document.getElementById('engine-on').click()"
MODES = "['learn', 'analyse'].forEach(name => document.getElementById(`mode-${name}`).click())"


def begin_review(browser):
    """Have the page begin a review that it does not end at once."""
    analyse(browser, GIVEN_AWAY)
    browser.act("review-game")
    assert browser.evaluate(TEXT).startswith("Reviewing")


@pytest.mark.parametrize("way", [LINK, f"({ENGINE}, 0)", f"({MODES}, 0)"], ids=["another game", "engine", "modes"])
def test_a_review_that_does_not_end_finds_nothing(way, opened):
    begin_review(opened)
    opened.evaluate(way)
    opened.until(f"{TEXT} === '{OFFER}'")
    if ENGINE in way:
        opened.act("engine-on")
    opened.until("document.querySelectorAll('#lines li').length")  # of the position that is shown now
    opened.act("first")
    opened.until("document.getElementById('explorer-counts').textContent.includes('win')")
    assert opened.evaluate(TEXT) == OFFER


def test_moves_that_are_deleted_meanwhile_are_not_judged(opened):
    begin_review(opened)
    opened.act("first")
    opened.act("forward")
    opened.act("move-more")
    opened.act("delete-move")
    opened.until(f"{TEXT} === 'There is no move to review.'")
    assert opened.evaluate(MOVES) == []


def test_a_fault_that_is_deleted_counts_no_more(opened):
    review(opened, GIVEN_AWAY)
    opened.evaluate(
        "(document.querySelectorAll('#moves a.main')[1].dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true})), 0)"
    )
    opened.act("delete-move")
    opened.act("first")
    assert opened.evaluate(TEXT) == "White: 1 win given away. Black: no faults."


def tried(browser):
    """Try a wrong move in the place of a fault."""
    try_again(browser)
    try_move(browser, "d4")
    browser.until(f"{TEXT}.includes('d4 loses')")


def test_only_a_move_in_the_place_of_the_fault_is_a_try(opened):
    tried(opened)
    board = Board.start(get_rules("twoflags"))
    board = board.push(pgn.parse_san(board, "d4"))
    make(opened, board, pgn.parse_san(board, "e5"), "click")
    assert opened.evaluate(SHOWN) == "1. Black: e5. White to move."
    assert opened.evaluate(TEXT).startswith("d4 loses")
    opened.press("#try-fault")
    opened.until(f"{SHOWN} === 'White to move.'")
    assert any(line.startswith("1.\u00a0d4 e5") for line in opened.evaluate(SIDE_LINES))  # the user went on from it


@pytest.mark.parametrize("way", ["review-game", "mode-learn"])
def test_what_is_shown_stays_in_the_game_after_a_try(way, opened):
    tried(opened)
    opened.act(way)
    opened.act("mode-analyse")
    opened.until("!location.hash.includes('learn')")
    opened.until(f"!{TEXT}.startsWith('Reviewing')", 60)
    node = "document.querySelector('#moves a[aria-current]')?.firstChild.data"
    assert (opened.evaluate(node), opened.evaluate(SHOWN)) in [
        ("d4", "1. White: d4. Black to move."),
        (None, "White to move."),
    ]
    assert "at=-1" not in opened.evaluate("location.hash")


def test_another_review_leaves_what_the_user_has_written(opened):
    look_at_fault(opened)
    opened.evaluate("""(field => { field.value = 'My words'; field.dispatchEvent(new Event('input', {bubbles: true})); })
        (document.getElementById('comment'))""")
    opened.evaluate(
        "([...document.querySelectorAll('#moves a.side')].find(link => link.firstChild.data === 'g5').click(), 0)"
    )
    own = opened.evaluate("""(chip => { chip.click(); return chip.querySelector('.move').textContent; })
        ([...document.querySelectorAll('#explorer button')].at(-1))""")  # the worst move, which is in no better line
    opened.press("#last")
    opened.act("review-game")
    opened.until(f"{TEXT}.startsWith('White: 1')", 60)
    assert "My words" in opened.text("moves")
    assert any(own in line for line in opened.evaluate(SIDE_LINES))
