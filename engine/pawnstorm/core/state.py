"""The one record that a search thread works on, as a table of fields.

The kernels' dtype (engine/pawnstorm/kernels/kernel.py) and the run-time ctypes.Structure are both made from FIELDS, so the two
can never disagree. A field has a name, NumPy's code of its type (u8 is uint64, i8 int64, i4 int32, u2 uint16, i2 int16), and a
shape, which is () if the field is a single number.
"""

import ctypes

from pawnstorm.system.pages import private_mapping

MAX_PLY = 256  # plies from the root that a line may have; the longest game, 8x8 Breakthrough, has 208
MAX_MOVES = 128  # moves of a position that a record has room for; set_game() refuses rules with more
MAX_DEPTH = 200  # nominal depth that the search accepts, in plies
WIN = 30000  # a win in n plies scores WIN - n
MIN_WIN_SCORE = 29000  # every proven score lies beyond it
NO_EVAL = 32000  # stands for an unknown static score
FEATURE_COUNT = 5  # features that the evaluation counts, see engine/pawnstorm/kernels/evaluate.py
UNLIMITED = (1 << 64) - 1  # number of nodes that stands for no limit
# A phi or delta is kept in 24 bits: below COARSE as it is, above in steps of 1 << COARSE_SHIFT, rounded up.
COARSE, COARSE_SHIFT, CODE_MASK = 1 << 22, 8, (1 << 24) - 1
MAX_PROOF_NUMBER = COARSE + ((CODE_MASK - COARSE) << COARSE_SHIFT)
MAX_PROOF_PLIES = 255  # the largest bound of a proven position, which has a byte for it
# Phi of a proven loss, and delta of a proven win; that of an unproven position is at most MAX_PROOF_NUMBER
INFINITE_NUMBER = (1 << 32) - 1
# A solver's table (engine/pawnstorm/kernels/pn_table.py).
REGION_BITS = 18  # bits of a key that name its region
PART_BITS = 10  # log2 of the least number of buckets in a part of it
PARTITION_BITS = 23  # log2 of the least number of buckets of a table that is partitioned
NO_LIMIT = -1  # number of plies that stands for no limit to the length of a win
HIDDEN_WIDTH = 128  # width of a network's hidden layer, for each side's view (engine/pawnstorm/kernels/network.py)
OUTPUT_BUCKETS = 8  # sets of its output weights
# Outputs of a solver's network: the odds, and the efforts to prove a win and to prove a loss
SOLVER_OUTPUTS = 3
MAX_ACTIVATION = 255  # the most that a hidden unit passes on
OUTPUT_SCALE = 64  # an output weight of 1
# Kinds of pawns: whether protected from the left, protected from the right, attacked, and blocked by the other colour
PAWN_KINDS = 16
INPUTS = 2 * PAWN_KINDS * 64  # of a network: colour, kind and square of each pawn
# Rows of a network after those of its inputs: the biases, and the first row of the output weights
BIAS_ROW, OUTPUT_ROW = INPUTS, INPUTS + 1
MAX_CHANGED_INPUTS = 17
"""The largest number of inputs that a move adds, and of those that it removes.

They belong to the pawn that moves, to the four that it protected or now protects, to the four that it attacked or now
attacks, to the two that it blocked or now blocks, to the pawn that it takes, and to the five that this pawn protected,
attacked or blocked.
"""

GAME_FIELDS = (
    ("ranks", "i4", ()),
    ("board", "u8", ()),
    ("goal", "u8", ()),
    ("home", "u8", ()),
    ("double_step_squares", "u8", ()),
    ("quiet_diagonals", "u8", ()),
    ("ep_squares", "u8", ()),
    ("ep_victims", "u8", ()),
    ("flip_shift", "u8", ()),
    ("mirror_shift", "u8", ()),
)
"""The fields that are copied from a game's Rules, as FIELDS has them."""

