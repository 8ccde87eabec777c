"""The page in more than one tab of Chromium: what the clipboard carries from one to another, and links opened in a new one."""

import browsers
import pytest
from browsers import READY
from page_hands import CURRENT, MOVES, title
from pages import written  # noqa: F401  a fixture

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
FEW = "#game=breakthrough&fen=8/5p2/5p1p/8/5PP1/8/8/8+b&moves=f6f5&mode=analyse"  # of several games


@pytest.fixture(scope="module")
def new_context():
    """A function that begins a session of the browser, whose tabs share its clipboard."""
    with browsers.chromium() as new_page:
        yield lambda: new_page(permissions=["clipboard-read", "clipboard-write"]).page.context


@pytest.fixture
def new_tab(new_context, written):
    """A function that opens the page in a tab, as a part of the address says."""
    context = new_context()

    def open_page(part=""):
        tab = browsers.Chromium(context.new_page())
        tab.load(written.as_uri() + part)
        return tab

    yield open_page
    context.close()


def copy_fen(tab):
    tab.act("show-share")
    tab.press("#copy-fen")
    tab.until("document.getElementById('shared').textContent === 'FEN copied.'")
    tab.key("Escape")


def paste(tab):
    tab.act("show-open")
    tab.evaluate("(document.getElementById('text').value = '', 0)")
    tab.key("Control+V")
    tab.act("open")
    return tab.text("reading")


def test_copied_fen_carries_its_game_to_another_tab(new_tab):
    one, other = new_tab(FEW), new_tab("#game=twoflags&mode=analyse")
    copy_fen(one)
    text = other.evaluate("navigator.clipboard.readText()")
    assert text == "8/5p2/7p/5p2/5PP1/8/8/8 w - - 0 2"  # for every other program
    assert paste(other) == "Found: a position of Breakthrough, 8 by 8."
    assert title(other).startswith("Breakthrough, 8 by 8") and other.evaluate(MOVES) == []
    other.evaluate("(document.getElementById('text').value = '8/8/8/3p4/3P4/8/8/8 w', 0)")  # another text
    other.act("open")
    assert other.text("reading").endswith("this is the one that was open.")
    assert one.complaints == other.complaints == []


def test_fen_is_copied_where_the_browser_carries_no_rich_text(new_tab):
    one = new_tab(FEW)
    one.evaluate("(delete globalThis.ClipboardItem, 0)")
    copy_fen(one)
    assert one.evaluate("navigator.clipboard.readText()") == "8/5p2/7p/5p2/5PP1/8/8/8 w - - 0 2"
    assert "the one that was open" in paste(one)


@pytest.mark.parametrize("hold", [{"button": "middle"}, {"modifiers": ["Control"]}, {"modifiers": ["Shift"]}])
def test_listed_move_opens_its_position_in_another_tab(hold, new_tab):
    tab = new_tab("#game=breakthrough&moves=a2a3a7a6b2b3b7b6&mode=analyse")
    with tab.page.context.expect_page() as found:
        tab.page.click("#moves a >> nth=1", **hold)
    opened = browsers.Chromium(found.value)
    opened.until(READY)
    assert title(opened).startswith("Breakthrough, 8 by 8")
    assert opened.evaluate(CURRENT) == "a7a6"
    assert len(opened.evaluate(MOVES)) == 4
    assert tab.evaluate(CURRENT) == "b7b6"
