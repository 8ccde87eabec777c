"""What the next move decides: whether the side to move wins at once, and whether the opponent is about to."""

from pawnstorm.kernels.bits import popcount
from pawnstorm.kernels.kernel import EIGHT, ONE, STATE, kernel, u64
from pawnstorm.kernels.position import attacks, attacks_down


@kernel(u64(u64, u64, u64, STATE))
def wins_now(own, opp, ep, state):
    """Squares onto which a move wins at once, by reaching the far rank or taking the last enemy pawn; 0 if none does."""
    empty = state.board & ~(own | opp)
    diagonal_targets = attacks(own)
    winning_targets = (diagonal_targets & (opp | state.quiet_diagonals & empty) | (own << EIGHT) & empty) & state.goal
    if popcount(opp) == ONE:
        # An en passant capture takes the last pawn too, unless the game leaves the victim standing.
        winning_targets |= diagonal_targets & (opp | (ep & (state.ep_victims << EIGHT)))
    return winning_targets


@kernel(u64(u64, u64, STATE))
def opponent_wins(own, opp, state):
    """Home squares that the opponent could step or capture onto if it were to move.

    If there are any, the opponent wins next unless it is stopped.
    """
    empty = state.board & ~(own | opp)
    diagonal_targets = attacks_down(opp)
    return (diagonal_targets & (own | state.quiet_diagonals & empty) | (opp >> EIGHT) & empty) & state.home
