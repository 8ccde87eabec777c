"""Training positions from games that the engine plays against itself, each in one compiled loop (kernels/games.py).

A game begins with random moves and an empty table. Then every move is searched for a number of nodes, on one thread, until
one side is proven to win. A position is kept if its static score matters: neither side wins by force or by a race, the
opponent has no pawn one step from its far rank, no pawn can be taken en passant, and the best move takes nothing.
"""

import random

import numpy as np

from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import MAX_PLY
from pawnstorm.evaluation import networks
from pawnstorm.games.rules import get_rules
from pawnstorm.search.memory import LOGS
from pawnstorm_tools.common import engine_kernels
from pawnstorm_tools.common.random_openings import random_board
from pawnstorm_tools.training.game_positions import RECORD
from pawnstorm_tools.training.kernels.games import play


def player(rules, table, network):
    """A state record for think() with this HashTable. Raises BadFile, OSError.

    network: the file of a neural network, or None. Without one, the game's n-tuple network evaluates if there is one, otherwise
    its weights.
    """
    state = engine_kernels.record(rules)
    state.network = networks.address_of(network, rules) if network is not None else 0
    state.logs[1:] = LOGS
    state.buckets = table.buckets
    return state


class Source:
    """Plays games one by one. Each process has one Source. Raises networks.BadFile, OSError, MemoryError.

    network     the file of a neural network, or None, as for player()
    """

    def __init__(self, name, nodes, seed, plies, network=None):
        self.rules, self.nodes, self.seed, self.plies = get_rules(name), nodes, seed, plies
        self.table = HashTable(1, share=0.25)  # stays in the processor's cache
        self.state = player(self.rules, self.table, network)
        self.found = np.empty((MAX_PLY, 5), np.int64)

    def records(self, number):
        """RECORDs of game `number`; none where the random moves already ended it."""
        board = random_board(self.rules, self.plies, random.Random(f"{self.seed} {number}"))
        if board.is_game_over():
            return np.empty(0, RECORD)
        self.table.clear()
        bitboards = (np.uint64(word) for word in board.bitboards)
        address = np.uint64(self.table.address)
        count, black_won = play(*bitboards, int(board.black_to_move), self.nodes, self.found, address, self.state)
        found = self.found[:count]
        records = np.empty(count, RECORD)
        records["own"], records["opp"] = found[:, 0].view(np.uint64), found[:, 1].view(np.uint64)
        records["game"], records["score"], records["ply"] = number, found[:, 2], found[:, 3]
        records["won"] = (found[:, 4] == 1) == black_won
        return records
