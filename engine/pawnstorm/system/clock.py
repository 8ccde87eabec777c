"""The program's only clock, timers that follow it, and waits that Ctrl-C can end.

The clock is time.perf_counter(). It does not depend on the system's date, which may be set while a game is played.

On Windows, every wait with a time limit follows a clock that ticks every 15.6 ms. So does time.monotonic() before Python 3.13,
but time.perf_counter() is finer. Since Python 3.11, time.sleep() is finer too, but nothing can end it early.

On other systems, time.monotonic() and time.perf_counter() read the same clock, and timers and waits are Python's own. If the C
library has sem_clockwait (glibc 2.30 or later), these do not depend on the date either. With an older library, a change of the
date moves their end.
"""

import threading
import time
from time import perf_counter as now_seconds
from time import perf_counter_ns as now_ns

from pawnstorm.system import WINDOWS

TICK = 32_000_000  # nanoseconds by which a wait on Windows may end late: two ticks
STEP = 1_000_000  # nanoseconds of one sleep, and the most by which a cancelled timer ends late
POLL = 0.1  # seconds between two checks for Ctrl-C, if it cannot end a wait


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
    """Wait for a threading.Event as its wait(limit) does, but check for interrupts in between.

    Signals are deferred during the wait, because an exception inside event.wait() could leave the event's lock in a wrong
    state. On Windows no signal ends the wait for the lock itself, so a later step of event.wait() would raise the exception.
    """
    from pawnstorm.system import signals  # imported here, since an engine that only plays does not need it

    until = None if limit is None else now_seconds() + limit
    with signals.deferred() as heard:
        while not event.wait(POLL if until is None else max(0, min(POLL, until - now_seconds()))):
            if heard or (until is not None and now_seconds() >= until):
                break
    return event.is_set()


def _get_in_parts(queue):
    """Wait for the next item of a queue, but check for interrupts in between."""
    from queue import Empty  # imported here, since an engine that only plays does not need it

    while True:
        try:
            return queue.get(timeout=POLL)
        except Empty:
            pass


Timer = _SteppedTimer if WINDOWS else threading.Timer
"""A threading.Timer that is at most a millisecond late on a machine that is not busy."""
wait = _wait_in_parts if WINDOWS else threading.Event.wait
"""wait(event, limit=None) works as event.wait(limit). In the main thread, Ctrl-C ends it."""
get_from_queue = _get_in_parts if WINDOWS else lambda queue: queue.get()
"""get_from_queue(queue) works as queue.get(). In the main thread, Ctrl-C ends it."""
