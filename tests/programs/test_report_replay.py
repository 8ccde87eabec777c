"""Games in the page of a report, in a browser: stepped through, played, turned, copied and saved."""

import re

import pytest
from reports import expected, match, pawns, show, told, until, write_report  # noqa: F401  a fixture

from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.pgn import parse_san
from pawnstorm_tools.reporting import reading

pytestmark = pytest.mark.slow


def test_a_game_is_stepped_through_by_keys_buttons_and_links(show):
    records = reading.parse(match(200), "test").records
    shown = show("#game=12&ply=7")
    assert len(shown.content()) < 5_000_000
    assert pawns(shown) == expected(records[11], 7) and "Ply 7 of" in shown.inner_text("#position")
    for key, ply in (("ArrowRight", 8), ("ArrowRight", 9), ("ArrowLeft", 8)):
        shown.keyboard.press(key)
        assert pawns(shown) == expected(records[11], ply)
        told(shown, f"#game=12&ply={ply}")
    for button, ply in (("#forward", 9), ("#back", 8), ("#first", 0), ("#last", len(records[11]["steps"]))):
        shown.click(button)
        assert pawns(shown) == expected(records[11], ply)
    shown.keyboard.press("ArrowRight")  # the end is the end
    assert pawns(shown) == expected(records[11], ply) and shown.get_attribute("#forward", "aria-disabled") == "true"
    shown.click("#moves a >> nth=4")
    assert pawns(shown) == expected(records[11], 5)
    assert shown.get_attribute("#moves a >> nth=4", "aria-current") == "true"
    shown.click("#next-game")
    assert pawns(shown) == expected(records[12], 0)
    told(shown, "#game=13&ply=0")
    shown.select_option("#chosen", "199")
    told(shown, "#game=200&ply=0")
    shown.click("#game-rows a >> nth=2")
    assert pawns(shown) == expected(records[2], 0) and shown.evaluate("document.activeElement.id") == "replay-title"
    while f"Ply {len(records[2]['steps'])} of" not in shown.inner_text("#position"):
        shown.keyboard.press("ArrowRight")
    assert pawns(shown) == expected(records[2], len(records[2]["steps"]))
    assert "The game is over" in shown.inner_text("#position")


def test_the_address_changes_once_the_position_rests(show):
    shown = show("#game=12&ply=7")
    shown.evaluate("""() => {
        window.changes = 0;
        const replace = history.replaceState.bind(history);
        history.replaceState = (...words) => { window.changes++; replace(...words); };
        const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        for (let i = 0; i < 301; i++) press(i % 2 ? 'ArrowLeft' : 'ArrowRight');
    }""")
    told(shown, "#game=12&ply=8")
    assert shown.evaluate("window.changes") == 1


def test_a_link_is_followed_while_the_address_still_names_its_position(show):
    shown = show("#game=12&ply=7")
    shown.evaluate("""() => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
        document.querySelector('#moves a[href="#game=12&ply=7"]').click();
    }""")
    assert "Ply 7 of" in shown.inner_text("#position")


def test_middle_click_opens_a_position_in_another_tab(show):
    shown = show("#game=12&ply=7")
    with shown.context.expect_page() as found:
        shown.click("#moves a >> nth=4", button="middle")
    found.value.wait_for_load_state()
    until(found.value, "document.getElementById('position').textContent.includes('Ply 5 of')")
    assert found.value.url.endswith("#game=12&ply=5") and "Ply 7 of" in shown.inner_text("#position")


