"""The page in Chromium in a made-up language, whose texts are the English ones between brackets: all that people read or hear is
in brackets, except for moves, squares, positions and names.
"""

import json
import re
from urllib.parse import parse_qs

import browsers
import pytest
from page_hands import begin, make, open_text
from test_page_texts import marked, unmarked

from pawnstorm.games.notation import move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import GUI_GAMES, get_rules
from pawnstorm_tools.playing_page import page

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
READ = """(() => {
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const {parentElement: part, data} = walk.currentNode;
    if (!part.closest('script, style') && (part.closest('select, svg') ?? part).checkVisibility()) found.push(data);
  }
  for (const part of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    if (part.checkVisibility()) found.push(...['aria-label', 'title', 'placeholder'].map(name => part.getAttribute(name) ?? ''));
  }
  return [...new Set(found)];
})()"""
"""All that is visible or spoken."""
WORD = re.compile(r"[^\s.,:;()/≥+−#–“”]*[^\W\d_][^\s.,:;()/≥+−#–“”]*")
OWN = re.compile(r"[a-h]([1-8]?x?[a-h][1-8]|[1-8])?[!?]*|[pP1-8]+|[wb]|Pawnstorm|Ann|Bob")
"""Words without a language: moves, squares, files, parts of a FEN, and names."""
BAD_GAMES = {
    "": "nothing-to-read",
    "?": "no-move",
    "1. e5 *": "illegal-move",
    "1. e44 *": "no-move-word",
    '[Variant "w"]': "unknown-game",
    "8/8": "no-move-word",
    "8/8/8/8/8/8/8/8/8 w": "no-game-size",
    "8/pppppppp/8/8/8/8/PPPPPPPP/8 x": "fen-turn",
    "8/pppppppp/8/8/8/8/PPPPPPPP/8 w x": "fen-third",
    "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - e3": "fen-passed",
    "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - x": "fen-counter",
    "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1 2": "fen-fields",
    "8/8/8/8/8/8/PPPPPPPP/8 w": "fen-no-pawn",
    "P7/pppppppp/8/8/8/8/PPPPPPPP/8 w": "fen-far-rank",
    "8/pppppppx/8/8/8/8/PPPPPPPP/8 w": "fen-letter",
    "8/ppppppppp/8/8/8/8/PPPPPPPP/8 w": "fen-rank-long",
    "8/ppppppp/8/8/8/8/PPPPPPPP/8 w": "fen-rank-width",
    "#game=w": "address-game",
    "#game=twoflags&ply=x": "address-ply",
    "#game=twoflags&at=x": "address-position",
    "#game=twoflags&note=x": "address-comment",
    "#game=twoflags&end=x": "address-end",
}
"""Texts that are no games, with the name of what the page says of each."""
ENDED = """[Variant "twoflags"] [White "Ann"] [Black "Bob"] [Result "0-1"]\n\n1. e4 e5 {Black wins: White has resigned} 0-1"""


GIVEN = {*WORD.findall(" ".join(BAD_GAMES)), *GUI_GAMES}
"""Words that the page repeats, and names by which programs know the games."""


def pieces(text):
    """What stands between the values of a text."""
    return re.findall("⟦[^⟦⟧]+⟧", json.dumps(text, ensure_ascii=False))


class Reader:
    """A Chromium with the page, and all that was read on it. wrong: (where, text) of what is in no brackets."""

    def __init__(self, browser, texts):
        self.browser, self.texts, self.seen, self.wrong = browser, texts, set(), set()

    def read(self, where):
        """Read the page as it is now."""
        for text in self.browser.evaluate(READ):
            if text not in self.seen:
                self.wrong |= {
                    (where, word, text)
                    for word in WORD.findall(unmarked(text))
                    if not OWN.fullmatch(word) and word not in GIVEN
                }
            self.seen.add(text)

    def says(self, name, place):
        """Wait until an element has a text of this name, and read the page."""
        self.browser.until(
            f"document.getElementById('{place}').textContent.includes({json.dumps(pieces(self.texts[name])[0])})", 60
        )
        self.read(name)

    def act(self, button, name, place):
        """Click the element of that id, and then as says()."""
        self.browser.act(button)
        self.says(name, place)

    def unread(self):
        """The names of the texts that have not been met."""
        seen = "".join(self.seen)
        return [name for name, text in self.texts.items() if not any(piece in seen for piece in pieces(text))]

    def close_dialogs(self):
        self.browser.evaluate("(document.querySelectorAll('dialog[open]').forEach(dialog => dialog.close()), 0)")


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "marked.html"
    texts = marked(page.texts())
    with pytest.MonkeyPatch.context() as patch, browsers.chromium() as new_page:
        patch.setattr(page, "texts", lambda: texts)
        path.write_text(page.page(), encoding="utf-8")
        browser = new_page()
        browser.load(path.as_uri())
        yield Reader(browser, texts)


