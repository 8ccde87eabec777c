"""Pictures of boards: whole SVG documents that say in words what they show, for any game, and safe beside each other in
one page.
"""

import struct
import xml.etree.ElementTree as ElementTree

import pytest

from pawnstorm.games.notation import ParseError, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.programs import diagram
from pawnstorm_tools.reporting import picture

SVG = "{http://www.w3.org/2000/svg}"
AFTER_E5 = "8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8 w - - 0 2"


def drawn(fen=AFTER_E5, variant="twoflags", last="", line="", dark=False):
    """The root element of a picture."""
    board = parse_fen(get_rules(variant), fen)
    svg = picture.picture(
        board, diagram.parse_last(board, last) if last else None, diagram.parse_line(board, line), dark
    )
    return ElementTree.fromstring(svg)


def pawns(root, colour):
    """How many pawns have that fill."""
    return sum(len(group.findall(f"{SVG}path")) for group in root.findall(f"{SVG}g") if group.get("fill") == colour)


@pytest.mark.parametrize("dark", (False, True))
@pytest.mark.parametrize(
    "variant, white, black",
    (("twoflags", 8, 8), ("breakthrough", 16, 16), ("hexapawn", 3, 3), ("breakthrough5x6", 10, 10)),
)
def test_every_pawn_is_drawn_in_its_colour(variant, white, black, dark):
    rules = get_rules(variant)
    root = drawn(rules.start_fen, variant, dark=dark)
    colours = picture.DARK if dark else picture.LIGHT
    assert (pawns(root, colours["white"][0]), pawns(root, colours["black"][0])) == (white, black)
    coordinates = [text.text for text in root.iter(f"{SVG}text")]
    assert coordinates == list("abcdefgh"[: rules.files]) + [str(rank + 1) for rank in range(rules.ranks)]


def test_white_is_below():
    root = drawn("8/p7/8/8/8/8/P7/8 w")
    heights = {
        group.get("fill"): float(path.get("transform").split()[-1].rstrip(")"))
        for group in root.findall(f"{SVG}g")
        for path in group.findall(f"{SVG}path")
    }
    assert heights[picture.LIGHT["white"][0]] > heights[picture.LIGHT["black"][0]]


def test_it_says_what_it_shows():
    root = drawn(last="e7e5", line="d2d4 e5d4")
    assert root.get("role") == "img" and root[0].tag == f"{SVG}title" and root[1].tag == f"{SVG}desc"
    assert root[0].text == root.get("aria-label") == "Two Flags, 8 by 8: White to move"
    for words in (
        "White pawns: a2, b2, c2, d2, f2, g2, h2, e4.",
        "Black pawns: e5, a7",
        "Last move: e7 to e5.",
        "Line: d2d4 e5d4.",
        AFTER_E5,
    ):
        assert words in root[1].text
    assert drawn("8/8/8/8/8/8/7p/P6p w")[0].text.endswith("the game is over")
    assert drawn("8/8/8/8/8/8/7p/P7 w")[1].text.startswith("White pawns: a1. Black pawns: h2.")


def test_the_last_move_marks_two_squares():
    colour = picture.LIGHT["last"]
    assert len([r for r in drawn(last="e7e5").iter(f"{SVG}rect") if r.get("fill") == colour]) == 2
    assert not [r for r in drawn().iter(f"{SVG}rect") if r.get("fill") == colour]


def test_a_line_is_arrows_numbered_where_there_are_several():
    def numbers(root):
        return [text.text for text in root.findall(f"{SVG}text")]

    one, three = drawn(line="d2d4"), drawn(line="d2d4 e5d4 c2c3")
    assert len(one.findall(f"{SVG}polygon")) == 1 and numbers(one) == []
    assert len(three.findall(f"{SVG}polygon")) == 3 and numbers(three) == ["1", "2", "3"]
    fills = [polygon.get("fill") for polygon in three.findall(f"{SVG}polygon")]
    assert fills[0] == fills[2] != fills[1]


def test_pictures_do_not_disturb_each_other_in_a_page():
    for dark in (False, True):
        text = picture.picture(Board.start(get_rules("twoflags")), dark=dark)
        assert not any(word in text for word in (" id=", "<style", "href", "url("))


@pytest.mark.parametrize("last", ("e7e9", "e2e4x", "d7d5", "e5e4", "e2e4", ""))
def test_a_last_move_that_cannot_be_is_refused(last):
    board = parse_fen(get_rules("twoflags"), AFTER_E5)
    with pytest.raises(ParseError):
        diagram.parse_last(board, last)


@pytest.mark.parametrize(
    "fen, variant, good, bad",
    (
        ("8/8/8/4P3/8/8/7p/8 b", "twoflags", "e4e5 d4e5 f4e5", "e6e5 d6e5 e3e5 c4e5 e5e5 f5e5 c3e5"),
        ("8/8/8/8/4P3/8/7p/8 b", "twoflags", "e3e4 e2e4", "e1e4 d2e4"),
        ("8/8/8/8/4P3/4p3/8/8 b", "twoflags", "d3e4", "e2e4"),
        ("8/8/8/4p3/8/8/8/P7 w", "twoflags", "e7e5 e6e5 d6e5", "d7e5 e8e5 e4e5"),
        ("5/5/4p/5/5/P4 w", "twoflags5x6", "e5e4 d5e4", "e6e4 e3e4"),
        ("8/8/8/8/4P3/8/7p/8 b", "breakthrough", "e3e4 d3e4", "e2e4"),
        ("P7/8/8/8/8/8/7p/8 b", "pawnsonly", "a7a8q b7a8", "h7a8"),
    ),
)
def test_a_last_move_is_one_that_a_pawn_can_make(fen, variant, good, bad):
    board = parse_fen(get_rules(variant), fen)
    for last in good.split():
        diagram.parse_last(board, last)
    for last in bad.split():
        with pytest.raises(ParseError):
            diagram.parse_last(board, last)


def test_the_program_writes_a_file_or_says_what_is_wrong(tmp_path, capsys):
    path, png = tmp_path / "board.svg", tmp_path / "board.PNG"
    assert diagram.main([AFTER_E5, "--move", "e7e5", "--line", "d2d4", "--dark", "-o", str(path)]) == 0
    assert ElementTree.parse(path).getroot().tag == f"{SVG}svg" and capsys.readouterr() == ("", "")
    assert diagram.main(["ppp/3/PPP", "--variant", "hexapawn"]) == 0 and capsys.readouterr().out.startswith("<svg ")
    assert diagram.main([AFTER_E5, "-o", str(png)]) == 0
    data, size = png.read_bytes(), 2 * int(ElementTree.parse(path).getroot().get("width"))
    assert data.startswith(b"\x89PNG") and struct.unpack(">II", data[16:24]) == (size, size)
    for wrong in ([], ["--variant", "chess"], ["--line", "d2d4 d2d4"], ["--move", "e2e4"]):
        assert diagram.main([AFTER_E5 if wrong else "nonsense", *wrong]) == 2
        error = capsys.readouterr().err
        assert error.startswith("diagram.py: ") and error.count("\n") == 1


@pytest.mark.parametrize("name, ending", [("b.jpg", ".jpg"), ("b.svg.gz", ".gz"), ("b.svgz", ".svgz")])
def test_a_file_of_another_kind_is_refused(name, ending, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        diagram.main([AFTER_E5, "-o", str(tmp_path / name)])
    error = capsys.readouterr().err
    assert caught.value.code == 2 and f"'{ending}' of '" in error and "expected .svg or .png" in error
    assert not (tmp_path / name).exists()
