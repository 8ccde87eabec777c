"""The solver: proves who wins a position (engine/pawnstorm/kernels/dfpn.py), and finds the line of a proof.

It has its own table and threads.
"""

import threading
from collections import namedtuple

from pawnstorm.core import native
from pawnstorm.core.batch import Batch
from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import (
    COARSE,
    COARSE_SHIFT,
    CODE_MASK,
    INFINITE_NUMBER,
    MAX_PROOF_PLIES,
    NO_LIMIT,
    UNLIMITED,
    State,
)
from pawnstorm.evaluation import networks, weights
from pawnstorm.proof import endings
from pawnstorm.system.threads import start_all

MOVE = 0xFFF
SLICE = 64  # the most positions of a batch that a thread takes at once

Proof = namedtuple("Proof", "value plies move phi delta")
Proof.__doc__ = """What the solver knows of a position, for the side to move.

value   1 if the side to move wins, -1 if it loses, 0 if neither is proven
plies   upper bound of the plies to the end of the game; None if nothing is proven
move    the move that wins, or that resists longest of those that the solver has seen; None if the proof names none
phi, delta    df-pn's numbers: the least work that is left to prove a win, and a loss; None if nothing is known
"""
UNKNOWN = Proof(0, None, None, None, None)


def _unpack(word):
    """The Proof that a word of the solver's table encodes (engine/pawnstorm/kernels/pn_table.py)."""
    if not word:
        return UNKNOWN
    phi, delta = word >> 40, word >> 16 & CODE_MASK
    if phi and delta:
        return Proof(0, None, None, _decode_number(phi), _decode_number(delta))
    number = phi or delta
    value = -1 if phi else 1
    return Proof(
        value,
        number & MAX_PROOF_PLIES,
        (number >> 8 & MOVE) or None,
        INFINITE_NUMBER if phi else 0,
        INFINITE_NUMBER if delta else 0,
    )


def _decode_number(code):
    return code if code < COARSE else COARSE + (code - COARSE << COARSE_SHIFT)


