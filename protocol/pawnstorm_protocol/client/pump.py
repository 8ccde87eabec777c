"""The loop that listens to the players of a game: engines behind pipes, agents behind sockets.

It uses no threads: pump() waits for all players with one Poll. So a move is read in the thread that answers it, no pipe fills
up, and a player is heard even while its opponent thinks.

A player has
    pipes()       the sources to watch, as in protocol/pawnstorm_protocol/system/polling.py
    on_io(pipe)   reads from a source; returns False if it need not be watched any more
    timeout_at    when to call on_timeout(), in nanoseconds, or None
"""

from pawnstorm.system.clock import now_ns
from pawnstorm_protocol.system.polling import Poll
from pawnstorm_protocol.system.terminal import escaped

SECOND, MILLISECOND = 10**9, 10**6
LONGEST_WAIT = 1000 * SECOND
"""The longest single wait. A Poll's timeout has 31 bits of milliseconds, and a clock may have more time left."""


class Stopped(Exception):
    """Another thread has stopped the game."""


class EngineFault(Exception):
    """A player did something that ends its game. kind: one of KINDS. The text, which is escaped, says what happened."""

    KINDS = ("time", "hang", "crash", "illegal", "protocol", "start", "resign")

    def __init__(self, player, kind, text):
        super().__init__(escaped(text))
        self.player, self.kind = player, kind


def pump(players, done, deadline, waker=None):
    """Listen to the players until done() is true; returns False if the deadline (nanoseconds) passes first.

    Messages that have arrived by the deadline still count. Raises Stopped when the Waker `waker` is readable, and the errors
    that the players raise.
    """
    owners = {pipe: player for player in players for pipe in player.pipes()}
    poll = Poll([*owners, *([] if waker is None else [waker])])
    while not done():
        left = deadline - now_ns()
        until = min([deadline, *(player.timeout_at for player in players if player.timeout_at is not None)])
        for pipe in poll.wait(max(0, min(until - now_ns(), LONGEST_WAIT)) / SECOND):
            if pipe is waker:
                raise Stopped
            if not owners[pipe].on_io(pipe):
                poll.unregister(pipe)
        for player in players:
            if player.timeout_at is not None and (player.timeout_at <= now_ns() or left <= 0):
                player.on_timeout()
        if left <= 0 and not done():
            return False
    return True
