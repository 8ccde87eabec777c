"""The page's board: its squares and coordinates, its colours, what the user draws on it, premoves, sounds, and what it says where
nothing can be moved.
"""

import itertools
import json

import browsers
import pytest
from page_hands import MOVES, begin, by_keys, make
from pages import browser, opened, page_reader, scripted, with_script, written  # noqa: F401  fixtures

from pawnstorm.games.notation import parse_square
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
DRAWN = "[...document.querySelectorAll('.drawing')].map(part => part.dataset.drawing)"
"""The user's drawings, as lichess names them."""
ENGINE = """
  window.Worker = class {
    constructor() { setTimeout(() => this.hear({kind: 'ready'})); }
    hear(data) { this.onmessage({data}); }
    terminate() {}
    postMessage(message) {
      if (message.kind === 'ping') this.hear({kind: 'pong'});
      if (message.kind === 'go') window.answer = move => this.hear({kind: 'best', id: message.id, line: [move]});
    }
  };
"""
"""A script before the page's own: the engine thinks until the test calls window.answer with its move, as the mover sees it."""
HEARD = """
  window.heard = [];
  const {start} = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function(...when) { window.heard.push(this.frequency.value); start.apply(this, when); };
  Object.defineProperty(navigator, 'userActivation', {get: () => ({hasBeenActive: Boolean(window.touched)})});
  addEventListener('pointerdown', () => { window.touched = true; }, true);
"""
"""A script before the page's own that notes the pitch of each tone. Chromium takes what a test evaluates for the user's gesture:
here a press alone is one.
"""


@pytest.fixture(autouse=True)
def without_preferences(request):
    """No test leaves preferences to the next one."""
    yield
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").evaluate("localStorage.clear()")


@pytest.fixture
def slow_engine(browser, scripted):
    """The page with an engine that answers when the test says so, in a game of Two Flags with a clock."""
    scripted(ENGINE)
    begin(browser, "twoflags", level="", time="clock 1 1")
    return browser


def answer(browser, move, black=True):
    """The engine makes a move, such as e7e5."""
    rules = get_rules("twoflags")
    source, target = (parse_square(rules, name) ^ (56 if black else 0) for name in (move[:2], move[2:]))
    browser.until("Boolean(window.answer)")
    browser.evaluate(
        f"((answer, move) => {{ window.answer = null; answer(move); }})(window.answer, {source | target << 6})"
    )


def at(browser, name, x=0.5, y=0.5):
    """A place on a square, as parts of its width and height."""
    return browser.evaluate(
        f"(box => [box.x + {x} * box.width, box.y + {y} * box.height])"
        f"(document.querySelector('[data-square=\"{name}\"]').getBoundingClientRect())"
    )


def click(browser, *names, button="left"):
    for name in names:
        browser.click(*at(browser, name), button=button)


def marked(browser, kind):
    """The squares that a mark of this kind lies on."""
    return browser.evaluate(f"""[...document.querySelectorAll('.board-marked .{kind}')].map(mark => {{
      const box = mark.getBoundingClientRect();
      return document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2).find(part => part.dataset?.square)?.dataset.square;
    }}).sort()""")


def prefer(browser, name, value):
    browser.choose(f"#prefer-{name}", value)


def said(browser, text):
    browser.until(f"document.getElementById('said').textContent === {json.dumps(text)}")


# Squares and coordinates.


@pytest.mark.parametrize("name", ["twoflags", "breakthrough5x6", "breakthrough2x8"])
def test_board_fills_its_place_and_the_grid_lies_on_its_squares(name, opened):
    begin(opened, name, "both")
    assert (
        opened.evaluate("""(() => {
      const [board, place] = ['board', 'board-place'].map(id => document.getElementById(id).getBoundingClientRect());
      const drawn = document.querySelector('.board-squares rect').getBoundingClientRect();
      return Math.max(...['left', 'right', 'top', 'bottom'].flatMap(edge => [board[edge] - place[edge], drawn[edge] - place[edge]]).map(Math.abs));
    })()""")
        < 1
    )
    for _ in range(2):
        assert opened.evaluate("""Math.max(...[...document.querySelectorAll('.board-pawns use')].map(use => {
          const [drawn, cell] = [use, document.querySelector(`[data-square=${use.dataset.at}]`)].map(part => part.getBoundingClientRect());
          return Math.abs(drawn.x + drawn.width / 2 - cell.x - cell.width / 2) / cell.width;
        }))""") < 0.05  # fmt: skip
        opened.act("flip")


