"""Every number of the search and of the solver that a tuner might change, with its bounds.

Each number is a constant of this module. The kernels and deepening.py import the constants by name, so the values are
compiled into the core. To try other values, a tuner starts the engine with this variable in its environment:

    PAWNSTORM_PARAMETERS="RFP_MARGIN=70 LMR_DIVISOR=120000"

The engine then builds a separate core for these values (engine/pawnstorm/core/sources.py). Frozen programs contain their
core and do not read this variable.
"""

import os
import sys
from collections import namedtuple

Parameter = namedtuple("Parameter", "name value low high step does")
Parameter.__doc__ = """One number.

name, value     of the constant
low, high       its bounds, both allowed
step            by how much a tuner may change it at once
does            what it means; depths in plies, scores in centipawns
"""

PARAMETERS = []
"""Every Parameter, in the order of this file."""


def _tunable(*row):
    """Add a Parameter to PARAMETERS; returns its value."""
    PARAMETERS.append(Parameter(*row))
    return PARAMETERS[-1].value


# Aspiration windows (engine/pawnstorm/search/deepening.py).
ASPIRATION_MIN_DEPTH = _tunable("ASPIRATION_MIN_DEPTH", 4, 2, 10, 1, "depth from which on the window is narrowed")
ASPIRATION_WINDOW = _tunable("ASPIRATION_WINDOW", 20, 5, 100, 4, "half of the first window")
ASPIRATION_GROWTH = _tunable("ASPIRATION_GROWTH", 3, 2, 6, 1, "factor by which it grows after a score outside")
ASPIRATION_LIMIT = _tunable("ASPIRATION_LIMIT", 1000, 100, 4000, 200, "half a window beyond which that side is opened")

# The search (engine/pawnstorm/kernels/search.py).
QUIESCENCE_PLIES = _tunable("QUIESCENCE_PLIES", 10, 2, 32, 2, "plies that quiescence may go on")
# Reverse futility pruning.
RFP_MAX_DEPTH = _tunable("RFP_MAX_DEPTH", 7, 0, 12, 1, "greatest depth")
RFP_MARGIN = _tunable("RFP_MARGIN", 72, 20, 200, 8, "margin for each ply")
RFP_IMPROVING = _tunable("RFP_IMPROVING", 50, 0, 150, 15, "margin less where the side's score has risen")
# The null move.
NULL_MIN_DEPTH = _tunable("NULL_MIN_DEPTH", 3, 1, 8, 1, "least depth")
NULL_REDUCTION = _tunable("NULL_REDUCTION", 3, 1, 6, 1, "plies of reduction")
NULL_DEPTH_DIVISOR = _tunable("NULL_DEPTH_DIVISOR", 4, 2, 12, 1, "depth for each further ply of reduction")
NULL_EVAL_DIVISOR = _tunable(
    "NULL_EVAL_DIVISOR", 124, 50, 500, 25, "score above beta for each further ply of reduction"
)
NULL_EVAL_MAX = _tunable("NULL_EVAL_MAX", 3, 0, 6, 1, "plies of reduction by score at most")
# Internal iterative reduction, and futility pruning.
IIR_MIN_DEPTH = _tunable("IIR_MIN_DEPTH", 4, 2, 10, 1, "reduction: least depth")
FUTILITY_MAX_DEPTH = _tunable("FUTILITY_MAX_DEPTH", 6, 0, 12, 1, "greatest depth")
FUTILITY_BASE = _tunable("FUTILITY_BASE", 104, 0, 300, 16, "margin at depth 0")
FUTILITY_MARGIN = _tunable("FUTILITY_MARGIN", 66, 20, 250, 10, "margin for each ply")
# Late move pruning.
LMP_MAX_DEPTH = _tunable("LMP_MAX_DEPTH", 6, 0, 12, 1, "greatest depth")
LMP_BASE = _tunable("LMP_BASE", 76, 0, 192, 12, "16 times the moves searched at depth 0")
LMP_SCALE = _tunable("LMP_SCALE", 15, 2, 48, 3, "16 times the moves more for the square of the depth")
LMP_WORSENING = _tunable("LMP_WORSENING", 12, 2, 16, 2, "16ths of the moves where the side's score has not risen")
LOSING_MAX_DEPTH = _tunable(
    "LOSING_MAX_DEPTH", 4, 0, 10, 1, "greatest depth at which quiet moves that lose a pawn are skipped"
)
# Late move reductions; LMR_BASE and those after it are 1024ths of a ply.
LMR_MIN_DEPTH = _tunable("LMR_MIN_DEPTH", 3, 2, 6, 1, "least depth")
LMR_MIN_MOVES = _tunable("LMR_MIN_MOVES", 3, 2, 8, 1, "number of the first move")
LMR_DIVISOR = _tunable("LMR_DIVISOR", 93000, 65536, 262144, 12000, "65536 log(depth) log(move) over this")
LMR_DEPTH_CAP = _tunable("LMR_DEPTH_CAP", 63, 16, 127, 8, "deeper searches count as this depth")
LMR_BASE = _tunable("LMR_BASE", 650, 0, 2048, 220, "always")
LMR_PV = _tunable("LMR_PV", 400, 0, 3072, 220, "less on the principal variation")
LMR_LOSING = _tunable("LMR_LOSING", 1150, 0, 3072, 220, "more where the move loses a pawn")
LMR_ADVANCE = _tunable("LMR_ADVANCE", 850, 0, 3072, 220, "less onto one of the last ranks")
LMR_WORSENING = _tunable("LMR_WORSENING", 370, 0, 2048, 220, "more where the side's score has not risen")
LMR_CUT = _tunable("LMR_CUT", 800, 0, 3072, 220, "more where a cut is expected")
LMR_HISTORY = _tunable("LMR_HISTORY", 25, 0, 512, 16, "less for each 1024 of history")
LMR_ROOT = _tunable("LMR_ROOT", 1024, 0, 3072, 220, "less at the root, where only this and the logarithms count")
LMR_ROOT_MIN_MOVES = _tunable("LMR_ROOT_MIN_MOVES", 5, 2, 12, 1, "number of the first move at the root")

