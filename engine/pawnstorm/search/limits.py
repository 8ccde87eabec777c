"""What a search may use, and what it reports."""

from collections import namedtuple

from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.search import time_budget

Info = namedtuple("Info", "board depth seldepth multipv score bound nodes milliseconds hashfull pv")
Info.__doc__ = """One report: a line of the search.

board           the position that was searched
depth, seldepth in plies: of the iteration, and of its longest line
multipv         the line's place among those reported, from 1
score           centipawns for the side to move; beyond MIN_WIN_SCORE a win or a loss
bound           "", or "lower" or "upper" if the score is only a bound
nodes, milliseconds     spent so far
hashfull        how full the table is, per mille; None where it was not counted
pv              the principal variation
"""


class Limits(
    namedtuple(
        "Limits",
        "depth nodes mate prove movetime clock moves_to_go infinite ponder searchmoves",
        defaults=(0, 0, 0, False, None, None, 0, False, False, ()),
    )
):
    """What a search may use; 0 or None means no such limit. Times are in milliseconds.

    depth           plies
    nodes           moves made by all threads together
    mate            look for a win within this number of moves
    prove           search until it is proven who wins
    movetime        time for this move
    clock           (time, increment) of the side to move; time is None if it is unknown
    moves_to_go     moves to the next time control
    infinite        search until stop
    ponder          search until ponderhit, and from then on within the other limits
    searchmoves     the only root moves to consider; empty for all
    """

    __slots__ = ()

    def budget(self, overhead, ahead=time_budget.OVERHEAD_MOVES):
        """(soft, hard) milliseconds for the move, or None if time does not limit it.

        ahead: the expected number of own moves to come that need thought.
        """
        if self.infinite:
            return None
        if self.movetime is not None:
            return time_budget.fixed_budget(self.movetime, overhead)
        if self.clock is not None:
            left, increment = self.clock
            if left is None:
                return time_budget.UNKNOWN_CLOCK, time_budget.UNKNOWN_CLOCK
            return time_budget.budget(left, increment, self.moves_to_go, overhead, ahead)
        return None


def mate_in(score):
    """Moves to the end of the game if a score proves a win or a loss, negative for a loss; None if it proves neither."""
    if score > MIN_WIN_SCORE:
        return (WIN - score + 1) // 2
    if score < -MIN_WIN_SCORE:
        return -((WIN + score) // 2)
    return None
