"""How hard it is to find a move: how often the engine's levels miss it, and the grade, an Elo, that follows from this."""

LEVELS = (800, 1200, 1600, 2000, 2400)
TRIES = 20
"""The tries of each level. Each try is a game with other errors."""
NODES = 10_000
"""Nodes of the search at full strength: some milliseconds. It has no errors to vary, so it gets one try."""
EASIEST, HARDEST = LEVELS[0] - 400, LEVELS[-1] + 400
"""Bounds of a grade. Beyond them it would depend on one or two tries."""


def count_misses(player, board, move):
    """A list: for each level, how many of its tries miss the move; then 1 if full strength misses it, else 0.

    player: a LevelPlayer.
    """
    return [
        *(sum(player.move(board, elo, seed) != move for seed in range(1, TRIES + 1)) for elo in LEVELS),
        int(player.move(board, None, 0, NODES) != move),
    ]


def grade(misses):
    """The Elo of a puzzle, as if it won against a level each time that the level misses the move.

    At this rating, Elo's formula expects as many finds as there were, over all tries of all levels. A level of this
    Elo finds the move in half of its tries. This is the logistic fit with the slope of the Elo scale; only the sum over the
    levels matters, since all levels have equally many tries. Full strength does not count.
    """
    found = sum(TRIES - missed for missed in misses[: len(LEVELS)])
    return min(range(EASIEST, HARDEST + 1), key=lambda rating: abs(expected_finds(rating) - found))


def expected_finds(rating):
    """The expected number of tries that find the move of a puzzle of this rating, by Elo's formula."""
    return sum(TRIES / (1 + 10 ** ((rating - elo) / 400)) for elo in LEVELS)
