"""The evaluation's weights, one set a family of games, in centipawns. The order is engine/evaluate.py's."""

_TWO_FLAGS = (
    [100, 100, 105, 112, 125, 150, 200, 0]      # a pawn, by rank
    + [0, 10, 20, 40, 70, 120, 200, 0]          # passed
    + [0, 4, 8, 12, 15, 25, 40, 0]              # protected
    + [0, -20, -20, -25, -30, -40, -60, 0]      # attacked and not protected
    + [4, -3, 3, 3, 6, 10]                      # phalanx, edge file, central file, push at hand, file held, tempo
)
_BREAKTHROUGH = (
    [112, 100, 102, 108, 122, 150, 220, 0]
    + [0, 0, 10, 30, 60, 120, 250, 0]
    + [4, 4, 6, 10, 16, 30, 60, 0]
    + [-10, -10, -15, -25, -40, -60, -90, 0]
    + [4, -6, 2, 0, 10, 15]
)

BY_FAMILY = {"twoflags": _TWO_FLAGS, "pawnsonly": _TWO_FLAGS, "hexapawn": _TWO_FLAGS, "breakthrough": _BREAKTHROUGH}


def weights(rules):
    """The list of weights of a game. On boards with fewer ranks the far rank's neighbours keep their weights."""
    table = BY_FAMILY[rules.name.rstrip("0123456789x")]
    missing = 8 - rules.ranks
    ranks = [first + rank for first in (0, 8, 16, 24) for rank in range(8)]
    if missing:
        # Ranks count from the goal: what matters is how far a pawn still has to go.
        ranks = [first + min(7, rank + missing if rank else 0) for first in (0, 8, 16, 24) for rank in range(8)]
    return [table[index] for index in ranks] + table[32:]
