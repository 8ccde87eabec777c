"""The pipes of a child process, in a form that polling.Poll can wait for."""

import contextlib
import os
import socket
import threading

from pawnstorm.system import WINDOWS

LARGEST = 1 << 16
"""The most bytes of one read."""


class _Pipe:
    """Reads the pipe itself."""

    def __init__(self, file):
        self._number = file.fileno()

    def fileno(self):
        return self._number

    def read(self):
        return os.read(self._number, LARGEST)

    def close(self):
        """Do nothing: the pipe belongs to the process, which closes it."""


class _Forwarded:
    """Reads a socket, to which a thread copies the data that comes through the pipe."""

    def __init__(self, file):
        self._socket, end = socket.socketpair()
        threading.Thread(target=self._copy, args=(os.dup(file.fileno()), end), daemon=True).start()

    def _copy(self, pipe, end):
        with contextlib.suppress(OSError), end:
            while data := os.read(pipe, LARGEST):
                end.sendall(data)
        os.close(pipe)

    def fileno(self):
        return self._socket.fileno()

    def read(self):
        return self._socket.recv(LARGEST)

    def close(self):
        self._socket.close()


Reader = _Forwarded if WINDOWS else _Pipe
"""Reader(file): reads a child's output through a pipe.

read()    returns the bytes that have come, b"" at the end; waits if there are none. Raises OSError
close()   must be called when the process has ended
"""


class _IntoPipe(_Pipe):
    """Writes into the pipe itself."""

    def __init__(self, file):
        super().__init__(file)
        os.set_blocking(self._number, False)

    def write(self, data):
        try:
            return os.write(self._number, data)
        except BlockingIOError:
            return 0


class _IntoForwarded(_Forwarded):
    """Writes into a socket, from which a thread copies the data into the pipe."""

    def __init__(self, file):
        super().__init__(file)
        self._socket.setblocking(False)

    def _copy(self, pipe, end):
        with contextlib.suppress(OSError), end, open(pipe, "wb", buffering=0) as into:
            while data := memoryview(end.recv(LARGEST)):
                while data:
                    data = data[into.write(data) :]

    def write(self, data):
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0


Writer = _IntoForwarded if WINDOWS else _IntoPipe
"""Writer(file): writes a child's input into a pipe, without waiting for the child to read it.

write(data)   returns the number of bytes written, 0 if the pipe is full. Raises OSError
close()       must be called when the process has ended
"""
WRITERS = (_IntoPipe, _IntoForwarded)
