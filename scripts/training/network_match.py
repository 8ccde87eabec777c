"""Games between two networks at a fixed number of nodes a move: whether a generation is better than the one before.

It needs no clock, so that other work beside it does not matter; what speed is worth it does not tell.
"""

import math
import os
import random

import numpy as np
from numba import njit

from common import engine_kernels  # noqa: F401  before the engine's kernels
from pawnstorm.engine.games.rules import game
from pawnstorm.engine.hashtable import HashTable
from pawnstorm.engine.kernels.movegen import moves
from pawnstorm.engine.kernels.position import make_move
from pawnstorm.engine.state import WIN_BOUND
from training import record_file
from training.self_play import as_table, opening, player, think

RECORD = np.dtype([("opening", "u4"), ("won", "u1")])
"""An opening's number, and how many of its two games the first network has won; 255 where the random moves ended it."""
NONE = 255


@njit(nogil=True)
def first_wins(own, opp, ep, mover, nodes, states, addresses):
    """Play a game to its proven end; returns whether player 0 of two has won. mover: who is to move."""
    for state in states:
        state.history[:] = 0
    while True:
        state = states[mover]
        state.own, state.opp, state.ep = own, opp, ep
        if not moves(own, opp, ep, state):
            return mover == 1
        move, score = think(nodes, state, as_table(addresses[mover], state))
        if abs(score) > WIN_BOUND:
            return (score > 0) == (mover == 0)
        own, opp, ep = make_move(own, opp, ep, move, state)
        mover = 1 - mover


class Source:
    """Plays openings one by one; one in each process. Raises BadFile, OSError, MemoryError.

    first, second   the networks' files, None for the game's weights
    """

    def __init__(self, name, nodes, seed, plies, first, second):
        self.rules, self.nodes, self.seed, self.plies = game(name), nodes, seed, plies
        self.tables = [HashTable(4) for _ in range(2)]
        self.states = tuple(player(self.rules, *of) for of in zip(self.tables, (first, second)))
        self.addresses = np.array([table.address for table in self.tables], np.uint64)

    def records(self, number):
        """The RECORD of an opening: both colours."""
        board = opening(self.rules, self.plies, random.Random(f"match {self.seed} {number}"))
        if board.over():
            return np.array([(number, NONE)], RECORD)
        won = 0
        for mover in range(2):
            for table in self.tables:
                table.clear()
            bitboards = (np.uint64(word) for word in board.bitboards)
            won += first_wins(*bitboards, mover, self.nodes, self.states, self.addresses)
        return np.array([(number, won)], RECORD)


def resume(path):
    """How many openings a file has; what a kill has cut off is dropped. Raises OSError, TrainingError."""
    record_file.check_regular(path, "train.py")
    if not os.path.exists(path):
        return 0
    whole = os.path.getsize(path) // RECORD.itemsize
    os.truncate(path, whole * RECORD.itemsize)
    return whole


def elo(path):
    """(Elo, half of its 95 % interval) of the first network, from the file of a match. Raises OSError."""
    records = np.fromfile(path, RECORD)
    shares = records["won"][records["won"] != NONE] / 2
    mean = min(max(shares.mean(), 1 / (4 * len(shares))), 1 - 1 / (4 * len(shares)))
    error = 1.96 * shares.std() / math.sqrt(len(shares))
    slope = 400 / math.log(10) / (mean * (1 - mean))
    return 400 * math.log10(mean / (1 - mean)), slope * error
