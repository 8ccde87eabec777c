"""Plays games between two networks at a fixed number of nodes a move, to find out if a generation beats the one before.

Such games need no clock, so other work on the machine does not matter. They do not show what speed is worth.
"""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

import os
import random

import numpy as np
from numba import njit

from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.position import make_move
from pawnstorm_tools.common.random_openings import random_board
from pawnstorm_tools.training import record_file
from pawnstorm_tools.training.kernels.games import as_table, think
from pawnstorm_tools.training.self_play import player

RECORD = np.dtype([("opening", "u4"), ("won", "u1")])
"""An opening's number, and how many of its two games the first network won; 255 if the random moves ended the game."""
NONE = 255


@njit(nogil=True)
def first_wins(own, opp, ep, mover, nodes, states, addresses):
    """Play a game until it is proven who wins; returns whether player 0 wins. mover: the player to move, 0 or 1."""
    for state in states:
        state.history[:], state.continuation_history[:], state.current_moves[:] = 0, 0, 0
    while True:
        state = states[mover]
        state.own, state.opp, state.ep = own, opp, ep
        if not generate_moves(own, opp, ep, state):
            return mover == 1
        move, score = think(nodes, state, as_table(addresses[mover], state))
        if abs(score) > MIN_WIN_SCORE:
            return (score > 0) == (mover == 0)
        own, opp, ep = make_move(own, opp, ep, move, state)
        mover = 1 - mover


class Pair:
    """Two players with tables of their own. Raises BadFile, OSError, MemoryError.

    states      the players' State records
    networks    the files of the players' networks; None for the game's weights
    """

    def __init__(self, rules, nodes, networks):
        self.nodes, self._tables = nodes, [HashTable(4) for _ in networks]
        self.states = tuple(player(rules, table, network) for table, network in zip(self._tables, networks))
        self._addresses = np.array([table.address for table in self._tables], np.uint64)

    def won(self, board):
        """How many of two games from a board the first player wins; each player has the move in one of them."""
        won = 0
        for mover in range(2):
            for table in self._tables:
                table.clear()
            bitboards = (np.uint64(word) for word in board.bitboards)
            won += first_wins(*bitboards, mover, self.nodes, self.states, self._addresses)
        return int(won)


class Source:
    """Plays openings one by one. Each process has one Source. Raises what Pair raises.

    first, second   the networks' files, None for the game's weights
    """

    def __init__(self, name, nodes, seed, plies, first, second):
        self.rules, self.seed, self.plies = get_rules(name), seed, plies
        self.pair = Pair(self.rules, nodes, (first, second))

    def records(self, number):
        """The RECORD of an opening, which is played with both colours."""
        board = random_board(self.rules, self.plies, random.Random(f"match {self.seed} {number}"))
        return np.array([(number, NONE if board.is_game_over() else self.pair.won(board))], RECORD)


def resume(path):
    """The number of openings in a file. Drops a record that a kill has cut off. Raises OSError, TrainingError."""
    record_file.check_regular(path, "train.py")
    if not os.path.exists(path):
        return 0
    whole = os.path.getsize(path) // RECORD.itemsize
    os.truncate(path, whole * RECORD.itemsize)
    return whole


def cells(path):
    """How many pairs ended with 0, 1/2, 1, 3/2, 2 points for the first network, from the file of a match. Raises OSError."""
    won = np.fromfile(path, RECORD)["won"]
    return [int((2 * won[won != NONE] == points).sum()) for points in range(5)]
