"""The page in Chromium and Firefox: whole games by mouse, touch and keyboard, links, PGN; analysis, training, faults."""

import io
import json
import random

import browsers
import chess.pgn
import pytest
from pages import READY, written  # noqa: F401  a fixture

import pawnstorm.chess  # noqa: F401  python-chess knows the games by it
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.notation import fen, move_text, parse_fen
from pawnstorm.engine.games.rules import game
from pawnstorm.protocol import pgn

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
MOVES = "[...document.querySelectorAll('#moves a')].map(link => link.textContent)"


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def browser(request, tmp_path_factory):
    if request.param == "chromium":
        with browsers.chromium() as new_page:
            yield new_page(has_touch=True)
    else:
        with browsers.firefox(tmp_path_factory.mktemp("profile")) as found:
            yield found


@pytest.fixture
def opened(browser, written):
    """The browser with the page as it begins; nothing complains."""
    browser.complaints.clear()
    browser.open("about:blank")
    browser.open(written.as_uri())
    browser.until(READY)
    browser.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}}) && 0"
    )
    yield browser
    assert browser.complaints == []


def copied(browser, button):
    """What a button copies."""
    browser.evaluate("window.copied = ''")
    browser.press(button)
    return browser.until("window.copied")


def begin(browser, name, side="white", level="800", time="move 100"):
    family = name.rstrip("0123456789x")
    for field, value in (("#family", family), ("#size", name), ("#side", side), ("#level", level), ("#time", time)):
        browser.choose(field, value)
    browser.press("#new-game")


def squares(board, move):
    text = move_text(board, move)
    return text[:2], text[2:4]


def by_keys(browser, source, target):
    """Walk on the squares by arrow keys and choose with Enter."""
    at = browser.evaluate("document.querySelector('#squares [tabindex=\"0\"]').dataset.square")
    browser.evaluate("document.querySelector('#squares [tabindex=\"0\"]').focus()")
    flipped = browser.evaluate("document.getElementById('flip').getAttribute('aria-pressed')") == "true"
    for goal in (source, target):
        for axis, (less, more) in ((0, ("ArrowLeft", "ArrowRight")), (1, ("ArrowDown", "ArrowUp"))):
            steps = (ord(goal[axis]) - ord(at[axis])) * (-1 if flipped else 1)
            for _ in range(abs(steps)):
                browser.key(more if steps > 0 else less)
        browser.key("Enter")
        at = goal


def make(browser, board, move, way):
    """Make a move on the page's board."""
    source, target = squares(board, move)
    if way == "keys":
        by_keys(browser, source, target)
        return
    places = [browser.middle(f'[data-square="{square}"]') for square in (source, target)]
    if way in ("drag", "touch drag"):
        browser.drag(*places, touch=way == "touch drag")
    else:
        for place in places:
            (browser.tap if way == "tap" else browser.click)(*place)


def follow(browser, rules, wanted):
    """(board, moves as text) once the page has so many moves, or the game is over."""
    browser.until(f"({MOVES}).length >= {wanted} || document.getElementById('position').textContent.includes('wins:')")
    board, texts = Board.start(rules), browser.evaluate(MOVES)
    for text in texts:
        board = board.push(pgn.parse_san(board, text))
    return board, texts