@pytest.mark.parametrize("name", ["twoflags", "breakthrough5x6"])
def test_coordinates_stand_in_corners_of_their_squares(name, opened):
    begin(opened, name, "both")
    rules = get_rules(name)
    places = """[...document.querySelectorAll('.board-coordinates text')].map(label => {
      const box = label.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const cell = document.elementsFromPoint(x, y).find(part => part.dataset?.square);
      const {left, top, width, height} = cell.getBoundingClientRect();
      return [label.textContent, cell.dataset.square, (x - left) / width, (y - top) / height];
    })"""
    for files, ranks in (("abcdefgh", "12345678"), ("hgfedcba", "87654321")):
        files, ranks = (
            "".join(letter for letter in names if letter in kept)
            for names, kept in ((files, "abcdefgh"[: rules.files]), (ranks, "12345678"[: rules.ranks]))
        )
        found = opened.evaluate(places)
        assert [label for label, *_ in found] == list(files + ranks)
        for label, square, x, y in found[: rules.files]:
            assert square == label + ranks[0] and x > 0.7 and y > 0.7
        for label, square, x, y in found[rules.files :]:
            assert square == files[0] + label and x < 0.3 and y < 0.3
        opened.act("flip")
    prefer(opened, "coordinates", "off")
    assert opened.evaluate("getComputedStyle(document.querySelector('.board-coordinates')).display") == "none"


def test_a_step_keeps_the_elements_of_pawns_that_stay(written, browser):
    browser.load(written.as_uri() + "#game=breakthrough&moves=c2d3f7e6d3e4&mode=analyse")
    browser.evaluate(
        "document.querySelectorAll('.board-pawns use').forEach(use => { use.dataset.kept = use.dataset.at; })"
    )
    moved = """[...document.querySelectorAll('.board-pawns use')].filter(use => use.dataset.kept !== use.dataset.at)
      .map(use => [use.dataset.kept, use.dataset.at]).sort()"""
    for button, expected in (
        ("back", [["e4", "d3"]]),
        ("back", [["e4", "d3"], ["e6", "f7"]]),
        ("back", [["e4", "c2"], ["e6", "f7"]]),
        ("forward", [["e4", "d3"], ["e6", "f7"]]),
    ):
        browser.act(button)
        assert browser.evaluate(moved) == expected


# Colours.

GROUND = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(21, 24, 29)"
COLOURS = ("squares-0", "squares-1", "coordinates-0", "coordinates-1", "white-0", "white-1", "black-0", "black-1")


@pytest.fixture(scope="module")
def new_page():
    with browsers.chromium() as found:
        yield found


@pytest.mark.parametrize("system, ground, other", [("light", LIGHT, "dark"), ("dark", DARK, "light")])
def test_theme_is_the_systems_until_the_user_chooses_one(system, ground, other, new_page, written):
    browser = new_page(color_scheme=system)
    browser.load(written.as_uri())
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    assert browser.evaluate(GROUND) == ground
    prefer(browser, "theme", other)
    chosen = LIGHT if other == "light" else DARK
    assert browser.evaluate(GROUND) == chosen and browser.evaluate(scheme) == other
    prefer(browser, "theme", "system")
    assert browser.evaluate(GROUND) == ground
    browser.page.context.close()


