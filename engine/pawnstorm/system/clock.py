"""The one clock of the program, timers that keep to it, and waits that hear Ctrl-C.

On Windows the interpreter's time.monotonic(), before Python 3.13, and every wait with a time limit go by a clock that
ticks each 15.6 ms. time.perf_counter() is finer there; elsewhere both are the same clock. time.sleep() is finer as
well, since Python 3.11, but nothing can end it early.

Nothing here goes by the system's date, which may be set while a game is played. Timers and waits are Python's, which are
monotonic where the C library has sem_clockwait (glibc 2.30 or later); with an older one they wait by the date.
"""

import threading
import time
from time import perf_counter as now_seconds
from time import perf_counter_ns as now_ns

from pawnstorm.system import WINDOWS

TICK = 32_000_000  # nanoseconds by which a wait on Windows may end late: two ticks
STEP = 1_000_000  # of a sleep; a cancelled timer ends so late at most
POLL = 0.1  # seconds between two looks for a Ctrl-C, where it does not end a wait


class _SteppedTimer(threading.Timer):
    """A threading.Timer that sleeps in small steps once the end is near."""

    def run(self):
        due = now_ns() + int(self.interval * 1e9)
        while not self.finished.is_set() and (left := due - now_ns()) > 0:
            if left > TICK:
                self.finished.wait((left - TICK) / 1e9)
            else:
                time.sleep(min(left, STEP) / 1e9)
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()


def _wait_in_parts(event, limit=None):
    """Wait for a threading.Event as its wait(limit) does, but look for interrupts in between.

    An exception inside of event.wait() could leave the event's lock as it must not be: on Windows the exception does not
    come from the wait for the lock, which nothing ends, but from some step after it.
    """
    from pawnstorm.system import signals  # late: an engine that only plays needs it not

    until = None if limit is None else now_seconds() + limit
    with signals.deferred() as heard:
        while not event.wait(POLL if until is None else max(0, min(POLL, until - now_seconds()))):
            if heard or (until is not None and now_seconds() >= until):
                break
    return event.is_set()


def _get_in_parts(queue):
    """The next item of a queue, but look for interrupts in between."""
    from queue import Empty  # late: an engine that only plays needs it not

    while True:
        try:
            return queue.get(timeout=POLL)
        except Empty:
            pass


Timer = _SteppedTimer if WINDOWS else threading.Timer
"""A threading.Timer that comes a millisecond late at most, on a machine that is not busy."""
wait = _wait_in_parts if WINDOWS else threading.Event.wait
"""wait(event, limit=None): as event.wait(limit); a Ctrl-C ends it in the main thread."""
get_from_queue = _get_in_parts if WINDOWS else lambda queue: queue.get()
"""get(queue): as queue.get(); a Ctrl-C ends it in the main thread."""
