"""A UCI engine's move in a position, within a fixed time, checked by the rules."""

from pawnstorm.games.notation import IllegalMove, ParseError, fen, parse_move
from pawnstorm_protocol.client.process import EngineFault
from pawnstorm_tools.referee.clock import MILLISECOND, SECOND

PATIENCE = 10 * SECOND
"""Beyond the time it was given, before an engine counts as hanging."""


def answer(player, board, movetime):
    """(the move of a Player's engine, milliseconds until it came), given `movetime` of them. Raises EngineFault, also
    for no legal move.
    """
    engine = player.engine
    sent = engine.go(f"position fen {fen(board)}", f"movetime {movetime}")
    engine.expect(lambda: engine.answer is not None, movetime * MILLISECOND + PATIENCE, "bestmove")
    try:
        return parse_move(board, " ".join(engine.answer[1:2])), (engine.answered - sent) / MILLISECOND
    except (ParseError, IllegalMove) as error:
        raise EngineFault(engine, "illegal", str(error)) from None
