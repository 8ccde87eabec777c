"""No FEN has more moves than a search's record has room for."""

import itertools
import random

import pytest
from engine_player import Player

from pawnstorm.core import native
from pawnstorm.core.state import MAX_MOVES, State
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import GAMES, get_rules
from pawnstorm_tools.checking import naive

# Found by dynamic programming over the ranks, which says that no position has more.
MOST = {
    "breakthrough": ("7p/PPPPPPPP/8/PPPPPPPP/8/PPPPPPPP/8/PPPPPPPP", 87),
    "twoflags": ("pppppppp/PPPPPPPP/pppppppp/PPPPPPPP/1pppppp1/PPPPPPPP/pppppppp/PPPPPPPP", 56),
    "hexapawn8x8": ("1pppppp1/PPPPPPPP/1pppppp1/PPPPPPPP/1pppppp1/PPPPPPPP/1pppppp1/PPPPPPPP", 56),
    "hexapawn": ("1p1/PpP/P1P", 6),
}


def test_every_game_fits_into_a_record():
    most = {name: get_rules(name).max_moves for name in GAMES}
    assert max(most.values()) == most["breakthrough"] == 96 <= MAX_MOVES and most["twoflags"] == 84


def test_a_game_that_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr("pawnstorm.core.state.MAX_MOVES", 95)
    State().set_game(get_rules("twoflags"))
    with pytest.raises(ValueError, match="breakthrough has positions with up to 96 moves: expected 95 at most"):
        State().set_game(get_rules("breakthrough"))


def test_what_is_no_position_is_known():
    """The bound is one of positions: a mask of en passant without end would have more."""
    rules = get_rules("twoflags")
    board = parse_fen(rules, "8/8/8/4Pp2/8/8/8/8 w - f6")
    own, opp, ep = board.bitboards
    assert board.is_valid() and ep == 1 << 45 and opp == ep >> 8
    for wrong in (
        (own | opp, opp, 0),
        (own, opp, ep << 1),
        (own, opp, ep << 8),
        (own, opp, rules.board),
        (own, opp, opp),
        (own | ep, opp, ep),
        (own, opp | ep << 8, ep),
        (own, opp, ep | 1 << 43),
    ):
        assert not Board(rules, *wrong, False).is_valid()
    assert not Board(get_rules("twoflags-noep"), own, opp, ep, False).is_valid()
    assert not Board(get_rules("twoflags5x5"), own, opp, 0, False).is_valid()


@pytest.mark.compiled
@pytest.mark.parametrize("name", MOST)
@pytest.mark.parametrize("side", "wb")
def test_the_position_with_most_moves_is_searched(name, side):
    rules, (text, count) = get_rules(name), MOST[name]
    if side == "b":
        text = "/".join(reversed(text.swapcase().split("/")))
    board = parse_fen(rules, f"{text} {side}")
    assert len(board.moves()) == count <= rules.max_moves
    assert len(naive.moves(naive.parse_fen(naive.GAMES[rules.full_name], fen(board)))) == count
    assert native.perft(rules, *board.bitboards, 1) == count
    one = Player()
    for limits in ({"depth": 2}, {"depth": 1, "mate": 3}):
        one.play(board, **limits)


def counted(rules, own, opp):
    """The number of moves, -1 if somebody has reached the far rank."""
    return -1 if own & rules.goal or opp & rules.home else len(Board(rules, own, opp, 0, False).moves())


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["hexapawn3x3", "breakthrough2x5", "breakthrough3x4"])
def test_no_position_of_a_small_board_has_more_than_the_bound(name):
    rules = get_rules(name)
    squares = [8 * rank + file for rank in range(rules.ranks) for file in range(rules.files)]
    if len(squares) > 10:
        chance = random.Random(7)
        fillings = ([chance.choice((0, 1, 1, 2)) for _ in squares] for _ in range(50_000))
    else:
        fillings = itertools.product((0, 1, 2), repeat=len(squares))
    for filling in fillings:
        own, opp = (sum(1 << square for square, what in zip(squares, filling) if what == side) for side in (1, 2))
        assert counted(rules, own, opp) <= rules.max_moves


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["twoflags", "breakthrough", "hexapawn8x8", "twoflags3x5", "breakthrough8x4"])
def test_a_search_for_many_moves_stays_below_the_bound(name):
    """Squares are changed one at a time as long as the number of moves does not become less."""
    rules, chance = get_rules(name), random.Random(3)
    squares = [8 * rank + file for rank in range(rules.ranks) for file in range(rules.files)]
    for _ in range(5):
        own = opp = best = 0
        for _ in range(2_000):
            bit, what = 1 << chance.choice(squares), chance.randrange(3)
            new_own, new_opp = own & ~bit | (bit if what == 1 else 0), opp & ~bit | (bit if what == 2 else 0)
            if (found := counted(rules, new_own, new_opp)) >= best:
                own, opp, best = new_own, new_opp, found
        assert rules.start_pawns.bit_count() < best <= rules.max_moves