def test_the_board_turns(show):
    record = reading.parse(match(200), "test").records[11]
    shown = show("#game=12&ply=7")
    turned = {(7 - x, 7 - y, kind) for x, y, kind in expected(record, 7)}
    labels = "[...document.querySelectorAll('.board-coordinates text')].map(label => label.textContent).join('')"
    before = shown.evaluate(labels), shown.inner_text("#player-above"), shown.inner_text("#board-words")
    assert before[0] == "abcdefgh12345678" and before[1].startswith("Black")
    for press in (lambda: shown.click("#flip"), lambda: shown.keyboard.press("f")):
        press()
        assert shown.get_attribute("#flip", "aria-pressed") == "true"
        assert pawns(shown) == turned and shown.evaluate(labels) == "hgfedcba87654321"
        assert shown.inner_text("#player-above").startswith("White") and shown.inner_text("#board-words") == before[2]
        press()
    assert pawns(shown) == expected(record, 7) and shown.get_attribute("#flip", "aria-pressed") == "false"
    assert (shown.evaluate(labels), shown.inner_text("#player-above"), shown.inner_text("#board-words")) == before


def shown_ply(shown):
    return int(re.match(r"(?:.*)Ply (\d+) of", shown.inner_text("#position"))[1])


def test_a_key_acts_only_where_it_has_no_meaning_of_its_own(show):
    last = len(reading.parse(match(200), "test").records[11]["steps"])
    shown = show("#game=12&ply=7", reduced_motion="reduce")
    for key, ply in (("End", last), ("Home", 0), ("End", last)):
        shown.keyboard.press(key)
        assert shown_ply(shown) == ply
    shown.click("#moves a >> nth=6")
    until(shown, "document.getElementById('position').textContent.includes('Ply 7 of')")
    for place, keys in (
        ("#chosen", "f"),
        ("#games .scroll", ("Home", "End", " ", "ArrowLeft")),
        (".moves", ("Home", "End", " ")),
        ("#flip", " "),
        ("#replay summary", " "),
    ):
        for key in keys:
            shown.focus(place)
            shown.keyboard.press(key)
            assert (shown_ply(shown), shown.inner_text("#play")) == (7, "Play"), (place, key)
    assert shown.get_attribute("#flip", "aria-pressed") == "true"  # by the space bar on its button, and by nothing else
    shown.evaluate("document.activeElement.blur(); scrollTo({top: 0, behavior: 'instant'})")
    for key in ("End", " "):  # they scroll a page whose board is not in sight
        shown.keyboard.press(key)
        assert (shown_ply(shown), shown.inner_text("#play")) == (7, "Play")
        shown.evaluate("scrollTo({top: 0, behavior: 'instant'})")


def test_a_game_plays_by_itself_to_its_end_and_stops_when_the_reader_steps(show):
    last = len(reading.parse(match(200), "test").records[11]["steps"])
    shown = show(f"#game=12&ply={last - 3}")
    shown.clock.install()
    position = shown.locator("#position")
    shown.keyboard.press(" ")
    assert shown.inner_text("#play") == "Pause" and position.get_attribute("aria-live") == "off"
    shown.clock.run_for(1000)
    assert f"Ply {last - 2} of" in position.inner_text() and shown.inner_text("#play") == "Pause"
    shown.keyboard.press("ArrowLeft")
    assert f"Ply {last - 3} of" in position.inner_text() and shown.inner_text("#play") == "Play"
    assert position.get_attribute("aria-live") == "polite"
    shown.clock.run_for(5000)
    assert f"Ply {last - 3} of" in position.inner_text()
    shown.click("#play")
    shown.clock.run_for(3000)
    assert f"Ply {last} of" in position.inner_text() and shown.inner_text("#play") == "Play"
    assert position.get_attribute("aria-live") == "polite"
    shown.click("#play")  # from the end: once more
    shown.clock.run_for(1000)
    assert "Ply 1 of" in position.inner_text()
    shown.click("#play")
    shown.clock.run_for(5000)
    assert "Ply 1 of" in position.inner_text() and shown.inner_text("#play") == "Play"


