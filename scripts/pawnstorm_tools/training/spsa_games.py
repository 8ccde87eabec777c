"""Games between two settings of the search's numbers, for scripts/spsa.py; one Source in each process."""

import random

from pawnstorm_tools.training import tunable  # before the kernels, and before whatever makes a State

# isort: split
from pawnstorm.core import parameters
from pawnstorm.evaluation import networks
from pawnstorm.games.rules import game
from pawnstorm_tools.common.random_openings import random_board
from pawnstorm_tools.training.network_match import Pair


class Source:
    """Plays openings by the engine's own evaluation. Raises MemoryError."""

    def __init__(self, name, nodes, plies):
        self.rules, self.plies = game(name), plies
        self.pair = Pair(self.rules, nodes, (None, None))
        for state in self.pair.states:
            for kind, address in networks.addresses(self.rules).items():
                setattr(state, kind, address)

    def pairs(self, seed, count, settings):
        """How many games the first of two settings has won of each of `count` pairs, from openings that follow from the
        seed.

        settings: {name: value} of the numbers that differ from engine/pawnstorm/core/parameters.py, of each player
        """
        for state, values in zip(self.pair.states, settings):
            for row in parameters.ROWS:
                state.parameters[tunable.PLACES[row.name]] = values.get(row.name, row.value)
        chance, results = random.Random(seed), []
        while len(results) < count:
            board = random_board(self.rules, self.plies, chance)
            if not board.over():
                results.append(self.pair.won(board))
        return results
