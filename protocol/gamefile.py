"""Files of games in PGN, to which games are added."""

import os

from engine.pgn import gap


def append(path, text):
    """Add a game's text, behind an empty line where the file has other games; "" only finds out whether that can be done.

    Raises OSError.
    """
    with open(path, "ab+") as file:
        end = b""
        if os.path.isfile(path):    # a device may have no end
            file.seek(max(0, file.seek(0, os.SEEK_END) - 2))
            end = file.read()
        if text:
            file.write((gap(end.decode("utf-8", "replace")) + text).encode())
