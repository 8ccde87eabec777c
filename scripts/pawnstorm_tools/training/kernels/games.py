"""Games of the engine against itself, and the search for their moves."""

import ctypes

import numpy as np
from llvmlite import ir
from numba import config
from numba.extending import intrinsic
from numba.types import Array, Tuple, boolean

from pawnstorm.core.state import MAX_DEPTH, MIN_WIN_SCORE, UNLIMITED, WIN
from pawnstorm.kernels.kernel import STATE, TABLE, i64, u64
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.position import make_move
from pawnstorm.kernels.race import race
from pawnstorm.kernels.root import search_root
from pawnstorm_tools.common.machinecode import compiled

FIRST_DEPTH = 2  # searched without a limit, so that there is a move to play


if config.DISABLE_JIT:

    def as_table(address, state):
        """The transposition table at an address, as an array of its words. state: has the number of the table's buckets."""
        return np.frombuffer((ctypes.c_uint64 * (8 * int(state.buckets))).from_address(int(address)), np.uint64)
else:

    @intrinsic
    def as_table(typing, address, state):
        """The transposition table at an address, as an array of its words. state: has the number of the table's buckets."""

        def cast(context, builder, sig, args):
            return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

        return TABLE(u64, state), cast


@compiled(Tuple((u64, i64))(i64, STATE, TABLE), nogil=True)
def think(nodes, state, table):
    """(best move, score) of the state's position, by iterative deepening that stops after about `nodes` nodes."""
    state.stop, state.nodes, state.seldepth = 0, 0, 0
    state.generation = (state.generation + 1) & 63
    state.root_first, state.root_count = 0, generate_moves(state.own, state.opp, state.ep, state)
    score = 0
    for depth in range(1, MAX_DEPTH):
        # Both have one type: if one were an int64, numba would make the limit a float, and then always `nodes`.
        state.node_limit = np.uint64(UNLIMITED) if depth <= FIRST_DEPTH else np.uint64(nodes)
        # If an iteration is cut short, the root score is that of the best move searched so far, perhaps that of the last
        # iteration's best move, or still the last iteration's score.
        search_root(np.int32(depth), np.int32(-WIN), np.int32(WIN), state, table)
        score = state.root_score
        if state.stop or state.nodes >= np.uint64(nodes) or abs(score) > MIN_WIN_SCORE or state.root_count == 1:
            break
    return np.uint64(state.moves[0]), score


@compiled(Tuple((i64, boolean))(u64, u64, u64, i64, i64, Array(i64, 2, "C"), u64, STATE), nogil=True)
def play(own, opp, ep, black, nodes, found, address, state):
    """Play a game until it is proven who wins. Returns how many positions were kept, and whether Black is the winner.

    found   filled with a row for each position kept: own, opp, score, plies since the beginning, whether Black is to move
    """
    table = as_table(address, state)
    state.history[:], state.continuation_history[:], state.current_moves[:] = 0, 0, 0
    count, ply = 0, 0
    while True:
        state.own, state.opp, state.ep, state.side = own, opp, ep, black
        if not generate_moves(own, opp, ep, state):
            return count, not black
        move, score = think(nodes, state, table)
        if abs(score) > MIN_WIN_SCORE:
            return count, bool(black) == (score > 0)
        target = np.uint64(1) << (move >> np.uint64(6))
        quiet = not ((opp | ep) & target or opp & (state.home << np.uint64(8)) or ep)
        if quiet and not race(own, opp, ep, state):
            found[count, 0], found[count, 1] = np.int64(own), np.int64(opp)
            found[count, 2], found[count, 3], found[count, 4] = score, ply, black
            count += 1
        own, opp, ep = make_move(own, opp, ep, move, state)
        black, ply = 1 - black, ply + 1
