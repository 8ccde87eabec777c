"""What the solver knows of a position: its numbers as a table keeps them."""

from itertools import islice

import numpy as np
import pytest
from setups import words_wrap  # noqa: F401

from pawnstorm.core.state import COARSE, COARSE_SHIFT, CODE_MASK, MAX_PROOF_NUMBER, REGION_BITS
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.pn_table import (
    decode_number,
    delta,
    encode_number,
    is_proven,
    pack,
    pack_loss,
    pack_win,
    phi,
    proof_bucket_index,
    proof_key,
    proven_move,
    proven_plies,
)
from pawnstorm_tools.common.random_openings import candidates
from pawnstorm_tools.solving import table_save
from pawnstorm_tools.solving.kernels import table_walk

STEP = 1 << COARSE_SHIFT
NUMBERS = [
    1,
    2,
    COARSE - 1,
    COARSE,
    COARSE + 1,
    COARSE + STEP,
    COARSE + STEP + 1,
    987_654_321,
    MAX_PROOF_NUMBER - 1,
    MAX_PROOF_NUMBER,
]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_rounded_up_by_next_to_nothing(number):
    kept = int(decode_number(np.uint64(encode_number(number))))
    assert number <= kept <= MAX_PROOF_NUMBER and kept - number < STEP and (number > COARSE or kept == number)
    assert int(decode_number(np.uint64(encode_number(kept)))) == kept


def test_greater_numbers_have_greater_codes():
    codes = [int(encode_number(number)) for number in sorted(NUMBERS)]
    assert codes == sorted(codes) and codes[-1] == CODE_MASK


def test_word_has_both_numbers():
    for first in NUMBERS:
        word = np.uint64(pack(first, 7))
        assert phi(word) >= first and delta(word) == 7 and not is_proven(word)
        assert phi(np.uint64(pack(7, first))) == 7


def test_proven_words_tell_move_and_plies():
    move = np.uint64(12 | 20 << 6)
    win, loss = np.uint64(pack_win(move, 35)), np.uint64(pack_loss(move, 255))
    assert phi(win) == 0 and proven_plies(delta(win)) == 35 and proven_move(delta(win)) == move and is_proven(win)
    assert delta(loss) == 0 and proven_plies(phi(loss)) == 255 and proven_move(phi(loss)) == move and is_proven(loss)


def key_of(board, state):
    return int(proof_key(np.uint64(board.own), np.uint64(board.opp), np.uint64(board.ep), state))


@pytest.mark.parametrize("name", ["breakthrough6x6", "breakthrough", "twoflags"])
def test_what_follows_without_a_capture_has_one_region_and_keys_of_its_own(name):
    rules = get_rules(name)
    state = table_walk.new_state(rules)
    for board in islice(candidates(rules, (2, 12), "region"), 50):
        quiet = []
        for move in board.moves():
            reply = board.push(move)
            double = (move >> 6) - (move & 63) == 16
            if reply.own.bit_count() == board.opp.bit_count() and not double:
                quiet.append(key_of(reply, state))
        assert len({key >> 64 - REGION_BITS for key in quiet}) <= 1
        replies = list(map(board.push, board.moves()))
        keys = {key_of(reply, state) & (1 << 64 - REGION_BITS) - 1 for reply in replies}
        assert len(keys) == len({reply.canonical() for reply in replies})


@pytest.mark.parametrize("buckets", [2048, 300_000, (1 << 23) - 1, 1 << 23, 14 << 24])
def test_buckets_lie_in_the_part_of_their_region_and_saved_tables_know_them(buckets):
    state = table_walk.new_state(get_rules("breakthrough"))
    state.buckets = buckets
    chance = np.random.default_rng(1)
    keys = chance.integers(0, 1 << 64, 5000, np.uint64)
    found = np.array([int(proof_bucket_index(key, state)) >> 3 for key in keys], np.uint64)
    assert (found == table_save._places(keys, buckets)).all() and found.max() < buckets
    assert np.bincount((found * np.uint64(16) // np.uint64(buckets)).astype(int)).min() > 200  # of 312 on average
    one = keys & np.uint64((1 << 64 - REGION_BITS) - 1)
    found = [int(proof_bucket_index(key, state)) >> 3 for key in one]
    assert len(set(found)) > 500 and (max(found) < 2048 if buckets >> 23 else max(found) > buckets * 0.9)
