"""Waits for several sockets and pipes at once, and ends such a wait from another thread.

Windows can wait for sockets only, so that a child's output comes through one there (pipes.py).
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
    """In parts, since Ctrl-C ends no select() on Windows, which moreover refuses to wait for nothing."""

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
"""Poll(sources): sockets, Wakers, and Readers and Writers of pipes.py, all with a fileno().

wait(seconds=None)   those from which something can be read (into which something can be written, for Writers), or which
                     are closed; [] once the time has passed
unregister(source)   stop waiting for it
"""


def max_sources():
    """How many sources one Poll can have, or the process hold open, whichever is less."""
    if WINDOWS:
        return 512  # what Python is compiled for
    return os.sysconf("SC_OPEN_MAX")


class Waker:
    """Ends the wait of a Poll that has it among its sources, from any thread."""

    def __init__(self):
        self._read, self._write = socket.socketpair()

    def fileno(self):
        return self._read.fileno()

    def wake(self):
        """Be readable, until somebody calls take() as often. Does nothing once it is closed."""
        with contextlib.suppress(OSError):
            self._write.send(b"x")

    def take(self):
        self._read.recv(1)

    def close(self):
        self._read.close()
        self._write.close()
