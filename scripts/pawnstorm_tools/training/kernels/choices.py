"""The move that the engine's search chooses in a position, and its score."""

from numba.types import Tuple

from pawnstorm.kernels.kernel import STATE, i64, u64
from pawnstorm_tools.common.machinecode import compiled
from pawnstorm_tools.training.kernels.games import as_table, think


@compiled(Tuple((u64, i64))(u64, u64, u64, i64, u64, STATE), nogil=True)
def choose(own, opp, ep, nodes, address, state):
    """(move, score) of a search of about `nodes` nodes, as the first search of a game. address: that of an empty table."""
    state.history[:], state.continuation_history[:], state.current_moves[:] = 0, 0, 0
    state.own, state.opp, state.ep, state.side = own, opp, ep, 0
    return think(nodes, state, as_table(address, state))
