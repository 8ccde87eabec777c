"""Writes tables of positions (engine/pawnstorm/games/position_table.py)."""

import zlib
from bisect import bisect_left

from pawnstorm.games.position_table import KEY, bucket_bits, key, split
from pawnstorm_tools.common import atomicfile


def write(path, form, game, numbers, rows, width):
    """Write a table of (canonical Board, entry). Raises OSError.

    form: the Format of the file. numbers: the numbers of its first line before the count and the checksum. width: the bytes of
    an entry, which is an int.
    """
    found = sorted((*split(key(board), len(rows)), entry) for board, entry in rows)
    assert len({row[:2] for row in found}) == len({board.bitboards for board, _ in rows}), "two positions have one key"
    buckets = [bucket for bucket, *_ in found]
    places = [bisect_left(buckets, bucket) for bucket in range(1 << bucket_bits(len(rows)))]
    words = [number.to_bytes(KEY, "little") for number in (*places, *(kept for _, kept, _ in found))]
    body = b"".join([*words, *(entry.to_bytes(width, "little") for *_, entry in found)])
    with atomicfile.replacing(path) as file:
        file.write(form.header(game, *numbers, len(rows), zlib.crc32(body)) + body)
