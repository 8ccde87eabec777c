"""What the solver knows of a position: its numbers as a table keeps them."""

import numpy as np
import pytest

from pawnstorm.engine.kernels.pn_table import (
    decoded,
    delta,
    encoded,
    is_proven,
    lost,
    pack,
    phi,
    plies,
    proven_move,
    won,
)
from pawnstorm.engine.state import COARSE, COARSE_SHIFT, GREATEST, LARGEST_CODE

STEP = 1 << COARSE_SHIFT
NUMBERS = [1, 2, COARSE - 1, COARSE, COARSE + 1, COARSE + STEP, COARSE + STEP + 1, 987_654_321, GREATEST - 1, GREATEST]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_rounded_up_by_next_to_nothing(number):
    kept = int(decoded(np.uint64(encoded(number))))
    assert number <= kept <= GREATEST and kept - number < STEP and (number > COARSE or kept == number)
    assert int(decoded(np.uint64(encoded(kept)))) == kept


def test_greater_numbers_have_greater_codes():
    codes = [int(encoded(number)) for number in sorted(NUMBERS)]
    assert codes == sorted(codes) and codes[-1] == LARGEST_CODE


def test_word_has_both_numbers():
    for first in NUMBERS:
        word = np.uint64(pack(first, 7))
        assert phi(word) >= first and delta(word) == 7 and not is_proven(word)
        assert phi(np.uint64(pack(7, first))) == 7


def test_proven_words_tell_move_and_plies():
    move = np.uint64(12 | 20 << 6)
    win, loss = np.uint64(won(move, 35)), np.uint64(lost(move, 255))
    assert phi(win) == 0 and plies(delta(win)) == 35 and proven_move(delta(win)) == move and is_proven(win)
    assert delta(loss) == 0 and plies(phi(loss)) == 255 and proven_move(phi(loss)) == move and is_proven(loss)
