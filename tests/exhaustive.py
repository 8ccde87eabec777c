"""Exhaustive values of small boards: plain minimax over move generation, memoised, without races, bounds or pruning;
and the winners alone, for which the first winning move found is enough.

Compiled by numba's JIT, so that millions of positions can be compared with what engine/pawnstorm/kernels/race.py and the search
say of them.
"""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  the kernels out of the cache, which takes a second and not twenty

# isort: split

import numpy as np
from numba import njit

from pawnstorm.kernels.kernel import STATE_DTYPE
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.position import make_move
from pawnstorm.kernels.table import hash_key

WORDS = 4  # own, opp, ep, value + 1000


def record(rules):
    """A kernels' record set to a game."""
    state = np.zeros(1, STATE_DTYPE).view(np.recarray)[0]
    for name in (
        "board",
        "goal",
        "home",
        "double_step_squares",
        "quiet_diagonals",
        "ep_squares",
        "ep_victims",
        "flip_shift",
        "ranks",
    ):
        setattr(state, name, getattr(rules, name))
    return state


def memory(bits=20):
    """An empty memo of 2**bits positions; a full place is overwritten."""
    return np.zeros((1 << bits, WORDS), np.uint64)


@njit
def value(own, opp, ep, state, memo):
    """Plies to the end with best play by both, the quickest win and the longest resistance: n > 0 a win in n, -n a loss
    in n.
    """
    place = memo[np.int64(hash_key(own, opp, ep) & np.uint64(len(memo) - 1))]
    if place[3] and place[0] == own and place[1] == opp and place[2] == ep:
        return np.int64(place[3]) - 1000
    legal = state.moves[: generate_moves(own, opp, ep, state)].copy()
    best = np.int64(0)
    for move in legal:
        new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(move), state)
        reply = value(new_own, new_opp, new_ep, state, memo)
        # A reply that loses in n wins for us in n + 1; 0 is a finished position, lost at once.
        mine = 1 - reply if reply <= 0 else -1 - reply
        if best == 0 or (mine > 0 and (best < 0 or mine < best)) or (mine < 0 and best < 0 and mine < best):
            best = mine
    place[0], place[1], place[2], place[3] = own, opp, ep, np.uint64(best + 1000)
    return best


def winners(bits):
    """An empty memo of wins(), of 2**bits positions; a full place is overwritten."""
    return np.zeros((1 << bits, 2), np.uint64)


@njit
def wins(own, opp, ep, state, memo):
    """Whether the side to move wins, on boards of up to six ranks."""
    # Six ranks leave two bytes: 1 lost, 2 won; and the file of ep, where one square is enough as its rank is always the
    # same.
    ahead = np.uint64(0)
    while ep >> ahead & np.uint64(0xFF) == 0 and ahead < 56:
        ahead += np.uint64(8)
    words = own | (ep >> ahead & np.uint64(0xFF)) << np.uint64(48)
    place = memo[np.int64(hash_key(own, opp, ep) & np.uint64(len(memo) - 1))]
    if place[0] == words and place[1] << np.uint64(16) == opp << np.uint64(16) and place[1] >> np.uint64(48):
        return place[1] >> np.uint64(48) == 2
    found = False
    for move in state.moves[: generate_moves(own, opp, ep, state)].copy():
        new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(move), state)
        if not wins(new_own, new_opp, new_ep, state, memo):
            found = True
            break
    place[0], place[1] = words, opp | np.uint64(2 if found else 1) << np.uint64(48)
    return found
