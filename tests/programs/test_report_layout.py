"""The page of a report in a browser: what is seen, heard and printed, on screens of all sizes."""

import random

import pytest
from reports import IN_VIEW, PHONE, TURNED, match, played, show, until, write_report  # noqa: F401  a fixture

from pawnstorm_tools.reporting import match_statistics, reading

pytestmark = pytest.mark.slow


def spoken(shown):
    """[(role, name, description)] of the pictures that a screen reader is told of."""
    nodes = shown.context.new_cdp_session(shown).send("Accessibility.getFullAXTree")["nodes"]
    values = [
        [node.get(key, {}).get("value", "") for key in ("role", "name", "description")]
        for node in nodes
        if not node["ignored"]
    ]
    return [value for value in values if value[0] in ("image", "img", "graphics-document", "SvgRoot")]


def test_each_picture_is_told_of_once_and_the_board_with_its_pawns(show):
    board, *charts = sorted(
        spoken(show("#game=12&ply=7")), key=lambda picture: picture[1] != "Breakthrough, 8 by 8: Black to move"
    )
    assert board[2].startswith("White pawns: a1, ") and "Last move: " in board[2]
    assert len(charts) == 4 and {role for role, *_ in charts} == {"image"}
    assert sorted(name.split()[0] for _, name, _ in charts) == ["Depth", "Evaluations", "Score", "Seconds"]


def test_paper_has_the_tables_whole_and_nothing_to_press(show):
    shown = show("#game=3&ply=5", viewport={"width": 720, "height": 1000})
    shown.emulate_media(media="print")
    assert not shown.locator("nav").is_visible() and not shown.locator("button, select").filter(visible=True).count()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 720
    assert shown.evaluate(
        "[...document.querySelectorAll('.scroll')].every(place => getComputedStyle(place).overflow === 'visible')"
    )


def test_a_single_game_is_a_point(show, tmp_path):
    shown = show(address=write_report(tmp_path / "one.html", match(1)))
    assert shown.locator("#growth-chart svg .mark-symbol path[opacity='1']").count() == 1


def long_names(count, path):
    """The address of a report on as many games of engines with long names."""
    chance, names = random.Random(3), [f"pawnstorm-1.{place}.0-long-name" for place in range(count)]
    games = [played("hexapawn", place, names[place], names[place - 1], chance) for place in range(count)]
    return write_report(path, "".join(games))


def test_ten_long_names_have_room_in_the_legends(show, tmp_path):
    address = long_names(10, tmp_path / "ten.html")
    for width in (1280, 360):
        shown = show(address=address, viewport={"width": width, "height": 800})
        over = shown.evaluate("""[...document.querySelectorAll('.chart svg')].map(svg => Math.max(...[...svg.querySelectorAll('text')].map(
            text => text.getBoundingClientRect().right - svg.getBoundingClientRect().right)))""")
        assert len(over) == 4 and max(over) <= 1


@pytest.mark.parametrize(
    "context", [PHONE, TURNED, {"viewport": {"width": 1280, "height": 720}}], ids=["phone", "turned", "desktop"]
)
def test_a_link_opens_with_the_board_on_the_screen(show, context):
    shown = show("#game=3&ply=7", **context)
    until(shown, "[...document.querySelectorAll('.chart')].every(place => place.querySelector('svg'))")
    until(shown, IN_VIEW)
    for fragment, far in (("#game=3&ply=9", "#games"), ("#game=5&ply=2", "#result"), ("#game=999", "#result")):
        shown.evaluate("place => document.querySelector(place).scrollIntoView({behavior: 'instant'})", far)
        assert not shown.evaluate(IN_VIEW)
        shown.evaluate("fragment => { location.hash = fragment; }", fragment)
        until(shown, IN_VIEW)


def test_the_board_stays_on_the_screen_while_the_charts_above_it_come_late(show):
    shown = show(
        "#game=3&ply=7",
        before="""
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { overflow-anchor: none !important; } .chart:empty { min-height: 0 !important; }');
        document.adoptedStyleSheets = [sheet];""",
        **PHONE,
    )
    until(shown, IN_VIEW)
    assert shown.locator("#growth-chart svg").bounding_box()["height"] > 200


def test_a_table_that_is_cut_shows_where_it_goes_on(show):
    frame = "document.querySelector('#games .frame').classList"
    shown = show(**PHONE)
    until(shown, f"{frame}.contains('more-right') && {frame}.contains('more-below') && !{frame}.contains('more-left')")
    assert shown.evaluate("getComputedStyle(document.querySelector('#games .frame'), '::after').content.includes('›')")
    shown.evaluate("document.querySelector('#games .scroll').scrollTo(9999, 99999)")
    until(shown, f"!{frame}.contains('more-right') && !{frame}.contains('more-below') && {frame}.contains('more-left')")
    shown.set_viewport_size({"width": 1280, "height": 844})
    until(shown, f"!{frame}.contains('more-right') && !{frame}.contains('more-left')")
    assert shown.evaluate("getComputedStyle(document.querySelector('#games .frame'), '::after').content") == "none"


def test_a_turned_phone_gets_the_legend_columns_that_it_has_room_for(show, tmp_path):
    shown = show(address=long_names(4, tmp_path / "four.html"), **PHONE)
    columns = """new Set([...document.querySelectorAll('#growth-chart .role-legend-label text')].map(
        label => Math.round(label.getBoundingClientRect().left))).size"""
    assert shown.evaluate(columns) == 1
    shown.set_viewport_size(TURNED["viewport"])
    until(shown, f"{columns} > 1")
    shown.set_viewport_size(PHONE["viewport"])
    until(shown, f"{columns} === 1")


def test_the_game_list_is_filtered_and_a_wrong_link_is_answered(show):
    shown = show("#game=999&ply=1")
    assert "no game 999" in shown.inner_text("#notice")
    shown.select_option("#filter", "winner 0")
    won = sum(match_statistics.winner(record) == "one" for record in reading.parse(match(200), "test").records)
    assert shown.locator("#game-rows tr:visible").count() == won and shown.inner_text("#shown") == f"{won} of 200 games"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_no_fault(show, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    shown = show(
        "#game=3&ply=5", color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce"
    )
    shown.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    found = axe.run(shown).response
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found["violations"]] == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
