"""What every node of the search does: check whether to stop, and keep the line."""

from pawnstorm.kernels.bits import stopped
from pawnstorm.kernels.kernel import STATE, i32, i64, kernel, u64


@kernel(i32(STATE))
def check_stop(state):
    """Not 0 if the search must stop. Sets state.stop if the nodes are used up."""
    if state.nodes >= state.node_limit:
        state.stop = 1
    return stopped(state)


@kernel(i32(u64, i64, STATE))
def update_pv(move, ply, state):
    """Set state.pv[ply] to the move, followed by state.pv[ply + 1]; returns the length of the whole line."""
    length = state.pv_length[ply + 1]
    state.pv[ply, 0] = move
    for index in range(length):
        state.pv[ply, index + 1] = state.pv[ply + 1, index]
    state.pv_length[ply] = length + 1
    return i32(length + 1)
