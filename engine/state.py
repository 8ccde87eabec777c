"""The one record that a search thread works on, as a table of fields.

The kernels' dtype (engine/kernel.py) and the run-time ctypes.Structure are both made from FIELDS, so the two can never disagree.
Codes are NumPy's: u8 is uint64, i4 int32, u2 uint16; a shape follows where a field is an array.
"""

import ctypes

MAX_PLY = 256     # plies from the root that a line may have; the longest game, 8x8 Breakthrough, has 208
MAX_MOVES = 64    # moves in a position, at most 48 on 8x8
MAX_DEPTH = 200   # nominal depth that the search accepts, in plies
WEIGHTS = 64      # evaluation weights of a game, see engine/evaluate.py

FIELDS = (
    # Written by other threads while a search runs; read by an atomic load.
    ("stop", "i4", ()),
    ("pad", "i4", ()),
    # The game, copied from Rules.
    ("board", "u8", ()), ("goal", "u8", ()), ("home", "u8", ()), ("doubles", "u8", ()), ("diagonals", "u8", ()),
    ("ep_squares", "u8", ()), ("ep_victims", "u8", ()), ("flip_shift", "u8", ()), ("ranks", "i4", ()), ("files", "i4", ()),
    # The position a kernel starts from, and the one that make() leaves behind.
    ("own", "u8", ()), ("opp", "u8", ()), ("ep", "u8", ()),
    # What limits a search, and what it has done.
    ("nodes", "u8", ()), ("node_limit", "u8", ()), ("table_mask", "u8", ()),
    ("generation", "i4", ()), ("exact", "i4", ()), ("seldepth", "i4", ()), ("root_count", "i4", ()), ("root_first", "i4", ()),
    ("pad2", "i4", ()),
    # Move lists and lines, a row a ply; pv is triangular.
    ("moves", "u2", (MAX_PLY, MAX_MOVES)), ("order", "i4", (MAX_PLY, MAX_MOVES)),
    ("pv", "u2", (MAX_PLY, MAX_PLY)), ("pv_length", "i4", (MAX_PLY,)),
    # Move ordering: killers a ply, and history by side to move (parity of the ply), from and to.
    ("killers", "u2", (MAX_PLY, 2)), ("history", "i4", (2, 4096)),
    ("weights", "i4", (WEIGHTS,)),
)
"""(name, code, shape) in memory order; 8-byte fields lie on multiples of 8."""

_CTYPES = {"i4": ctypes.c_int32, "u8": ctypes.c_uint64, "u2": ctypes.c_uint16}


def _ctype(code, shape):
    ctype = _CTYPES[code]
    for length in reversed(shape):
        ctype = ctype * length
    return ctype


class State(ctypes.Structure):
    """The run-time twin of the kernels' record."""

    _fields_ = [(name, _ctype(code, shape)) for name, code, shape in FIELDS]
    RULES = ("board", "goal", "home", "doubles", "diagonals", "ep_squares", "ep_victims", "flip_shift", "ranks", "files")

    def set_game(self, rules):
        """Copy the masks and numbers of `rules` into the record."""
        for name in self.RULES:
            setattr(self, name, getattr(rules, name))

    def set_position(self, own, opp, ep):
        """The position that the next kernel call starts from, seen by the side to move."""
        self.own, self.opp, self.ep = own, opp, ep
