"""FEN: what is read and printed, and which fault is named."""

import pytest
from boards import board, play

from pawnstorm.games.notation import ParseError, fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.checking import naive

TWOFLAGS = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize("fields", range(1, 7))
def test_fen_of_one_to_six_fields(fields):
    text = "8/8/8/3p4/8/8/4P3/8 w - - 0 1"
    assert fen(board(" ".join(text.split()[:fields]))) == text


@pytest.mark.parametrize("text", ["8/8/8/3p4/8/8/4P3/8  b  -   - 3   7", "  8/8/8/3p4/8/8/4P3/8 b - - 3 7 \r\n"])
def test_fen_with_spaces_tabs_and_line_ends(text):
    assert fen(board(text)) == "8/8/8/3p4/8/8/4P3/8 b - - 3 7"


def test_squares_are_numbered_from_a1_eight_to_a_rank():
    one = board("p3/4/1P2/3P w - -", "breakthrough4x4")
    assert (one.white_pawns, one.black_pawns) == (1 << 3 | 1 << 9, 1 << 24)
    assert (one.own, one.opp, one.black_to_move) == (one.white_pawns, one.black_pawns, False)


def test_black_to_move_sees_the_board_from_its_own_side():
    one = board("p3/4/1P2/3P b - -", "breakthrough4x4")
    assert (one.white_pawns, one.black_pawns) == (1 << 3 | 1 << 9, 1 << 24)
    assert (one.own, one.opp, one.black_to_move) == (1, 1 << 17 | 1 << 27, True)


@pytest.mark.parametrize("name", [*naive.GAMES, "pawnsonly"])
def test_start_is_its_own_fen(name):
    rules = get_rules(name)
    assert fen(Board.start(rules)) == fen(parse_fen(rules, rules.start_fen)) == rules.start_fen


def bad(text, token, name="twoflags"):
    return pytest.param(name, text, token, id=text)


@pytest.mark.parametrize(
    "name, text, token",
    [
        # No board, or too many fields
        bad("", ""),
        bad(TWOFLAGS + " 0", "7"),
        # Ranks: width and number
        bad("8/ppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "ppppppp"),
        bad("8/ppppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "ppppppppp"),
        bad("8/pppppppp/7/8/8/8/PPPPPPPP/8 w - - 0 1", "'7'"),
        bad("8/pppppppp//8/8/8/PPPPPPPP/8 w - - 0 1", "''"),
        bad("8/pppppppp/8/8/8/PPPPPPPP/8 w - - 0 1", "found 7"),
        bad("foo", "'foo': expected 8 ranks (twoflags), found 1"),
        bad("p/2/P w", "rank '2': expected a width of 1 (hexapawn1x3), found 2", "hexapawn1x3"),
        # Letters
        bad("8/ppppxppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "'x'"),
        bad("8/pppppppp/9/8/8/8/PPPPPPPP/8 w - - 0 1", "9"),
        bad("8/pppppppp/٨/8/8/8/PPPPPPPP/8 w - - 0 1", "٨"),
        bad(CHESS, "'r'"),
        # Side to move
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 x - - 0 1", "'x'"),
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 wb - - 0 1", "'wb'"),
        # Castling
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 w KQkq - 0 1", "'KQkq'"),
        # En passant square
        bad("8/8/8/8/3pP3/8/8/8 b - e9 0 1", "'e9'"),
        bad("8/8/8/8/3pP3/8/8/8 b - i3 0 1", "'i3'"),
        bad("8/8/8/8/3pP3/8/8/8 b - e4 0 1", "'e4'"),
        bad("8/8/8/8/3pP3/8/8/8 b - c3 0 1", "'c3'"),
        bad("8/8/8/8/3pP3/8/8/8 w - e3 0 1", "'e3'"),
        bad("8/8/8/3Pp3/8/8/8/8 b - e6 0 1", "'e6'"),
        bad("8/8/8/8/3pP3/4P3/8/8 b - e3 0 1", "'e3'"),
        bad("8/8/8/8/3pP3/8/4P3/8 b - e3 0 1", "'e3'"),
        bad("3/3/1pP/3/3 b - d2 0 1", "'d2'", "twoflags3x5"),
        bad("8/8/8/8/3pP3/8/8/8 b - e3 0 1", "'e3'", "breakthrough"),
        # Counters
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - x 1", "'x'"),
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - -1 1", "'-1'"),
        # No such position
        bad("8/8/8/8/8/8/8/8 w - - 0 1", "empty"),
        bad("8/8/8/8/8/8/4P3/8 w - - 0 1", "expected a pawn"),
        bad("8/4p3/8/8/8/8/8/8 b - - 0 1", "expected a pawn"),
        bad("4P3/8/8/8/8/8/4p3/8 w - - 0 1", "far rank"),
        bad("8/4P3/8/8/8/8/8/4p3 b - - 0 1", "far rank"),
    ],
)
def test_bad_fen_is_refused_and_the_fault_named(name, text, token):
    with pytest.raises(ParseError) as caught:
        parse_fen(get_rules(name), text)
    assert token in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parse_error_of_a_very_long_text_is_short():
    with pytest.raises(ParseError) as caught:
        board("8 " * 100_000)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "name, text",
    [
        ("twoflags", "4P3/8/8/8/8/8/4p3/8 b - - 0 1"),
        ("twoflags", "8/4P3/8/8/8/8/8/4p3 w - - 0 1"),
        ("twoflags", "8/8/8/8/8/8/4P3/8 b - - 0 1"),
        ("twoflags", "8/8/8/4p3/4P3/8/8/8 w - - 0 1"),
        ("breakthrough5", "P4/5/5/1p3/5 b - - 0 1"),
        ("hexapawn", "2p/2P/3 b - - 0 1"),
    ],
)
def test_finished_position_is_accepted_and_over(name, text):
    one = board(text, name)
    assert one.is_game_over() and one.moves() == [] and fen(one) == text


@pytest.mark.parametrize(
    "text, line, square",
    [
        ("8/8/8/8/3p4/8/4P3/8 w - - 0 1", "e2e4", "e3"),
        ("8/8/8/8/5p2/8/4P3/8 w - - 0 1", "e2e4", "e3"),
        ("8/8/8/8/4p3/8/4P3/8 w - - 0 1", "e2e3", "-"),
        ("8/8/8/8/2p5/8/4P3/8 w - - 0 1", "e2e4", "-"),
        # Across the edge, by one bit more or less than a neighbour.
        ("8/8/8/7p/8/8/P7/8 w - - 0 1", "a2a4", "-"),
        ("8/8/8/8/8/p7/7P/8 w - - 0 1", "h2h4", "-"),
        ("8/4p3/8/3P4/8/8/8/8 b - - 0 1", "e7e5", "e6"),
        ("8/4p3/8/2P5/8/8/8/8 b - - 0 1", "e7e5", "-"),
    ],
)
def test_en_passant_square_is_printed_only_when_a_capture_on_it_exists(text, line, square):
    assert fen(play(board(text), line)).split()[3] == square


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/2p1P3/8/8/8 b - e3 0 1",
        "8/8/8/2P1p3/8/8/8/8 w - e6 0 1",
        # Across the edge
        "8/8/8/p7/7P/8/8/8 w - a6 0 1",
        "8/8/P7/7p/8/8/8/8 w - h6 0 1",
        "8/8/8/7p/P7/8/8/8 b - a3 0 1",
        "8/8/8/8/7P/p7/8/8 b - h3 0 1",
    ],
)
def test_en_passant_square_without_a_capture_is_accepted_and_dropped(text):
    assert fen(board(text)).split()[3] == "-"
