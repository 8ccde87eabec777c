"""Values known from the literature and from other solvers, found again by exhaustive play: this checks
scripts/pawnstorm_tools/checking/naive.py itself.
"""

import pytest

from pawnstorm_tools.checking import naive

WINNER = {"+": "w", "-": "b"}

# Winner with best play from the start, + the first player, and the plies of the game.
BREAKTHROUGH = {(2, 4): "-8", (2, 5): "-10", (2, 6): "+15", (3, 4): "-12", (4, 4): "-14"}
BREAKTHROUGH_SLOW = {(5, 4): "-16", (2, 7): "-20", (2, 8): "+25", (3, 5): "-18"}
# Ranks -> values for the widths 1, 2, 3, ...
HEXAPAWN = {
    3: "+1 -2 -6 +5 +7 -8 +9 +11",
    4: "-2 -6 -8 +11 -14",
    5: "+3 -6 +11 -16",
    6: "-4 -10 -14",
    7: "+5 -10 +19",
    8: "-6 -14 -22",
}
HEXAPAWN_SLOW = {(6, 4): "-16", (5, 5): "+19", (4, 6): "+21", (4, 7): "-24"}


def cases():
    hexapawn = {(files, ranks): value for ranks in HEXAPAWN for files, value in enumerate(HEXAPAWN[ranks].split(), 1)}
    for make, values, marks in (
        (naive.breakthrough, BREAKTHROUGH, ()),
        (naive.hexapawn, hexapawn, ()),
        (naive.breakthrough, BREAKTHROUGH_SLOW, pytest.mark.slow),
        (naive.hexapawn, HEXAPAWN_SLOW, pytest.mark.slow),
    ):
        for (files, ranks), value in values.items():
            yield pytest.param(make(files, ranks), value, id=f"{make.__name__}{files}x{ranks}", marks=marks)


@pytest.mark.parametrize("game, value", list(cases()))
def test_start_has_its_known_winner_and_length(game, value):
    assert naive.solve(naive.start(game)) == (WINNER[value[0]], int(value[1:]))


@pytest.mark.parametrize("files", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_twoflags_is_lost_for_the_first_player_on_six_ranks(files):
    winner, _ = naive.solve(naive.start(naive.twoflags(files, 6)))
    assert winner == "b"


@pytest.mark.parametrize(
    "side, values", [("b", {"f6f5": ("b", 4), "h6h5": ("w", 5)}), ("w", {"f4f5": ("w", 2), "g4g5": ("b", 3)})]
)
def test_seed_example_is_decided_by_the_choice_of_move(side, values):
    """After the move: a mate in 3 for Black leaves 4 plies, a mate in 2 for White 2; the wrong move loses in 3 (Black)
    or 2 (White).
    """
    position = naive.parse_fen(naive.twoflags(), f"8/5p2/5p1p/8/5PP1/8/8/8 {side} - -")
    assert {move: naive.solve(naive.play(position, move)) for move in naive.moves(position)} == values


def test_slip_in_breakthrough_loses_to_a_mate_in_two():
    """Mate in 2 for White after b8b7: three plies, and only a6a7 keeps it."""
    position = naive.parse_fen(naive.breakthrough(), "pp1ppppp/3pp3/Ppppppp1/3p4/2P5/3PPPP1/1PP5/PPPPPPPP b - -")
    after = naive.play(position, "b8b7")
    winning = naive.Solver()
    assert not winning.wins(after, 1) and winning.wins(after, 3)
    assert [move for move in naive.moves(after) if winning.loses(naive.play(after, move), 2)] == ["a6a7"]
