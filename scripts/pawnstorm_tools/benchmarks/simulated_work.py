"""The time that the jobs of simulated workers take, which is told to whoever measures."""

import threading
import time

busy = None
"""Two numbers that all workers of this process share with whoever measures: jobs under way, and the seconds of all jobs
that have ended, less the times at which those under way began.
"""
_stopped = threading.Event()


def spent(shared, now):
    """Seconds that the workers of a process have been at jobs until now."""
    with shared:
        return shared[1] + shared[0] * now


def stop(*_):
    """End all jobs of this process soon, those to come too."""
    _stopped.set()


class Job:
    """A block of code that takes .seconds, set in it, by waiting for the rest of them."""

    def __enter__(self):
        self._began, self.seconds = time.monotonic(), 0.0
        self._count(1, -self._began)
        return self

    def __exit__(self, *_):
        _stopped.wait(max(0.0, self._began + self.seconds - time.monotonic()))
        self._count(-1, time.monotonic())

    def _count(self, jobs, now):
        with busy:
            busy[0] += jobs
            busy[1] += now
