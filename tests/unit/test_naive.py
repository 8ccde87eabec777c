"""The naive rules where test_oracles.py does not compare them with the engine's."""

import pytest

from pawnstorm_tools.checking import naive


@pytest.mark.parametrize("name", ("hexapawn3x5", "breakthrough3x5"))
def test_en_passant_is_two_flags_alone(name):
    """In other games a right that is claimed changes nothing."""
    root = naive.parse_fen(naive.GAMES[name], "3/3/3/pP1/3 w - a3")
    claimed = root._replace(ep="a3")
    assert root.ep == "-" and naive.moves(claimed) == naive.moves(root)
    assert [naive.play(claimed, move) for move in naive.moves(root)] == [
        naive.play(root, move) for move in naive.moves(root)
    ]


def test_mirror_twice_is_the_identity():
    one = naive.parse_fen(naive.twoflags(), "8/8/8/8/3pP3/8/8/1p6 b - e3")
    assert naive.fen(naive.mirror(one)) == "8/8/8/8/3Pp3/8/8/6p1 b - d3"
    assert naive.mirror(naive.mirror(one)) == one
