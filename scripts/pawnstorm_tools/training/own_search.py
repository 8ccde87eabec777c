"""The engine's own search of a position. It begins with an empty table, as the search for a game's first move does."""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

import numpy as np

from pawnstorm.core.hashtable import HashTable
from pawnstorm.evaluation import networks
from pawnstorm_tools.training.kernels.choices import choose
from pawnstorm_tools.training.self_play import player


class OwnSearch:
    """Searches positions of a game, with the network that the engine has for it. For use by one thread. Raises MemoryError.

    mebibytes: four times the size of the transposition table. By default, the table has 256 KiB and stays in the processor's
    cache.
    """

    def __init__(self, rules, mebibytes=1):
        self._table = HashTable(mebibytes, share=0.25)
        self._state = player(rules, self._table, None)
        for kind, address in networks.addresses(rules).items():
            setattr(self._state, kind, address)

    def search(self, board, nodes):
        """The (move, score) that a search of about `nodes` nodes finds."""
        self._table.clear()
        words = map(np.uint64, board.bitboards)
        move, score = choose(*words, nodes, np.uint64(self._table.address), self._state)
        return int(move), int(score)
