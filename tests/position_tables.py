"""Tables of positions for the tests, packed without the code that reads and writes them."""

import zlib

from pawnstorm.games import position_table


def content(kind, words, rows):
    """The bytes of a table. kind and words: of its first line, before and after the game; rows: [(canonical Board, entry as
    bytes)].
    """
    found = sorted((f"{position_table.key(board):064b}", entry) for board, entry in rows)
    bits = max(0, len(f"{len(found):b}" if found else "") - 5)
    before = [sum(key[:bits] < f"{bucket:0{bits}b}" for key, _ in found) if bits else 0 for bucket in range(2**bits)]
    numbers = before + [int(key[bits : bits + 32], 2) for key, _ in found]
    body = b"".join([number.to_bytes(4, "little") for number in numbers] + [entry for _, entry in found])
    return f"pawnstorm {kind} 2 {words} entries {len(found)} check {zlib.crc32(body)}\n".encode() + body
