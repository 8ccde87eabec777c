"""The winner's moves from a solver's table: the plans of records (solving/kernels/plans.py) and single moves. If the table has
lost a win, the solver proves it again.
"""

from concurrent.futures import CancelledError

import numpy as np

from pawnstorm.core.state import MAX_MOVES
from pawnstorm.games.notation import fen
from pawnstorm.games.position import Board
from pawnstorm.proof import endings
from pawnstorm_tools.solving import NotWon, table_save
from pawnstorm_tools.solving.kernels.plans import (
    FIELDS,
    PLAN,
    ep_square,
    expand_plans,
    one_move,
    plan_each,
    winning_move,
)
from pawnstorm_tools.solving.kernels.table_walk import new_state

MAX_LOST_WINS = 256  # wins that are proven again in one go
BATCH = 1 << 12  # records that are followed at once
RECENT = 1 << 18  # positions that a planner remembers
AHEAD_SHARE = 4  # if one win in so many records is lost, plan() takes whole proofs from the table
MAX_AHEAD = 1 << 22  # records that one call of plan() adds


class Planner:
    """Finds plans and moves that win positions of a game, in the table of a prover. For use by one thread."""

    def __init__(self, prover, rules):
        self._prover, self._rules, self._words = prover, rules, table_save.words(prover.table)
        self._state = new_state(rules, self._words)
        endings.set_endings(self._state, rules)
        self._recent, self._stopped = np.zeros((RECENT, FIELDS), np.uint64), False

    def stop(self):
        """Make a call in another thread end soon, with an exception. The planner cannot be used afterwards."""
        self._stopped = True
        self._prover.stop()

    def plan(self, records, black, within):
        """Write a plan into each record that has none. black: whether Black is the winner; within: as in a proof's first line.

        Wins that the table has lost are proven again. If it has lost many (one in AHEAD_SHARE records, or more), plan() at once
        follows the new proofs to later positions, before the table loses these proofs too. Returns records of these later
        positions, most of them with plans. Raises NotWon.
        """
        done, lost, ahead = 0, np.empty(MAX_LOST_WINS, np.int64), [records[:0]]
        while done < len(records):
            first = done
            done, missing = plan_each(records, done, lost, self._words, self._state)
            for number in lost[:missing]:
                own, opp, ep_bits = records[number]
                ep = int(ep_square(ep_bits, self._state)) if ep_bits else 0  # calling the kernel from Python is slow
                move = self._proven_move(Board(self._rules, int(own), int(opp), ep, black))
                records[number, PLAN] = one_move(np.uint64(move)) | ep_bits
            lost_many = missing == len(lost) and missing * AHEAD_SHARE >= done - first
            latest = records[lost[:missing]] if lost_many else []
            while len(latest) and sum(map(len, ahead)) < MAX_AHEAD:
                latest = self.follow(latest, within)
                plan_each(latest, 0, np.empty(len(latest) + 1, np.int64), self._words, self._state)
                ahead.append(latest)
        return np.concatenate(ahead)

    def follow(self, records, within):
        """The positions to which the plans of records lead, as records without plans. Some that this planner has met before
        are left out. within: as in a proof's first line.
        """
        found, portions = np.empty((BATCH * MAX_MOVES, FIELDS), np.uint64), []
        for first in range(0, len(records), BATCH):
            self._check_stopped()
            portion = records[first : first + BATCH]
            portions.append(found[: expand_plans(portion, within, found, self._recent, self._state)].copy())
        return np.concatenate(portions)

    def move(self, board):
        """The winning move whose known proof took the least work. The board must not be won statically. If the table has lost
        the win, it is proven again. Raises NotWon.
        """
        legal, words = np.array(board.moves(), np.uint16), tuple(map(np.uint64, (board.own, board.opp, board.ep)))
        rows = np.empty((len(legal), 4), np.uint64)
        return int(winning_move(*words, legal, rows, self._words, self._state)) or self._proven_move(board)

    def _proven_move(self, board):
        """A winning move of a position whose proof the table has lost. Raises NotWon."""
        self._check_stopped()
        proof = self._prover.prove(board)
        moves = board.moves() if proof.value > 0 else []
        # A table that was read from a file may claim a win that has no winning move.
        move = proof.move or next((move for move in moves if self._prover.prove(board.push(move)).value < 0), None)
        if proof.value > 0 and move:
            return move
        raise NotWon(f"the strategy leads to {fen(board)}, which the solver does not find won for the side to move")

    def _check_stopped(self):
        if self._stopped:
            raise CancelledError
