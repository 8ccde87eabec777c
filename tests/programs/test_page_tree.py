"""The game as a tree in Chromium and Firefox: variations by mouse and keys, the menu of a move, comments, glyphs, links, reload."""

import json

import pytest
from page_hands import CURRENT, MOVES, analyse, begin, begin_with_a_move, follow, make, reload, replayed
from pages import browser, opened, written  # noqa: F401  fixtures

from pawnstorm import pgn
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
BREAKTHROUGH = get_rules("breakthrough")
SIDE = "[...document.querySelectorAll('#moves a.side')].map(link => link.firstChild.data)"
"""The texts of the moves of variations."""
MENU = "document.getElementById('move-menu').open"
LIST = "[...document.querySelectorAll('#moves tr')].map(row => [...row.children].map(cell => cell.textContent.trim()).join('|'))"
TREE = "#game=breakthrough&moves=a2a3a7a6*b7b6b2b3*c2c3.c7c6.h2h3&mode=analyse"
"""1. a3 a6 (1... b6 2. b3 (2. c3) 2... c6) 2. h3"""
LONG = TREE.replace("&mode", "".join(f"&note={index}+{'x' * 400}" for index in range(1, 7)) + "&at=5&mode")
"""The same with comments for which a link has no room; 2. c3 is shown."""
TREE_ROWS = ["1|a2a3|a7a6", "1… b7b6 2. b2b3 (2. c2c3) 2… c7c6", "2|h2h3|"]


def rows(browser):
    return [text.replace("\xa0", " ") for text in browser.evaluate(LIST)]


def open_tree(browser, address=TREE):
    """Follow a link to a tree, and stop the engine, which lists scores."""
    browser.evaluate(f"(location.hash = {json.dumps(address)}, 0)")
    browser.until("document.getElementById('engine-on').getAttribute('aria-pressed') === 'true'")
    no_scores(browser)


def no_scores(browser):
    browser.act("engine-on")
    browser.evaluate("(document.querySelectorAll('#moves a span').forEach(part => part.replaceChildren()), 0)")


def board_after(*texts):
    return replayed(BREAKTHROUGH, texts)[0]


def play(browser, text, *before):
    """Make a move on the board by mouse, after moves from the start."""
    board = board_after(*before)
    make(browser, board, pgn.parse_san(board, text), "click")


def test_tree_of_a_link_is_listed_and_each_move_shows_its_position(opened):
    open_tree(opened)
    assert rows(opened) == TREE_ROWS and opened.evaluate(CURRENT) == "h2h3"
    for text in opened.evaluate(SIDE):
        opened.evaluate(
            f"([...document.querySelectorAll('#moves a.side')].find(link => link.firstChild.data === '{text}').click(), 0)"
        )
        assert opened.evaluate(CURRENT) == text and f": {text}." in opened.text("position")


def test_another_move_makes_a_variation_and_the_same_move_none(opened):
    open_tree(opened, "#game=breakthrough&moves=a2a3a7a6&ply=1&mode=analyse")
    play(opened, "b7b6", "a2a3")
    assert (opened.evaluate(MOVES), opened.evaluate(SIDE), opened.evaluate(CURRENT)) == (
        ["a2a3", "a7a6"],
        ["b7b6"],
        "b7b6",
    )
    opened.press("#back")
    play(opened, "a7a6", "a2a3")
    assert (opened.evaluate(SIDE), opened.evaluate(CURRENT)) == (["b7b6"], "a7a6")


def test_keys_lead_through_the_tree(opened):
    open_tree(opened)
    opened.evaluate("(document.activeElement.blur(), 0)")
    for key, text in [
        ("Home", None), ("ArrowRight", "a2a3"), ("ArrowRight", "a7a6"), ("ArrowDown", "b7b6"), ("ArrowDown", "b7b6"), ("ArrowRight", "b2b3"),
        ("ArrowDown", "c2c3"), ("ArrowUp", "b2b3"), ("End", "c7c6"), ("ArrowLeft", "b2b3"), ("ArrowLeft", "b7b6"), ("ArrowUp", "a7a6"),
        ("ArrowUp", "a7a6"), ("End", "h2h3"), ("Home", None), ("ArrowLeft", None),
    ]:  # fmt: skip
        opened.key(key)
        assert opened.evaluate(CURRENT) == text, key


