"""The page where its user hesitates, comes by a link, or loads it again."""

import json

import pytest
from browsers import READY
from page_hands import MOVES, begin, begin_with_a_move, follow, go, make, reload
from pages import browser, opened, written  # noqa: F401  fixtures

from pawnstorm.games.rules import get_rules
from pawnstorm.strength import levels

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]


def test_levels_are_those_of_the_engine_and_all_play(opened):
    values = opened.evaluate("[...document.querySelectorAll('#level option')].map(option => option.value)")
    assert values == ["", *map(str, range(levels.LOWEST, levels.HIGHEST + 1, 100))]
    assert opened.evaluate("document.getElementById('level').value") == "1200"
    for name, level in (("twoflags", values[1]), ("breakthrough", values[-1])):
        begin(opened, name, "black", level=level)
        follow(opened, get_rules(name), 1)
        assert opened.text("player-above").startswith(f"White: Pawnstorm {level}")


def test_taking_back_before_the_first_move_changes_nothing(opened):
    begin(opened, "breakthrough", "black", time="move 1000")
    opened.press("#take-back")
    follow(opened, get_rules("breakthrough"), 1)
    opened.press("#take-back")
    assert len(opened.evaluate(MOVES)) == 1


def test_link_opened_while_learning_is_shown(opened):
    opened.press("#mode-learn")
    opened.press("#next-puzzle")
    for mode in ("&mode=analyse", ""):
        opened.evaluate(f"(location.hash = '#game=breakthrough&moves=a2a3a7a6{mode}', 0)")
        opened.until(f"({MOVES}).length === 2")
        assert opened.evaluate("document.getElementById('mode-learn').getAttribute('aria-pressed')") == "false"
        opened.press("#mode-learn")


def test_copied_link_of_a_puzzle_leads_to_it(opened):
    opened.press("#mode-learn")
    opened.press("#next-puzzle")
    opened.act("show-share")
    opened.press("#copy-link")
    said, link = opened.text("words"), opened.until("window.copied")
    opened.load(link)
    assert opened.text("words") == said


def test_bad_link_leaves_the_game_and_a_new_one_ends_what_is_said(opened):
    begin_with_a_move(opened, "twoflags", "both")
    opened.evaluate("(location.hash = '#game=chess', 0)")
    opened.until("document.getElementById('trouble').textContent.includes('unknown game')")
    assert len(opened.evaluate(MOVES)) == 1
    opened.act("new-game")
    assert opened.text("trouble") == ""


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


STATE = """[...['position', 'player-above', 'player-below', 'moves', 'lesson'].map(id => document.getElementById(id).textContent),
  document.querySelector('.modes [aria-pressed=true]').id, document.querySelector('#moves [aria-current]')?.textContent]"""


@pytest.mark.parametrize("side, stepped", [("black", False), ("black", True), ("both", False)])
def test_way_back_from_another_page_leads_to_the_game(side, stepped, browser, written, tmp_path):
    """As after a reload, even if the browser has not kept the page itself."""
    other = tmp_path / "other.html"
    other.write_text("<title>other</title>")
    browser.load(written.as_uri())
    (begin_with_a_move if side == "both" else begin)(browser, "breakthrough", side)
    follow(browser, get_rules("breakthrough"), 1)
    if stepped:
        browser.press("#back")
    browser.until("location.hash.includes('moves=') && location.hash.includes('ply=0') === " + str(stepped).lower())
    before = browser.evaluate(STATE)
    browser.open(other.as_uri())
    go(browser, "history.back()", f"document.title !== 'other' && {READY}")
    assert browser.evaluate(STATE) == before


def test_link_is_followed_while_the_address_is_about_to_change(opened):
    begin(opened, "breakthrough", "both")
    opened.evaluate("""(() => {
        document.getElementById('new-game').click();
        const end = performance.now() + 400;
        setTimeout(() => { location.hash = '#game=twoflags&moves=e2e4'; while (performance.now() < end); }, 0);
    })()""")  # the page is due to change the address for the new game before it hears of the link
    opened.until(f"({MOVES})[0] === 'e4'")


