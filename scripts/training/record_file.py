"""Files of training records: plain arrays, in which the records of one game, or of one root, stand together, in the order
of their numbers.
"""

import os

import numpy as np

from training.errors import TrainingError


def check_regular(path, program):
    """Raise TrainingError for a device or a folder, from which there is nothing to read."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise TrainingError(f"{path} is no regular file: expected one that {program} has written")


def cut_last(path, numbers, size):
    """Cut off the records of the last number, which may not be all there; returns that number, from which to go on.

    numbers: those of all records in the file; size: bytes of a record.
    """
    last = int(numbers[-1]) if len(numbers) else 0
    os.truncate(path, int(np.searchsorted(numbers, last)) * size)
    return last
