"""When a search must end, asked once a node."""

import time


class Stopped(Exception):
    """The budget ran out inside a search; what it has found so far is unfinished."""


class Budget:
    """Nodes and time of one move. start() and stop() may be called from another thread than the search's.

    nodes   counted so far
    over    whether the search has been told to end
    """

    EVERY = 8  # nodes between two looks at the clock: within a few milliseconds even where a node is a whole playout

    def __init__(self, nodes=0):
        self.nodes, self.over = 0, False
        self._limit = nodes or float("inf")
        self._deadline, self._stopped = float("inf"), False
        self._next = min(self.EVERY, self._limit)

    def start(self, seconds):
        """From now on the search has so many seconds; None: all that it wants."""
        if seconds is not None:
            self._deadline = time.monotonic() + seconds

    def stop(self):
        """End the search at its next node."""
        self._stopped = True
        self._next = 0

    def spent(self):
        """Count a node; whether the search must end, and from then on always True."""
        self.nodes += 1
        if self.nodes < self._next:
            return False
        # Set before _stopped is read, so that a stop() in between is not lost.
        self._next = min(self.nodes + self.EVERY, self._limit)
        if self._stopped or self.nodes >= self._limit or time.monotonic() >= self._deadline:
            self.over, self._next = True, 0
        return self.over

    def check(self):
        """Count a node. Raises Stopped where the search must end."""
        if self.spent():
            raise Stopped
