"""How busy a simulated cluster is, and how many jobs it does."""

import time

from pawnstorm.numbers import counted

WARM = 5.0  # seconds at most with all workers before it is measured


class Elapsed(Exception):
    """It has been measured for long enough."""


class Gauge:
    """Counts the jobs of a cluster of `count` workers for some seconds, from a while after all have become ready."""

    def __init__(self, cluster, count, seconds):
        self._cluster, self._count, self._seconds = cluster, count, seconds
        self._ready = self._first = self._last = None  # a time, Readings
        self._jobs = 0

    def tick(self, ready, jobs):
        """So many workers are ready, so many jobs have ended since the last time. Raises Elapsed at the end."""
        now = time.monotonic()
        if self._first:
            self._jobs += jobs
            if now >= self._first.time + self._seconds:
                self._last = self._cluster.reading()
                raise Elapsed
        elif self._ready:
            self._first = self._cluster.reading() if now >= self._ready + min(WARM, self._seconds) else None
        elif ready == self._count:
            self._ready = now

    def result(self):
        """A line about what was measured until now."""
        workers = counted(self._count, "worker")
        if not self._first:
            return f"{workers}: all done before it could be measured"
        last = self._last or self._cluster.reading()
        seconds, busy, master, scheduler = (after - before for before, after in zip(self._first, last))
        return (
            f"{workers}: {self._jobs / seconds:.1f} jobs a second, a job {busy / max(1, self._jobs):.2f} s, "
            f"{100 * (1 - busy / self._count / seconds):.1f} % idle; "
            f"master {100 * master / seconds:.0f} % of a core, scheduler {100 * scheduler / seconds:.0f} %"
        )
