"""How a kernel is declared: the one decorator, the types of its arguments, the constants that all kernels share."""

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
"""Whether numba keeps what is compiled from now on, in the folder that its settings name. Use another folder for each
state of the sources.
"""


def kernel(signature):
    """Compile for the signature, at once. No exceptions leave a kernel, so division and bounds are the caller's care."""
    return njit(signature, cache=CACHE, nogil=True, error_model="numpy", boundscheck=False)
