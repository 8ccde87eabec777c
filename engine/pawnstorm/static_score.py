"""evaluate(): the static score of a position."""

from __future__ import annotations

from pawnstorm.board import Board, board_position
from pawnstorm.core import native
from pawnstorm.core.state import WIN


def evaluate(board: Board) -> int:
    """The score of a position without a search, in centipawns; positive if the side to move is better.

    This is the evaluation that the engine's search uses at its leaves: a neural network or an n-tuple network if the game
    has one, and otherwise tuned weights. It does not look ahead, and misses even a win in one move. The score lies between
    -20,000 and 20,000. If the game is over, the side to move has lost, and the score is -30,000, as in a `Line`.

    Args:
        board: Any position. It is not changed.

    Raises:
        TypeError: The argument is not a Board.
        RuntimeError: The core cannot be compiled.
    """
    position = board_position(board)
    return -WIN if position.is_game_over() else native.evaluate(position.rules, *position.bitboards)
