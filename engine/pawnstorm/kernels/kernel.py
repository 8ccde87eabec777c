"""The declaration of kernels: their one decorator, the types of their arguments, the constants that they share."""

import numpy as np
from numba import from_dtype, njit, types

from pawnstorm.core.state import FIELDS

i32, i64, u64, u16 = types.int32, types.int64, types.uint64, types.uint16

STATE_DTYPE = np.dtype([(name, code, shape) for name, code, shape in FIELDS])
STATE = from_dtype(STATE_DTYPE)
TABLE = types.CPointer(u64)

ZERO, ONE, TWO, THREE, FOUR, SEVEN, EIGHT, NINE, SIXTEEN = (np.uint64(n) for n in (0, 1, 2, 3, 4, 7, 8, 9, 16))
NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)  # squares from which a step west stays on the board
NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)  # and a step east


CACHE = False
"""Whether numba caches the kernels that are compiled from now on, in the folder that its settings name.

Each state of the sources needs a folder of its own.
"""


def kernel(signature):
    """A decorator that compiles a kernel at once, for one signature.

    Division by 0 and bounds are not checked: a kernel raises no exceptions.
    """
    return njit(signature, cache=CACHE, nogil=True, error_model="numpy", boundscheck=False)
