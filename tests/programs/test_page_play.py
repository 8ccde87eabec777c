"""Playing on the page in Chromium and Firefox: opponents for any position, the end of a game, time, level, hints, first rules."""

import json

import browsers
import pytest
from page_hands import MOVES, begin, begin_with_a_move, follow, make, open_text, reload
from pages import browser, opened, written  # noqa: F401  fixtures
from reports import PHONE

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
TWO_FLAGS = get_rules("twoflags")
WON = "game=twoflags&fen=8/P7/8/8/8/8/7p/8+w+-+-+0+1"
"""White wins by its next move."""
DIALOG = "document.querySelector('dialog[open]')?.id ?? ''"
MODE = "document.querySelector('.modes [aria-pressed=true]').id"
DOINGS = "[...document.querySelectorAll('.doings button')].filter(button => button.checkVisibility()).map(button => button.id)"
SAID = "document.getElementById('said').textContent"


def players(browser):
    return [browser.text(f"player-{place}") for place in ("above", "below")]


def move(browser, text, way="click"):
    """Make a move on the board by two clicks or taps, or a drag."""
    places = [browser.middle(f'[data-square="{square}"]') for square in (text[:2], text[2:])]
    if way == "drag":
        browser.drag(*places)
    else:
        for place in places:
            (browser.tap if way == "tap" else browser.click)(*place)


def ask_for(browser, level="800", time="move 100", **fields):
    """Fill in the dialog that is open, and start the game."""
    for field, value in {"level": level, "time": time, **fields}.items():
        browser.choose(f"#{field}", value)
    browser.press("#new-game")
    browser.until(f"({DIALOG}) === ''")


def says(browser, words):
    browser.until(f"{SAID}.includes({json.dumps(words)})")


def write_into(browser, field, text):
    """Write a text into a field by keys."""
    browser.press(f"#{field}")
    browser.evaluate(f"(document.getElementById('{field}').value = '', 0)")
    for letter in text:
        browser.key(letter)


def disabled(browser, name):
    return browser.evaluate(f"document.getElementById('{name}').getAttribute('aria-disabled')") == "true"


# An opponent for a position.


def test_link_without_an_opponent_asks_for_one(opened, written):
    opened.load(f"{written.as_uri()}#game=twoflags&moves=e2e4e7e5d2d4&mode=play")
    assert opened.evaluate(DIALOG) == "new-dialog" and opened.evaluate(MODE) == "mode-analyse"
    assert opened.text("new-dialog-title") == "Play from this position"
    assert opened.text("play-from-what") == "Two Flags, 8 by 8: move 2, Black to move."
    assert opened.evaluate("document.getElementById('side').value") == "black"
    assert not opened.evaluate("document.getElementById('size').checkVisibility()")
    ask_for(opened)
    assert opened.evaluate(MODE) == "mode-play"
    assert [text.strip() for text in players(opened)] == ["White: Pawnstorm 800", "Black: you"]
    move(opened, "d7d5", "drag")
    opened.until(f"({MOVES}).length === 5")
    opened.press("#take-back")
    assert opened.evaluate(MOVES) == ["e4", "e5", "d4"]
    opened.press("#take-back")
    says(opened, "Play began here")
    assert opened.evaluate(MOVES) == ["e4", "e5", "d4"] and disabled(opened, "take-back")


def test_closing_the_question_leaves_the_game_in_analysis(opened, written):
    opened.load(f"{written.as_uri()}#game=breakthrough&moves=a2a3a7a6&mode=play")
    opened.press("#new-dialog [data-closes]")
    assert opened.evaluate(DIALOG) == "" and opened.evaluate(MODE) == "mode-analyse"
    assert len(opened.evaluate(MOVES)) == 2
    opened.press("#mode-play")
    assert opened.text("new-dialog-title") == "Play from this position"
    opened.press("#from-start")
    assert opened.text("new-dialog-title") == "New game"
    ask_for(opened, family="hexapawn", size="hexapawn", side="white")
    assert opened.evaluate(MOVES) == [] and opened.evaluate(MODE) == "mode-play"


