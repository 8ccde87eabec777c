"""The log of a search for likely lines (likely_lines.py)."""

import numpy as np

from pawnstorm_tools.solving.decisions import solver_sample
from pawnstorm_tools.solving.record_log import RecordLog

MAGIC = "pawnstorm lines 2"
MET, LEAF, MOVE, LOSING = range(4)
RECORD = np.dtype(
    [
        ("own", "<u8"),
        ("opp", "<u8"),
        ("ep", "<u8"),
        ("chance", "<f4"),
        ("move", "<u2"),
        ("plies", "<u2"),
        ("kind", "<u2"),
    ]
)
"""A position seen by the side to move, and one thing that is known of it. kind:

MET                 a position of the winner. chance: the base-2 logarithm of the chance that a game reaches it this way; the
                    chances of all its records add up
LEAF, MOVE          how it was decided. move, plies: for MOVE, the winner's move and an upper bound of the plies to the end
LOSING              a position of the loser. The replies to it were all met
"""


def open_log(rules, leaf_nodes, path=None):
    """The RecordLog of a game's lines. Raises OSError, and BadSave if the file belongs to another game, solver or leaf_nodes."""
    run = {"game": rules.full_name, "solver": solver_sample(rules), "leaf": leaf_nodes} if path else {}
    return RecordLog(path, MAGIC, run, RECORD)
