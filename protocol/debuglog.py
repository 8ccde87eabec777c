"""What every engine was sent and said, line by line with the time, in one file."""

import sys
import time

from protocol.appendfile import AppendFile
from protocol.printable import printable

LONGEST = 2000
"""Letters of a line that are kept; of a longer one the length is told."""


class DebugLog:
    """Appends lines `2025-01-31T12:00:00.123456 fairy.1 < bestmove e2e4` to a file; several threads may write.

    The name carries the number of the worker that runs the engine. `>` went to the engine, `<` came from its stdout, `!` from its
    stderr, `#` is what was done with it. What cannot be printed is written as Python's escapes. A disk that is full ends no game: it is
    told, once.
    """

    def __init__(self, path):
        """Raises OSError."""
        self._path, self._failed = path, False
        self._file = AppendFile(path)   # one write a line: whole lines from every thread, and none lost in a kill

    def writer(self, name):
        """The function log(mark, line) of one engine; line is text or bytes, without its newline."""
        name = printable(name)

        def log(mark, line):
            seconds, rest = divmod(time.time_ns(), 10**9)
            at = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(seconds))}.{rest // 1000:06}"
            text = line if isinstance(line, str) else line[:LONGEST].decode("utf-8", "backslashreplace").rstrip("\r")
            if len(line) > LONGEST:
                text = f"{text[:LONGEST]}... ({len(line)} in all)"
            self.write(f"{at} {name} {mark} {printable(text)}\n".encode())
        return log

    def write(self, data):
        """Append lines that are finished."""
        try:
            self._file.write(data)
        except OSError as error:
            if not self._failed:
                self._failed = True
                print(f"{self._path}: lines are lost: {error.strerror}", file=sys.stderr, flush=True)

    def close(self):
        self._file.close()
