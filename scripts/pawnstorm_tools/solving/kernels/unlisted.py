"""Decides, with the solver's kernels, which positions of the winner a proof need not list (checking/prooffile.py).

The checker has its own rule for them (checking/unlisted.py), which must accept all positions that this rule leaves out.
tests/unit/test_unlisted.py compares both rules with exhaustive play, and with each other.
"""

from numba.types import boolean

from pawnstorm.kernels.kernel import EIGHT, NINE, NOT_A, NOT_H, ONE, SEVEN, STATE, ZERO, i64, u64
from pawnstorm.kernels.movegen import count_moves, targets
from pawnstorm.kernels.position import attacks, attacks_down
from pawnstorm.kernels.race import race_win_plies
from pawnstorm_tools.common.machinecode import compiled

SHIFTS, SHIFTS_DOWN = (SEVEN, EIGHT, NINE), (NINE, EIGHT, SEVEN)  # north-west, north, north-east; and back


@compiled(boolean(u64, u64, i64, u64, STATE))
def wins(own, opp, moves, after_replies, state):
    """wins_by_threats() of a position with the winner to move. If after_replies is ONE, the opponent is to move, and the
    winner must win by threats after each of the opponent's moves.

    One kernel serves both cases, since numba does not cache kernels that call each other.
    """
    if after_replies:
        # First, as if the opponent passed: this refutes most moves at little cost.
        if opp & state.home << EIGHT or not wins(own, opp, moves, ZERO, state):
            return False
        free = state.board & ~opp
        sets = (opp & NOT_A) >> NINE & free, opp >> EIGHT & free & ~own, (opp & NOT_H) >> SEVEN & free
        for taken in (own, ~own):  # captures first, since they refute most
            for kind in range(3):
                left = sets[kind] & taken
                while left:
                    to = left & ZERO - left
                    left ^= to
                    if not wins(own & ~to, opp ^ to << SHIFTS_DOWN[kind] | to, moves, ZERO, state):
                        return False
        return True
    before = state.goal >> EIGHT
    if own & before:
        return True
    if not opp & state.home << EIGHT:
        steps = own << EIGHT & ~opp | attacks(own)
        if steps & ~own & before & ~attacks_down(opp):
            return True
    if moves <= 2:
        return False
    if moves > 3 and wins(own, opp, moves - 1, ZERO, state):
        return True
    ahead = targets(own, opp, ZERO, state)
    for kind in range(3):
        left = ahead[kind]
        while left:
            to = left & ZERO - left
            left ^= to
            if wins(own ^ to >> SHIFTS[kind] | to, opp & ~to, moves - 1, ONE, state):
                return True
    return False


@compiled(boolean(u64, u64, i64, STATE))
def wins_by_threats(own, opp, moves, state):
    """Whether the side to move reaches its far rank by threats (checking/prooffile.py) within `moves` (2 or more) of its own
    moves. For games whose pawns may step diagonally.
    """
    return wins(own, opp, moves, ZERO, state)


@compiled(boolean(u64, u64, u64, i64, STATE))
def needs_record(own, opp, ep, within, state):
    """Whether a proof has to list a position with the winner to move.

    It need not if the game is over, if a pawn is certain to reach the far rank within two moves, or if `within` is more than 2
    and the winner reaches the far rank by threats within `within` moves.
    """
    plies = race_win_plies(own, opp, state)
    if 0 < plies <= 3 or count_moves(own, opp, ep, state) == ZERO:
        return False
    return within <= 2 or not wins_by_threats(own, opp, within, state)
