"""Properties of FEN and moves at random positions. Playouts are random.Random(seed)'s."""

import random

import pytest
from boards import texts

from pawnstorm.games.notation import fen, move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.checking import naive

PROPERTY_GAMES = [
    "twoflags",
    "pawnsonly",
    "twoflags5x6",
    "twoflags3x5",
    "breakthrough",
    "breakthrough5",
    "breakthrough2x7",
    "hexapawn",
    "hexapawn7x5",
]


def playouts(name, seed, games=10):
    """All boards of random games from the start, the finished ones included."""
    rng = random.Random(seed)
    for _ in range(games):
        one = Board.start(get_rules(name))
        yield one
        while not one.is_game_over():
            one = one.push(rng.choice(one.moves()))
            yield one


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_printed_fen_reads_back_as_the_same_board(name):
    for one in playouts(name, seed=1):
        again = parse_fen(one.rules, fen(one))
        assert again == one and fen(again) == fen(one)


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_printed_moves_read_back_as_themselves(name):
    for one in playouts(name, seed=2):
        assert [parse_move(one, move_text(one, move)) for move in one.moves()] == one.moves()
        assert len(texts(one)) == len(one.moves())


def other_side(text):
    """A FEN with the board turned over and the colours swapped."""
    placement, side, castling, passed, half, full = text.split()
    rows = placement.swapcase().split("/")
    if passed != "-":
        passed = passed[0] + str(len(rows) + 1 - int(passed[1]))
    return " ".join(["/".join(reversed(rows)), naive.OTHER[side], castling, passed, half, full])


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_colours_swapped_is_the_same_position_to_the_mover(name):
    for one in playouts(name, seed=5):
        swapped = parse_fen(one.rules, other_side(fen(one)))
        assert (swapped.own, swapped.opp, swapped.ep, swapped.black_to_move) == (
            one.own,
            one.opp,
            one.ep,
            not one.black_to_move,
        )
        assert swapped.moves() == one.moves()