def test_finished_game_of_a_link_is_shown_and_not_played(opened, written):
    opened.load(f"{written.as_uri()}#{WON}&moves=a7a8&mode=play")
    assert opened.evaluate(DIALOG) == "" and opened.evaluate(MODE) == "mode-analyse"
    opened.press("#play-from")
    says(opened, "The game is over here")


def test_play_goes_on_from_a_position_of_an_analysis(opened):
    opened.press("#mode-analyse")
    for text in ("e2e4", "e7e5", "d2d4"):
        move(opened, text)
    opened.press("#back")
    opened.press("#play-from")
    assert opened.evaluate("document.getElementById('side').value") == "white"
    ask_for(opened, side="black")
    opened.until(f"({MOVES}).length === 3")
    assert opened.evaluate(MOVES)[:2] == ["e4", "e5"]
    assert players(opened)[1].startswith("Black: you")


def test_a_dialog_opened_again_at_once_keeps_its_position(opened):
    opened.press("#mode-analyse")
    move(opened, "e2e4")
    opened.evaluate("""(async () => {
        const [button, dialog] = ['play-from', 'new-dialog'].map(id => document.getElementById(id));
        button.click();
        const closed = new Promise(resolve => dialog.addEventListener('close', resolve));
        dialog.close();
        button.click();
        await closed;    // the browser tells of it later
        return 0;
    })()""")
    opened.act("new-game")
    assert opened.evaluate(MOVES)[:1] == ["e4"]


def test_own_game_is_gone_on_with_after_another_was_analysed(opened):
    begin_with_a_move(opened, "twoflags", "white")
    _, before = follow(opened, TWO_FLAGS, 2)
    opened.press("#mode-analyse")
    opened.press("#mode-play")  # the same game
    assert opened.evaluate(DIALOG) == "" and opened.evaluate(MOVES) == before
    opened.press("#mode-analyse")
    opened.evaluate("(location.hash = '#game=breakthrough&moves=a2a3&mode=analyse', 0)")
    opened.until(f"({MOVES}).length === 1")
    opened.press("#mode-play")
    assert opened.evaluate(DIALOG) == "new-dialog"
    opened.press("#go-on")
    assert opened.evaluate(MODE) == "mode-play" and opened.evaluate(MOVES) == before
    assert players(opened)[0].startswith("Black: Pawnstorm 800")


def test_pasted_position_is_played_from(opened):
    opened.press("#show-open")
    opened.evaluate("(document.getElementById('text').value = '8/5p2/5p1p/8/5PP1/8/8/8 b', 0)")
    opened.press("#open")
    opened.until(f"({DIALOG}) && document.getElementById('new-dialog').open")
    ask_for(opened)
    assert opened.evaluate(MODE) == "mode-play" and players(opened)[1].startswith("Black: you")
    move(opened, "h6h5", "tap")
    opened.until(f"({MOVES}).length >= 2")


def test_reload_remembers_where_play_began(opened, written):
    opened.load(f"{written.as_uri()}#game=twoflags&moves=e2e4e7e5&mode=play")
    ask_for(opened, time="own move")
    opened.until("location.hash.includes('mode=play')")
    reload(opened)
    assert opened.evaluate(MOVES) == ["e4", "e5"] and players(opened)[1].startswith("White: you")
    opened.press("#take-back")
    says(opened, "Play began here")


# The end of a game.


def test_end_of_a_game_offers_what_comes_next(opened, written):
    opened.load(f"{written.as_uri()}#{WON}&mode=play")
    ask_for(opened, side="white")
    assert opened.evaluate(DOINGS) == ["show-new", "take-back", "hint", "resign"]
    move(opened, "a7a8")
    assert opened.text("position") == "1. White: a8. White wins: far rank reached."
    assert opened.evaluate(DOINGS) == ["rematch", "analyse-game", "show-new", "take-back"]
    opened.press("#take-back")  # the game goes on
    assert opened.evaluate(MOVES) == [] and opened.evaluate(DOINGS) == ["show-new", "take-back", "hint", "resign"]
    move(opened, "a7a8")
    opened.press("#rematch")
    assert players(opened)[1].startswith("Black: you")
    opened.until(f"({MOVES}).length === 1")
    opened.until("document.getElementById('position').textContent.includes('White wins')")  # by the engine
    opened.press("#analyse-game")
    assert opened.evaluate(MODE) == "mode-analyse" and len(opened.evaluate(MOVES)) == 1


