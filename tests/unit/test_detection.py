"""possible_games: the game that play can lead from to a position is always among those that the position can belong to."""

import random

import pytest

from pawnstorm.games.detection import possible_games
from pawnstorm.games.notation import ParseError, fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import FAMILIES, GAMES, get_rules

EVERY_GAME = sorted({get_rules(name).name for name in GAMES} - {"pawnsonly"})  # which has the positions of twoflags


def names(text):
    return [rules.name for rules in possible_games(text)]


@pytest.mark.parametrize("name", EVERY_GAME)
def test_played_positions_belong_to_their_game(name):
    chance = random.Random(name)
    board = Board.start(get_rules(name))
    assert names(fen(board)) == [name]
    while not board.is_game_over():
        board = board.push(chance.choice(board.moves()))
        found = possible_games(fen(board))
        starts = [rules.start_fen.split()[:2] for rules in found]
        assert name in [rules.name for rules in found] or starts == [fen(board).split()[:2]]


@pytest.mark.parametrize(
    "text, expected",
    [
        # Not the start: Black is to move.
        ("8/pppppppp/8/8/8/8/PPPPPPPP/8 b", ["twoflags", "breakthrough", "hexapawn8x8"]),
        ("8/pppppppp/8/8/8/P7/PPPPPPPP/8 w", ["breakthrough"]),  # nine white pawns
        ("8/ppppppp1/7p/7p/7p/8/PPPPPPPP/8 w", ["breakthrough"]),  # ten black pawns
        ("8/5p2/8/8/8/8/5P2/P7 w", ["breakthrough", "hexapawn8x8"]),  # a pawn behind the row where Two Flags begins
        ("p7/5p2/8/8/8/8/5P2/8 b", ["breakthrough", "hexapawn8x8"]),
        ("8/8/8/3pP3/8/8/8/8 w - d6", ["twoflags"]),  # en passant
        ("ppp/3/PPP b", ["hexapawn"]),
        ("2p/3/1P1/P2 w", ["breakthrough3x4", "hexapawn3x4"]),
        ("pp/pp/pp/2/PP w", []),  # six black pawns
    ],
)
def test_board_and_pawns_tell_the_game(text, expected):
    assert names(text) == expected


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "an empty FEN"),
        ("8/8 w", "no game is played on a board 8 wide and 2 high"),
        ("ppppppppp/9/9/9/PPPPPPPPP w", "no game is played on a board 9 wide and 5 high"),
        ("8/8/8/8/8/8/8/8 w", "is empty"),
        ("8/8/8/8/8/8/8/p6x w", "bad letter 'x'"),
        ("8/8/8/3pP3/8/8/8/8 w - e6", "bad en passant square 'e6'"),
        ("8/p7/8/8/8/8/P7/8 w - - 0 1 2", "1 to 6 fields, not 7"),
    ],
)
def test_what_no_game_reads_is_refused(text, fault):
    with pytest.raises(ParseError, match=fault):
        possible_games(text)


def test_games_come_in_the_order_of_the_families():
    found = [rules.family for rules in possible_games("8/5p2/8/8/8/8/5P2/8 w")]
    assert found == list(FAMILIES)
