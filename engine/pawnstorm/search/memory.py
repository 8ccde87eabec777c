"""What an engine keeps from one search to the next: its tables, the threads' records and the win that it has proven."""

import ctypes
import math

from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import MAX_MOVES, MIN_WIN_SCORE, WIN, State
from pawnstorm.evaluation import weights
from pawnstorm.proof.prover import Prover

SEARCH_SHARE = 0.875  # of the Hash; the rest is the solver's
LOGS = [int(256 * math.log(number)) for number in range(1, MAX_MOVES)]


class ProvenWin:
    """Carries a reported win into the next search, and its line too, for as long as the game follows that line."""

    def __init__(self):
        self._after, self._plies, self._line = None, 0, []

    def remember(self, board, score, line):
        """Keep the score and the line that were reported for a board, if they are a win."""
        if score > MIN_WIN_SCORE:
            self._after, self._plies, self._line = board.push(line[0]), WIN - score - 1, line[1:]

    def recall(self, board):
        """(plies, line): the side to move wins within `plies` plies, by the moves of `line`; (None, []) if no win is known.

        If the opponent has left the line that was kept, `line` is [].
        """
        if (
            self._after is None
            or board.black_to_move == self._after.black_to_move
            or board.rules is not self._after.rules
        ):
            return None, []
        for move in self._after.moves():
            if self._after.push(move).bitboards == board.bitboards:
                return self._plies - 1, self._line[1:] if self._line[:1] == [move] else []
        return None, []


class Memory:
    """The memory of one engine.

    table, prover   the search's table, and the solver with its own table; None before make_tables()
    states          a record for each thread; the first is the main thread's
    generation      number of the search, modulo 64; entries with another number are old
    outcome_known   whether the solver or a book has proven who wins the last position, or a position before it in this game
    winning_book    whether a book of a solved game has had a winning move in this game
    book_leaf       the most expansions that the solver needs for a position at the end of the book's lines; 0 if no book
                    has had a move in this game
    proven_win      the last win that was reported
    """

    def __init__(self):
        self.table = self.prover = None
        self.states, self.generation = [], 0
        self.outcome_known, self.winning_book, self.book_leaf = False, False, 0
        self.proven_win = ProvenWin()
        self._mebibytes = 16

    def set_hash(self, mebibytes):
        """Replace the tables by empty ones of this total size.

        If the new tables cannot be allocated, raises MemoryError and keeps the old ones.
        """
        if self.table is not None or mebibytes != self._mebibytes:
            self._allocate(mebibytes)
        self._mebibytes = mebibytes

    def make_tables(self):
        """Allocate the tables if there are none, smaller ones if needed. Raises MemoryError if not even 1 MiB fits."""
        while self.table is None:
            try:
                self._allocate(self._mebibytes)
            except MemoryError:
                if self._mebibytes == 1:
                    raise
                self._mebibytes //= 2

    def _allocate(self, mebibytes):
        self.table, self.prover = HashTable(mebibytes, SEARCH_SHARE), Prover(mebibytes, share=1 - SEARCH_SHARE)

    def resize_states(self, count):
        """Add or drop records until there are `count`. Raises MemoryError."""
        del self.states[count:]
        while len(self.states) < count:
            self.states.append(_reset(State()))

    def prepare(self, rules):
        """Read the networks of a game, for the search and for the solver."""
        for state in self.states:
            weights.set_weights(state, rules)
        self.prover.use_game(rules)

    def clear(self):
        if self.table is not None:
            self.table.clear()
            self.prover.clear()

    def new_game(self):
        """Forget everything: the tables, history and killers, and what was proven."""
        self.clear()
        self.generation, self.proven_win = 0, ProvenWin()
        self.outcome_known, self.winning_book, self.book_leaf = False, False, 0
        for state in self.states:
            _reset(state)


def _reset(state):
    """Reset a record to its state at the beginning of a game; returns the record.

    Every byte of the record is written, so that no search waits for its pages of memory.
    """
    ctypes.memset(ctypes.addressof(state), 0, ctypes.sizeof(state))
    state.logs[1:] = LOGS
    return state
