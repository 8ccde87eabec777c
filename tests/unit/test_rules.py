"""The games by name, and the masks that define them."""

import random
import re

import numpy as np
import pytest

from pawnstorm.games.rules import DEFAULT_GAME, GAMES, UnknownGame, get_rules
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
    return get_rules(request.param), naive.GAMES[request.param]


def test_default_is_twoflags_and_offered_first():
    assert DEFAULT_GAME == "twoflags" == GAMES[0]


def test_every_size_is_offered_under_a_name_that_names_itself():
    assert len(set(GAMES)) == len(GAMES)
    offered = {get_rules(name).name for name in GAMES}
    assert all(get_rules(name).name == name for name in offered)
    assert offered == {get_rules(name).name for name in naive.GAMES} | {"pawnsonly"}


@pytest.mark.parametrize(
    "alias, name",
    [
        ("twoflags8x8", "twoflags"),
        ("BREAKTHROUGH8x8", "breakthrough"),
        ("hexapawn3x3", "hexapawn"),
        ("TwoFlags7X6", "twoflags7x6"),
        ("minibreakthrough", "breakthrough5"),
        *((f"breakthrough{size}x{size}", f"breakthrough{size}") for size in (5, 6, 7)),
    ],
)
def test_alias_has_its_short_name(alias, name):
    assert get_rules(alias).name == get_rules(name).name == name


@pytest.mark.parametrize(
    "name, near",
    [
        ("", None),
        ("chess", None),
        ("breakthroug", "breakthrough"),
        ("TWOFLAG", "twoflags"),
        ("breakthrouh6x4", "breakthrough6x4"),
        ("twoflags-gost", "twoflags-ghost"),
    ],
)
def test_unknown_game_is_named_with_the_one_that_may_be_meant(name, near):
    with pytest.raises(UnknownGame) as caught:
        get_rules(name)
    said = str(caught.value)
    assert (
        f"'{name}'" in said and "\n" not in said and said.count("did you mean") == bool(near) and (near or "") in said
    )


@pytest.mark.parametrize(
    "name",
    "twoflags8 twoflags8x twoflagsx8 twoflags8x8x8 twoflags-5x5 twoflags5*5 twoflags5²x5 pawnsonly8x8 breakthrough4 "
    "twoflags2x8 twoflags9x8 twoflags3x4 twoflags8x9 breakthrough1x8 breakthrough9x8 breakthrough2x3 breakthrough8x9 "
    "hexapawn0x3 hexapawn9x3 hexapawn3x2 hexapawn3x9 hexapawn10x3".split(),
)
def test_size_that_a_game_is_not_played_on_is_refused_by_name(name):
    with pytest.raises(UnknownGame, match=f"unknown game '{re.escape(name)}'"):
        get_rules(name)


def test_pawnsonly_is_twoflags_with_a_promotion_letter():
    one, other = get_rules("pawnsonly"), get_rules("twoflags")
    assert (one.promotion_suffix, other.promotion_suffix, get_rules("breakthrough").promotion_suffix) == ("q", "", "")
    differing = {field for field in vars(one) if getattr(one, field) != getattr(other, field)}
    assert differing == {"name", "promotion_suffix"}


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
    assert squares(rules.double_step_squares) == (names(files, [2]) if twin.double_step else set())
    assert squares(rules.ep_squares) == (names(files, [twin.ranks - 2]) if twin.en_passant else set())
    assert squares(rules.ep_victims) == (names(files, [twin.ranks - 3]) if twin.en_passant else set())
    # A diagonal step can only land above the first rank, so that whether the mask covers it means nothing.
    above = names(files, range(2, twin.ranks + 1))
    assert squares(rules.quiet_diagonals) & above == (above if twin.quiet_diagonals else set())


def test_flip_and_mirror_are_the_kernel_s(both):
    rules, _ = both
    rng, flip, mirror = random.Random(1), np.uint64(rules.flip_shift), np.uint64(rules.mirror_shift)
    assert rules.flip(rules.home) == rules.goal
    for _ in range(20):
        bitboard = rng.getrandbits(64) & rules.board
        assert rules.flip(bitboard) == position.flip(np.uint64(bitboard), flip)
        assert rules.mirror(bitboard) == position.mirror(np.uint64(bitboard), mirror)
