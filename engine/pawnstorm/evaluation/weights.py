"""Makes the tables of weights that engine/pawnstorm/kernels/evaluate.py reads, for any board, from a family's tuned
numbers (evaluation/data/).

A family has four tables of numbers, in centipawns. Each table is a pair, for the side to move and for the other side.
Each of the two is again a pair, for the full board and for the empty board. Their numbers are indexed as follows:

    CLASSES   by class and rank: 8 * (stoppers << 3 | weak << 2 | attacked << 1 | protected) + rank, classes as in
              pawn_index() of engine/pawnstorm/kernels/evaluate.py
    SQUARES   by rank and distance from the edge: 4 * rank + distance. A pawn is worth the sum of its CLASSES and SQUARES
    ROWS      by home row and its pattern of pawns: 136 * row + PATTERN_PLACES[pattern], where mirror images share a
              place. They are used only on boards with eight files
    COUNTS    by the features of engine/pawnstorm/kernels/evaluate.py's count_features

The numbers are for the ranks of a board with eight ranks. On a board with fewer ranks, a rank has the numbers of the rank at
the same distance from the far rank, since what matters is how far a pawn still has to go. The first rank is an exception: on
every board, it has the numbers of the first rank.
"""

from pawnstorm.core.state import FEATURE_COUNT, State
from pawnstorm.evaluation import networks
from pawnstorm.evaluation.data import breakthrough, twoflags

BY_FAMILY = {"twoflags": twoflags, "pawnsonly": twoflags, "hexapawn": twoflags, "breakthrough": breakthrough}


WEIGHTS_SCALE = 100
"""The odds_scale() of tuned weights (scripts/tune.py --scale)."""


def _pattern_places():
    """A list with a place from 0 to 135 for each of the 256 patterns of a home row. Mirror images share a place."""
    mirror, places, count = [0] * 256, [], 0
    for pattern in range(256):
        mirror[pattern] = mirror[pattern >> 1] >> 1 | (pattern & 1) << 7
    for pattern in range(256):
        new = mirror[pattern] >= pattern
        places.append(count if new else places[mirror[pattern]])
        count += new
    return places


PATTERN_PLACES = _pattern_places()
PATTERNS = 136


def rank_place(rank, rules):
    """The rank of a board of eight ranks that has the same weights as `rank` has on this board."""
    return rank + 8 - rules.ranks if rank else 0


def stopper_mask(square, rules):
    """Roughly the squares ahead from which enemies can stop a pawn on `square`.

    They are on the pawn's file and on one file to each side. If pawns can step diagonally, squares farther ahead are on more
    files, as the pawn's own paths are.
    """
    rank, file = divmod(square, 8)
    mask = 0
    for ahead in range(1, rules.ranks - rank):
        reach = max(1, (ahead + 2) // 2) if rules.quiet_diagonals else 1
        for other in range(max(0, file - reach), min(rules.files - 1, file + reach) + 1):
            mask |= 1 << 8 * (rank + ahead) + other
    return mask


def pack_pair(pair):
    """A pair of weights, for the full board and for the empty board, as one number."""
    midgame, endgame = pair
    return (midgame << 16) + endgame


def _tables(rules):
    data = BY_FAMILY[rules.family]
    squares = [
        (8 * rank + file, rank_place(rank, rules), min(file, rules.files - 1 - file))
        for rank in range(rules.ranks)
        for file in range(rules.files)
    ]
    masks, pawns, rows, counts = [0] * 64, [0] * 4096, [0] * 1024, [0] * (2 * FEATURE_COUNT)
    for square, *_ in squares:
        masks[square] = stopper_mask(square, rules)
    for side in range(2):
        by_class = list(map(pack_pair, zip(*data.CLASSES[side])))
        by_square = list(map(pack_pair, zip(*data.SQUARES[side])))
        for kind in range(32):
            for square, rank, edge in squares:
                pawns[side << 11 | kind << 6 | square] = by_class[8 * kind + rank] + by_square[4 * rank + edge]
        if rules.files == 8:
            by_row = list(map(pack_pair, zip(*data.ROWS[side])))
            for row in range(2):
                first = side << 9 | row << 8
                rows[first : first + 256] = [by_row[PATTERNS * row + place] for place in PATTERN_PLACES]
        counts[side * FEATURE_COUNT : (side + 1) * FEATURE_COUNT] = map(pack_pair, zip(*data.COUNTS[side]))
    fields = {"stopper_masks": masks, "pawn_weights": pawns, "row_weights": rows, "count_weights": counts}
    types = dict(State._fields_)
    tables = {name: types[name](*values) for name, values in fields.items()}
    return tables | {"phase_scale": 65536 // (2 * rules.pawn_rows * rules.files), "home_shift": 8 * rules.first_row}


_made = {}


def set_weights(state, rules):
    """Set the fields of a State that the evaluation reads."""
    if rules not in _made:
        _made[rules] = _tables(rules)
    for name, value in _made[rules].items():
        setattr(state, name, value)
    for kind, address in networks.addresses(rules).items():
        setattr(state, kind, address)


def odds_scale(rules):
    """The static score in centipawns at which the odds of winning are e to 1.

    The evaluation was trained with this scale: 1 / (1 + exp(-score / scale)) is the chance of winning that it predicts.
    """
    return networks.odds_scale(rules) or WEIGHTS_SCALE
