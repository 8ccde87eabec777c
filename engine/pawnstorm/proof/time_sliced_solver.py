"""The solver beside the search: time-sliced proof search on the main thread.

deepening.py calls it after each iteration. It has one thread, however many threads search.

After each iteration the solver gets a share of the time. It tries to prove who wins, and whether the best move loses. The
share grows with the time that has passed, from next to nothing in the first milliseconds. There are two reasons for this: the
longer the game still is, the more positions a proof takes; and a search with less time looks less far and plays worse.
"""

from pawnstorm.system.clock import now_ns

SLICE = 1000  # positions expanded, about a millisecond, between two checks of the clock
# Positions expanded at once if the winner is known, even if there is no time. They are as many as the game's book leaves to the
# solver, and at least FIRST_SLICE. They are expanded in steps. The solver stops between two steps if the proof number, an
# estimate of the work that is left, is larger than the number of expansions that are left and than what a book leaves.
FIRST_SLICE, FIRST_STEP = 2 * SLICE, SLICE // 4
# One slice in this many goes to the position after the best move, since the search most needs to know if that move loses.
REPLY_INTERVAL = 4
# The solver's largest share, and the nanoseconds of search after which it has half of that share. The first line is for
# games with quiet diagonal steps (Breakthrough, where only the end is proven), the second for all others.
SHARE_DIAGONAL, RAMP_DIAGONAL = 0.2, 1_000_000_000
SHARE_STRAIGHT, RAMP_STRAIGHT = 0.7, 500_000_000


class TimeSlicedSolver:
    """Makes a prover work on a board beside a search, and keeps what it finds.

    proof           what is known of the board, as a Proof
    losing_moves    the moves that are proven to lose; not updated once it is proven who wins
    nodes           positions expanded
    reported        set by the caller when it has reported the proof

    head_start: nanoseconds that the solver may take at once, before the search has lasted long enough to allow them.
    book_leaf: the most expansions that a solver with an empty table needs to prove a position at the end of a book's lines; 0
    if no book has had a move in this game.
    """

    def __init__(self, prover, board, moves, head_start=0, book_leaf=0):
        self._prover, self._board, self._head_start, self._book_leaf = prover, board, head_start, book_leaf
        diagonals = board.rules.quiet_diagonals
        self._share = SHARE_DIAGONAL if diagonals else SHARE_STRAIGHT
        self._ramp = RAMP_DIAGONAL if diagonals else RAMP_STRAIGHT
        self._children = {move: board.push(move) for move in moves}
        self._spent, self._last, self._started, self._slices = 0, 1_000_000, now_ns(), 0
        self.proof, self.losing_moves, self.nodes, self.reported = prover.probe(board), set(), 0, False

    def run_slices(self, best, stopped):
        """Work until the solver's share of the time so far is used up or stopped() is true. best: the search's best move.

        With a head start, the first call expands up to FIRST_SLICE or `book_leaf` positions, whichever is more, even if there is
        no time.
        """
        if self._head_start and not self._slices:
            self._slices += 1
            self._first_slice()
            self._spent += now_ns() - self._started
        while not self.proof.value and not stopped():
            start = now_ns()
            passed = start - self._started
            due = max(self._head_start, self._share * passed * passed / (passed + self._ramp))
            if self._spent + self._last > due:
                break
            self._slice(best)
            self._last = now_ns() - start
            self._spent += self._last

    def prove_root(self, nodes):
        """Expand about `nodes` positions for the proof of the root alone, with all of the prover's threads."""
        self._prove(self._board, nodes)

    def _first_slice(self):
        left = first = max(FIRST_SLICE, self._book_leaf)
        while left > 0 and not self.proof.value and (left == first or self.proof.phi <= max(left, self._book_leaf)):
            self._prove(self._board, FIRST_STEP)
            left -= FIRST_STEP

    def _slice(self, best):
        self._slices += 1
        answer = self._slices % REPLY_INTERVAL == 0 and best not in self.losing_moves
        self._prove(self._children[best] if answer else self._board, SLICE)

    def _prove(self, board, nodes):
        self._prover.prove(board, nodes)
        self.nodes += self._prover.nodes
        self.proof = self._prover.probe(self._board)
        if not self.proof.value:
            self.losing_moves.update(
                move for move, child in self._children.items() if self._prover.probe(child).value > 0
            )
