"""Waits for several sockets and pipes at once. Another thread can end the wait.

Windows can wait only for sockets, so a child's pipes are copied to and from sockets there (pipes.py).
"""

import contextlib
import os
import select
import socket
import time

from pawnstorm.system import WINDOWS, clock
from pawnstorm_protocol.system.pipes import WRITERS

MILLISECONDS_PER_SECOND = 1000


class _Poll:
    def __init__(self, sources):
        self._poll, self._sources = select.poll(), {}
        for source in sources:
            self._sources[source.fileno()] = source
            self._poll.register(source, select.POLLOUT if isinstance(source, WRITERS) else select.POLLIN)

    def wait(self, seconds=None):
        limit = None if seconds is None else seconds * MILLISECONDS_PER_SECOND
        return [self._sources[number] for number, _ in self._poll.poll(limit)]

    def unregister(self, source):
        self._poll.unregister(source)


class _Select:
    """Poll for Windows. It waits in short steps, because Ctrl-C does not end a select() there.

    If there are no sources it sleeps, because select() refuses to wait for nothing there.
    """

    def __init__(self, sources):
        self._writers = [source for source in sources if isinstance(source, WRITERS)]
        self._sources = [source for source in sources if source not in self._writers]

    def wait(self, seconds=None):
        until = None if seconds is None else clock.now_seconds() + seconds
        while True:
            left = clock.POLL if until is None else max(0, min(clock.POLL, until - clock.now_seconds()))
            if not self._sources and not self._writers:
                time.sleep(left)
            elif any(ready := select.select(self._sources, self._writers, [], left)):
                return ready[0] + ready[1]
            if until is not None and clock.now_seconds() >= until:
                return []

    def unregister(self, source):
        (self._writers if source in self._writers else self._sources).remove(source)


Poll = _Select if WINDOWS else _Poll
"""Poll(sources): waits for sockets, Wakers, and the Readers and Writers of pipes.py. All have a fileno().

wait(seconds=None)   returns the sources that can be read, the Writers that can be written to, and the sources that are
                     closed; [] if the time passes first
unregister(source)   stops waiting for a source
"""


def max_sources():
    """The number of sources that one Poll can have, or that the process can hold open, whichever is less."""
    if WINDOWS:
        return 512  # the limit of select() that Python is compiled with
    return os.sysconf("SC_OPEN_MAX")


class Waker:
    """A source for a Poll. When any thread calls wake(), the Poll ends its wait."""

    def __init__(self):
        self._read, self._write = socket.socketpair()

    def fileno(self):
        return self._read.fileno()

    def wake(self):
        """Become readable, until take() has been called as often as wake(). Does nothing after close()."""
        with contextlib.suppress(OSError):
            self._write.send(b"x")

    def take(self):
        self._read.recv(1)

    def close(self):
        self._read.close()
        self._write.close()
