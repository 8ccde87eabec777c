"""What every node of the search does: look whether it must stop, and keep its line."""

from pawnstorm.kernels.bits import stopped
from pawnstorm.kernels.kernel import STATE, i32, i64, kernel, u64


@kernel(i32(STATE))
def check_stop(state):
    """Not 0 where the search was asked to stop, or has now used up its nodes."""
    if state.nodes >= state.node_limit:
        state.stop = 1
    return stopped(state)


@kernel(i32(u64, i64, STATE))
def update_pv(move, ply, state):
    """state.pv[ply] becomes the move and the line after it; returns its length."""
    length = state.pv_length[ply + 1]
    state.pv[ply, 0] = move
    for index in range(length):
        state.pv[ply, index + 1] = state.pv[ply + 1, index]
    state.pv_length[ply] = length + 1
    return i32(length + 1)
