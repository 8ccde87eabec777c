"""In Chromium and Firefox: the panel with all moves of a position, and lines, arrows and bar that agree with the known results."""

import json
import re

import pytest
from page_hands import MOVES, analyse, begin, open_text
from pages import browser, opened, written  # noqa: F401  fixtures

from pawnstorm import pgn
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
TWOFLAGS = get_rules("twoflags")
ALL_KNOWN = "document.getElementById('explorer-counts').textContent.includes('All are known.')"
CHIPS = "[...document.querySelectorAll('#explorer button')]"
LISTED = f"{CHIPS}.map(chip => [chip.parentNode.className, [...chip.children].map(part => part.textContent).join(' ').trim()])"
NAMES = f"{CHIPS}.map(chip => chip.getAttribute('aria-label'))"
LINES = "[...document.querySelectorAll('#lines button')].map(button => button.textContent)"
ARROWS = "[...document.querySelectorAll('#board .arrow')].toReversed().map(arrow => [arrow.dataset.move, arrow.classList[1]])"
ONE_WINS = "8/1p1pp2p/2p5/p4pp1/PP3P2/3P4/2P1P1PP/8 w - - 0 6"


def look_at(browser, text):
    """Analyse a position, and wait until all is known about it."""
    analyse(browser, text)
    browser.evaluate("(document.getElementById('open-dialog').close(), 0)")  # it opens to say how the text was read
    browser.until(ALL_KNOWN, 60)


def searched(browser, lines):
    """Wait until the search has reached depth 9 and at least `lines` lines are listed."""
    browser.until(
        f"/Depth (9|\\d\\d)/.test(document.getElementById('search').textContent) && {LINES}.length >= {lines}", 60
    )


def test_start_of_two_flags_is_told_as_it_is_known(opened):
    look_at(opened, TWOFLAGS.start_fen)
    opened.choose("#multipv", "5")
    searched(opened, 4)
    assert opened.text("known") == "Known: White wins in at most 45 plies by the book."
    assert opened.text("explorer-counts") == "16 moves: 4 win, 12 lose. All are known."
    listed = opened.evaluate(LISTED)
    assert [kind for kind, _ in listed] == ["winning"] * 4 + ["losing"] * 12
    assert listed[0] == ["winning", "▲ b4 45"]
    assert {text.split()[1] for _, text in listed[:4]} == {"b4", "c4", "f4", "g4"}
    assert ["losing", "▼ e4 1/16"] in listed
    names = opened.evaluate(NAMES)
    assert names[0] == "b4 wins in at most 45 plies by the book: each of 16 replies loses"
    assert "e4 loses in at most 46 plies by the opening: 1 of 16 replies wins" in names
    lines = opened.evaluate(LINES)
    assert lines[0].startswith("wins 1. b4 g5 ")
    assert [text.split()[0] for text in lines] == (["wins"] * 4 + ["loses"])[: len(lines)]
    arrows = opened.evaluate(ARROWS)
    assert arrows[0] == ["b2b4", "best"] and {move for move, _ in arrows} == {"b2b4", "c2c4", "f2f4", "g2g4"}
    bar = "document.getElementById('bar')"
    assert opened.evaluate(f"{bar}.getAttribute('aria-label')") == "Evaluation: White wins"
    assert opened.evaluate(f"{bar}.style.getPropertyValue('--white')") == "1"
    assert opened.evaluate("document.getElementById('curve-line').getAttribute('points')") == "0.0,0.0"


def play_first(browser):
    """Click the first move of the panel by script: a pointer may miss it, since what is above it comes and goes."""
    browser.evaluate("(document.querySelector('#explorer button').click(), 0)")


def test_moves_are_played_by_mouse_and_by_keys(opened):
    look_at(opened, TWOFLAGS.start_fen)
    opened.press("#explorer li:nth-child(2) button")
    opened.until(f"({MOVES}).length === 1 && {ALL_KNOWN}")
    opened.evaluate("(document.querySelector('#explorer button').focus(), 0)")
    if opened.evaluate("document.hasFocus()"):
        opened.key("Enter")
    else:
        play_first(opened)  # without a screen Firefox's window has no focus, and its buttons get no keys
    opened.until(f"({MOVES}).length === 2 && {ALL_KNOWN}")
    assert opened.evaluate("document.activeElement.closest('#explorer') !== null")
    board = Board.start(TWOFLAGS)
    for text in opened.evaluate(MOVES):
        board = board.push(pgn.parse_san(board, text))
    assert not board.black_to_move


def test_knowledge_is_kept_while_one_steps_through_a_game(opened):
    kinds = f"Object.fromEntries({LISTED}.map(([kind, text]) => [text.split(' ')[1], kind]))"
    look_at(opened, ONE_WINS)
    before = opened.evaluate(kinds)
    play_first(opened)
    opened.until(f"({MOVES}).length === 1 && {ALL_KNOWN}", 60)
    opened.act("engine-on")
    opened.act("back")
    assert opened.evaluate(ALL_KNOWN) and opened.evaluate(kinds) == before
    assert opened.evaluate(LINES)[0].startswith("wins") and opened.evaluate(ARROWS)[0][1] == "best"


def test_one_winning_move_stands_above_all_lines(opened):
    look_at(opened, ONE_WINS)
    searched(opened, 1)
    assert re.fullmatch(r"1\d moves: 1 wins, 1\d lose\. All are known\.", opened.text("explorer-counts"))
    words = [text.split()[0] for text in opened.evaluate(LINES)]
    assert words == ["wins", "loses", "loses"][: len(words)] and len(opened.evaluate(ARROWS)) == 1