def test_reload_goes_on_with_the_game(opened):
    begin(opened, "breakthrough", "black", level="1000")
    board, _ = follow(opened, get_rules("breakthrough"), 1)
    make(opened, board, board.moves()[0], "click")
    board, texts = follow(opened, get_rules("breakthrough"), 3)
    reload(opened)
    assert opened.evaluate(MOVES) == texts
    assert opened.text("player-above").startswith("White: Pawnstorm 1000")
    make(opened, board, board.moves()[0], "click")
    follow(opened, get_rules("breakthrough"), 5)


KEPT = {
    "human": "white", "elo": 1200, "time": "clock 3 2", "clocks": [180000, 170000.5], "names": ["you", "Pawnstorm 1200"], "flipped": False,
    "address": "#game=breakthrough&moves=a2a3a7a6&mode=play", "going": 2, "from": 0,
}  # fmt: skip
"""What the page keeps in the tab's storage of a game against the engine."""


def reload_with(browser, text):
    """Reload with a text in the place of what the page keeps; returns what is said to be wrong."""
    browser.evaluate(
        f"(addEventListener('pagehide', () => sessionStorage.setItem('pawnstorm.game', {json.dumps(text)})), 0)"
    )
    reload(browser)
    return browser.text("trouble")


def test_what_the_page_keeps_is_gone_on_with(opened):
    assert reload_with(opened, json.dumps(KEPT)) == ""
    assert opened.text("player-above").startswith("Black: Pawnstorm 1200")
    assert opened.evaluate("document.querySelector('#player-above .clock').textContent") == "2:50"
    assert opened.evaluate(MOVES) == ["a2a3", "a7a6"]


@pytest.mark.parametrize("text", ["", "null", "7", "[]", "{}", "[" * 100000])
def test_what_the_page_has_not_kept_is_dropped(text, opened):
    assert reload_with(opened, text).endswith("cannot be read. It has been dropped.")
    reload(opened)
    assert opened.text("trouble") == ""


@pytest.mark.parametrize(
    "field, values",
    [
        ("human", ["neither", "__proto__", None]),
        ("elo", [1250.5, 100000, "1200", "", False]),
        ("time", ["clock 3", "move 1e9", None, "move 1000"]),  # which has no clocks
        ("clocks", [[1], [1, -1], [1, None], ["1", "2"], [1e300, 1], {"0": 1, "1": 2, "length": 2}]),
        ("names", [None, "ab", ["you"], [1, 2], ["a" * 100, "b"]]),
        ("flipped", [None, 0]),
        ("address", [None, 7, "http://x.y/", "#game=chess", "#game=twoflags&moves=e2e5", "#game=twoflags&mode=learn"]),
        ("going", [None, "2", 1.5, -1, 3]),
        ("from", [None, "2", 1.5, -1, 3]),
        ("address", ["#game=twoflags&moves=e2e4e7e5&lost=white&mode=play"]),  # the game is over
    ],
)
def test_every_kept_field_is_checked(field, values, opened):
    for value in values:
        text = json.dumps({**KEPT, field: value})
        assert reload_with(opened, text).endswith("cannot be read. It has been dropped."), text
    rest = {name: value for name, value in KEPT.items() if name != field}
    assert reload_with(opened, json.dumps(rest)).endswith("cannot be read. It has been dropped.")


def test_other_pages_may_keep_what_they_like(opened):
    opened.evaluate("(sessionStorage.setItem('game', '7'), localStorage.setItem('pawnstorm.game', '7'), 0)")
    reload(opened)
    assert opened.text("trouble") == ""
    opened.evaluate("(sessionStorage.clear(), localStorage.clear(), 0)")