# Move order (engine/pawnstorm/kernels/movepick.py).
CAPTURE_RANK = _tunable(
    "CAPTURE_RANK", 1024, 64, 4096, 128, "order of a capture for each rank that the victim is nearer home"
)
CAPTURE_SAFE = _tunable("CAPTURE_SAFE", 4096, 0, 16384, 512, "order of a capture that does not lose the pawn")
HISTORY_LIMIT = _tunable("HISTORY_LIMIT", 16384, 4096, 32767, 2048, "greatest history, and least below 0")
HISTORY_BONUS = _tunable("HISTORY_BONUS", 9, 1, 64, 3, "history of a quiet move that cuts off, times the depth squared")
HISTORY_BONUS_MAX = _tunable("HISTORY_BONUS_MAX", 1080, 200, 8000, 250, "greatest bonus of HISTORY_BONUS")
CONTINUATION = _tunable("CONTINUATION", 11, 0, 64, 8, "weight of the continuation history, in 32nds")

# The transposition table (engine/pawnstorm/kernels/table.py).
TABLE_AGE = _tunable("TABLE_AGE", 4, 0, 16, 1, "plies of depth that an entry is worth less for each search since")

# The solver (engine/pawnstorm/kernels/dfpn.py).
PN_HALVING = _tunable("PN_HALVING", 100, 25, 400, 15, "score that doubles a leaf's one number and halves the other")
PN_NETWORK_HALVING = _tunable("PN_NETWORK_HALVING", 640, 25, 2000, 60, "PN_HALVING for a neural network's score")
PN_EVEN = _tunable("PN_EVEN", 4, 0, 12, 1, "a leaf's phi at score 0 is 4 * 2 ** (PN_EVEN / 4)")
PN_LEAD = _tunable("PN_LEAD", 2, 0, 8, 1, "quarters of a doubling for a move's lead of two attacks (endings.py)")
PN_ALONE = _tunable("PN_ALONE", 4, 0, 16, 1, "quarters of a doubling for the only attack (endings.py)")
PN_STEPS = _tunable("PN_STEPS", 5, 0, 16, 1, "16ths added to PN_EVEN for each rank that a pawn has before it")
PN_MOST = _tunable("PN_MOST", 48, 16, 72, 4, "a leaf's phi is at most 4 * 2 ** (PN_MOST / 4)")
PN_EFFORT = _tunable("PN_EFFORT", 20, 0, 64, 2, "16ths of a doubling for each doubling of a solver's network's effort")
PN_ODDS = _tunable("PN_ODDS", 6, 0, 32, 1, "16ths of a doubling for its odds of e to one")
PN_NETWORK_LEAD = _tunable("PN_NETWORK_LEAD", 2, 0, 8, 1, "how often the lead counts beside such a network")
PN_NETWORK_MOST = _tunable("PN_NETWORK_MOST", 40, 16, 72, 4, "PN_MOST for both of a leaf's numbers with such a network")
PN_REPLIES_SHIFT = _tunable(
    "PN_REPLIES_SHIFT", 3, 0, 6, 1, "a leaf's delta is multiplied by its replies over this power of 2"
)
PN_EPSILON_SHIFT = _tunable(
    "PN_EPSILON_SHIFT", 2, 0, 5, 1, "thresholds let a child grow by its number over this power of 2"
)
PN_OTHERS = _tunable(
    "PN_OTHERS", 16, 0, 16, 1, "16ths of each reply's phi in delta, except the largest, which counts whole"
)
PN_SHARING_SHIFT = _tunable(
    "PN_SHARING_SHIFT", 1, 0, 5, 1, "threads: a child may cost more than the best by its number over this power of 2"
)


def _overrides(text):
    """{name: value} of `NAME=VALUE ...`. Raises ValueError."""
    rows, values = {row.name: row for row in PARAMETERS}, {}
    for word in text.split():
        name, _, number = word.partition("=")
        row = rows.get(name)
        if row is None:
            raise ValueError(
                f"PAWNSTORM_PARAMETERS: '{name[:40]}' is not a parameter: expected a name in engine/pawnstorm/core/parameters.py"
            )
        digits = number.removeprefix("-")
        # int() would accept non-ASCII digits, and has its own error for thousands of digits.
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 10 and row.low <= int(number) <= row.high):
            raise ValueError(f"PAWNSTORM_PARAMETERS: bad value in '{word[:60]}': expected {row.low} to {row.high}")
        values[name] = int(number)
    return values


OVERRIDES = _overrides("" if hasattr(sys, "_MEIPASS") else os.environ.get("PAWNSTORM_PARAMETERS", ""))
"""{name: value} of the parameters that differ from the table."""

globals().update(OVERRIDES)