def test_every_move_of_a_lost_position_loses(opened):
    board = Board.start(TWOFLAGS)
    look_at(opened, fen(board.push(pgn.parse_san(board, "b4"))))
    searched(opened, 3)
    assert opened.text("explorer-counts") == "16 moves: 16 lose. All are known."
    assert opened.text("known").startswith("Known: White wins in at most 44 plies by the book")
    assert len(opened.evaluate(ARROWS)) == 3 and {text.split()[0] for text in opened.evaluate(LINES)} == {"loses"}


def test_open_moves_are_called_open(opened):
    begin(opened, "breakthrough", "both")
    opened.press("#mode-analyse")
    searched(opened, 3)
    assert opened.text("explorer-counts") == "22 moves: 22 are open."
    listed, lines = opened.evaluate(f"[{LISTED}, {LINES}]")
    assert {kind for kind, _ in listed} == {"undecided"} and listed[0][1].startswith("◇ ")
    assert [text.split()[-1] for _, text in listed[:3]] == [text.split()[0] for text in lines]
    opened.until("document.getElementById('known').textContent.endsWith('not yet decided.')")


def test_last_move_of_a_game_is_told(opened):
    board = parse_fen(TWOFLAGS, "8/P2p4/8/8/8/8/8/8 w - - 0 1")
    look_at(opened, fen(board))
    assert opened.evaluate(LISTED)[0] == ["winning", "▲ a8 1"]
    assert opened.evaluate(NAMES)[0] == "a8 wins in 1 ply"
    play_first(opened)
    opened.until("document.getElementById('known').textContent === 'White has won.'")
    assert opened.text("explorer-counts") == "The game is over." and opened.evaluate(LISTED) == []


# The chips.


MOUSE = "{bubbles: true, pointerType: 'mouse'}"
LEAVE = "(document.getElementById('explorer').dispatchEvent(new PointerEvent('pointerleave')), 0)"


def test_chip_under_the_pointer_is_told_about_and_has_an_arrow(opened):
    look_at(opened, TWOFLAGS.start_fen)
    number = opened.evaluate(f"{LISTED}.findIndex(([, text]) => text.includes(' e4 '))")
    opened.evaluate(f"({CHIPS}[{number}].dispatchEvent(new PointerEvent('pointerover', {MOUSE})), 0)")
    assert opened.text("explorer-detail") == opened.evaluate(NAMES)[number]
    assert ["e2e4", "pointed"] in opened.evaluate(ARROWS)
    assert opened.evaluate("document.getElementById('explorer-counts').checkVisibility()")  # for a screen reader
    opened.evaluate(LEAVE)
    assert opened.text("explorer-detail") == ""
    assert opened.evaluate(ARROWS)[0] == ["b2b4", "best"] and "pointed" not in dict(opened.evaluate(ARROWS)).values()


def test_chips_keep_their_places_while_a_pointer_moves_over_them(opened):
    kinds = f"{LISTED}.map(([kind]) => kind)"
    opened.press("#mode-analyse")
    # In one call, before the first results arrive.
    opened.evaluate(
        f"(document.getElementById('text').value = {json.dumps(ONE_WINS)}, document.getElementById('open').click(), "
        f"{CHIPS}[0].dispatchEvent(new PointerEvent('pointermove', {MOUSE})), 0)"
    )
    opened.until(ALL_KNOWN, 60)
    assert "winning" in opened.evaluate(kinds)[1:]
    opened.evaluate(LEAVE)
    assert opened.evaluate(kinds)[0] == "winning" and "winning" not in opened.evaluate(kinds)[1:]


ROWS = f"new Set({CHIPS}.map(chip => chip.offsetTop)).size"
CUT_OFF = f"{CHIPS}.filter(chip => chip.scrollWidth > chip.clientWidth + 1).map(chip => chip.textContent)"
FEW_MOVES = "7p/8/8/8/8/8/7P/8 w - - 0 1"
MANY_MOVES = "pppppppp/pppppppp/8/8/8/PPPPPPPP/8/PPPPPPPP w - - 0 1"


def test_frame_of_the_chips_keeps_its_height(opened):
    height = "document.getElementById('explorer').clientHeight"
    begin(opened, "breakthrough", "both")
    opened.press("#mode-analyse")
    before = opened.evaluate(height)
    searched(opened, 3)
    assert opened.evaluate(f"{CHIPS}.length") == 22 and opened.evaluate(ROWS) <= 6
    assert before == opened.evaluate(height) and opened.evaluate(CUT_OFF) == []
    # The longest texts of a chip.
    write = f"const parts = {CHIPS}[0].children; ['▼', 'a6xb7', '12/22'].forEach((text, index) => {{ parts[index].textContent = text; }})"
    assert opened.evaluate(f"(() => {{ {write}; return {CUT_OFF}; }})()") == []
    for text, count in ((MANY_MOVES, 44), (FEW_MOVES, 2)):
        open_text(opened, text)
        opened.until(f"{CHIPS}.length === {count}")
        assert before == opened.evaluate(height) and opened.evaluate(CUT_OFF) == []
        assert opened.evaluate(f"document.getElementById('explorer').scrollHeight > {height}") == (count > 40)
