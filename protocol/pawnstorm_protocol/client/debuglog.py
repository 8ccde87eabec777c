"""A log of every line to and from every player, with the time."""

import sys
import time

from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_protocol.system.terminal import escaped

LONGEST = 2000
"""The most characters of a line that are logged. For a longer line, the log has its length too."""


class DebugLog:
    """Appends lines such as `2025-01-31T12:00:00.123456 fairy.1 < bestmove e2e4` to a file. Several threads may write.

    `fairy.1` is the player's name: in a match, it ends with the number of the worker that runs the engine. The mark (`<` here)
    shows where the line comes from:
        >   sent to the player            <   received from it
        !   received from its stderr      #   this program's own note
    Characters that cannot be printed are written as Python's escapes. A full disk does not end a game: it is reported once, on
    stderr.
    """

    def __init__(self, path):
        """Raises OSError."""
        self._path, self._failed = path, False
        self._file = AppendFile(path)  # one write for each line: threads cannot mix lines, and a kill loses none

    def writer(self, name):
        """The function log(mark, line) of one player. line: text or bytes, without its newline."""
        name = escaped(name)

        def log(mark, line):
            seconds, rest = divmod(time.time_ns(), 10**9)
            at = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(seconds))}.{rest // 1000:06}"
            text = line if isinstance(line, str) else line[:LONGEST].decode("utf-8", "backslashreplace").rstrip("\r")
            if len(line) > LONGEST:
                text = f"{text[:LONGEST]}... ({len(line)} in all)"
            self.write(f"{at} {name} {mark} {escaped(text)}\n".encode())

        return log

    def write(self, data):
        """Append finished lines."""
        try:
            self._file.write(data)
        except OSError as error:
            if not self._failed:
                self._failed = True
                print(f"{self._path}: lines are lost: {error.strerror}", file=sys.stderr, flush=True)

    def close(self):
        self._file.close()
