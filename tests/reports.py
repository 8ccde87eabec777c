"""PGN of made-up matches, and the pages of HTML made of them, for the tests of the report."""

import random
import re
from html.parser import HTMLParser

import browsers
import pytest

from pawnstorm.games.notation import fen, move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.pgn import format_game, game_tags
from pawnstorm_tools.reporting import page, reading

NASTY = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;"


def played(name, number, white, black, chance, opening=None):
    """The PGN of a random game with made-up scores, the last ones proven."""
    rules = get_rules(name)
    board = first = parse_fen(rules, opening) if opening else Board.start(rules)
    moves = []
    while not board.is_game_over():
        move = chance.choice(board.moves())
        moves.append(move_text(board, move))
        board = board.push(move)
    notes = []
    for index, text in enumerate(moves):
        left = len(moves) - index  # 1 at the winner's last move
        score = chance.randint(-300, 300) if left > 4 else f"{'' if left % 2 else '-'}M{(left + 1) // 2}"
        notes.append([text, chance.uniform(1, 90), None, score, chance.randint(3, 9), 1000, 1])
    record = {
        "result": "1-0" if board.black_to_move else "0-1",
        "reason": "normal",
        "detail": "so it ended",
        "moves": notes,
    }
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


def report(text, analysis=None):
    """The report of a PGN, whose positions open in the page at `analysis`."""
    return page.page(reading.parse(text, "test"), analysis)


def write_report(path, text, analysis=None):
    """Write such a report; returns its address."""
    path.write_text(report(text, analysis), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def show(tmp_path_factory):
    """show(fragment, **context) is a Playwright page on a 200-game report in Chromium; nothing complains, or is loaded.

    address: of another report; before: a script that runs before those of the page.
    """
    usual, complaints = write_report(tmp_path_factory.mktemp("report") / "report.html", match(200)), []

    def note(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            complaints.append(request.url)

    with browsers.chromium() as new_page:

        def show(fragment="", address=usual, before="", **context):
            browser = new_page(**context)
            browser.complaints, shown = complaints, browser.page
            shown.add_init_script(before)
            shown.on("request", note)
            shown.goto(address + fragment)
            for chart in ("evaluation", "depth"):
                shown.wait_for_selector(f"#{chart}-chart svg")
            return shown

        yield show
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