def test_resigning_takes_two_presses(opened):
    begin_with_a_move(opened, "twoflags")
    follow(opened, TWO_FLAGS, 2)
    box = "(({x, width}) => [x, width])(document.getElementById('resign').getBoundingClientRect())"
    before = opened.evaluate(box)
    opened.press("#resign")
    says(opened, "Press Resign again")
    assert opened.evaluate("document.getElementById('resign').innerText").split() == ["Really", "resign?"]
    assert opened.evaluate("document.activeElement.id") == "resign" and opened.evaluate(box) == before
    opened.until("document.getElementById('resign').innerText === 'Resign'")  # too late
    assert "wins" not in opened.text("position")
    opened.press("#resign")
    opened.press("#resign")
    assert opened.text("position").endswith("Black wins: White has resigned.")
    assert opened.evaluate("document.activeElement.id") == "rematch"
    opened.press("#take-back")
    assert opened.text("position").endswith("White to move.") and len(opened.evaluate(MOVES)) == 2


def test_buttons_that_can_do_nothing_say_why(opened):
    begin(opened, "twoflags", "white", time="move 10000", level="")
    assert disabled(opened, "take-back") and not disabled(opened, "hint")
    opened.press("#take-back")
    says(opened, "You have no move to take back")
    make(opened, Board.start(TWO_FLAGS), Board.start(TWO_FLAGS).moves()[0], "click")
    assert not disabled(opened, "take-back") and disabled(opened, "hint")
    opened.press("#hint")
    says(opened, "Pawnstorm is thinking")
    assert not opened.evaluate("document.getElementById('thinking').hidden")
    opened.press("#take-back")
    assert opened.evaluate(MOVES) == [] and opened.evaluate("document.getElementById('thinking').hidden")


# The dialog of a new game.


def test_settings_of_the_last_game_are_kept_on_the_device(opened, written):
    begin(opened, "breakthrough6", "black", "1000", "move 100")
    opened.load(written.as_uri())
    assert opened.evaluate("document.querySelector('#board title').textContent").startswith("Breakthrough, 6 by 6")
    assert players(opened)[0].startswith("White: Pawnstorm 1000")
    opened.press("#show-new")
    values = "['family', 'size', 'side', 'level', 'time'].map(id => document.getElementById(id).value)"
    assert opened.evaluate(values) == ["breakthrough", "breakthrough6", "black", "1000", "move 100"]


@pytest.mark.parametrize("kept", ['{"family": "chess", "level": 7, "minutes": "-1"}', "[]", "{", '{"minutes": "0", "increment": "0", "time": "own clock"}', '{"__proto__": "x", "size": "__proto__"}'])  # fmt: skip
def test_settings_that_are_none_are_dropped(kept, opened, written):
    opened.evaluate(f"(localStorage.setItem('pawnstorm.preferences', {json.dumps(kept)}), 0)")
    opened.load(written.as_uri())
    assert opened.text("trouble") == ""
    assert opened.evaluate("document.querySelector('#board title').textContent").startswith("Two Flags, 8 by 8")
    assert players(opened)[0].startswith("Black: Pawnstorm 1200")


def test_level_counts_from_the_new_game_on(opened):
    begin(opened, "twoflags", level="1000", time="move 1000")
    opened.press("#show-new")
    assert (
        opened.text("this-game")
        == "These settings apply to the new game. The current game: Pawnstorm 1000, 1 s a move."
    )
    opened.choose("#level", "800")
    opened.key("Escape")
    opened.until(f"({DIALOG}) === ''")
    assert players(opened)[0].startswith("Black: Pawnstorm 1000")
    opened.press("#show-new")
    assert opened.evaluate("document.getElementById('level').value") == "1000"


