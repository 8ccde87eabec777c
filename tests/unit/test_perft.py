"""Perft: the engine's counts against published tables and against the naive rules."""

import pytest

from pawnstorm.core import native
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.checking import naive

# Game -> lines of 1, 2, 3, ... plies from the start; a won position has no successors.
TABLE = {
    "twoflags8x8": [16, 256, 3846, 57744, 815968, 11515584, 153456226, 2039980640],
    "breakthrough8x8": [22, 484, 11132, 256036, 6182818, 149264638, 3751915714],
    "breakthrough7x7": [19, 361, 7220, 144251, 3042166],
    "breakthrough6x6": [16, 256, 4308, 71478, 1248290, 21470998],
    "breakthrough5x5": [13, 156, 1924, 23084, 289828, 3538840],
    "breakthrough4x4": [6, 42, 334, 2216, 16118, 99382],
    "breakthrough4x5": [10, 90, 848, 7794, 75378, 705244],
    "breakthrough5x6": [13, 169, 2331, 31545, 453608],
    "breakthrough6x5": [16, 240, 3666, 54448, 839494],
    "hexapawn3x3": [3, 10, 28, 56, 70, 64, 20],
}
MIDDLE = "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 0 1"
MIDDLE_COUNTS = [21, 358, 6898, 121264, 2418822]

PLAIN_LIMIT = 300_000  # lines that the kernels count as plain Python in well under a second
NAIVE_LIMIT = 30_000  # and that the naive rules do
QUICK_LIMIT = 1_000_000_000  # and that take the compiled kernels a second


def cases(limit=None):
    """(game, FEN, depth, count) of all tables, those above the limit left out."""
    rows = [(name, naive.fen(naive.start(naive.GAMES[name])), counts) for name, counts in TABLE.items()]
    rows.append(("breakthrough8x8", MIDDLE, MIDDLE_COUNTS))
    return [
        pytest.param(
            name,
            fen,
            depth,
            count,
            marks=[pytest.mark.compiled] * (count > PLAIN_LIMIT) + [pytest.mark.slow] * (count > QUICK_LIMIT),
            id=f"{name}-{'middle' if fen == MIDDLE else 'start'}-{depth}",
        )
        for name, fen, counts in rows
        for depth, count in enumerate(counts, 1)
        if limit is None or count <= limit
    ]


def perft(board, depth):
    return native.perft(board.rules, board.own, board.opp, board.ep, depth)


@pytest.mark.parametrize("name, fen, depth, count", cases())
def test_perft_equals_the_table(name, fen, depth, count):
    assert perft(parse_fen(get_rules(name), fen), depth) == count


@pytest.mark.parametrize("name, fen, depth, count", cases(NAIVE_LIMIT))
def test_naive_perft_equals_the_table(name, fen, depth, count):
    assert naive.perft(naive.parse_fen(naive.GAMES[name], fen), depth) == count


@pytest.mark.parametrize("name", naive.GAMES)
def test_perft_equals_naive_on_every_board(name):
    board, position = Board.start(get_rules(name)), naive.start(naive.GAMES[name])
    for depth in (1, 2, 3):
        assert perft(board, depth) == naive.perft(position, depth)


def test_perft_of_no_plies_is_one_line_and_of_a_finished_game_none():
    finished = parse_fen(get_rules("twoflags"), "4P3/8/8/8/8/8/p7/8 b - - 0 1")
    assert perft(finished, 0) == 1
    assert perft(finished, 1) == perft(finished, 3) == 0
