"""The n-tuple networks that evaluate a game (engine/ntuple.py), out of files in engine/data/ that scripts/learn.py makes.

    a line     pawnstorm ntuple 1 GAME check CRC-32 of the numbers
    numbers    int16, little endian, compressed by zlib: 4096 classes of files, then the weights of 3 triples of 64 * 64 * 64 classes
"""

import ctypes
import os
import sys
import zlib

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
MAGIC = "pawnstorm ntuple 1"
CLASSES, WEIGHTS = 4096, 3 << 18
HIGHEST = 63   # class


class BadNetwork(ValueError):
    """A file that is no network, or not of the game, or damaged."""


def load(path, name):
    """The numbers of a file, as bytes. Raises BadNetwork, OSError."""
    with open(path, "rb") as file:
        line, rest = file.readline(200), file.read()
    words = line.decode("ascii", "replace").split()
    if words[:3] != MAGIC.split() or words[3:5] != [name, "check"] or len(words) != 6 or not words[5].isdecimal():
        raise BadNetwork(f"{path} is no network of {name}: expected a first line '{MAGIC} {name} check N'")
    try:
        numbers = zlib.decompress(rest)
    except zlib.error as error:
        raise BadNetwork(f"{path} is damaged: {error}") from error
    if len(numbers) != 2 * (CLASSES + WEIGHTS) or zlib.crc32(numbers) != int(words[5]):
        raise BadNetwork(f"{path} is damaged: expected {CLASSES + WEIGHTS} numbers with the checksum {words[5]}")
    # A greater one would have the engine read beyond the weights.
    if any(numbers[1:2 * CLASSES:2]) or max(numbers[:2 * CLASSES:2]) > HIGHEST:
        raise BadNetwork(f"{path} is damaged: expected classes from 0 to {HIGHEST}")
    return numbers


_loaded = {}


def _found(name):
    """The numbers of a game's network, None where it has none that can be read."""
    path = os.path.join(FOLDER, f"{name}.ntuple")
    try:
        return load(path, name) if os.path.exists(path) else None
    except (OSError, BadNetwork) as error:
        print(f"pawnstorm: {error}; evaluating without it", file=sys.stderr, flush=True)
        return None


def address(rules):
    """Where the network of a game lies in memory, 0 where it has none; it stays there. Any threads may ask at the same time.

    Games that differ in en passant alone share a network. One that cannot be read is done without, and said on stderr.
    """
    name = rules.full_name.partition("-")[0]
    if name not in _loaded:
        _loaded.setdefault(name, _found(name))   # the first one stays: it may be in use already
    numbers = _loaded[name]
    return ctypes.cast(ctypes.c_char_p(numbers), ctypes.c_void_p).value if numbers else 0