@pytest.mark.parametrize("name, side", [("twoflags", "white"), ("breakthrough", "black"), ("breakthrough5", "white")])
def test_a_game_is_played_to_its_end_by_hand(name, side, opened):
    rules, chance = game(name), random.Random(name)
    begin(opened, name, side)
    ways = ["click", "drag", "tap", "touch drag", "keys"]
    board, texts = follow(opened, rules, int(side == "black"))
    while not board.over():
        make(opened, board, chance.choice(board.moves()), ways[len(texts) // 2 % len(ways)])
        board, texts = follow(opened, rules, len(texts) + 2)
    assert opened.evaluate("document.getElementById('position').textContent").count("wins: ") == 1
    text = copied(opened, "#copy-pgn")
    (record,) = pgn.games(text)
    assert record.moves == texts and record.result == ("1-0" if board.black else "0-1")
    if rules.files == rules.ranks == 8:  # python-chess has no smaller boards
        read = chess.pgn.read_game(io.StringIO(text))
        assert not read.errors and len(list(read.mainline_moves())) == len(texts)
    link = copied(opened, "#copy-link")
    opened.open("about:blank")
    opened.open(link)
    opened.until(READY)
    assert opened.evaluate(MOVES) == texts


def test_page_is_small(written):
    assert written.stat().st_size < 2_000_000


def test_positions_and_games_are_pasted(opened):
    def paste(text):
        opened.evaluate(f"(document.getElementById('text').value = {json.dumps(text)}, 0)")
        opened.evaluate("(document.getElementById('open').click(), 0)")
        return opened.evaluate("document.getElementById('reading').textContent")

    opened.press("#mode-analyse")
    board = Board.start(game("breakthrough6"))
    paste(fen(board))
    assert "Two Flags is" not in paste(fen(board))
    assert paste('[Variant "breakthrough6"]\n\n1. a2a3 (1. b2b3) {quick} f5f4 2. a3b4 *').startswith(
        "3 moves of Breakthrough, 6 by 6"
    )
    assert paste("8/8/8/8/8/8/8/7x w - - 0 1").startswith("Bad letter")
    assert paste("1. e5 *").startswith("“e5” is not a move") or "Illegal move" in paste("1. e5 *")
    assert paste('[Variant "chess"]\n\n1. e4 *').startswith("Unknown game")


def test_taking_back_hints_and_resigning(opened):
    begin(opened, "twoflags")
    board = Board.start(game("twoflags"))
    make(opened, board, board.moves()[3], "click")
    follow(opened, board.rules, 2)
    opened.press("#take-back")
    assert opened.evaluate(MOVES) == []
    opened.press("#hint")
    opened.until("document.querySelectorAll('.arrow').length")
    assert opened.until("document.getElementById('said').textContent").startswith("Hint: ")
    opened.press("#resign")
    assert opened.until("document.getElementById('position').textContent") == "Black wins: White has resigned."


def test_analysis_says_what_is_known(opened):
    opened.press("#mode-analyse")
    assert opened.until("/Known: White wins in at most \\d+ plies/.test(document.getElementById('known').textContent)")
    opened.until(
        "document.querySelectorAll('#lines li').length === 3 && document.querySelectorAll('.arrow').length === 3"
    )
    opened.press("#lines button")
    opened.until("document.querySelectorAll('#moves a').length === 1")
    opened.press("#mode-play")


def test_a_wrong_answer_is_refuted(opened):
    opened.press("#mode-learn")
    wanted = opened.evaluate("JSON.parse(document.getElementById('numbers').textContent).lessons[0]")

    board = parse_fen(game("twoflags"), wanted["fen"])
    move = next(move for move in board.moves() if "".join(squares(board, move)) != wanted["move"])
    make(opened, board, move, "click")
    opened.until("document.getElementById('lesson').textContent.includes('loses')")
    opened.until("document.getElementById('lesson').textContent.includes('wins:')", 60)
    opened.press("#again")
    make(opened, board, next(move for move in board.moves() if "".join(squares(board, move)) == wanted["move"]), "keys")
    opened.until("document.getElementById('lesson').textContent.startsWith('Right')")


def test_a_changed_page_says_so(written, browser, tmp_path):
    text = written.read_text()
    for part, words in (("core", "The engine inside this page is damaged"), ("records", "The table of the games")):
        place = text.index(">", text.index(f'data-part="{part}"')) + 5000
        changed = tmp_path / f"{part}.html"
        changed.write_text(text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :])
        browser.open(changed.as_uri())
        said = browser.until("document.getElementById('trouble').textContent")
        assert said.startswith(words) and said.endswith("load or download the page again."), said


@pytest.mark.parametrize(
    "change, words",
    [
        (("'wasm-unsafe-eval'", ""), "policy"),
        (("worker-src blob:;", "worker-src 'none';"), "The engine cannot run here"),
        (("(() => {\n'use strict';", "(() => {\n'use strict';\nWebAssembly = undefined;"), "has not started"),
    ],
)
def test_where_it_cannot_run_it_says_why(change, words, written, browser, tmp_path):
    text = written.read_text()
    assert change[0] in text
    path = tmp_path / "changed.html"
    path.write_text(text.replace(*change, 1))
    browser.open(path.as_uri())
    browser.until(f"document.getElementById('trouble').textContent.includes({json.dumps(words)})")
    assert not browser.evaluate("document.getElementById('trouble').hidden")


def test_learning_leaves_the_game_as_it_was(opened):
    begin(opened, "breakthrough", "both")
    board = Board.start(game("breakthrough"))
    make(opened, board, board.moves()[0], "click")
    shown = "['position', 'player-above', 'player-below'].map(id => document.getElementById(id).textContent)"
    before = opened.evaluate(shown)
    opened.press("#mode-learn")
    opened.press("#mode-play")
    assert opened.evaluate(shown) == before and len(opened.evaluate(MOVES)) == 1


def test_clocks_run_for_both_sides(opened):
    begin(opened, "twoflags", level="", time="clock 1 1")
    clocks = "[...document.querySelectorAll('.clock')].map(place => place.textContent)"
    assert opened.evaluate(clocks) == ["1:00", "1:00"]
    make(opened, Board.start(game("twoflags")), Board.start(game("twoflags")).moves()[0], "click")
    opened.until(f"({clocks})[0] < '1:00'")  # the engine's
    follow(opened, game("twoflags"), 2)
    opened.until(f"({clocks})[1] < '1:00'")