FIELDS = (
    # Written by other threads while a search runs; read by an atomic load.
    ("stop", "i4", ()),
    *GAME_FIELDS,
    # The position that a kernel starts from, or that core_make leaves. side is 1 if Black is to move.
    ("own", "u8", ()),
    ("opp", "u8", ()),
    ("ep", "u8", ()),
    ("side", "i4", ()),
    # What a search may do and what it has done. full_width: no pruning that could overlook a win, for `go mate`.
    ("full_width", "i4", ()),
    ("nodes", "u8", ()),
    ("node_limit", "u8", ()),
    ("buckets", "u8", ()),
    ("generation", "i4", ()),
    ("seldepth", "i4", ()),
    # The root moves. Those before root_first are left out, since MultiPV has their lines already. root_score is the
    # score of the line in pv[0].
    ("root_first", "i4", ()),
    ("root_count", "i4", ()),
    ("root_score", "i4", ()),
    # The solver's threads: how many share the table, and this one's number, from 1. ply_limit: plies within which a win
    # counts, or NO_LIMIT.
    ("thread_count", "i4", ()),
    ("thread_number", "i4", ()),
    ("ply_limit", "i4", ()),
    # The table of the last rows (engine/pawnstorm/kernels/endings.py): how many rows, 3 to the power of files, its address or 0.
    ("ending_rows", "i4", ()),
    ("ending_base", "i4", ()),
    ("endings", "u8", ()),
    ("moves", "u2", (MAX_MOVES,)),
    # move_stack: the moves of the running line's positions, with their order, MAX_MOVES for each ply
    # (engine/pawnstorm/kernels/movepick.py). pv: a triangular table of principal variations.
    ("move_stack", "i8", (MAX_PLY * MAX_MOVES,)),
    ("pv", "u2", (MAX_PLY, MAX_PLY)),
    ("pv_length", "i4", (MAX_PLY,)),
    # Move ordering: two killers for each ply; history, 256 entries for each side, by target and direction of the step.
    ("killers", "u2", (2 * MAX_PLY,)),
    ("history", "i4", (512,)),
    # The same history for each target square of the opponent's last move; the moves of the running line.
    ("continuation_history", "i2", (64 * 512,)),
    ("current_moves", "u2", (MAX_PLY,)),
    # Static scores of the running line's positions, NO_EVAL if the opponent threatens to win.
    ("static_evals", "i4", (MAX_PLY,)),
    # 256 times the logarithm of each index, computed once in Python, for late move reductions.
    ("logs", "i4", (MAX_MOVES,)),
    # For the evaluation, filled by engine/pawnstorm/evaluation/weights.py: for each square, the squares from which a
    # pawn on it can be stopped; and packed weights.
    ("stopper_masks", "u8", (64,)),
    ("pawn_weights", "i4", (2 * 2048,)),
    ("row_weights", "i4", (2 * 512,)),
    ("count_weights", "i4", (2 * FEATURE_COUNT,)),
    ("phase_scale", "i4", ()),
    ("home_shift", "i4", ()),
    # The address of the n-tuple network that evaluates instead (engine/pawnstorm/kernels/ntuple.py), or 0.
    ("ntuple", "u8", ()),
    # The address of the neural network that evaluates (engine/pawnstorm/kernels/network.py), or 0.
    ("network", "u8", ()),
    # The same address if it is a solver's network, which has SOLVER_OUTPUTS outputs; otherwise 0.
    ("solver_network", "u8", ()),
    # The positions of the running line; the last ply whose accumulators are up to date.
    ("line_own", "u8", (MAX_PLY,)),
    ("line_opp", "u8", (MAX_PLY,)),
    ("accumulated_ply", "i8", ()),
    # For each view, rows that a move adds to the hidden layer, then rows that it removes (network.py); the
    # accumulators, two rows for each ply.
    ("changed_rows", "i8", (2 * 2 * MAX_CHANGED_INPUTS,)),
    ("accumulators", "i2", (MAX_PLY * 2 * HIDDEN_WIDTH,)),
)
"""(name, code, shape) in memory order; 8-byte fields lie on multiples of 8."""

_CTYPES = {
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "i8": ctypes.c_int64,
    "u8": ctypes.c_uint64,
    "u2": ctypes.c_uint16,
}


def _ctype(code, shape):
    ctype = _CTYPES[code]
    for length in reversed(shape):
        ctype = ctype * length
    return ctype


class State(ctypes.Structure):
    """The run-time twin of the kernels' record. It begins as zeros, and only the parts that are written take memory."""

    _fields_ = [(name, _ctype(code, shape)) for name, code, shape in FIELDS]
    RULES_FIELDS = tuple(name for name, *_ in GAME_FIELDS)

    def __new__(cls):
        """Raises MemoryError."""
        try:
            return cls.from_buffer(private_mapping(ctypes.sizeof(cls)))
        except OSError as error:
            raise MemoryError(f"a search thread's record cannot be allocated: {error.strerror}") from None

    def set_game(self, rules):
        """Copy the masks and numbers of `rules` into the record.

        Raises ValueError if a position of the game could have more moves than the record has room for.
        """
        if rules.max_moves > MAX_MOVES:
            raise ValueError(
                f"{rules.name} has positions with up to {rules.max_moves} moves: expected {MAX_MOVES} at most"
            )
        for name in self.RULES_FIELDS:
            setattr(self, name, getattr(rules, name))
