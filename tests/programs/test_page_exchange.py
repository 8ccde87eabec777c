"""What comes into the page and leaves it, in Chromium and Firefox: its dialogs to open and to share, files and pictures."""

import base64
import json
import struct
from xml.etree import ElementTree

import pytest
from little_golem import RECORDS
from page_hands import MOVES, begin, begin_with_a_move, make, title
from pages import browser, opened, scripted, written  # noqa: F401  fixtures

from pawnstorm import pgn
from pawnstorm.games.notation import fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
GAMES = """[White "Anna"]
[Black "Bert"]
[Date "2024.02.??"]
[Result "1-0"]

1. e4 {the king's} d5 2. exd5 (2. e5 e6) a6 1-0

[Variant "breakthrough6"]
[Result "*"]

1. a2a3 f5f4 *

[Variant "chess"]
[White "Carl"]

1. e4 *
"""
FEW = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"  # of several games
OPEN = "(document.querySelector('dialog[open]')?.id ?? null)"
READING = "document.getElementById('reading').textContent"
SAID = "document.getElementById('said').textContent"
LISTED = "[...document.querySelectorAll('#games button')].map(button => button.textContent)"
ENTER = "(document.activeElement.click(), 0)"
"""What Enter does on a button, but not in a window without the focus, as a headless Firefox has it."""
KEEP_SAVED = (
    "(URL.createObjectURL = blob => { window.saved = blob; return 'data:,'; },"
    "HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; }, 0)"
)
"""Instead of saving files, the page keeps the last one."""


def paste(browser, text):
    """Write a text into the field of the dialog, which is open, and open it."""
    browser.evaluate(f"(document.getElementById('text').value = {json.dumps(text)}, 0)")
    browser.press("#open")


def give_file(browser, name, content, way):
    """Choose a file of that name in the dialog, or drop it on the board; content: JavaScript of its parts."""
    act = {
        "choose": "Object.assign(document.getElementById('file'), {files: given.files}).dispatchEvent(new Event('change'))",
        "drop": "document.getElementById('board-place').dispatchEvent(new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true}))",
    }[way]
    browser.evaluate(
        f"(given => {{ given.items.add(new File({content}, {json.dumps(name)})); {act}; return 0; }})(new DataTransfer())"
    )


def test_dialog_closes_once_a_text_is_read(opened):
    opened.press("#mode-analyse")
    opened.act("show-open")
    assert opened.evaluate("document.activeElement.id") == "text"
    paste(opened, "1. e4 e5 2. d5")
    assert opened.evaluate(OPEN) == "open-dialog" and opened.evaluate(READING).startswith("Illegal move “d5”")
    opened.evaluate("(document.getElementById('text').value = '1. e4 e5', document.getElementById('text').focus(), 0)")
    paste(opened, "1. e4 e5")
    assert opened.evaluate(OPEN) is None and len(opened.evaluate(MOVES)) == 2
    opened.until(f"{SAID} === 'Found: 2 moves of Two Flags, 8 by 8.'")
    opened.act("show-open")
    assert opened.evaluate(READING) == ""


@pytest.mark.parametrize("name", ["White resigns", "a result against the resignation"])
def test_pasted_record_of_little_golem_is_shown_to_its_end(name, opened):
    (record,) = (one for one in RECORDS if one.name == name)
    opened.press("#mode-analyse")
    opened.act("show-open")
    paste(opened, record.text)
    assert opened.evaluate(OPEN) is None and len(opened.evaluate(MOVES)) == len(record.moves)
    said = f"Found: {len(record.moves)} moves of Breakthrough, 8 by 8. {record.page}".strip()
    opened.until(f"{SAID} === {json.dumps(said)}")
    assert "Black wins: White has resigned" in opened.evaluate("document.body.innerText")


def test_dialog_stays_while_a_text_can_be_read_as_another_game(opened):
    opened.press("#mode-analyse")
    opened.act("show-open")
    paste(opened, FEW)
    assert opened.evaluate(OPEN) == "open-dialog" and opened.evaluate(READING).startswith(
        "Found: a position of Two Flags"
    )
    opened.press("#as-others button")
    assert opened.evaluate(OPEN) is None and title(opened).startswith("Breakthrough, 8 by 8")
    opened.until(f"{SAID} === 'Found: a position of Breakthrough, 8 by 8.'")
    opened.act("show-open")
    paste(opened, FEW)
    opened.press("#open-done")
    assert opened.evaluate(OPEN) is None and title(opened).startswith("Breakthrough, 8 by 8")


