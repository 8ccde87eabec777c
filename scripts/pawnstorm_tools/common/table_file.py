"""Writes tables of positions (engine/pawnstorm/games/position_table.py)."""

import zlib

from pawnstorm.games import position_table
from pawnstorm_tools.common import atomicfile


def write(path, form, game, numbers, rows, width):
    """Write a table of (key, entry), both ints, in the order of the keys. Raises OSError.

    form: the Format of the file. numbers: the numbers of its first line before the count and the checksum. width: the bytes of
    an entry.
    """
    keys = b"".join(key.to_bytes(position_table.KEY, "little") for key, _ in rows)
    body = keys + b"".join(entry.to_bytes(width, "little") for _, entry in rows)
    with atomicfile.replacing(path) as file:
        file.write(form.header(game, *numbers, len(rows), zlib.crc32(body)) + body)
