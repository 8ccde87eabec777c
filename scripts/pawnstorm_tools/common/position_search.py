"""Searches of single positions by the engine, in this process."""

from pawnstorm.search.engine import Engine


class PositionSearch:
    """Searches positions on one thread, each with the same Limits.

    Without a time limit, a result depends only on the positions searched since new_game().

    infos   the Infos of the last search, except those whose score is only a bound
    nodes   the number of nodes of the last search
    """

    def __init__(self, limits, mebibytes):
        self.infos, self._limits, self._best = [], limits, None
        self._engine = Engine(self._on_info, self._on_best, self._on_warning)
        self._engine.overhead, self._engine.own_book = 0, False
        self._engine.set_hash(mebibytes)

    @property
    def nodes(self):
        return self._engine.nodes

    def new_game(self):
        """Forget all earlier searches."""
        self._engine.new_game()

    def find(self, board, moves=()):
        """The best move of a Board whose game is not over. moves: if given, the only moves to consider."""
        self.infos.clear()
        self._engine.go(board, self._limits._replace(searchmoves=moves))
        self._engine.wait()
        return self._best

    def stop(self):
        """End the search soon. on_info() may call it."""
        self._engine.stop()

    def on_info(self, info):
        """Do nothing. A subclass can override this method, which is called with each Info that is not a bound."""

    def _on_info(self, info):
        if not info.bound:
            self.infos.append(info)
            self.on_info(info)

    def _on_best(self, board, best, ponder):
        self._best = best

    def _on_warning(self, text):
        raise MemoryError(text)  # because the results would differ with less memory