@pytest.mark.parametrize("way", ["choose", "drop"])
def test_a_game_of_a_file_is_chosen_by_keys(way, opened):
    opened.press("#mode-analyse")
    if way == "choose":
        opened.act("show-open")
    give_file(opened, "games.pgn", json.dumps([GAMES]), way)
    opened.until(f"{LISTED}.length")
    assert opened.evaluate(OPEN) == "open-dialog" and opened.evaluate(READING) == "3 games: choose one."
    assert opened.evaluate(LISTED) == [
        "1. Anna – Bert 1-0 2024.02 · 1. e4 d5 2. exd5 a6",
        "2. Game 2 1. a2a3 f5f4",
        "3. Carl – ? 1. e4",
    ]
    opened.key("End")
    opened.evaluate(ENTER)
    opened.until(f"{READING}.startsWith('Unknown game “chess”')")
    assert len(opened.evaluate(LISTED)) == 3
    opened.key("ArrowUp")
    opened.evaluate(ENTER)
    opened.until(f"{OPEN} === null")
    assert title(opened).startswith("Breakthrough, 6 by 6") and opened.evaluate(MOVES) == ["a2a3", "f5f4"]
    opened.act("show-open")
    assert opened.evaluate(LISTED) == []


@pytest.mark.parametrize(
    "name, content, said",
    [
        ("big.pgn", "['1. e4 '.repeat(2e5)]", "“big.pgn” has 1.2 MB: expected a file of at most 1 MB."),
        ("noise.fen", "[Uint8Array.from({length: 999}, (_, index) => index * 7 % 256)]", "is not a move"),
        ("empty.pgn", "[]", "Nothing to read"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(name, content, said, opened):
    give_file(opened, name, content, "drop")
    opened.until(f"{OPEN} === 'open-dialog' && {READING}.includes({json.dumps(said)})")
    assert opened.evaluate(MOVES) == []


def test_a_file_of_an_older_program_keeps_its_names(opened):
    opened.press("#mode-analyse")
    give_file(
        opened,
        "old.pgn",
        "[Uint8Array.from('[White \"Jos\\u00e9\"]\\n\\n1. e4 *', letter => letter.charCodeAt(0))]",
        "drop",
    )
    opened.until("document.getElementById('player-below').textContent.includes('José')")


def test_a_file_dropped_while_learning_is_shown(opened):
    opened.press("#mode-learn")
    give_file(opened, "a.fen", json.dumps([fen(Board.start(get_rules("breakthrough6")))]), "drop")
    opened.until("document.querySelector('#board title').textContent.startsWith('Breakthrough, 6 by 6')")
    assert opened.evaluate("document.getElementById('mode-analyse').getAttribute('aria-pressed')") == "true"


def test_what_is_shared_stands_in_fields(opened):
    board = begin_with_a_move(opened, "breakthrough", "both")
    board = board.push(board.moves()[0])
    opened.act("show-share")
    field = "document.getElementById('share-{}').value".format
    assert opened.evaluate(field("fen")) == fen(board)
    (record,) = pgn.games(opened.evaluate(field("pgn")))
    assert record.moves == opened.evaluate(MOVES)
    for name, called in (("link", "Link"), ("fen", "FEN"), ("pgn", "PGN")):
        opened.evaluate("(window.copied = '', 0)")
        opened.press(f"#copy-{name}")
        opened.until(f"document.getElementById('shared').textContent === '{called} copied.'")
        assert opened.evaluate("window.copied") == opened.evaluate(field(name))
    link = opened.evaluate(field("link"))
    opened.load(link)
    assert opened.evaluate(MOVES) == record.moves


def test_fields_follow_the_engine(opened):
    begin(opened, "breakthrough", time="move 1000")
    board = Board.start(get_rules("breakthrough"))
    make(opened, board, board.moves()[0], "click")
    opened.act("show-share")
    opened.until("document.getElementById('share-fen').value.includes(' w - - 0 2')")


def test_a_field_is_selected_where_the_browser_lets_no_page_copy(browser, scripted):
    script = "Object.defineProperty(navigator, 'clipboard', {value: undefined}); document.execCommand = () => { window.copied = document.activeElement.value; return window.may ?? false; };"
    scripted(script)
    browser.act("show-share")
    shared = "document.getElementById('shared').textContent"
    browser.press("#copy-fen")
    browser.until(f"{shared}.startsWith('This browser does not let pages copy. The text is selected')")
    selected = "(field => field.value.slice(field.selectionStart, field.selectionEnd))(document.activeElement)"
    assert browser.evaluate(selected) == get_rules("twoflags").start_fen
    assert browser.evaluate("document.activeElement.id") == "share-fen"
    browser.evaluate("(window.may = true, 0)")
    browser.press("#copy-pgn")
    browser.until(f"{shared} === 'PGN copied.'")
    assert browser.evaluate("window.copied").startswith('[Event "Pawnstorm"]\n')


def test_a_line_that_cannot_be_copied_is_offered_in_the_dialog(browser, scripted):
    script = "Object.defineProperty(navigator, 'clipboard', {value: undefined}); document.execCommand = () => false;"
    scripted(script, "#game=breakthrough&moves=a2a3b7b6*c7c6.&mode=analyse")
    browser.act("move-more")
    browser.press("#copy-line")
    browser.until(f"{OPEN} === 'share-dialog' && document.activeElement.id === 'share-pgn'")
    assert browser.evaluate("document.getElementById('share-pgn').value").endswith("\n1. a2a3 b7b6 *\n")


def test_a_link_that_cannot_hold_the_variations_says_so(opened):
    board = Board.start(get_rules("breakthrough"))
    pairs = [(move, reply) for move in board.moves() for reply in board.push(move).moves()]
    lines = [f"({move_text(board, move)} {move_text(board.push(move), reply)})" for move, reply in pairs]
    opened.act("mode-analyse")
    for count, hidden in ((9, True), (len(lines), False)):
        opened.act("show-open")
        paste(opened, f'[Variant "breakthrough"]\n\n1. a2a3 {" ".join(lines[:count])} *')
        opened.act("show-share")
        assert opened.evaluate("document.getElementById('share-line').hidden") is hidden
        opened.evaluate("(document.getElementById('share-dialog').close(), 0)")


def test_the_system_shares_what_is_shown(browser, scripted):
    script = "navigator.share = async given => { window.given = given; if (window.refuse) throw new DOMException('not now', window.refuse); };"
    scripted(script)
    browser.act("show-share")
    browser.press("#share-app")
    given = browser.until("window.given")
    assert given["title"].startswith("Two Flags, 8 by 8") and '[Variant "twoflags"]' in given["text"]
    shared = "document.getElementById('shared').textContent"
    browser.evaluate("(window.refuse = 'NotAllowedError', 0)")
    browser.press("#share-app")
    browser.until(f"{shared} === 'The browser does not share this: not now'")


def saved(browser, button):
    """(name, bytes) of the file that a button saves."""
    browser.evaluate("(window.saved = window.savedName = null, 0)")
    browser.press(f"#{button}")
    name = browser.until("window.savedName")
    read = "saved.arrayBuffer().then(data => btoa(Array.from(new Uint8Array(data), byte => String.fromCharCode(byte)).join('')))"
    return name, base64.b64decode(browser.evaluate(read))


def test_files_are_saved(opened):
    begin_with_a_move(opened, "breakthrough6", "both")
    opened.act("show-share")
    opened.evaluate(KEEP_SAVED)
    name, content = saved(opened, "save-pgn")
    (record,) = pgn.games(content.decode())
    assert name == f"breakthrough6_a-player-a-player_{record.tags['Date'].replace('.', '-')}.pgn"
    opened.until(f"document.getElementById('shared').textContent === '{name} saved.'")

    name, content = saved(opened, "save-svg")
    assert name.endswith(".svg") and not any(word in content.decode() for word in ("var(", "class=", "style="))
    root = ElementTree.fromstring(content)
    part = "{{http://www.w3.org/2000/svg}}{}".format
    assert len(root.findall(f".//{part('use')}")) == 24 and root.find(f".//{part('g')}[@id='pawn']") is not None

    name, content = saved(opened, "save-png")
    size = struct.unpack(">II", content[16:24])
    assert name.endswith(".png") and size[0] == size[1] >= 1200
    colours = opened.evaluate("""createImageBitmap(saved).then(picture => {
      const canvas = Object.assign(document.createElement('canvas'), {width: 270, height: 270});
      const drawing = canvas.getContext('2d', {willReadFrequently: true});
      drawing.drawImage(picture, 0, 0, 270, 270);
      return [[67, 112], [22, 112], [22, 258]].map(([x, y]) => [...drawing.getImageData(x, y, 1, 1).data]);
    })""")  # the middle of b4 and of a4, and the pawn on a1
    wanted = opened.evaluate("""['.board-squares path', '.board-squares rect', '.white-pawns'].map(part => {
      const drawing = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
      drawing.fillStyle = getComputedStyle(document.querySelector(`#board ${part}`)).fill;
      drawing.fillRect(0, 0, 1, 1);
      return [...drawing.getImageData(0, 0, 1, 1).data];
    })""")
    assert colours == wanted and len(set(map(tuple, wanted))) == 3