def test_menu_puts_variations_forward_and_deletes_them(opened):
    open_tree(opened)
    for text, action, expected in [
        ("c2c3", "promote", ["1|a2a3|a7a6", "1… b7b6 2. c2c3 (2. b2b3 c7c6)", "2|h2h3|"]),
        ("b2b3", "make-main", ["1|a2a3|b7b6", "1… a7a6 2. h2h3", "2|b2b3|", "2. c2c3", "2|…|c7c6"]),
        ("c2c3", "delete-move", ["1|a2a3|b7b6", "1… a7a6 2. h2h3", "2|b2b3|c7c6"]),
        ("a7a6", "delete-move", ["1|a2a3|b7b6", "2|b2b3|c7c6"]),
    ]:
        place = f"#moves a[data-node='{node_of(opened, text)}']"
        opened.press(place, "right")
        assert opened.until(MENU) and opened.text("move-menu-title").endswith(f" {text}")
        opened.press(f"#{action}")
        assert rows(opened) == expected and not opened.evaluate(MENU)
    assert opened.evaluate(CURRENT) == "a2a3"  # what was shown has been deleted


def node_of(browser, text):
    return browser.evaluate(
        f"[...document.querySelectorAll('#moves a')].find(link => link.firstChild.data.startsWith('{text}')).dataset.node"
    )


def test_main_line_cannot_be_put_forward(opened):
    open_tree(opened)
    opened.press("#move-more")
    assert opened.text("move-menu-title") == "2. h2h3"
    assert opened.evaluate("['promote', 'make-main'].every(id => document.getElementById(id).disabled)")
    opened.key("Escape")
    opened.until(f"!{MENU}")
    opened.act("first")
    assert opened.evaluate("document.getElementById('move-more').disabled")  # no move has led there


def test_menu_is_opened_by_a_finger_that_stays(opened):
    open_tree(opened)
    event = "new PointerEvent('{}', {{bubbles: true, pointerType: 'touch', clientX: 5, clientY: 5}})"
    link = "document.querySelector('#moves a.side')"
    opened.evaluate(f"({link}.dispatchEvent({event.format('pointerdown')}), 0)")
    opened.until(MENU)
    opened.key("Escape")
    opened.until(f"!{MENU}")


def test_glyphs_and_comments_are_listed_written_and_linked(opened):
    open_tree(opened)
    opened.press("#move-more")
    opened.press("[data-glyph='?!']")
    opened.press("#move-more")
    opened.press("#comment-move")
    assert opened.evaluate("document.activeElement.id") == "comment"
    opened.evaluate("""(field => { field.value = ' too {slow} '; field.dispatchEvent(new Event('input', {bubbles: true})); })
        (document.getElementById('comment'))""")
    assert rows(opened)[2:] == ["2|h2h3?!|", "too (slow)"]
    opened.evaluate("window.copied = ''")
    opened.act("copy-pgn")
    assert opened.until("window.copied").endswith("2. h2h3 $6 {too (slow)} *\n")
    opened.evaluate("window.copied = ''")
    opened.act("copy-link")
    link = opened.until("window.copied")
    opened.press("#back")
    assert opened.evaluate("document.getElementById('comment').value") == ""
    opened.load(link)
    no_scores(opened)
    assert rows(opened)[2:] == ["2|h2h3?!|", "too (slow)"]
    opened.press("#move-more")
    opened.press("[data-glyph='?!']")
    assert rows(opened)[2] == "2|h2h3|"


def test_a_line_is_copied_without_the_others(opened):
    open_tree(opened)
    opened.press(f"#moves a[data-node='{node_of(opened, 'c2c3')}']", "right")
    opened.press("#copy-line")
    assert opened.until("window.copied").endswith("\n1. a2a3 b7b6 2. c2c3 *\n")


def test_link_that_would_be_too_long_leads_to_the_line(opened):
    open_tree(opened, LONG)
    opened.act("copy-link")
    assert "moves=a2a3b7b6c2c3&mode=analyse" in opened.until("window.copied")
    opened.act("show-share")
    assert opened.evaluate("document.getElementById('share-line').checkVisibility()")  # which says so