STUB = "window.copied = []; Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { copied.push(text); }}});"
COPY_ALL = """() => {
    const click = id => document.getElementById(id).click();
    copied.length = 0;
    for (click('first'); click('copy-fen'), document.getElementById('forward').getAttribute('aria-disabled') === 'false';) click('forward');
    click('copy-pgn');
    return copied;
}"""


@pytest.mark.parametrize(
    "name, opening",
    [
        ("twoflags", None),
        ("twoflags", "8/5p2/8/8/pPp5/8/8/8 b - b3 0 5"),
        ("twoflags5x6", None),
        ("breakthrough5", None),
    ],
)
def test_what_is_copied_is_the_fen_of_each_position_and_the_pgn_as_it_was_read(show, tmp_path, name, opening):
    text = match(4, name, seed=4, opening=opening, players=('a "quoted" \\ name', "b"))
    written = [f"[Event {part}\n" for part in text.removeprefix("[Event ").strip().split("\n\n[Event ")]
    shown = show(address=write_report(tmp_path / "copied.html", text), before=STUB)
    for number, record in enumerate(reading.parse(text, "test").records):
        boards = [parse_fen(record["rules"], record["opening"])]
        for move in record["texts"]:
            boards.append(boards[-1].push(parse_san(boards[-1], move)))
        shown.select_option("#chosen", str(number))
        assert shown.evaluate(COPY_ALL) == [*map(fen, boards), written[number]]


def test_a_copied_pgn_has_clocks_and_book_moves_and_is_read_back_alike(show, tmp_path):
    text = (
        '[Event "x"]\n\n1. e4 {book} e5 {book} 2. d4 {+0.10/3 1.5s n=70 t=1.499s [%clk 1:01:02.003]} exd4 {-M2} 3. c3 {d=9 0.25s n=7}\n'
        "3... dxc3 {-0.05/2} ; it } ended {\n1/2-1/2"
    )
    copied = show(address=write_report(tmp_path / "clocks.html", text), before=STUB).evaluate(COPY_ALL)[-1]
    (first,) = reading.parse(text, "test").records
    (again,) = reading.parse(copied, "test").records
    assert '[Variant "twoflags"]' in copied
    assert "{book} e5 {book} 2. d4 {+0.10/3 1.500s n=70 t=1.499s [%clk 1:01:02.003]} exd4 {-M2}" in copied
    for part in ("texts", "moves", "book", "opening", "result"):
        assert again[part] == first[part]


def test_copying_works_with_the_clipboard_without_it_and_in_a_browser_that_forbids_it(show):
    wanted = fen(Board.start(get_rules("breakthrough")))
    shown = show(permissions=["clipboard-read", "clipboard-write"])
    shown.click("#copy-fen")
    until(shown, "document.getElementById('said').textContent === 'FEN copied.'")
    assert shown.evaluate("navigator.clipboard.readText()") == wanted
    insecure = "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
    shown = show(before=insecure + "addEventListener('copy', () => { window.copied = getSelection().toString(); });")
    shown.click("#copy-fen")
    until(shown, "document.getElementById('said').textContent === 'FEN copied.'")
    assert shown.evaluate("[copied, document.activeElement.id]") == [wanted, "copy-fen"]
    shown = show(before=insecure + "document.execCommand = () => false;")
    shown.click("#copy-fen")
    shown.wait_for_selector("#copy-field")
    field = "document.getElementById('copy-field')"
    assert shown.evaluate(f"[{field}.value, getSelection().toString(), document.activeElement.id]") == [
        wanted,
        wanted,
        "copy-field",
    ]
    assert "selected below" in shown.inner_text("#said")


def test_the_pgn_is_saved_as_a_file(show):
    shown = show("#game=3&ply=5")
    with shown.expect_download() as saved:
        shown.click("#save-pgn")
    first = match(3).split("\n\n[Event ")[2]
    assert saved.value.suggested_filename == "game-3.pgn"
    with open(saved.value.path(), encoding="utf-8") as file:
        assert file.read().strip() == f"[Event {first}".strip()
