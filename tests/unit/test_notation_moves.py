"""Moves as text, legal and not."""

import pytest
from boards import board, play, texts

from pawnstorm.games.notation import IllegalMove, ParseError, fen, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules


def test_pawn_on_its_own_first_rank_steps_one():
    assert texts(board("8/8/8/8/8/p7/8/4P3 w - -")) == {"e1e2"}
    assert texts(board("4p3/8/P7/8/8/8/8/8 b - -")) == {"e8e7"}


@pytest.mark.parametrize("line", [("g2g3", "a7a6"), ("g2g4", "h7h5")])
def test_en_passant_right_lasts_one_ply(line):
    one = play(board("8/p6p/8/8/3p4/8/4P1P1/8 w - - 0 1"), "e2e4")
    assert "d4e3" in texts(one)
    later = play(one, line[1], line[0])
    assert "d4e3" not in texts(later) and fen(later).split()[3] == "-"
    with pytest.raises(IllegalMove, match="d4e3"):
        parse_move(later, "d4e3")


@pytest.mark.parametrize("name, winning", [("twoflags", "e7e8"), ("pawnsonly", "e7e8q")])
def test_winning_push_is_read_with_and_without_its_letter(name, winning):
    one = board("8/4P3/8/8/8/8/p7/8 w - -", name)
    assert texts(one) == {winning}
    assert parse_move(one, "e7e8") == parse_move(one, "e7e8q")
    assert play(one, "e7e8").is_game_over()


@pytest.mark.parametrize("name", ["breakthrough", "breakthrough5x8", "hexapawn5x8", "twoflags5x8"])
def test_winning_push_of_black_is_read_with_and_without_its_letter(name):
    rules = get_rules(name)
    rows = ["5" if rules.files == 5 else "8"] * 8
    rows[1], rows[6] = rows[1].replace("5", "P4").replace("8", "P7"), rows[6].replace("5", "4p").replace("8", "4p3")
    one = parse_fen(rules, "/".join(rows) + " b")
    assert "e2e1" in texts(one)
    assert parse_move(one, "e2e1") == parse_move(one, "e2e1q")


@pytest.mark.parametrize("text", ["", "e2", "e2-e4", "e2e4n", "e2e4Q", "E2E4", "i2i4", "e2e9", "0000", "e2 e4"])
def test_text_that_is_no_move_is_a_parse_error_that_names_it(text):
    one = Board.start(get_rules("twoflags"))
    with pytest.raises(ParseError) as caught:
        parse_move(one, text)
    assert any(f"'{token}'" in str(caught.value) for token in (text, text[:2], text[2:4]))


@pytest.mark.parametrize(
    "name, text",
    [
        ("twoflags", "e2e5"),
        ("twoflags", "e2d3"),
        ("twoflags", "e7e5"),
        ("twoflags", "e2e4q"),
        ("pawnsonly", "e2e4q"),
        ("breakthrough", "e2e4"),
        ("breakthrough", "a2h3"),
        ("breakthrough", "h7h6"),
    ],
)
def test_illegal_move_is_refused_by_name(name, text):
    one = Board.start(get_rules(name))
    with pytest.raises(IllegalMove) as caught:
        parse_move(one, text)
    assert f"'{text}'" in str(caught.value)


def test_square_beside_a_narrow_board_is_a_parse_error():
    with pytest.raises(ParseError, match="f3"):
        parse_move(Board.start(get_rules("breakthrough5")), "e2f3")
    with pytest.raises(ParseError, match="a6"):
        parse_move(Board.start(get_rules("breakthrough5")), "a5a6")


def test_counters_of_moves_go_on():
    one = play(Board.start(get_rules("twoflags")), "e2e4", "d7d5", "e4d5")
    assert fen(one) == "8/ppp1pppp/8/3P4/8/8/PPPP1PPP/8 b - - 0 2"
