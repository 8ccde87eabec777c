"""The page's editor of positions in Chromium and Firefox: by mouse, touch and keys."""

import pytest
from page_hands import MOVES, begin_with_a_move, title
from pages import browser, opened, written  # noqa: F401  fixtures

from pawnstorm.games.notation import fen
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
EMPTY = "8/8/8/8/8/8/8/8"
FEN = "document.getElementById('edit-fen').value"
FAULT = "document.getElementById('edit-fault').textContent"
DISABLED = "['edit-analyse', 'edit-play'].map(id => document.getElementById(id).getAttribute('aria-disabled'))"
OPEN = "(document.querySelector('dialog[open]')?.id ?? null)"
PASSABLE = "[...document.getElementById('edit-passed').options].map(option => option.value)"


@pytest.fixture
def editor(opened):
    """The page with its editor open, on the first position of Two Flags."""
    opened.act("show-edit")
    return opened


def place(browser, square):
    return browser.middle(f'#edit-squares [data-square="{square}"]')


def pawns(browser):
    """The first field of the FEN."""
    return browser.evaluate(FEN).split()[0]


def type_fen(browser, text):
    browser.evaluate(
        f"(field => {{ field.value = '{text}'; field.dispatchEvent(new Event('input')); }})(document.getElementById('edit-fen')) ?? 0"
    )


def keys(browser, *names):
    for name in names:
        browser.key(name)


@pytest.mark.parametrize("way", ["click", "tap"])
def test_a_press_puts_a_pawn_or_removes_it(way, editor):
    press = getattr(editor, way)
    editor.press("#edit-clear")
    press(*place(editor, "e4"))
    assert pawns(editor) == "8/8/8/8/4P3/8/8/8"
    press(*place(editor, "e4"))
    assert pawns(editor) == EMPTY
    press(*editor.middle("#tool-black"))
    for square in ("a5", "h1"):
        press(*place(editor, square))
    press(*editor.middle("#tool-white"))
    press(*place(editor, "h1"))
    assert pawns(editor) == "8/8/8/p7/8/8/8/7P"
    press(*editor.middle("#tool-eraser"))
    press(*place(editor, "a5"))
    assert pawns(editor) == "8/8/8/8/8/8/8/7P"


def test_the_right_button_puts_the_other_colour(editor):
    editor.press("#edit-clear")
    editor.click(*place(editor, "c3"), button="right")
    assert pawns(editor) == "8/8/8/8/8/2p5/8/8"
    editor.click(*place(editor, "c3"), button="right")
    assert pawns(editor) == EMPTY
    editor.press("#tool-black")
    editor.click(*place(editor, "c3"), button="right")
    editor.press("#tool-eraser")
    editor.click(*place(editor, "c3"), button="right")
    assert pawns(editor) == "8/8/8/8/8/2p5/8/8"


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_dragging_moves_a_pawn_and_paints_from_an_empty_square(touch, editor):
    editor.drag(place(editor, "a2"), place(editor, "b5"), touch)
    assert pawns(editor) == "8/pppppppp/8/1P6/8/8/1PPPPPPP/8"
    x, y = editor.middle("#tool-white")
    editor.drag(place(editor, "b5"), (x, y + 200), touch)
    assert pawns(editor) == "8/pppppppp/8/8/8/8/1PPPPPPP/8"
    editor.drag(place(editor, "a4"), place(editor, "g4"), touch)
    assert pawns(editor) == "8/pppppppp/8/8/PPPPPPP1/8/1PPPPPPP/8"
    editor.press("#tool-eraser")
    editor.drag(place(editor, "d8"), place(editor, "d1"), touch)
    assert pawns(editor) == "8/ppp1pppp/8/8/PPP1PPP1/8/1PP1PPPP/8"


def test_a_pawn_that_is_dropped_where_it_was_stands_there(editor):
    x, y = place(editor, "a2")
    editor.drag((x, y), (x + 12, y - 12))
    drawn = "document.querySelector('#edit-board [data-at=a2]').style.transform"
    assert pawns(editor) == "8/pppppppp/8/8/8/8/PPPPPPPP/8" and editor.evaluate(drawn) == ""
    editor.grab((x, y), (x, y - 200))
    editor.evaluate("(document.getElementById('edit-squares').dispatchEvent(new PointerEvent('pointercancel')), 0)")
    editor.drop()
    assert pawns(editor) == "8/pppppppp/8/8/8/8/PPPPPPPP/8" and editor.evaluate(drawn) == ""


def test_keys_edit_the_board(editor):
    told = "document.getElementById('edit-told').textContent"
    editor.press("#edit-clear")
    editor.evaluate("(document.querySelector('#edit-squares [tabindex=\"0\"]').focus(), 0)")
    keys(editor, "ArrowUp", "ArrowUp", "ArrowRight", " ")
    assert pawns(editor) == "8/8/8/8/8/1P6/8/8" and editor.evaluate(told) == "b3, white pawn"
    keys(editor, "p", "ArrowUp", "Enter", "ArrowUp", "Enter", "Enter")
    assert pawns(editor) == "8/8/8/8/1p6/1P6/8/8" and editor.evaluate(told) == "b5 is empty"
    keys(
        editor,
        "w",
        "ArrowLeft",
        " ",
        "ArrowDown",
        "ArrowRight",
        "Delete",
        "b",
        "ArrowLeft",
        " ",
        "e",
        "ArrowUp",
        "Enter",
    )
    assert pawns(editor) == "8/8/8/8/p7/1P6/8/8"
    label = "document.activeElement.getAttribute('aria-label')"
    keys(editor, "ArrowDown")
    assert editor.evaluate(label) == "a4, black pawn"
    keys(editor, "Escape")
    assert editor.evaluate(OPEN) is None


