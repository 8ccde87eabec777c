"""Finds out which records are new, from a set of the keys of all earlier records."""

import numpy as np

from pawnstorm.kernels.kernel import STATE, i64
from pawnstorm_tools.common.machinecode import compiled
from pawnstorm_tools.solving.kernels.plans import FIELDS, OPP, OWN, PLAN, ep_square
from pawnstorm_tools.solving.kernels.table_walk import ROWS, encode_key, put

BATCH = 64  # records looked up in the set of keys at once


@compiled(i64(ROWS, ROWS, STATE), nogil=True)
def add(records, keys, state):
    """Add records of canonical positions to a set of keys. The new ones move to the front; returns their number."""
    places, new = np.empty((BATCH, 4), np.uint64), 0
    for first in range(0, len(records), BATCH):
        batch = records[first : first + BATCH]
        for row in range(len(batch)):
            ep = ep_square(batch[row, PLAN], state)
            one, two, place = encode_key(batch[row, OWN], batch[row, OPP], ep, keys, state)
            places[row, 0], places[row, 1], places[row, 2] = one, two, place
        for row in range(len(batch)):  # reads all places in one loop, so that the memory loads them at the same time
            places[row, 3] = keys[places[row, 2], 0]
        for row in range(len(batch)):
            if put(places[row, 0], places[row, 1], places[row, 2], keys):
                for field in range(FIELDS):  # numba would take seconds to compile the copy of a whole row
                    records[new, field] = batch[row, field]
                new += 1
    return new
