"""The page in Chromium and Firefox: whole games by mouse, touch and keyboard, links, PGN; analysis."""

import functools
import io
import random

import chess.pgn
import pytest
from page_hands import MOVES, begin, begin_with_a_move, follow, make, open_text, replayed, title
from pages import browser, opened, written  # noqa: F401  fixtures

import pawnstorm.chess  # noqa: F401  python-chess knows the games by it
from pawnstorm import pgn
from pawnstorm.games.notation import fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]


def copied(browser, button):
    """What the button of that id copies."""
    browser.evaluate("window.copied = ''")
    browser.act(button)
    return browser.until("window.copied")


@pytest.mark.parametrize("name, side", [("twoflags", "white"), ("breakthrough", "black"), ("breakthrough5", "white")])
def test_a_game_is_played_to_its_end_by_hand(name, side, opened):
    rules, chance = get_rules(name), random.Random(name)
    begin(opened, name, side)
    ways = ["click", "drag", "tap", "touch drag", "keys"]
    board, texts = follow(opened, rules, int(side == "black"))
    while not board.is_game_over():
        make(opened, board, chance.choice(board.moves()), ways[len(texts) // 2 % len(ways)])
        board, texts = follow(opened, rules, len(texts) + 2)
    assert opened.text("position").count("wins: ") == 1
    text = copied(opened, "copy-pgn")
    (record,) = pgn.games(text)
    assert replayed(rules, record.moves) == replayed(rules, texts) and record.result == (
        "1-0" if board.black_to_move else "0-1"
    )
    if rules.files == rules.ranks == 8:  # python-chess has no smaller boards
        read = chess.pgn.read_game(io.StringIO(text))
        assert not read.errors and len(list(read.mainline_moves())) == len(texts)
    opened.load(copied(opened, "copy-link"))
    assert opened.evaluate(MOVES) == texts


def test_page_is_small(written):
    assert written.stat().st_size < 4_700_000


def pasted(browser, text):
    """What is said of a text that is pasted and opened."""
    open_text(browser, text)
    return browser.text("reading")


def test_positions_and_games_are_pasted(opened):
    paste = functools.partial(pasted, opened)
    opened.press("#mode-analyse")
    board = Board.start(get_rules("breakthrough6"))
    assert paste(fen(board)).startswith("Found: a position of Breakthrough, 6 by 6.")
    assert paste('[Variant "breakthrough6"]\n\n1. a2a3 (1. b2b3) {quick} f5f4 2. a3b4 *').startswith(
        "Found: 3 moves of Breakthrough, 6 by 6"
    )
    assert paste("8/8/8/8/8/8/8/7x w - - 0 1").startswith("Bad letter")
    assert paste("1. e5 *").startswith("Illegal move “e5”")
    assert paste('[Variant "chess"]\n\n1. e4 *').startswith("Unknown game")
    assert paste("{{{").startswith("No move in “{{{”") and len(opened.evaluate(MOVES)) == 3
    names = '[White "One"]\n[Black "Two"]\n'
    assert paste(names + '[Variant "twoflags"]\n\n1. e4 a5 2. e5 d5 3. exd6 e.p. *').startswith(
        "Found: 5 moves of Two Flags"
    )
    assert names in copied(opened, "copy-pgn")


def test_pasted_position_tells_its_game(opened):
    opened.press("#mode-analyse")
    told = pasted(opened, Board.start(get_rules("breakthrough")).rules.start_fen)
    assert told == "Found: a position of Breakthrough, 8 by 8. Its board and pawns fit only one game."
    assert title(opened).startswith("Breakthrough, 8 by 8")
    few = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"
    assert pasted(opened, few).endswith("this is the one that was open.")
    assert title(opened).startswith("Breakthrough, 8 by 8")
    buttons = "[...document.querySelectorAll('#as-others button')].map(button => button.textContent)"
    assert opened.evaluate(buttons) == ["Read as Two Flags, 8 by 8", "Read as Hexapawn, 8 by 8"]
    opened.evaluate(
        "(document.querySelector('#as-others button').click(), 0)"
    )  # by no pointer: lines above it come and go
    assert title(opened).startswith("Two Flags, 8 by 8")
    assert opened.evaluate(buttons) == [] and pasted(opened, few).endswith("this is the one that was open.")
    assert title(opened).startswith("Two Flags, 8 by 8")


@pytest.mark.parametrize(
    "text, said",
    [
        ("""'[Event "' + '\\\\"'.repeat(1e6) + '"]\\n\\n1. e4 *'""", "is not a move"),
        ("'1. e4 ' + '(1. d4 {'.repeat(1e6)", "Found: 1 move of Two Flags, 8 by 8."),
        ("String.fromCharCode(...Array.from({length: 60000}, (_, index) => index * 7 % 256))", "“"),
    ],
)
def test_long_texts_are_read_or_refused_in_a_sentence(text, said, opened):
    opened.evaluate(f"(document.getElementById('text').value = {text}, 0)")
    opened.act("open")
    told = opened.text("reading")
    opened.evaluate("(document.getElementById('text').value = '', 0)")  # which a browser would keep for the way back
    assert said in told and len(told) < 400


def test_taking_back_hints_and_resigning(opened):
    begin_with_a_move(opened, "twoflags")
    follow(opened, get_rules("twoflags"), 2)
    opened.press("#take-back")
    assert opened.evaluate(MOVES) == []
    opened.press("#hint")
    opened.until("document.querySelectorAll('.arrow').length")
    assert opened.until("document.getElementById('said').textContent").startswith("Hint: ")
    opened.press("#resign")
    opened.press("#resign")
    opened.until("document.getElementById('said').textContent === ''")
    said = "document.getElementById('position').textContent"
    assert opened.until(said) == "Black wins: White has resigned."
    opened.load(copied(opened, "copy-link"))
    assert opened.evaluate(said) == "Black wins: White has resigned."


def test_analysis_says_what_is_known(opened):
    opened.press("#mode-analyse")
    assert opened.until("/Known: White wins in at most \\d+ plies/.test(document.getElementById('known').textContent)")
    opened.until(
        "document.querySelectorAll('#lines li').length === 3 && document.querySelectorAll('.arrow').length === 3"
    )
    opened.press("#lines button")
    opened.until("document.querySelectorAll('#moves a').length === 1")
    opened.press("#mode-play")


def test_learning_leaves_the_game_as_it_was(opened):
    begin_with_a_move(opened, "breakthrough", "both")
    shown = "['position', 'player-above', 'player-below'].map(id => document.getElementById(id).textContent)"
    before = opened.evaluate(shown)
    opened.press("#mode-learn")
    opened.press("#mode-play")
    assert opened.evaluate(shown) == before and len(opened.evaluate(MOVES)) == 1


def test_clocks_run_for_both_sides(opened):
    """Seen by the page itself, however late a busy machine asks it: the least that each clock has shown."""
    places = "[...document.querySelectorAll('.clock')]"
    look = (
        f"least = {places}.map((place, index) => place.textContent < least[index] ? place.textContent : least[index])"
    )
    opened.evaluate(f"(window.least = ['9', '9'], setInterval(() => {{ {look}; }}, 20), 0)")
    begin(opened, "twoflags", level="", time="clock 1 1")
    above, below = opened.evaluate(f"{places}.map(place => place.textContent)")
    assert above == "1:00" and below in ("1:00", "0:59", "0:58")
    board = Board.start(get_rules("twoflags"))
    opened.evaluate("(window.least = ['9', '9'], 0)")
    make(opened, board, board.moves()[0], "click")
    opened.until("window.least[0] < '1:00'")  # the engine's
    follow(opened, get_rules("twoflags"), 2)
    opened.evaluate("(window.least = ['9', '9'], 0)")
    opened.until("window.least[1] < '1:00'")
