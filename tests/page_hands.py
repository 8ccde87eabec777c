"""Hands for the page: a game is begun, and moves are made as people make them; what the page answers is read."""

import json
import time

from browsers import READY

from pawnstorm import pgn
from pawnstorm.games.notation import fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

MOVES = "[...document.querySelectorAll('#moves a.main')].map(link => link.firstChild.data)"
"""The texts of the moves of the main line."""
CURRENT = "document.querySelector('#moves a[aria-current]')?.firstChild.data"
"""The text of the move that is shown, as the page lists it."""


def begin(browser, name, side="white", level="800", time="move 100"):
    """Begin a game against the page, by the fields of a new one."""
    family = name.rstrip("0123456789x")
    browser.act("show-new")
    for field, value in (("#family", family), ("#size", name), ("#side", side), ("#level", level), ("#time", time)):
        browser.choose(field, value)
    browser.press("#new-game")


def begin_with_a_move(browser, name, side="white", **more):
    """Begin a game and make a first move in it; returns the start."""
    begin(browser, name, side, **more)
    board = Board.start(get_rules(name))
    make(browser, board, board.moves()[0], "click")
    return board


def open_text(browser, text):
    """Write a text into the field for games and positions, and open it."""
    browser.evaluate(f"(document.getElementById('text').value = {json.dumps(text)}, 0)")
    browser.act("open")


def analyse(browser, text):
    """Open a text in Analyse."""
    browser.press("#mode-analyse")
    open_text(browser, text)


def go(browser, way, fact):
    """Go to another page by a JavaScript statement, and wait until an expression is true there."""
    browser.evaluate(f"(setTimeout(() => {way}, 0), 0)")
    end = time.monotonic() + 20
    while True:
        try:
            if browser.evaluate(fact):
                return
        except Exception:  # the page that was asked has just gone: each driver has an error of its own
            assert time.monotonic() < end
        time.sleep(0.02)


def reload(browser):
    """Load the page again, as the browser's button does."""
    browser.evaluate("(window.before = true, 0)")
    go(browser, "location.reload()", f"!window.before && {READY}")


def title(browser):
    """The game and the board that are shown."""
    return browser.evaluate("document.querySelector('#board title').textContent")


def squares(board, move):
    """The names of the squares that a move goes from and to."""
    text = move_text(board, move)
    return text[:2], text[2:4]


def by_keys(browser, source, target):
    """Walk on the squares by arrow keys and choose with Enter."""
    at = browser.evaluate("document.querySelector('#squares [tabindex=\"0\"]').dataset.square")
    browser.evaluate(
        "(cell => { cell.focus(); cell.dispatchEvent(new FocusEvent('focusin', {bubbles: true})); })"  # which a hidden window lacks
        "(document.querySelector('#squares [tabindex=\"0\"]'))"
    )
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
    texts = browser.evaluate(MOVES)
    return replayed(rules, texts)[0], texts


def replayed(rules, texts):
    """(board, moves in coordinates) after moves as they are listed or written."""
    board, moves = Board.start(rules), []
    for text in texts:
        move = pgn.parse_san(board, text)
        moves.append(move_text(board, move))
        board = board.push(move)
    return board, moves


class Opponent:
    """The page's engine at full strength, as one who plays: the other side's moves are made by mouse."""

    def __init__(self, browser, name, black, time):
        """black: the colour that the engine has; time: as the page's field has it."""
        self._browser, self._board, self._plies = browser, None, 0
        begin(browser, name, "white" if black else "black", "", time)

    def begin(self):
        """A new game."""
        self._board = None

    def answer(self, board):
        """The engine's move in a position: one reply after its last move, or any other, which is then pasted."""
        replies = self._board.moves() if self._board else ()
        reply = next((move for move in replies if self._board.push(move) == board), None)
        if reply is None:
            open_text(self._browser, fen(board))
            self._browser.choose("#side", "white" if board.black_to_move else "black")
            self._browser.act("new-game")
            self._plies = 1
        else:
            make(self._browser, self._board, reply, "click")
            self._plies += 2
        texts = self._browser.until(f"(texts => texts.length >= {self._plies} && texts)({MOVES})")
        move = pgn.parse_san(board, texts[-1])
        self._board = board.push(move)
        return move
