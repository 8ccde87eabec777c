"""A board, an engine and a solver for Two Flags and Breakthrough, the games in which pawns race.

Example::

    import pawnstorm

    board = pawnstorm.Board("breakthrough")
    with pawnstorm.Engine() as engine:
        board.push(engine.play(board, pawnstorm.Limit(time=1)).move)
    print(board)

`Board` holds a position and the moves that led to it, `Engine` plays and analyses within a `Limit`, and `solve()` proves who
wins. `Game` adds players, comments and a result; `read_pgn()` reads games from a PGN file or from Little Golem's records.
`evaluate()` gives a score without a search; `evaluate_many()` and `solve_many()` take thousands of positions at once.
`AsyncEngine` is an engine for asyncio.

A move is the square that a pawn leaves and the square that it goes to, as in "e2e4". A side is "white" or "black". Times
are in seconds. Five modules connect to other libraries: `pawnstorm.chess` (python-chess), `pawnstorm.openspiel`,
`pawnstorm.kaggle`, `pawnstorm.pettingzoo`, and `pawnstorm.planes` (numpy).

In a clone of the repository, the first use compiles the engine's core. This takes about twenty seconds, and a line on stderr
announces it.
"""

__version__ = "1.0.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pawnstorm.analysis import Analysis, Line
    from pawnstorm.async_engine import AsyncAnalysis, AsyncEngine
    from pawnstorm.batches import Solutions, evaluate_many, solve_many
    from pawnstorm.board import Board, Side
    from pawnstorm.engine import Engine, Limit, PlayResult
    from pawnstorm.game import Game, parse_pgn, read_pgn
    from pawnstorm.games.notation import AmbiguousMove, IllegalMove, ParseError
    from pawnstorm.games.rules import UnknownGame
    from pawnstorm.solver import Solution, solve
    from pawnstorm.static_score import evaluate

# name -> its module, which is imported on first use. `python -m pawnstorm` imports this package too, and needs none of them.
_MODULES = {
    "Board": "pawnstorm.board",
    "Side": "pawnstorm.board",
    "Engine": "pawnstorm.engine",
    "Limit": "pawnstorm.engine",
    "Line": "pawnstorm.analysis",
    "Analysis": "pawnstorm.analysis",
    "AsyncAnalysis": "pawnstorm.async_engine",
    "AsyncEngine": "pawnstorm.async_engine",
    "PlayResult": "pawnstorm.engine",
    "evaluate": "pawnstorm.static_score",
    "Solutions": "pawnstorm.batches",
    "evaluate_many": "pawnstorm.batches",
    "solve_many": "pawnstorm.batches",
    "Game": "pawnstorm.game",
    "parse_pgn": "pawnstorm.game",
    "read_pgn": "pawnstorm.game",
    "Solution": "pawnstorm.solver",
    "solve": "pawnstorm.solver",
    "AmbiguousMove": "pawnstorm.games.notation",
    "IllegalMove": "pawnstorm.games.notation",
    "ParseError": "pawnstorm.games.notation",
    "UnknownGame": "pawnstorm.games.rules",
}

__all__ = [
    "AmbiguousMove",
    "Analysis",
    "AsyncAnalysis",
    "AsyncEngine",
    "Board",
    "Engine",
    "Game",
    "IllegalMove",
    "Limit",
    "Line",
    "ParseError",
    "PlayResult",
    "Side",
    "Solution",
    "Solutions",
    "UnknownGame",
    "evaluate",
    "evaluate_many",
    "parse_pgn",
    "read_pgn",
    "solve",
    "solve_many",
]


if not TYPE_CHECKING:  # otherwise type checkers would accept every name

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module 'pawnstorm' has no attribute '{name}'")
        import importlib

        value = globals()[name] = getattr(importlib.import_module(_MODULES[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
