"""How hard it is to find a move: how often the engine's levels miss it, and the grade that follows, an Elo."""

LEVELS = (800, 1200, 1600, 2000, 2400)
TRIES = 20
"""Games, each with other errors, in which every level is asked for the move."""
NODES = 10_000
"""Of a search at full strength, which has no errors to vary: one try. A few milliseconds."""
EASIEST, HARDEST = LEVELS[0] - 400, LEVELS[-1] + 400
"""Bounds of a grade. Beyond them it would rest on one or two tries."""


def count_misses(player, board, move):
    """How many tries of each level miss the move, and last 1 or 0: whether full strength misses it. player: a LevelPlayer."""
    return [
        *(sum(player.move(board, elo, seed) != move for seed in range(1, TRIES + 1)) for elo in LEVELS),
        int(player.move(board, None, 0, NODES) != move),
    ]


def grade(misses):
    """The rating of a puzzle that wins against a level whenever it is missed: the one at which Elo's formula expects the
    levels, in all their tries, to find the move as often as they did. A level of this Elo finds it in half of its tries.

    This is the logistic fit with the slope of the Elo scale; its sum is enough, since all levels try equally often. Full
    strength does not count.
    """
    found = sum(TRIES - missed for missed in misses[: len(LEVELS)])
    return min(range(EASIEST, HARDEST + 1), key=lambda rating: abs(expected_finds(rating) - found))


def expected_finds(rating):
    """The tries that find the move of a puzzle of this rating, by Elo's formula."""
    return sum(TRIES / (1 + 10 ** ((rating - elo) / 400)) for elo in LEVELS)
