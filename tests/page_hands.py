"""Hands for the page: a game is begun, and moves are made as people make them; what the page answers is read."""

from pawnstorm.games.notation import fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol import pgn

MOVES = "[...document.querySelectorAll('#moves a')].map(link => link.textContent)"
"""The texts of the moves that the page lists."""


def begin(browser, name, side="white", level="800", time="move 100"):
    """Begin a game against the page, by the fields of a new one."""
    family = name.rstrip("0123456789x")
    for field, value in (("#family", family), ("#size", name), ("#side", side), ("#level", level), ("#time", time)):
        browser.choose(field, value)
    browser.press("#new-game")


def begin_with_a_move(browser, name, side="white", **more):
    """Begin a game and make a first move in it; returns the start."""
    begin(browser, name, side, **more)
    board = Board.start(get_rules(name))
    make(browser, board, board.moves()[0], "click")
    return board


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
            self._browser.evaluate(f"(document.getElementById('text').value = '{fen(board)}', 0)")
            self._browser.act("open")
            self._plies = 1
        else:
            make(self._browser, self._board, reply, "click")
            self._plies += 2
        texts = self._browser.until(f"(texts => texts.length >= {self._plies} && texts)({MOVES})")
        move = pgn.parse_san(board, texts[-1])
        self._board = board.push(move)
        return move
