"""The one loop that listens to several players at once: engines behind pipes, agents behind sockets.

Nothing here is a thread: pump() waits on every descriptor of the players in a game with one poll(), so that a move is read in the
thread that answers it, no pipe ever fills up, and a player that talks while its opponent thinks is heard.

A player has pipes(), its descriptors; hear(pipe), which reads what one of them has and returns False where it need not be watched any
more; due, the time (nanoseconds) at which lapse() is to be called, or None.
"""

import select
from time import monotonic_ns as now

from protocol.printable import printable

SECOND, MILLISECOND = 10**9, 10**6
LONGEST_WAIT = 1000 * SECOND
"""How long pump() sleeps at a time: poll() takes 31 bits of milliseconds, a clock may hold more."""


class Stopped(Exception):
    """Whoever asked for the game told it to stop."""


class EngineFault(Exception):
    """A player did what ends its game: kind is one of KINDS, the text, which is escaped, says what happened."""

    KINDS = ("time", "hang", "crash", "illegal", "protocol", "start", "resign")

    def __init__(self, engine, kind, text):
        super().__init__(printable(text))
        self.engine, self.kind = engine, kind


def pump(players, done, deadline, wake=None):
    """Listen to all players until done() is true; False if the deadline (nanoseconds) passes first.

    Whatever has already arrived at the deadline is still heard. Raises Stopped as soon as the descriptor `wake` is readable.
    """
    poll = select.poll()
    owners = {pipe: player for player in players for pipe in player.pipes()}
    for pipe in owners:
        poll.register(pipe, select.POLLIN)
    if wake is not None:
        poll.register(wake, select.POLLIN)
    while not done():
        left = deadline - now()
        until = min([deadline, *(player.due for player in players if player.due is not None)])
        for pipe, _ in poll.poll(max(0, min(until - now(), LONGEST_WAIT)) / MILLISECOND):
            if pipe == wake:
                raise Stopped
            if not owners[pipe].hear(pipe):
                poll.unregister(pipe)
        for player in players:
            if player.due is not None and (player.due <= now() or left <= 0):
                player.lapse()
        if left <= 0 and not done():
            return False
    return True
