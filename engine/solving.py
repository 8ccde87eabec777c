"""The solver's part in a search: a share of its time, spent on proving who wins, and on the answer to the move that the search likes.

A proof takes the more positions the longer the game still is, and a search that looks less far plays worse: so the share grows with
the time, from next to nothing in the first milliseconds.
"""

import time

SLICE = 1000      # positions expanded, about a millisecond, between two looks at the clock
ANSWERS = 4       # one slice of so many goes to the best move's answer: that it loses is what the search needs most to know
RAMP = 1000 * 1_000_000        # nanoseconds of search after which the solver has half of its largest share
STEPPING, RUNNING = 0.2, 0.5   # that share, with quiet diagonal steps (Breakthrough, where only the end is proven) and without


class Solving:
    """What a prover finds out about a board beside a search.

    proof is the Proof of the board as far as it is known; beaten holds the moves that are proven to lose while others may not; nodes
    counts the positions expanded; told is the caller's, for whether it has reported the proof.
    patience: nanoseconds that it may take at once, before the search has earned it any.
    """

    def __init__(self, prover, board, moves, patience=0):
        self._prover, self._board, self._patience = prover, board, patience
        self._most = STEPPING if board.rules.diagonals else RUNNING
        self._children = {move: board.push(move) for move in moves}
        self._spent, self._last, self._began, self._slices = 0, 1_000_000, time.monotonic_ns(), 0
        self.proof, self.beaten, self.nodes, self.told = prover.known(board), set(), 0, False

    def work(self, best, stopped):
        """Spend what the solver is owed by now, but no longer than until stopped(); best: the move that the search likes."""
        while not self.proof.value and not stopped():
            now = time.monotonic_ns()
            passed = now - self._began
            if self._spent + self._last > max(self._patience, self._most * passed * passed / (passed + RAMP)):
                break
            self._slice(best)
            self._last = time.monotonic_ns() - now
            self._spent += self._last

    def settle(self, nodes):
        """Expand so many positions for the root's proof alone, with all of the prover's threads."""
        self._prove(self._board, nodes)

    def _slice(self, best):
        self._slices += 1
        answer = self._slices % ANSWERS == 0 and best not in self.beaten
        self._prove(self._children[best] if answer else self._board, SLICE)

    def _prove(self, board, nodes):
        self._prover.prove(board, nodes)
        self.nodes += self._prover.nodes
        self.proof = self._prover.known(self._board)
        if not self.proof.value:
            self.beaten.update(move for move, child in self._children.items() if self._prover.known(child).value > 0)