def test_game_that_a_new_one_ends_can_be_gone_back_to(opened):
    begin_with_a_move(opened, "twoflags")
    board, _ = follow(opened, TWO_FLAGS, 2)
    begin(opened, "breakthrough")  # after a single move of the user nothing is offered
    assert not opened.evaluate("document.getElementById('offer').checkVisibility()")
    begin_with_a_move(opened, "twoflags", time="clock 3 2")
    board, _ = follow(opened, TWO_FLAGS, 2)
    make(opened, board, board.moves()[0], "click")
    _, before = follow(opened, TWO_FLAGS, 4)
    begin(opened, "breakthrough", "black")
    opened.press("#game-before")
    assert opened.evaluate(MOVES) == before and players(opened)[0].startswith("Black: Pawnstorm 800")
    assert opened.evaluate("document.querySelector('#player-below .clock').textContent").startswith(("2:5", "3:0"))
    assert not opened.evaluate("document.getElementById('offer').checkVisibility()")
    begin(opened, "breakthrough", "both")
    opened.until("document.getElementById('offer').checkVisibility()")
    opened.until("!document.getElementById('offer').checkVisibility()")  # after 10 s


def test_game_that_is_gone_back_to_has_no_moves_that_were_deleted(opened):
    board = begin_with_a_move(opened, "twoflags")
    board, _ = follow(opened, TWO_FLAGS, 2)
    make(opened, board, board.moves()[0], "click")
    follow(opened, TWO_FLAGS, 4)
    opened.press("#mode-analyse")
    for name in ("first", "forward", "move-more", "delete-move"):
        opened.act(name)
    open_text(opened, "1. e4 e5 *")
    opened.press("#play-from")
    opened.press("#new-game")
    opened.press("#game-before")
    assert opened.evaluate(MOVES) == [] and opened.text("position") == "White to move."
    opened.until("location.hash === '#game=twoflags&mode=play'")


def test_skip_link_leaves_the_address_to_the_game(opened):
    begin_with_a_move(opened, "twoflags")
    follow(opened, TWO_FLAGS, 2)
    before = opened.evaluate("history.length")
    focused = opened.evaluate("(document.querySelector('.skip').click(), document.activeElement.id)")
    assert focused == "board-place" and opened.evaluate("history.length") == before
    assert "#board-place" not in opened.evaluate("location.hash")


def test_preferences_of_another_tab_are_kept_too(opened, written):
    prefer = """(field => { field.value = 'dark'; field.dispatchEvent(new Event('change', {bubbles: true})); })
        (document.getElementById('prefer-theme')) ?? 0"""
    opened.evaluate(prefer)
    kept = json.loads(opened.evaluate("localStorage.getItem('pawnstorm.preferences')"))
    opened.evaluate(f"(localStorage.setItem('pawnstorm.preferences', '{json.dumps(kept | {'board': 'green'})}'), 0)")
    opened.press("#sound")
    kept = json.loads(opened.evaluate("localStorage.getItem('pawnstorm.preferences')"))
    assert (kept["theme"], kept["board"], kept["sound"]) == ("dark", "green", "on")
    opened.press("#sound")


# Time.


@pytest.mark.parametrize(
    "kind, field, text, said",
    [
        ("own clock", "minutes", "181", "Minutes for each side: expected 0 to 180, in whole or half minutes, found “181”."),
        ("own clock", "minutes", "2.3", "found “2.3”."),
        ("own clock", "minutes", "x", "found “x”."),
        ("own clock", "increment", "61", "Seconds added per move: expected a whole number from 0 to 60, found “61”."),
        ("own clock", "increment", "1.5", "found “1.5”."),
        ("own clock", "increment", "", "found “”."),
        ("own move", "seconds", "0.04", "Seconds per move: expected a number from 0.05 to 600, found “0.04”."),
        ("own move", "seconds", "601", "found “601”."),
        ("own move", "seconds", "-1", "found “-1”."),
    ],
)  # fmt: skip
def test_bad_time_is_named_with_its_field(kind, field, text, said, opened):
    before = players(opened)
    opened.press("#show-new")
    opened.choose("#time", kind)
    write_into(opened, field, text)
    opened.press("#new-game")
    assert opened.text("time-fault").endswith(said)
    assert opened.evaluate("document.activeElement.id") == field
    assert opened.evaluate(f"document.getElementById('{field}').getAttribute('aria-invalid')") == "true"
    assert opened.evaluate(DIALOG) == "new-dialog" and players(opened) == before


