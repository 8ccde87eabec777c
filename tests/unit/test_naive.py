"""The naive rules by hand-made positions; their perft is in test_perft.py, their agreement with other programs in
test_oracles.py.
"""

import pytest

from pawnstorm_tools.checking import naive


def position(text, game=naive.twoflags()):
    return naive.parse_fen(game, text)


def test_start_positions():
    assert naive.fen(naive.start(naive.twoflags())) == "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - -"
    assert naive.fen(naive.start(naive.breakthrough(5, 6))) == "ppppp/ppppp/5/5/PPPPP/PPPPP w - -"
    assert naive.fen(naive.start(naive.hexapawn())) == "ppp/3/PPP w - -"


def test_blocked_pawn_captures_only():
    assert naive.moves(position("8/8/8/3pp3/4P3/8/8/8 w - -")) == ["e4d5"]


def test_double_step_needs_both_squares():
    assert naive.moves(position("8/8/8/8/p7/1p6/PP6/8 w - -")) == ["a2a3", "a2b3"]


def test_pawn_on_its_own_first_rank_steps_one():
    assert naive.moves(position("8/8/8/8/8/p7/8/4P3 w - -")) == ["e1e2"]


def test_double_step_from_the_second_rank_of_a_low_board():
    assert set(naive.moves(naive.start(naive.twoflags(3, 5)))) == {"a2a3", "b2b3", "c2c3"}
    assert set(naive.moves(position("3/2p/3/P2/3 w - -", naive.twoflags(3, 5)))) == {"a2a3", "a2a4"}


def test_en_passant_removes_the_passed_pawn_at_once_or_never():
    after = naive.play(position("8/8/8/8/3p4/8/4P3/8 w - -"), "e2e4")
    assert naive.fen(after) == "8/8/8/8/3pP3/8/8/8 b - e3"
    assert naive.moves(after) == ["d4d3", "d4e3"]
    taken = naive.play(after, "d4e3")
    assert naive.fen(taken) == "8/8/8/8/8/4p3/8/8 w - -" and naive.over(taken)


def test_en_passant_square_is_dropped_where_no_capture_exists():
    assert naive.play(position("8/8/8/8/2p5/8/4P3/8 w - -"), "e2e4").ep == "-"
    assert position("8/8/8/8/2p1P3/8/8/8 b - e3").ep == "-"


@pytest.mark.parametrize("name", ("hexapawn3x5", "breakthrough3x5"))
def test_en_passant_is_two_flags_alone(name):
    """In other games a right that is claimed changes nothing."""
    root = naive.parse_fen(naive.GAMES[name], "3/3/3/pP1/3 w - a3")
    claimed = root._replace(ep="a3")
    assert root.ep == "-" and naive.moves(claimed) == naive.moves(root)
    assert [naive.play(claimed, move) for move in naive.moves(root)] == [
        naive.play(root, move) for move in naive.moves(root)
    ]


def test_quiet_diagonals_are_breakthrough_s():
    board = "p2/3/1P1/3"
    assert naive.moves(position(f"{board} w - -", naive.hexapawn(3, 4))) == ["b2b3"]
    assert naive.moves(position(f"{board} w - -", naive.breakthrough(3, 4))) == ["b2b3", "b2a3", "b2c3"]


def test_straight_moves_never_capture():
    assert naive.moves(position("3/1p1/1P1/3 w - -", naive.breakthrough(3, 4))) == ["b2a3", "b2c3"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("4P3/8/8/8/8/8/p7/8 b - -", id="opponent on its far rank"),
        pytest.param("8/8/8/8/8/8/4P3/8 b - -", id="no pawn"),
        pytest.param("8/8/8/4p3/4P3/8/8/8 w - -", id="no move"),
    ],
)
def test_finished(text):
    assert naive.over(position(text)) and naive.moves(position(text)) == []


def test_mirror_twice_is_the_identity():
    one = position("8/8/8/8/3pP3/8/8/1p6 b - e3")
    assert naive.fen(naive.mirror(one)) == "8/8/8/8/3Pp3/8/8/6p1 b - d3"
    assert naive.mirror(naive.mirror(one)) == one
