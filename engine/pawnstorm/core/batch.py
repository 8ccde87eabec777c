"""Work on many positions in slices, with one call of the core for each slice, in one or several threads."""

import ctypes
import threading

from pawnstorm.system.threads import start_all

ROW_WORDS = 3  # words of a row (engine/pawnstorm/kernels/batch.py)
ROW_BYTES = 8 * ROW_WORDS
# A slice is a quarter of a thread's share of the rows that are left, so all threads end at about the same time.
PARTS = 4


class Batch:
    """Rows, and the records of the threads that work on them.

    call        call(count, rows, state) works on a slice and returns how many rows it has done: fewer than count if
                state.stop was set
    rows        a contiguous buffer of uint64, ROW_WORDS for each position; the results are written into it
    states      a State for each thread
    least       the fewest rows of a slice; the last slice may have fewer
    most        the most rows of a slice
    stopping    stopping() returns whether the work must end early. Whoever makes it return True must then also set the stop
                field of each state
    """

    def __init__(self, call, rows, states, least, most, stopping=lambda: False):
        self._call, self._rows, self._states = call, memoryview(rows).cast("B"), states
        self._least, self._most = least, most
        self._left = len(self._rows) // ROW_BYTES
        self._lock = threading.Lock()
        self._stopping, self._failed, self._error = stopping, False, None

    def run(self):
        """Work on all rows. Call this only once. If not all threads can be started, fewer do the work.

        If a thread raises an exception, such as KeyboardInterrupt, all threads stop and the exception is raised here.
        """
        helpers = []
        try:
            helpers = start_all(
                [threading.Thread(target=self._help, args=(state,), daemon=True) for state in self._states[1:]],
                deep=True,
            )
            self._work(self._states[0])
        except BaseException:
            self._fail()
            raise
        finally:
            for helper in helpers:
                helper.join()
        if self._error is not None:
            raise self._error

    def _help(self, state):
        try:
            self._work(state)
        except BaseException as error:  # run() raises it
            self._error = error
            self._fail()

    def _fail(self):
        self._failed = True
        for state in self._states:
            state.stop = 1

    def _ends(self):
        return self._failed or self._stopping()

    def _work(self, state):
        """One thread's part."""
        while taken := self._take():
            first, end = taken
            while first < end:
                state.stop = 0  # a position may have set it
                if self._ends():  # checked after clearing `stop`, so that no stop is lost
                    return
                rows = (ctypes.c_uint64 * (ROW_WORDS * (end - first))).from_buffer(self._rows, ROW_BYTES * first)
                first += self._call(end - first, rows, state)

    def _take(self):
        """(first, end) of the next slice; None if none is left."""
        with self._lock:
            left = self._left
            size = min(self._most, max(self._least, left // (PARTS * len(self._states))), left)
            self._left -= size
        first = len(self._rows) // ROW_BYTES - left
        return (first, first + size) if size else None