def test_clock_of_ones_own_choice(opened):
    opened.press("#show-new")
    opened.choose("#level", "800")
    opened.choose("#time", "own clock")
    for field, text in (("minutes", "0"), ("increment", "0")):
        write_into(opened, field, text)
    opened.key("Enter")
    assert "seconds per move" in opened.text("time-fault")
    write_into(opened, "minutes", "2,5")
    write_into(opened, "increment", "7")
    opened.key("Enter")
    clocks = "[...document.querySelectorAll('.clock')].map(place => place.textContent)"
    assert opened.evaluate(DIALOG) == "" and opened.evaluate(clocks) == ["2:30", "2:30"]
    move(opened, "e2e4")
    opened.until(f"({MOVES}).length === 2", 60)
    opened.until(f"({clocks})[1] < '2:37'")  # the time for the move was added, and it goes on
    opened.press("#show-new")
    assert opened.text("this-game").endswith("The current game: Pawnstorm 800, 2.5 min + 7 s on both clocks.")
    assert opened.evaluate("['minutes', 'increment'].map(id => document.getElementById(id).value)") == ["2,5", "7"]


def test_clock_of_seconds_alone_runs_low_and_loses(opened):
    opened.press("#show-new")
    opened.choose("#time", "own clock")
    write_into(opened, "minutes", "0")
    write_into(opened, "increment", "2")
    opened.press("#new-game")
    low = "[...document.querySelectorAll('.clock.low')].length"
    assert opened.evaluate("document.querySelector('#player-below .clock').textContent") == "2.0"
    assert opened.evaluate(low) == 2
    opened.until(
        "document.getElementById('position').textContent.endsWith('Black wins: the opponent has run out of time.')"
    )
    opened.press("#take-back")  # without clocks
    assert opened.text("position") == "White to move." and opened.evaluate(low) == 0
    move(opened, "e2e4")
    opened.until(f"({MOVES}).length === 2", 60)


def test_time_a_move_of_ones_own_choice(opened):
    opened.press("#show-new")
    opened.choose("#time", "own move")
    opened.choose("#side", "black")
    write_into(opened, "seconds", "0.05")
    opened.press("#new-game")
    opened.until(f"({MOVES}).length === 1")
    opened.press("#show-new")
    assert opened.text("this-game").endswith("0.05 s a move.")


# Rules, hints, and a layout that stands still.


def test_rules_are_told_at_the_first_game_of_each_family(opened, written):
    def told():
        seen = opened.evaluate("document.getElementById('first-rules').checkVisibility()")
        return opened.text("first-rules") if seen else ""

    assert "en passant" in told() and "A player who has no legal move loses." in told()
    opened.press("#first-rules .link")
    assert opened.evaluate(DIALOG) == "rules-dialog"
    opened.key("Escape")
    opened.until(f"({DIALOG}) === ''")
    opened.press("#mode-analyse")
    assert told() == ""
    opened.press("#mode-play")
    opened.press("#got-it")
    assert told() == ""
    begin(opened, "breakthrough")
    assert "They take only diagonally" in told()
    opened.load(written.as_uri())
    assert "They take only diagonally" in told()
    opened.press("#got-it")
    begin(opened, "twoflags")
    assert told() == ""
    begin(opened, "hexapawn")
    assert "no double step" in told()


WAYS_ON = {
    "a move": lambda page: move(page, "e2e4"),
    "a step back": lambda page: page.press("#back"),
    "taking back": lambda page: page.press("#take-back"),
    "another mode": lambda page: page.press("#mode-learn"),
    "a new game": lambda page: begin(page, "breakthrough"),
}


@pytest.mark.parametrize("way", WAYS_ON)
def test_hint_goes_when_it_is_about_something_else(way, opened):
    begin_with_a_move(opened, "twoflags")
    follow(opened, TWO_FLAGS, 2)
    opened.press("#hint")
    says(opened, "Hint: ")
    assert opened.evaluate("document.querySelectorAll('.arrow').length") == 1
    WAYS_ON[way](opened)
    opened.until(f"{SAID} === '' && document.querySelectorAll('.arrow').length === 0")


def test_one_may_move_while_a_hint_is_sought(opened):
    begin(opened, "twoflags")
    opened.press("#hint")
    move(opened, "e2e4")
    opened.until(f"({MOVES}).length === 2")
    assert "Hint" not in opened.evaluate(SAID)