def test_rows_that_say_the_same_stay(opened):
    open_tree(opened)
    opened.evaluate("(document.querySelectorAll('#moves tr').forEach(row => { row.kept = true; }), 0)")
    play(opened, "a6a5", "a2a3", "a7a6", "h2h3")
    assert opened.evaluate("[...document.querySelectorAll('#moves tr')].map(row => Boolean(row.kept))") == [
        True,
        True,
        False,
    ]


def test_list_shows_the_current_move_and_the_page_stays(opened):
    moves = "".join(f"{file}2{file}3{file}7{file}6" for file in "abcdefgh") + "".join(
        f"{file}1{file}2{file}8{file}7" for file in "abcdefgh"
    )
    open_tree(opened, f"#game=breakthrough&moves={moves}&mode=analyse")
    inside = """(() => {
      const [link, frame] = [document.querySelector('#moves a[aria-current]'), document.querySelector('.moves')].map(part => part?.getBoundingClientRect());
      return !link || link.top >= frame.top && link.bottom <= frame.bottom;
    })()"""
    for button, count in [("first", 1), ("forward", 20), ("last", 1), ("back", 20)]:
        for _ in range(count):
            before = opened.evaluate("scrollY")
            opened.act(button)
            assert opened.until(inside) and opened.evaluate("scrollY") == before


def test_scores_stand_beside_the_moves(opened):
    opened.evaluate("(location.hash = '#game=breakthrough&moves=a2a3a7a6&mode=analyse', 0)")
    scores = "[...document.querySelectorAll('#moves a.main span')].map(part => part.textContent)"
    opened.until(f"/^[+−]\\d+\\.\\d\\d$/.test({scores}[1])")
    opened.act("review-game")
    opened.until(f"{scores}.every(text => /^[+−]\\d+\\.\\d\\d$/.test(text))")


def test_line_that_is_played_becomes_the_main_line(opened):
    board = begin_with_a_move(opened, "breakthrough", "both")
    (first,) = opened.evaluate(MOVES)
    opened.press("#back")
    make(opened, board, board.moves()[3], "click")
    (main,) = opened.evaluate(MOVES)
    assert main != first and opened.evaluate(SIDE) == [first]


def test_play_goes_on_from_an_earlier_position(opened):
    begin(opened, "breakthrough")
    start = Board.start(BREAKTHROUGH)
    for count in (2, 4):
        board, before = follow(opened, BREAKTHROUGH, count - 2)
        make(opened, board, board.moves()[0], "click")
        follow(opened, BREAKTHROUGH, count)
    opened.press("#first")
    make(opened, start, start.moves()[5], "click")
    opened.until(f"({SIDE}).length === 4 && ({MOVES}).length === 2")
    opened.press("#take-back")  # which leaves the other line
    assert len(opened.evaluate(MOVES)) == 4 and opened.evaluate(SIDE) == [] and opened.evaluate(CURRENT) is None


def test_the_same_move_made_again_plays_on_from_there(opened):
    board = begin_with_a_move(opened, "breakthrough", "both")
    after = board.push(board.moves()[0])
    make(opened, after, after.moves()[0], "click")
    opened.press("#first")
    make(opened, board, board.moves()[0], "click")
    make(opened, after, after.moves()[2], "click")
    assert len(opened.evaluate(MOVES)) == 2 and len(opened.evaluate(SIDE)) == 1
    opened.press("#resign")
    opened.press("#resign")
    assert opened.text("position").endswith("White wins: Black has resigned.") or opened.text("position").endswith(
        "Black wins: White has resigned."
    )


def test_end_of_a_played_game_stays_while_it_is_analysed(opened):
    board = begin_with_a_move(opened, "breakthrough", "both")
    opened.press("#resign")
    opened.press("#resign")
    told = opened.text("position")
    assert told.endswith("has resigned.")
    opened.press("#mode-analyse")
    after = board.push(board.moves()[0])
    make(opened, after, after.moves()[0], "click")
    assert len(opened.evaluate(MOVES)) == 2 and opened.text("position").endswith("to move.")
    opened.act("back")
    assert opened.text("position") == told
    opened.evaluate("window.copied = ''")
    opened.act("copy-pgn")
    assert '[Result "1-0"]' in opened.until("window.copied")
    opened.press("#mode-play")