def play(reader):
    browser, start = reader.browser, Board.start(get_rules("twoflags"))
    begin(browser, "twoflags")
    reader.read("new game")
    reader.act("hint", "hint-said", "said")
    browser.press('[data-square="e5"]')
    browser.press('[data-square="e2"]')
    reader.read("chosen")
    browser.press('[data-square="e5"]')
    reader.says("refused-target", "said")
    make(browser, start, start.moves()[0], "click")
    browser.until("document.querySelectorAll('#moves a').length === 2")
    reader.read("moved")
    browser.act("take-back")
    reader.act("take-back", "take-back-nothing", "said")
    reader.act("resign", "resign-again", "said")
    reader.act("resign", "ended-white-resigned", "position")
    begin(browser, "breakthrough", "both", time="clock 1 1")
    reader.read("clocks")
    for key, name in (("m", "marked"), ("m", "unmarked"), ("a", "arrow-begun"), ("Escape", "to-move")):
        browser.key(key)
        reader.says(name, "position" if name == "to-move" else "said")
    browser.act("resign")


def analyse(reader):
    browser = reader.browser
    browser.act("mode-analyse")
    browser.act("show-open")
    open_text(browser, '[Variant "twoflags"]\n\n1. e4 a6 2. a3 *')
    reader.read("read")
    browser.until("document.querySelectorAll('#lines li').length")
    reader.says("search-speed", "search")
    reader.act("first", "explorer-all-known", "explorer-counts")
    reader.says("known-wins-how", "known")
    reader.act("review-game", "review-running", "review-text")
    reader.says("review-side", "review-text")
    reader.act("next-fault", "fault-gave-away", "review-text")
    reader.act("try-fault", "try-better", "review-text")
    for pane in ("lines", "explorer", "curve", "moves"):
        browser.evaluate(f"(document.querySelector('[data-shows={pane}]').click(), 0)")
        reader.read(pane)
    browser.page.set_viewport_size({"width": 390, "height": 844})
    reader.read("on a phone")
    browser.page.set_viewport_size({"width": 1280, "height": 800})
    browser.act("last")
    browser.act("move-more")
    reader.read("menu")
    reader.close_dialogs()


def open_games(reader):
    browser = reader.browser
    for text, name in BAD_GAMES.items():
        browser.act("show-open")
        open_text(browser, text)
        reader.says(name, "reading")
        reader.close_dialogs()
    browser.act("show-open")
    open_text(browser, f"{ENDED}\n\n{ENDED}")
    reader.says("games-found", "reading")
    open_text(browser, "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    reader.read("others")
    open_text(browser, ENDED)
    reader.says("ended-white-resigned", "position")


def open_dialogs(reader):
    browser = reader.browser
    for button in ("show-share", "show-rules", "show-settings", "show-edit"):
        browser.act(button)
        reader.read(button)
        if button == "show-edit":
            reader.act("edit-clear", "fen-no-pawn", "edit-fault")
            browser.act("edit-start")
        if button == "show-share":
            browser.act("copy-fen")
            browser.until("document.getElementById('shared').textContent")
            reader.read("copied")
        reader.close_dialogs()
    reader.act("play-from", "play-from-what", "play-from-what")
    browser.choose("#time", "own clock")
    browser.evaluate("(document.getElementById('minutes').value = '999', 0)")
    reader.act("new-game", "bad-minutes", "time-fault")
    reader.close_dialogs()


def learn(reader):
    browser = reader.browser
    reader.act("mode-learn", "puzzle-ask", "lesson")
    words = parse_qs(browser.until("location.hash.includes('mode=learn') && location.hash.slice(1)"))
    board = parse_fen(get_rules(words["game"][0]), words["fen"][0])
    solution = next(row["move"] for row in page.puzzles() if row["fen"] == words["fen"][0])
    make(browser, board, next(move for move in board.moves() if move_text(board, move) != solution), "click")
    reader.says("puzzle-wrong", "lesson")
    reader.says("puzzle-refuted", "lesson")
    reader.act("solution", "puzzle-solution", "lesson")
    reader.act("watch", "puzzle-won", "lesson")
    reader.act("next-puzzle", "puzzle-ask", "lesson")
    browser.act("show-forget")
    reader.read("forget")
    reader.close_dialogs()


def meet_faults(reader):
    for event in (
        "new ErrorEvent('error', {message: 'e4'})",
        "new PromiseRejectionEvent('unhandledrejection', {promise: Promise.resolve(), reason: 'e4'})",
    ):
        reader.browser.evaluate(f"(dispatchEvent({event}), 0)")
        reader.says("went-wrong", "trouble")


def test_all_that_is_read_comes_from_the_texts(reader):
    assert reader.browser.evaluate("document.documentElement.lang") == "de"
    reader.read("begin")
    for part in (play, analyse, open_games, open_dialogs, learn, meet_faults):
        part(reader)
    assert reader.wrong == set() and reader.browser.complaints == []
    assert len(reader.unread()) < len(reader.texts) / 4