def test_chosen_colours_are_there_before_anything_is_drawn(written, browser, tmp_path):
    note = """new MutationObserver(() => {
      if (document.body) window.noted ??= ['theme', 'board'].map(name => document.documentElement.dataset[name]);
    }).observe(document, {childList: true, subtree: true});"""
    address = with_script(written, note, tmp_path / "noted.html")
    browser.load(address)
    browser.act("got-it")  # which is kept before them
    prefer(browser, "theme", "dark")
    prefer(browser, "board", "green")
    browser.load(address)
    assert browser.evaluate("window.noted") == ["dark", "green"] and browser.evaluate(GROUND) == DARK
    assert browser.evaluate(
        "[document.getElementById('prefer-theme').value, document.getElementById('prefer-board').value]"
    ) == ["dark", "green"]


def contrast(*colours):
    """The contrast of two colours [red, green, blue] of 0 to 255, as WCAG 2 defines it."""

    def luminance(colour):
        parts = [part / 255 for part in colour]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts))

    darker, lighter = sorted(map(luminance, colours))
    return (lighter + 0.05) / (darker + 0.05)


def over(colour, ground):
    """A colour [red, green, blue, opacity] on a ground."""
    *parts, opacity = colour
    return [part * opacity + other * (1 - opacity) for part, other in zip(parts, ground)]


