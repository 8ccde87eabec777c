"""Games between two settings of the search's numbers, for scripts/spsa.py; one Source in each process."""

import random

import numpy as np

from pawnstorm.engine import parameters
from pawnstorm.engine.evaluation import networks
from pawnstorm.engine.games.rules import game
from pawnstorm.engine.hashtable import HashTable
from training import tunable  # before anything of the engine
from training.network_match import first_wins
from training.self_play import opening, player
from training.tunable import PLACES


def read_numbers():
    """The names of the numbers that can be tuned here."""
    return tunable.read_numbers()


class Source:
    """Plays openings. Raises MemoryError."""

    def __init__(self, name, nodes, plies):
        self.rules, self.nodes, self.plies = game(name), nodes, plies
        self.tables = [HashTable(2) for _ in range(2)]
        self.states = tuple(player(self.rules, table, None) for table in self.tables)
        for state in self.states:
            for kind, address in networks.addresses(self.rules).items():
                setattr(state, kind, address)
        self.addresses = np.array([table.address for table in self.tables], np.uint64)

    def pairs(self, seed, count, settings):
        """How many games the first of two settings has won of each of `count` pairs, from openings that follow from the
        seed.

        settings: {name: value} of the numbers that differ from engine/parameters.py, of each player
        """
        for state, values in zip(self.states, settings):
            for row in parameters.ROWS:
                state.parameters[PLACES[row.name]] = values.get(row.name, row.value)
        chance, results = random.Random(seed), []
        while len(results) < count:
            board = opening(self.rules, self.plies, chance)
            if board.over():
                continue
            won = 0
            for mover in range(2):
                for table in self.tables:
                    table.clear()
                bitboards = (np.uint64(word) for word in board.bitboards)
                won += first_wins(*bitboards, mover, self.nodes, self.states, self.addresses)
            results.append(won)
        return results
