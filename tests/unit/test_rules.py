"""The games by name, and the masks that define them."""

import random

import numpy as np
import pytest

from pawnstorm.games.rules import DEFAULT, GAMES, UnknownGame, game
from pawnstorm.kernels import position
from pawnstorm_tools.checking import naive


def squares(bitboard):
    """The names of a bitboard's squares: a1 is bit 0, and there are eight bits to a rank on every board."""
    return {naive.square(bit % 8, bit // 8) for bit in range(bitboard.bit_length()) if bitboard >> bit & 1}


def names(files, ranks):
    """The squares with these files and ranks, counted from 1."""
    return {naive.square(file - 1, rank - 1) for file in files for rank in ranks}


@pytest.fixture(params=naive.GAMES)
def both(request):
    """(rules of the engine, rules of the naive twin) of every game of every size."""
    return game(request.param), naive.GAMES[request.param]


def test_default_is_twoflags_and_offered_first():
    assert DEFAULT == "twoflags" == GAMES[0]


def test_offered_names_are_distinct_games():
    assert len(set(GAMES)) == len(GAMES)
    assert all(isinstance(game(name).name, str) for name in GAMES)


def test_every_size_is_offered():
    offered = {game(name).name for name in GAMES}
    assert offered == {game(name).name for name in naive.GAMES} | {"pawnsonly"}


def test_canonical_name_names_itself():
    assert all(game(game(name).name).name == game(name).name for name in GAMES)


@pytest.mark.parametrize(
    "alias, name",
    [
        ("twoflags8x8", "twoflags"),
        ("breakthrough8x8", "breakthrough"),
        ("hexapawn3x3", "hexapawn"),
        ("pawnsonly", "pawnsonly"),
        ("twoflags", "twoflags"),
        ("TwoFlags7X6", "twoflags7x6"),
        ("BREAKTHROUGH", "breakthrough"),
        ("twoflags5x5", "twoflags5x5"),
    ],
)
def test_alias_has_its_short_name(alias, name):
    assert game(alias).name == name


@pytest.mark.parametrize("size", [5, 6, 7])
def test_square_breakthrough_has_a_name_of_its_size(size):
    assert game(f"breakthrough{size}").name == game(f"breakthrough{size}x{size}").name


def test_minibreakthrough_is_the_five_by_five_board():
    assert game("minibreakthrough").name == game("breakthrough5x5").name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "chess",
        "twoflag",
        "twoflags8",
        "twoflags8x",
        "twoflagsx8",
        "twoflags8x8x8",
        "twoflags-5x5",
        "twoflags5*5",
        "breakthrough4",
        "pawnsonly8x8",
        "twoflags5²x5",
        "twoflags2x8",
        "twoflags9x8",
        "twoflags3x4",
        "twoflags8x9",
        "breakthrough1x8",
        "breakthrough9x8",
        "breakthrough2x3",
        "breakthrough8x9",
        "hexapawn0x3",
        "hexapawn9x3",
        "hexapawn3x2",
        "hexapawn3x9",
        "hexapawn10x3",
    ],
)
def test_unknown_name_is_refused_by_name(name):
    with pytest.raises(UnknownGame, match="unknown game") as caught:
        game(name)
    assert f"'{name}'" in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_pawnsonly_is_twoflags_with_a_promotion_letter():
    assert [game(name).promotion for name in ("twoflags", "pawnsonly", "breakthrough", "hexapawn", "twoflags5x5")] == [
        "",
        "q",
        "",
        "",
        "",
    ]
    for field in (
        "files",
        "ranks",
        "start_fen",
        "board",
        "goal",
        "home",
        "doubles",
        "diagonals",
        "ep_squares",
        "ep_victims",
    ):
        assert getattr(game("pawnsonly"), field) == getattr(game("twoflags"), field)


def test_start(both):
    rules, twin = both
    assert rules.start_fen == naive.fen(naive.start(twin)) + " 0 1"


def test_board_masks(both):
    rules, twin = both
    assert (rules.files, rules.ranks) == (twin.files, twin.ranks)
    files = range(1, twin.files + 1)
    assert squares(rules.board) == names(files, range(1, twin.ranks + 1))
    assert squares(rules.home) == names(files, [1])
    assert squares(rules.goal) == names(files, [twin.ranks])


def test_masks_of_the_pawn_s_steps(both):
    """Seen by the side to move: the double step is from the second rank, and an enemy's passes over the last but two."""
    rules, twin = both
    files = range(1, twin.files + 1)
    assert squares(rules.doubles) == (names(files, [2]) if twin.double_step else set())
    assert squares(rules.ep_squares) == (names(files, [twin.ranks - 2]) if twin.en_passant else set())
    assert squares(rules.ep_victims) == (names(files, [twin.ranks - 3]) if twin.en_passant else set())
    # A diagonal step can only land above the first rank, so that whether the mask covers it means nothing.
    above = names(files, range(2, twin.ranks + 1))
    assert squares(rules.diagonals) & above == (above if twin.quiet_diagonals else set())


def test_flip_is_its_own_inverse_and_the_kernel_s(both):
    rules, _ = both
    rng, shift = random.Random(1), np.uint64(rules.flip_shift)
    assert rules.flip(rules.home) == rules.goal
    for _ in range(20):
        bitboard = rng.getrandbits(64) & rules.board
        flipped = rules.flip(bitboard)
        assert rules.flip(flipped) == bitboard
        assert position.flip(np.uint64(bitboard), shift) == flipped


def test_mirror_is_the_kernel_s(both):
    rules, _ = both
    rng, shift = random.Random(2), np.uint64(rules.mirror_shift)
    for _ in range(20):
        bitboard = rng.getrandbits(64) & rules.board
        assert rules.mirror(bitboard) == position.mirror(np.uint64(bitboard), shift)


@pytest.mark.parametrize(
    "name, near",
    [
        ("breakthroug", "breakthrough"),
        ("TWOFLAG", "twoflags"),
        ("breakthrouh6x4", "breakthrough6x4"),
        ("twoflags-gost", "twoflags-ghost"),
        ("chess", None),
    ],
)
def test_unknown_game_is_named_with_the_one_that_may_be_meant(name, near):
    with pytest.raises(UnknownGame) as caught:
        game(name)
    said = str(caught.value)
    assert (
        said.startswith(f"unknown game '{name}'" + (f" (did you mean {near}?)" if near else ": ")) and "\n" not in said
    )