def test_position_is_told_as_in_the_list_of_moves(opened):
    opened.press("#mode-analyse")
    for text in ("e2e4", "d7d5", "e4d5"):
        move(opened, text)
    assert opened.evaluate(MOVES)[-1] == "exd5" and opened.text("position") == "2. White: exd5. Black to move."


ROWS = """[...document.querySelectorAll('#panel > *, .doings button, .icons button')].filter(part => part.checkVisibility() && getComputedStyle(part).position !== 'absolute')
  .map(part => `${part.id || [...part.classList].at(-1)} ${(box => [box.x, box.y, box.width, box.height])(part.getBoundingClientRect())}`)"""
SCREENS = {
    "desktop": {"viewport": {"width": 1366, "height": 768}},
    "phone": {**PHONE, "viewport": {"width": 390, "height": 844}},
}


@pytest.fixture(scope="module")
def new_page():
    with browsers.chromium() as found:
        yield found


def others(rows, names):
    """The rows that have none of the names."""
    return [row for row in rows if row.split()[0] not in names]


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_jumps_while_a_game_is_played(screen, new_page, written):
    browser = new_page(**SCREENS[screen])
    browser.load(written.as_uri())
    browser.press("#got-it")
    begin(browser, "breakthrough", "white", "", "move 1000")
    before, board = browser.evaluate(ROWS), Board.start(get_rules("breakthrough"))
    assert browser.evaluate("document.documentElement.scrollHeight <= innerHeight")
    browser.press("#hint")
    says(browser, "Hint: ")
    assert browser.evaluate(ROWS) == before
    for count in (2, 4):
        make(browser, board, board.moves()[0], "click")
        browser.until("!document.getElementById('thinking').hidden")
        assert browser.evaluate(ROWS) == before
        board, _ = follow(browser, get_rules("breakthrough"), count)
        assert browser.evaluate(ROWS) == before
    browser.press("#resign")
    assert browser.evaluate(ROWS) == before
    browser.press("#resign")
    browser.until("document.getElementById('position').textContent.includes('wins')")
    buttons = ("show-new", "take-back", "hint", "resign", "rematch", "analyse-game")
    assert others(browser.evaluate(ROWS), buttons) == others(before, buttons)
    browser.page.context.close()
    assert browser.complaints == []


def test_resigning_by_keys_keeps_the_focus_where_it_was(new_page, written):
    browser = new_page()  # keys press no button in a Firefox without a screen
    browser.load(f"{written.as_uri()}#{WON}&mode=play")
    ask_for(browser, side="white")
    browser.evaluate("(document.getElementById('resign').focus(), 0)")
    browser.key("Enter")
    assert browser.evaluate("document.activeElement.id") == "resign" and browser.text("position") == "White to move."
    browser.key("Enter")
    assert browser.text("position") == "Black wins: White has resigned."
    assert browser.evaluate("document.activeElement.id") == "rematch"
    browser.key("Enter")
    assert players(browser)[1].startswith("Black: you")
    assert browser.evaluate("document.activeElement.role") == "gridcell"
    browser.page.context.close()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_checker_finds_no_fault_in_what_play_shows(screen, scheme, new_page, written):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    browser = new_page(color_scheme=scheme, **SCREENS[screen])

    def check(what):
        results = axe.run(browser.page)
        assert results.violations_count == 0, (what, results.generate_report())
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), what

    browser.load(f"{written.as_uri()}#{WON}&mode=play")
    browser.choose("#time", "own clock")
    browser.evaluate("(document.getElementById('minutes').value = 'x', 0)")
    browser.press("#new-game")
    check("a fault in the dialog")
    browser.evaluate("(document.getElementById('minutes').value = '0', 0)")
    ask_for(browser, time="own clock", side="white")
    check("the first rules, and a clock that runs low")
    browser.press("#resign")
    says(browser, "Press Resign again")
    check("the question")
    move(browser, "a7a8")
    browser.until("document.getElementById('rematch').checkVisibility()")
    check("the end")
    board = begin_with_a_move(browser, "twoflags", "both")
    after = board.push(board.moves()[0])
    make(browser, after, after.moves()[0], "click")
    begin(browser, "twoflags")
    browser.until("document.getElementById('offer').checkVisibility()")
    check("the way back")
    browser.page.context.close()
    assert browser.complaints == []