@pytest.mark.parametrize("theme, board", list(itertools.product(("light", "dark"), ("wood", "green", "grey"))))
def test_contrast_of_pawns_and_coordinates(theme, board, new_page, written):
    browser = new_page()
    browser.load(written.as_uri())
    prefer(browser, "theme", theme)
    prefer(browser, "board", board)

    def colour(name):
        return browser.evaluate(f"""(() => {{
          const paint = document.createElement('canvas').getContext('2d', {{colorSpace: 'srgb'}});
          paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('{name}').trim();
          paint.fillRect(0, 0, 1, 1);
          const [red, green, blue, opacity] = paint.getImageData(0, 0, 1, 1).data;
          return [red, green, blue, opacity / 255];
        }})()""")

    plain = [colour(f"--board-squares-{place}")[:3] for place in (0, 1)]
    last = [*colour("--board-last-0")[:3], float(browser.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--board-last-opacity-0')"))]  # fmt: skip
    faint = [*last[:3], last[3] * 0.6]
    marks = [last, faint, colour("--selected"), colour("--premove"), colour("--refused")]
    pawns = {kind: [colour(f"--board-{kind}-{place}")[:3] for place in (0, 1)] for kind in ("white", "black")}
    for place, square in enumerate(plain):
        assert contrast(colour(f"--board-coordinates-{place}")[:3], square) >= 4.5
        assert contrast(over(colour("--hint"), square), square) >= 3
        for ground in (square, *(over(mark, square) for mark in marks)):
            for parts in pawns.values():  # a pawn is seen by its fill or by its outline
                assert max(contrast(part, ground) for part in parts) >= 3
    assert contrast(pawns["white"][0], pawns["black"][0]) >= 7
    browser.page.context.close()


# Drawings.


def test_the_right_button_draws_and_removes(opened):
    begin(opened, "twoflags", "both")
    opened.evaluate(
        "addEventListener('contextmenu', event => { window.menus = [...window.menus ?? [], event.defaultPrevented]; })"
    )
    opened.drag(at(opened, "d2"), at(opened, "d4"), button="right")
    assert opened.evaluate(DRAWN) == ["Gd2d4"]
    said(opened, "Arrow from d2 to d4.")
    click(opened, "c3", button="right")
    with opened.held("Control"):
        click(opened, "e5", button="right")
    with opened.held("Alt"):
        opened.drag(at(opened, "g1"), at(opened, "f3"), button="right")
        with opened.held("Control"):
            click(opened, "h8", button="right")
    assert opened.evaluate(DRAWN) == ["Gd2d4", "Gc3", "Re5", "Bg1f3", "Yh8"]
    click(opened, "e5", "c3", button="right")  # another colour, then the same
    assert opened.evaluate(DRAWN) == ["Gd2d4", "Ge5", "Bg1f3", "Yh8"]
    assert opened.evaluate("(window.menus ?? []).every(Boolean)")
    assert opened.evaluate("document.querySelector('[data-square=e5]').getAttribute('aria-label')") == "e5, marked"
    click(opened, "a5")  # an empty square
    assert opened.evaluate(DRAWN) == []


def test_drawings_stay_with_their_position(opened):
    begin(opened, "twoflags", "both")
    click(opened, "c3", button="right")
    make(opened, Board.start(get_rules("twoflags")), Board.start(get_rules("twoflags")).moves()[0], "click")
    assert opened.evaluate(DRAWN) == []
    opened.act("back")
    assert opened.evaluate(DRAWN) == ["Gc3"]
    opened.act("forward")
    assert opened.evaluate(DRAWN) == []


def test_keys_draw_too(opened):
    begin(opened, "twoflags", "both")
    opened.evaluate("document.querySelector('#squares [tabindex=\"0\"]').focus()")  # a1
    opened.key("m")
    with opened.held("Shift"):
        opened.key("A")
    said(opened, "Arrow from a1: go to another square, and press A again.")
    opened.key("ArrowUp")
    opened.key("ArrowRight")
    with opened.held("Shift"):
        opened.key("A")
    assert opened.evaluate(DRAWN) == ["Ga1", "Ra1b2"]
    opened.key("Escape")
    assert opened.evaluate(DRAWN) == []


@pytest.mark.parametrize(
    "comment, drawn",
    [
        ("A plan. [%csl Rd4,Ge5][%cal Gd2d4]", "[%csl Rd4,Ge5][%cal Gd2d4]"),
        ("[%cal Gd2d4,Yc1f4] [%csl Bh8]", "[%csl Bh8][%cal Gd2d4,Yc1f4]"),
        ("[%clk 0:01:00] [%csl Xd4,Gi9,Gd44,G] [%cal Gd2]", "[%csl Gd2]"),
        ("[%csl " + "Gd4," * 1000, ""),
    ],
)
def test_drawings_are_written_and_read_as_lichess_does(comment, drawn, page_reader):
    assert page_reader("drawn", "twoflags", comment) == {"answer": drawn}


def test_drawings_beside_a_smaller_board_are_left_out(page_reader):
    assert page_reader("drawn", "breakthrough5x6", "[%csl Ge6,Gf1,Ga7][%cal Ga1f6,Ga1e6]") == {
        "answer": "[%csl Ge6][%cal Ga1e6]"
    }


# Premoves.


def premoved(browser, way, source="d2", target="d4"):
    """Make a premove."""
    if way == "keys":
        by_keys(browser, source, target)
    elif way == "drag":
        browser.drag(at(browser, source), at(browser, target))
    else:
        click(browser, source, target)
    assert marked(browser, "premove") == sorted([source, target])


@pytest.mark.parametrize("way", ["click", "drag", "keys"])
def test_a_premove_is_played_once_the_engine_has_moved_and_costs_no_time(way, slow_engine):
    clock = "(text => text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0))(document.querySelector('#player-below .clock').textContent)"
    click(slow_engine, "e2", "e4")
    before = slow_engine.evaluate(clock)
    premoved(slow_engine, way)
    said(slow_engine, "Premove: d2 to d4.")
    assert len(slow_engine.evaluate(MOVES)) == 1
    answer(slow_engine, "a7a6")
    slow_engine.until(f"({MOVES}).length === 3")
    assert slow_engine.evaluate(MOVES) == ["e4", "a6", "d4"] and marked(slow_engine, "premove") == []
    assert slow_engine.evaluate(clock) >= before + 1 - 0.1 - 0.5  # the clock shows whole seconds, and the move adds one


def test_a_capture_is_premoved_and_one_that_has_become_illegal_is_not_played(slow_engine):
    click(slow_engine, "e2", "e4")
    premoved(slow_engine, "click", "e4", "d5")
    answer(slow_engine, "d7d5")
    slow_engine.until(f"({MOVES}).length === 3")
    assert slow_engine.evaluate(MOVES)[2] == "exd5"
    premoved(slow_engine, "click", "d5", "e6")
    answer(slow_engine, "a7a6")
    said(slow_engine, "The premove from d5 to e6 is not legal now.")
    assert len(slow_engine.evaluate(MOVES)) == 4 and marked(slow_engine, "premove") == []


@pytest.mark.parametrize("way", ["right click", "Escape", "another click"])
def test_a_premove_is_cancelled(way, slow_engine):
    click(slow_engine, "e2", "e4")
    premoved(slow_engine, "click")
    if way == "Escape":
        slow_engine.key("Escape")
    else:
        click(slow_engine, "a5", button="right" if way == "right click" else "left")
    assert marked(slow_engine, "premove") == [] and slow_engine.evaluate(DRAWN) == []
    answer(slow_engine, "a7a6")
    assert len(slow_engine.evaluate(MOVES)) == 2


def test_a_pawn_chosen_while_the_engine_thinks_stays_chosen(slow_engine):
    click(slow_engine, "e2", "e4", "d2")
    answer(slow_engine, "a7a6")
    assert marked(slow_engine, "selected") == ["d2"] and marked(slow_engine, "target") == ["d3", "d4"]


def test_premoves_can_be_switched_off(slow_engine):
    prefer(slow_engine, "premove", "off")
    click(slow_engine, "e2", "e4", "d2")
    said(slow_engine, "Black is to move.")
    assert marked(slow_engine, "selected") == []


def test_a_premove_is_not_played_once_premoves_are_off(slow_engine):
    click(slow_engine, "e2", "e4")
    premoved(slow_engine, "click")
    prefer(slow_engine, "premove", "off")
    answer(slow_engine, "a7a6")
    assert slow_engine.evaluate(MOVES) == ["e4", "a6"] and marked(slow_engine, "premove") == []


# Sounds.


def test_moves_are_heard_once_sounds_are_on(written, browser, tmp_path):
    address = with_script(written, HEARD, tmp_path / "heard.html")
    browser.load(address)
    begin(browser, "twoflags", "both")
    click(browser, "e2", "e4")
    assert browser.evaluate("window.heard") == []
    browser.press("#sound")
    assert browser.evaluate(
        "[document.getElementById('sound').getAttribute('aria-pressed'), document.getElementById('prefer-sound').value]"
    ) == ["true", "on"]
    browser.evaluate("(window.heard = [], 0)")
    click(browser, "d7", "d5")
    assert len(browser.evaluate("window.heard")) == 1  # a move
    click(browser, "e4", "d5")
    assert len(browser.evaluate("window.heard")) == 3  # a capture
    click(browser, "a2")
    assert len(browser.evaluate("window.heard")) == 4  # refused
    for _ in range(2):  # the second time confirms it
        browser.press("#resign")
    assert len(browser.evaluate("window.heard")) == 7  # the end
    prefer(browser, "sound", "off")
    assert browser.evaluate("document.getElementById('sound').getAttribute('aria-pressed')") == "false"


def test_nothing_is_heard_before_the_user_touches_the_page(written, browser, tmp_path):
    address = with_script(written, HEARD, tmp_path / "heard.html")
    browser.load(address)
    prefer(browser, "sound", "on")
    browser.load(f"{address}#game=twoflags&moves=e2e4e7e5&mode=analyse&ply=0")
    browser.act("forward")
    assert browser.evaluate("window.heard") == []
    browser.press("#forward")
    assert len(browser.evaluate("window.heard")) == 1


# The hand.


def test_what_cannot_be_moved_is_said_and_seen(opened):
    begin(opened, "twoflags", "both")
    opened.evaluate("""(new MutationObserver(changes => {
      const added = changes.flatMap(change => [...change.addedNodes]).find(node => node.classList?.contains('refused'));
      if (added) window.flashed = [added.x.baseVal.value / 45, added.y.baseVal.value / 45];
    }).observe(document.querySelector('.board-ground'), {childList: true}), 0)""")
    click(opened, "e2", "e4", "e7", "e5")
    for names, words in (
        (["a7"], "White is to move."),
        (["e4"], "The pawn on e4 is blocked."),
        (["d2", "d5"], "The pawn on d2 cannot go to d5."),
    ):
        click(opened, *names)
        said(opened, words)
        assert opened.evaluate("window.flashed") == ["abcdefgh".index(names[-1][0]), 8 - int(names[-1][1])]
        assert marked(opened, "selected") == []
    opened.until("!document.querySelector('.refused')")
    for _ in range(2):  # the second time confirms it
        opened.press("#resign")
    click(opened, "d2")
    said(opened, "The game is over.")


def test_a_dragged_pawn_is_under_the_pointer_over_the_highlighted_target(opened):
    begin(opened, "twoflags", "both")
    pawn = "document.querySelector('.board-pawns [data-at=e2]')"
    for target, highlighted in (("g6", []), ("e4", ["e4"])):
        place = at(opened, target, 0.3, 0.4)
        opened.grab(at(opened, "e2", 0.8, 0.2), place)
        box = opened.evaluate(f"(box => [box.x, box.y, box.width, box.height])({pawn}.getBoundingClientRect())")
        middle = [box[axis] + box[axis + 2] / 2 for axis in (0, 1)]
        assert max(abs(one - other) for one, other in zip(middle, place)) < 5
        assert marked(opened, "over") == highlighted
        assert opened.evaluate("document.querySelectorAll('.ghost').length") == 1
        opened.drop()
        assert marked(opened, "over") == [] and opened.evaluate("document.querySelectorAll('.ghost').length") == 0
    assert opened.evaluate(MOVES) == ["e4"]


def test_a_pawn_is_dragged_on_while_the_engine_moves(slow_engine):
    click(slow_engine, "e2", "e4")
    place = at(slow_engine, "d3")
    slow_engine.grab(at(slow_engine, "d2"), place)
    answer(slow_engine, "a7a6")
    box = slow_engine.evaluate(
        "(box => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector('.board-pawns [data-at=d2]').getBoundingClientRect())"
    )
    assert max(abs(one - other) for one, other in zip(box, place)) < 5
    slow_engine.drop()
    assert slow_engine.evaluate(MOVES) == ["e4", "a6", "d3"]


def test_a_dropped_pawn_does_not_slide_and_one_that_is_clicked_does(opened):
    begin(opened, "twoflags", "both")
    opened.evaluate("""(Element.prototype.animate = (animate => function(...words) {
      window.slides = (window.slides ?? 0) + 1;
      return animate.apply(this, words);
    })(Element.prototype.animate), 0)""")
    opened.drag(at(opened, "e2"), at(opened, "e4"))
    assert opened.evaluate(MOVES) == ["e4"] and opened.evaluate("window.slides ?? 0") == 0
    assert opened.evaluate("document.querySelector('.board-pawns [data-at=e4]').style.transform") == ""
    click(opened, "e7", "e5")
    assert opened.evaluate(MOVES) == ["e4", "e5"] and opened.evaluate("window.slides ?? 0") == 1


def test_a_pawn_released_outside_the_board_is_not_dragged_on(opened):
    begin(opened, "twoflags", "both")
    x, y = at(opened, "a2", 0.1)
    opened.evaluate(f"""(place => {{
      const tell = (kind, x, y, buttons) => place.dispatchEvent(
        new PointerEvent(kind, {{bubbles: true, pointerType: 'mouse', clientX: x, clientY: y, buttons, button: kind === 'pointerdown' ? 0 : -1}}));
      tell('pointerdown', {x}, {y}, 1);    // and released elsewhere, which no square hears
      tell('pointermove', {x}, {y} - 100, 0);
    }})(document.querySelector('#squares [data-square=a2]')) ?? 0""")
    assert opened.evaluate("document.querySelectorAll('.ghost').length") == 0
    click(opened, "a4")
    assert opened.evaluate(MOVES) == ["a4"]  # it is chosen still
