"""PGN of made-up matches, and the pages of HTML made of them, for the tests of the report."""

import random
import re
import shutil
from html.parser import HTMLParser

import client
import psutil
import pytest

from pawnstorm.games.board import Board
from pawnstorm.games.notation import fen, move_text, parse_fen
from pawnstorm.games.rules import game
from pawnstorm_protocol.pgn import format_game, game_tags
from pawnstorm_tools.reporting import page, reading

NASTY = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;"


def played(name, number, white, black, chance, opening=None):
    """The PGN of a random game with made-up scores, the last ones proven."""
    rules = game(name)
    board = first = parse_fen(rules, opening) if opening else Board.start(rules)
    moves = []
    while not board.over():
        move = chance.choice(board.moves())
        moves.append(move_text(board, move))
        board = board.push(move)
    notes = []
    for index, text in enumerate(moves):
        left = len(moves) - index  # 1 at the winner's last move
        score = chance.randint(-300, 300) if left > 4 else f"{'' if left % 2 else '-'}M{(left + 1) // 2}"
        notes.append([text, chance.uniform(1, 90), None, score, chance.randint(3, 9), 1000, 1])
    record = {"result": "1-0" if board.black else "0-1", "reason": "normal", "detail": "so it ended", "moves": notes}
    tags = game_tags("test", f"{number}", white, black, name, fen(first), "2026.01.02") | {"TimeControl": "nodes=5"}
    return format_game(record, tags, rules)


def match(count, name="breakthrough", seed=1, players=("one", "two"), **more):
    """A PGN of so many games, colours alternating."""
    chance = random.Random(seed)
    return "".join(
        played(name, number, players[number % 2], players[1 - number % 2], chance, **more) for number in range(count)
    )


def followed(record):
    """The placements that a record's steps lead through, by nothing but removing and placing pawns, as the page does
    it.
    """
    rows = record["opening"].split()[0].split("/")
    pawns = {}
    for index, row in enumerate(rows):
        line = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
        pawns |= {
            "abcdefgh"[file] + str(len(rows) - index): letter for file, letter in enumerate(line) if letter != "."
        }
    yield pawns
    for step in record["steps"]:
        pawns = dict(pawns)
        if step[4:]:
            del pawns[step[5:]]
        assert step[2:4] not in pawns
        pawns[step[2:4]] = pawns.pop(step[:2])
        yield pawns


class Elements(HTMLParser):
    """All elements: (tag, attributes, text directly inside)."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append([tag, dict(attributes), ""])
        if tag not in ("meta", "link", "br", "img", "input"):
            self.open.append(self.found[-1])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if self.open:
            self.open[-1][2] += data

    def named(self, *tags):
        return [entry for entry in self.found if entry[0] in tags]


def shown_text(text, tag, **wanted):
    """The text of the first such element and all that is in it, on one line."""
    start = text.index(f"<{tag}" + "".join(f' {name}="{value}"' for name, value in wanted.items()))
    return " ".join(re.sub("<[^>]*>", " ", text[start : text.index(f"</{tag}>", start)]).split())


def three_engines(count=12, forfeit=False):
    """The PGN of so many games of three engines, of which the first wins all of its games."""
    chance, games = random.Random(5), []
    for number in range(count):
        names = [("first", "second"), ("second", "third"), ("third", "first")][number % 3]
        text = played("hexapawn", number, *names, chance)
        better = "1-0" if min(names) == names[0] else "0-1"
        while f'[Result "{better}"]' not in text:
            text = played("hexapawn", number, *names, chance)
        games.append(text)
    if forfeit:
        games[0] = games[0].replace('[Termination "normal"]', '[Termination "time forfeit"]')
    return "".join(games)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """(show, path): show(fragment, **context) is a page of a 200-game report in headless Chromium; nothing complains,
    or is loaded.

    before: a script that runs before those of the page.
    """
    playwright = pytest.importorskip("playwright.sync_api")
    pytest.importorskip("axe_playwright_python")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page.page(reading.parse(match(200), "test")), encoding="utf-8")
    complaints, contexts = [], []
    before = set(psutil.Process().children(recursive=True))
    with playwright.sync_playwright() as running:
        try:
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium: {error.message.splitlines()[0]}")
        browsing = {process.pid for process in set(psutil.Process().children(recursive=True)) - before}
        client.shared.update(browsing)

        def show(fragment="", ready="#evaluation-chart svg", address=path.as_uri(), before="", **context):
            contexts.append(browser.new_context(**context))
            shown = contexts[-1].new_page()
            shown.add_init_script(before)
            shown.on("console", lambda message: complaints.append(message.text))
            shown.on("pageerror", lambda error: complaints.append(str(error)))
            shown.on(
                "request",
                lambda request: request.url.startswith(("file:", "data:", "blob:")) or complaints.append(request.url),
            )
            shown.goto(address + fragment)
            shown.wait_for_selector(ready)
            shown.wait_for_selector("#depth-chart svg")
            return shown

        yield show, path
        browser.close()
    client.shared.difference_update(browsing)
    assert complaints == []


def pawns(shown):
    """The squares of the pawns that are drawn: {(x, y, class)} in squares from the upper left."""
    found = shown.eval_on_selector_all(
        ".board-pawns use", "uses => uses.map(use => ['x', 'y', 'class'].map(name => use.getAttribute(name)))"
    )
    return {((int(x) - 24) // 45, (int(y) - 24) // 45, kind[0]) for x, y, kind in found}


def expected(record, ply):
    placement = list(followed(record))[ply]
    return {
        ("abcdefgh".index(square[0]), 8 - int(square[1]), "w" if letter == "P" else "b")
        for square, letter in placement.items()
    }


def told(shown, fragment):
    """Wait until the address says so."""
    shown.wait_for_url(lambda url: url.endswith(fragment), timeout=5000)


def until(shown, fact):
    """Wait until an expression is true in the page: at most ten seconds, and without wait_for_function's eval, which
    the page forbids.
    """
    assert shown.evaluate(f"""() => new Promise(resolve => {{
        const late = setTimeout(() => resolve(false), 10000);
        const look = () => {{ if ({fact}) {{ clearTimeout(late); resolve(true); }} else requestAnimationFrame(look); }};
        look();
    }})"""), fact


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TURNED = PHONE | {"viewport": {"width": 844, "height": 390}}
IN_VIEW = """(({left, right, top, bottom, height}) => height > 100 && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight)(
    document.getElementById('board').getBoundingClientRect())"""
