"""Weaker play: what a player of a given Elo sees, and how it errs, as pure functions of positions and numbers.

A level errs as people do. It looks at every move, but not far (`nodes`). It misjudges what it sees (`noise`). It does
not see proven wins of either side that take many plies (`sight`). And now and then its attention lapses (`lapse`). Then it
may overlook a reply, and so does not see what is wrong with any move that allows the reply. It overlooks a reply more easily
if the reply is quiet, or far from the move. If a level does not notice what a search found, it keeps its earlier view of the
move. The first view is the static score after the move.

Every error is drawn from the position and the game's seed. So a level has the same view of a position however often it is
asked. A game can be repeated with its seed; with another seed it takes another course. Unless a program sets another, the
seed is the number of games that the engine has begun (`ucinewgame`).

The scale: of two levels 200 apart, the stronger is meant to score 76 % in Breakthrough. `greedy` of scripts/players.py
is at 1400. TABLE and NETWORK_TABLE hold all calibrated numbers.
"""

from collections import namedtuple

from pawnstorm.core.state import MIN_WIN_SCORE, WIN

MASK = (1 << 64) - 1
SURE_ELO = 1400  # from here on, no level misses a win in one, whether its own or the opponent's

Level = namedtuple("Level", "elo nodes noise lapse sight")
Level.__doc__ = """One row of the table.

elo     its place on the scale
nodes   moves that a search may make
noise   standard deviation of the error of a static score, in centipawns
lapse   probability that its attention lapses at a position; then it may overlook replies
sight   plies beyond which it does not see a proven win, of either side
"""

TABLE = (
    Level(800, 340, 53, 0.46, 4.6),
    Level(1000, 500, 43, 0.37, 6),
    Level(1200, 820, 33, 0.28, 8),
    Level(1400, 1500, 24, 0.19, 11.5),
    Level(1600, 3500, 16, 0.1, 16),
    Level(1800, 8400, 10.5, 0.064, 24),
    Level(2000, 17_000, 6, 0.037, 37),
    Level(2200, 35_000, 2.5, 0.015, 60),
    Level(2400, 80_000, 0, 0.0, 100),
    Level(2600, 180_000, 0, 0.0, 120),
    Level(2800, 400_000, 0, 0.0, 140),
    Level(3000, 900_000, 0, 0.0, 160),
    Level(3200, 2_000_000, 0, 0.0, 180),
    Level(3400, 4_500_000, 0, 0.0, 200),
)
"""The levels in games without a neural network, calibrated in 8x8 Breakthrough when it had none.

From 2400 on, only the nodes count.
"""

NETWORK_TABLE = (
    Level(800, 340, 143, 0.46, 4.6),
    Level(1000, 380, 113, 0.37, 6),
    Level(1200, 430, 95, 0.28, 8),
    Level(1400, 490, 81, 0.19, 11.5),
    Level(1600, 560, 73, 0.1, 16),
    Level(1800, 640, 65.5, 0.064, 24),
    Level(2000, 720, 58, 0.037, 37),
    Level(2200, 820, 54, 0.015, 60),
    Level(2400, 950, 44.5, 0.0, 100),
    Level(2600, 1650, 29, 0.0, 120),
    Level(2800, 2800, 17.5, 0.0, 140),
    Level(3000, 6200, 6.5, 0.0, 160),
    Level(3200, 11_500, 0, 0.0, 180),
    Level(3400, 37_000, 0, 0.0, 200),
)
"""The levels in games with a neural network. It sees more at a glance, so a player of a given Elo has to misjudge more."""

LOWEST, HIGHEST = TABLE[0].elo, TABLE[-1].elo


def level(elo, has_network=False):
    """The Level of an Elo, which is clamped to the ends of the table.

    Between two rows, nodes and sight are interpolated geometrically, the rest linearly. has_network: whether a neural
    network evaluates the game.
    """
    elo, table = max(LOWEST, min(HIGHEST, elo)), NETWORK_TABLE if has_network else TABLE
    place = max(number for number, row in enumerate(table[:-1]) if row.elo <= elo)
    below, above = table[place : place + 2]
    part = (elo - below.elo) / (above.elo - below.elo)

    def between(one, two):
        return one + (two - one) * part

    def ratio(one, two):
        return one * (two / one) ** part

    return Level(
        elo,
        round(ratio(below.nodes, above.nodes)),
        between(below.noise, above.noise),
        between(below.lapse, above.lapse),
        ratio(below.sight, above.sight),
    )


def _draw(seed, board, what):
    """64 pseudo-random bits for a question about a position. seed: the game's seed; what: the question, such as LAPSE."""
    key = seed
    for word in (board.own, board.opp, board.ep, board.black_to_move, what):
        key = ((key ^ word) + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 & MASK
        key ^= key >> 29
    key = key * 0x94D049BB133111EB & MASK
    return key ^ key >> 31


def _chance(seed, board, what):
    """A number from 0 to 1, made from _draw()."""
    return _draw(seed, board, what) / (MASK + 1)


LAPSE, NOISE, REPLY = 1, 2, 1 << 16  # the questions of _draw(); that about a reply is REPLY + move


def lapses(skill_level, seed, board):
    """Whether a level's attention lapses at a position."""
    return _chance(seed, board, LAPSE) < skill_level.lapse


def misjudgement(skill_level, seed, child):
    """Centipawns by which a level thinks too well of the move that led to `child`.

    It is the sum of four uniform draws: nearly normal, and never beyond 3.5 standard deviations.
    """
    bits = _draw(seed, child, NOISE)
    total = sum(bits >> shift & 0xFFFF for shift in (0, 16, 32, 48))
    return round((total / 0xFFFF - 2) * 3**0.5 * skill_level.noise)


def plies_to_end(score):
    """Plies to the end of the game if a score proves a win or a loss; 0 if it proves neither."""
    return WIN - abs(score) if abs(score) > MIN_WIN_SCORE else 0


def oversight_chance(skill_level, child, line, score):
    """The chance that a level, in a lapse of attention, overlooks what follows the first move of `line`.

    child: the position after that move.
    """
    if 0 < plies_to_end(score) <= 2:
        return 0.3 * max(0, SURE_ELO - skill_level.elo) / (SURE_ELO - LOWEST)
    if len(line) < 2:
        return 0.75  # a race
    move, reply = line[:2]
    takes = 1 << (reply >> 6) & (child.opp | child.ep) != 0
    near = abs((reply >> 6 & 7) - (move >> 6 & 7)) <= 1
    return (0.75, 0.5, 0.25)[takes + near]


def notices(skill_level, seed, board, child, line, score, lapse):
    """Whether a level sees what the search has found for a move: its score, and the line that begins with it.

    child: the position after the move. lapse: whether the level's attention lapses at `board`, as lapses() says.
    """
    if plies_to_end(score) > max(2, skill_level.sight):
        return False
    # Drawn for the reply, not the move: a threat that is overlooked is overlooked after every move that allows it.
    reply = line[1] if len(line) > 1 else 0
    return not lapse or _chance(seed, board, REPLY + reply) >= oversight_chance(skill_level, child, line, score)


def add_error(score, error):
    """A score with an error of judgement. A proven score stays as it is, and no other score becomes proven."""
    return score if plies_to_end(score) else max(-MIN_WIN_SCORE, min(MIN_WIN_SCORE, score + error))


def remove_error(score, error):
    """The inverse of add_error(), as far as it has one: the result is never a proven score unless `score` is."""
    return score if plies_to_end(score) else max(-MIN_WIN_SCORE, min(MIN_WIN_SCORE, score - error))
