"""Saving while the work goes on: every so often, if it can be done, and once more at the end, where it must be."""

import sys
import time

from pawnstorm_tools.common.bar import tqdm


class Autosave:
    """Calls write(), which may raise OSError, every so many seconds; where there is no path, never.

    A failure on the way ends no work: it is told once, and tried again later. At the end it is an error.
    """

    def __init__(self, path, every, write):
        self._path, self._every, self._write = path, every, write
        self._last, self._whole, self._told = time.monotonic(), False, False

    def tick(self):
        """The work goes on: save where it is time to."""
        if time.monotonic() - self._last >= self._every:
            self._try()

    def save(self):
        """The work is done: save, or tell why not."""
        self._whole = self._try()

    def close(self):
        """Save, unless save() has done it. Raises OSError."""
        if self._path and not self._whole:
            self._write()

    def _try(self):
        """Save, or tell why not; returns whether it could be done."""
        try:
            if self._path:
                self._write()
            return True
        except OSError as error:
            if not self._told:
                tqdm.write(f"not saved for now: {error}; the work goes on, and it is tried again", file=sys.stderr)
            self._told = True
            return False
        finally:
            self._last = time.monotonic()
