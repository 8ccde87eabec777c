"""Finds single moves at the engine's levels. Each move is found with empty tables, so that it depends only on the
arguments of move().
"""

from pawnstorm.core import native
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits


class LevelPlayer:
    """Plays at any level; only one thread may use it at a time."""

    def __init__(self):
        native.core()
        self._found = []
        self._engine = Engine(on_best=lambda board, best, ponder: self._found.append(best))
        self._engine.set_hash(1)

    def move(self, board, elo, seed, nodes=0):
        """The move that level `elo` plays in a game with this seed.

        elo: None for full strength. nodes: the limit of the search; full strength needs one.
        """
        self._engine.elo = elo
        self._engine.new_game()
        self._engine.game_seed = seed  # seeds the errors of a level
        self._found.clear()
        self._engine.go(board, Limits(nodes=nodes))
        self._engine.wait()
        return self._found[0]