class Prover:
    """A solver with `threads` threads and a table that takes `share` of `mebibytes` MiB. Raises MemoryError.

    endings: whether to decide wins within the last rows statically. This needs a table, which is made once, in some seconds
    at most (engine/pawnstorm/proof/endings.py).

    If the system cannot start all threads, the solver works with fewer. A position of another game than the last one empties
    the table. Any thread may call stop() and read the attribute `nodes`. A stop() holds until clear_stop(): prove() and line()
    never reset it, so it is not lost even if it comes before they begin.
    """

    def __init__(self, mebibytes, threads=1, share=1, endings=False):
        self.table, self._with_endings = HashTable(mebibytes, share), endings
        self._query = State()
        self._rules, self._solver_network = None, 0
        self._stopping, self._result = False, None
        self.set_threads(threads)

    def set_threads(self, threads):
        self._states = [State() for _ in range(threads)]
        if self._rules is not None:
            for state in self._states:
                self._set_game(state, self._rules)

    @property
    def threads(self):
        return len(self._states)

    def sharing_copy(self):
        """Another Prover, of one thread, which shares the table. Raises MemoryError.

        Use it only for positions of the last game, since those of another game empty the table.
        """
        other = Prover.__new__(Prover)
        vars(other).update(vars(self), _query=State(), _result=None, _stopping=False)
        if self._rules is not None:
            other._set_game(other._query, self._rules)
        other.set_threads(1)
        return other

    def clear(self):
        """Forget every proof, and the game, so that the next position sets the networks in the records again."""
        self.table.clear()
        self._rules = None

    def clear_stop(self):
        """Forget an earlier stop(). Call this once for each piece of work, before anybody may stop it."""
        self._stopping = False

    def stop(self):
        """End a running prove() or line() soon, and any later one until clear_stop(). The table keeps what was found."""
        self._stopping = True
        for state in self._states:
            state.stop = 1

    @property
    def nodes(self):
        """Positions expanded by the last prove(), or so far by the running one."""
        return sum(state.nodes for state in self._states)

    def prove(self, board, nodes=UNLIMITED, ply_limit=NO_LIMIT):
        """The Proof of a position, found by expanding about `nodes` positions at most.

        ply_limit: the number of plies within which one side has to win. If it is odd, this is the side to move; if it is even,
        the other side. If that side cannot win so soon, its opponent counts as the winner. line() does not use such Proofs.
        """
        self._result = None
        for number, state in enumerate(self._states, 1):
            self._set_position(state, board, nodes // len(self._states), ply_limit)
            # The number is a byte: the 256th thread gets 0, and the others do not see its work.
            state.thread_count, state.thread_number = len(self._states), number & 255
        if self._stopping:  # also if stop() set the records' stop fields before _set_position() cleared them
            self.stop()
        helpers = start_all(
            [threading.Thread(target=self._run, args=(state,), daemon=True) for state in self._states[1:]], deep=True
        )
        self._run(self._states[0])
        for helper in helpers:
            helper.join()
        # Another thread may have overwritten the proof in the table, if it was delayed between reading and writing.
        return self._result or self.probe(board, ply_limit)

    def prove_many(self, rules, rows, nodes=UNLIMITED):
        """Prove many positions of a game, by expanding at most `nodes` positions for each. Each thread proves one at a time.

        rows: a contiguous buffer of uint64 with own, opp and ep of each position. The word of the proof replaces own, and the
        number of positions expanded for it replaces opp (engine/pawnstorm/kernels/batch.py). After stop() some rows are
        unchanged.
        """
        self.use_game(rules)
        for state in self._states:
            self._set_limits(state, nodes, NO_LIMIT)
            state.thread_count = 1  # the threads share the table, but not the work on a position
        solve, table = native.core().solve_many, self.table.address
        Batch(
            lambda count, part, state: solve(count, part, state, table),
            rows,
            self._states,
            1,
            SLICE,
            lambda: self._stopping,
        ).run()

    def probe(self, board, ply_limit=NO_LIMIT):
        """The Proof of a position from what is known statically or from the table. ply_limit: as in prove()."""
        self._set_position(self._query, board, 0, ply_limit)
        return _unpack(native.core().solve(self._query, self.table.address))

    def line(self, board, proving=True):
        """The moves from a proven position to the end of the game; [] if nothing is proven.

        They are the quickest known win against the longest known resistance. If the table no longer has a position on
        the way, the position is proven again. Without `proving`, or after stop(), the line ends at such a position.
        """
        line, going = [], self.probe(board).value != 0
        while going:
            self._set_position(self._query, board, 0)
            count = native.core().line(self._query, self.table.address)
            for move in self._query.pv[0][:count]:
                line.append(move)
                board = board.push(move)
            move = self._proven_move(board) if proving and not board.is_game_over() else None
            going = move is not None
            if going:
                line.append(move)
                board = board.push(move)
        return line

    def _proven_move(self, board):
        """A winning move, or the longest resistance, from a position whose replies the table has lost; None after stop()."""
        proof = self.prove(board)
        if proof.value >= 0:
            return proof.move
        lengths = []
        for move in board.moves():
            reply = self.prove(board.push(move))
            if not reply.value:
                return None
            lengths.append((reply.plies, move))
        return max(lengths)[1]

    def _set_position(self, state, board, nodes, ply_limit=NO_LIMIT):
        self.use_game(board.rules)
        state.own, state.opp, state.ep = board.own, board.opp, board.ep
        self._set_limits(state, nodes, ply_limit)

    def use_game(self, rules):
        """Prepare for positions of a game: read its networks, and empty the table if the last game was another."""
        if rules is not self._rules:
            if self._rules is not None:
                self.table.clear(in_search=True)
            for one in (self._query, *self._states):
                self._set_game(one, rules)
            self._rules = rules  # set last, since probe() may be called while prove() begins in another thread

    def _set_limits(self, state, nodes, ply_limit):
        state.buckets, state.nodes, state.node_limit, state.stop = self.table.buckets, 0, nodes, 0
        state.ply_limit = ply_limit
        if self._solver_network:
            # The network's predictions are for proofs of any length. With a limit, the weights guide the solver better.
            state.solver_network = state.network = self._solver_network if ply_limit == NO_LIMIT else 0

    def _set_game(self, state, rules):
        state.set_game(rules)
        weights.set_weights(state, rules)
        networks.set_solver_network(state, rules)
        self._solver_network = state.solver_network
        if self._with_endings:
            endings.set_endings(state, rules)

    def _run(self, state):
        """The work of one thread. The first thread that ends stops the others."""
        proof = _unpack(native.core().solve(state, self.table.address))
        if proof.value:
            self._result = proof
        for other in self._states:
            other.stop = 1