def test_reload_keeps_the_tree(opened):
    board = begin_with_a_move(opened, "breakthrough", "both")
    opened.press("#back")
    make(opened, board, board.moves()[3], "click")
    before = rows(opened)
    opened.press("#back")
    reload(opened)
    assert rows(opened) == before and len(before) == 2 and opened.evaluate(CURRENT) is None


def test_reload_keeps_what_is_too_long_for_a_link(opened):
    open_tree(opened, LONG)
    opened.until("location.hash.endsWith('moves=a2a3b7b6c2c3&mode=analyse')")
    before = rows(opened)
    reload(opened)
    no_scores(opened)
    assert rows(opened) == before and len(before) == 5
    opened.load(opened.evaluate("location.href"))
    no_scores(opened)
    assert rows(opened) == ["1|a2a3|b7b6", "2|c2c3|"]  # a link opened anew is no reload


def test_menu_changes_nothing_in_a_played_game(opened):
    begin_with_a_move(opened, "breakthrough", "both")
    opened.press("#move-more")
    seen = "[...document.querySelectorAll('#move-menu button')].filter(button => button.checkVisibility()).map(button => button.textContent)"
    assert opened.evaluate(seen) == ["Copy this line as PGN", "Close"]
    opened.press("#move-menu [data-closes]")


def test_pasted_game_brings_its_variations(opened):
    text = '[Variant "breakthrough"]\n\n1. a2a3 {good} a7a6! (1... b7b6 $2 {bad}) 2. h2h3 *'
    analyse(opened, text)
    opened.evaluate("(document.getElementById('text').value = '', 0)")
    no_scores(opened)
    assert rows(opened) == ["1|a2a3|", "good", "1|…|a7a6!", "1… b7b6? bad", "2|h2h3|"]


FOCUSED = "document.activeElement !== document.body && document.activeElement.checkVisibility()"


def test_focus_stays_on_the_page_when_what_had_it_goes(opened):
    open_tree(opened, "#game=breakthrough&moves=a2a3&mode=analyse")
    for text, focused in (
        ("a2a3", "document.getElementById('move-more')"),
        ("b2b3", "document.querySelector('#moves a')"),
    ):
        opened.until(f"{CURRENT} === '{text}'")
        opened.evaluate(f"""(part => {{
          part.focus();
          part.dispatchEvent(new MouseEvent(part.id ? 'click' : 'contextmenu', {{bubbles: true, cancelable: true}}));
        }})({focused}) ?? 0""")
        opened.act("delete-move")
        opened.until(FOCUSED)
        assert opened.evaluate(MOVES) == []
        opened.until("!location.hash.includes('moves')")
        opened.evaluate("(location.hash = '#game=breakthrough&moves=b2b3&mode=analyse', 0)")
    opened.until(f"{CURRENT} === 'b2b3'")
    opened.act("engine-on")
    opened.until("document.querySelectorAll('#lines li').length")
    opened.evaluate("(document.querySelector('#lines button').focus(), 0)")
    opened.evaluate("(document.activeElement.click(), 0)")  # a hidden Firefox gives Enter to no button
    opened.until(f"({MOVES}).length === 2")
    assert opened.evaluate(FOCUSED)
    opened.evaluate("(location.hash = '#game=twoflags&fen=8/P7/8/8/8/8/7p/8+w+-+-+0+1&mode=analyse', 0)")
    opened.until(f"({MOVES}).length === 0")
    opened.evaluate("(document.querySelector('#explorer button').focus(), 0)")
    opened.evaluate("(document.activeElement.click(), 0)")  # a hidden Firefox gives Enter to no button
    opened.until("document.getElementById('position').textContent.includes('wins')")
    assert opened.evaluate(FOCUSED)


def test_tap_beside_the_menu_closes_it_and_does_nothing_else(opened):
    open_tree(opened)
    opened.act("move-more")
    opened.tap(*opened.middle("#mode-learn"))
    opened.until(f"!{MENU}")
    assert opened.evaluate("document.getElementById('mode-analyse').getAttribute('aria-pressed')") == "true"


def test_menu_closes_when_another_game_is_opened(opened):
    open_tree(opened)
    opened.act("move-more")
    opened.evaluate("(location.hash = '#game=twoflags&mode=analyse', 0)")
    opened.until(f"!{MENU}")
