"""The course's rules of en passant, and a client's board, which finds out which of them is played."""

import pytest

from pawnstorm.games.notation import fen, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol.course.client_board import ClientBoard, twoflags_rules

PASSING = "8/8/8/8/1p6/1P6/P7/8 w - - 0 1"  # after a2a4 Black can only take in passing


def test_modes_of_en_passant_are_games():
    standard, ghost, off = (twoflags_rules(mode) for mode in ("standard", "ghost", "off"))
    assert (standard.name, ghost.name, off.name) == ("twoflags", "twoflags-ghost", "twoflags-noep")
    assert get_rules("twoflags8x8-ghost") is ghost and get_rules("TwoFlags5x6-noep").full_name == "twoflags5x6-noep"
    assert {rules.family for rules in (standard, ghost, off, get_rules("twoflags5x6-ghost"))} == {"twoflags"}
    for name in ("breakthrough-ghost", "twoflags-", "twoflags-ghos", "twoflags-ghost-noep", "ghost"):
        with pytest.raises(UnknownGame):
            get_rules(name)
    after = {}
    for rules in (standard, ghost, off):
        board = parse_fen(rules, PASSING)
        board = board.push(parse_move(board, "a2a4"))
        after[rules.name] = [fen(board.push(move)) for move in board.moves()]
    assert after == {
        "twoflags": ["8/8/8/8/8/pP6/8/8 w - - 0 2"],
        "twoflags-ghost": ["8/8/8/8/P7/pP6/8/8 w - - 0 2"],
        "twoflags-noep": [],
    }


def test_a_client_finds_out_that_captured_pawns_stay():
    seen = ClientBoard("standard", parse_fen(get_rules("twoflags"), PASSING))
    assert [seen.play(move) for move in ("a2a4", "b4a3")] == ["", ""]
    assert "'ghost'" in seen.play("a4a5") and seen.mode == "ghost"
    assert fen(seen.board) == "8/8/8/P7/8/pP6/8/8 b - - 0 2" and seen.plies == 3
    assert seen.play("a3a2") == "" and not seen.board.is_game_over() and seen.play("a5a6") == seen.play("a2a1") == ""
    assert seen.board.is_game_over()


def test_a_client_puts_onto_its_board_what_no_rule_allows():
    seen = ClientBoard("standard", Board.start(get_rules("twoflags")))
    assert "illegal move 'e2e5'" in seen.play("e2e5") and fen(seen.board) == "8/pppppppp/8/4P3/8/8/PPPP1PPP/8 b - - 0 1"
    assert seen.play("d7d5") == "" and "legal with" not in seen.play("e5d6")  # standard en passant still works
    assert seen.board.black_pawns.bit_count() == 7
    assert seen.play("h8h3") and fen(seen.board).startswith("8/ppp1pppp/3P4/8/8/7p/PPPP1PPP/8 w")
    assert seen.play("g2h3") == "" and seen.plies == 5