def test_what_is_wrong_is_said_at_once(editor):
    assert editor.evaluate(FAULT) == "" and editor.evaluate(DISABLED) == ["false", "false"]
    before = title(editor)
    editor.press("#edit-clear")
    assert editor.evaluate(FAULT).endswith("expected a pawn of the side that is not to move.")
    assert editor.evaluate(DISABLED) == ["true", "true"]
    editor.press("#edit-analyse")
    assert editor.evaluate(OPEN) == "editor-dialog" and title(editor) == before
    editor.click(*place(editor, "e7"), button="right")
    assert editor.evaluate(FAULT) == "Black has won in this position."
    assert editor.evaluate(DISABLED) == ["false", "true"]
    editor.click(*place(editor, "d1"))
    assert editor.evaluate(FAULT) == "No game leads to this position."
    assert editor.evaluate(DISABLED) == ["false", "false"]
    editor.click(*place(editor, "d8"))
    assert editor.evaluate(FAULT).endswith("expected no pawn of the side to move on its far rank.")


def test_the_fen_can_be_typed(editor):
    board = "document.getElementById('edit-board').querySelectorAll('use').length"
    type_fen(editor, "8/3p4/8/8/8/8/3P4/8 b - - 3 9")
    assert editor.evaluate(board) == 2 and editor.evaluate(FAULT) == ""
    assert editor.evaluate("document.getElementById('edit-turn').value") == "black"
    type_fen(editor, "8/3p4/8/8/8/8/3P4/7x b")
    assert editor.evaluate(board) == 2 and editor.evaluate(FAULT).startswith("Bad letter “x”")
    assert editor.evaluate(DISABLED) == ["true", "true"]
    type_fen(editor, "8/8/8/8/8/8/3P4/8 w")  # well-formed: the black pawn can be put now
    assert editor.evaluate(board) == 1 and editor.evaluate(FAULT).endswith(
        "expected a pawn of the side that is not to move."
    )
    editor.click(*place(editor, "e5"), button="right")
    assert editor.evaluate(FAULT) == "" and pawns(editor) == "8/8/8/4p3/8/8/3P4/8"
    type_fen(editor, "ppp/3/PPP w")
    assert [editor.evaluate(f"document.getElementById('edit-{name}').value") for name in ("family", "size")] == [
        "hexapawn",
        "hexapawn",
    ]
    type_fen(editor, "8p/8p/8p w")
    assert editor.evaluate(FAULT).startswith("No game has a board")


def test_another_game_keeps_the_pawns_that_were_set_up(editor):
    editor.click(*place(editor, "e4"))
    wanted = pawns(editor)
    editor.choose("#edit-family", "breakthrough")
    assert pawns(editor) == wanted
    assert editor.evaluate("document.getElementById('edit-passing').hidden")
    editor.choose("#edit-size", "breakthrough6")
    assert editor.evaluate(FEN) == get_rules("breakthrough6").start_fen
    editor.choose("#edit-family", "twoflags")
    assert editor.evaluate(FEN) == get_rules("twoflags6x6").start_fen


def test_en_passant_is_offered_where_it_is_possible(editor):
    assert editor.evaluate(PASSABLE) == ["-"]
    type_fen(editor, "8/8/8/2pPp2p/8/8/8/8 w - - 0 1")
    assert editor.evaluate(PASSABLE) == ["-", "c6", "e6"]
    editor.choose("#edit-passed", "e6")
    assert editor.evaluate(FEN) == "8/8/8/2pPp2p/8/8/8/8 w - e6 0 1"
    editor.press("#edit-mirror")
    assert editor.evaluate(FEN) == "8/8/8/p2pPp2/8/8/8/8 w - d6 0 1"
    editor.press("#edit-swap")
    assert editor.evaluate(FEN) == "8/8/8/8/P2PpP2/8/8/8 b - d3 0 1" and editor.evaluate(FAULT) == ""
    editor.click(*place(editor, "d2"))
    assert editor.evaluate(FEN) == "8/8/8/8/P2PpP2/8/3P4/8 b - - 0 1"
    assert editor.evaluate(PASSABLE) == ["-", "f3"]
    editor.press("#edit-start")
    assert editor.evaluate(FEN) == get_rules("twoflags").start_fen


def test_a_position_is_analysed(editor):
    type_fen(editor, "8/3p4/8/8/8/8/3P4/8 b - - 0 5")
    editor.press("#edit-analyse")
    assert editor.evaluate(OPEN) is None
    assert editor.evaluate("document.getElementById('mode-analyse').getAttribute('aria-pressed')") == "true"
    assert title(editor) == "Two Flags, 8 by 8: Black to move" and editor.evaluate(MOVES) == []
    editor.until("document.getElementById('known').textContent.startsWith('Known: ')")
    editor.act("show-edit")
    assert editor.evaluate(FEN) == "8/3p4/8/8/8/8/3P4/8 b - - 0 5"
    editor.press("#edit-swap")
    editor.press("#edit-play")
    assert editor.text("play-from-what") == "Two Flags, 8 by 8: move 5, White to move."
    editor.press("#new-game")
    assert title(editor) == "Two Flags, 8 by 8: White to move"
    assert editor.evaluate("document.getElementById('mode-play').getAttribute('aria-pressed')") == "true"


def test_the_editor_begins_with_the_position_on_the_board(opened):
    board = begin_with_a_move(opened, "breakthrough6", "both")
    opened.press("#flip")
    opened.act("show-edit")
    assert opened.evaluate(FEN) == fen(board.push(board.moves()[0]))
    first = "document.querySelector('#edit-squares [role=gridcell]').dataset.square"
    assert opened.evaluate(first) == "f1"  # turned as the board is
