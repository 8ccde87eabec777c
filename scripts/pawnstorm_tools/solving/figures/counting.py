"""Counts the positions in a proof file by their plies from the root."""

import numpy as np

from pawnstorm_tools.checking import agreement, verdict
from pawnstorm_tools.solving.figures import FigureError

SAMPLES = 100  # positions at which the check compares its rules with the slow ones


def by_plies(proof, root):
    """[(plies, positions)] of a proof: how many positions with a record are at each number of plies from the root.

    If several lines lead to a position, the longest one counts. A position and its mirror image count as one. This function
    also checks the proof, because only the check knows the lines. root: the proof's position as naive.py has it. Raises
    BadProof, and FigureError if the proof does not hold.
    """
    check = verdict.Check(proof, root, SAMPLES)
    try:
        holds = check.run()
    except agreement.RulesDiffer as differs:
        raise FigureError(f"the proof of {proof.game}: {differs}") from None
    if not holds:
        raise FigureError(f"the proof of {proof.game} does not hold: expected one that scripts/verify.py verifies")
    counts = np.bincount(check.walk.depth[check.walk.parent > 0])
    return [(plies, int(count)) for plies, count in enumerate(counts) if count]
