"""The n-tuple networks that evaluate a game (engine/kernels/ntuple.py), out of files that scripts/learn.py makes.

a line     pawnstorm ntuple 1 GAME check CRC-32 of the numbers
numbers    int16, little endian, compressed by zlib: 4096 classes of files, then the weights of 3 triples of 64 * 64
           * 64 classes
"""

import ctypes
import os
import sys
import zlib

from pawnstorm.engine.datafile import BadFile, Format, verify

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FORMAT = Format("network", "pawnstorm ntuple 1", ("check",))
CLASSES, WEIGHTS = 4096, 3 << 18
HIGHEST = 63  # class


def load(path, name):
    """The numbers of a file, as bytes. Raises BadFile, OSError."""
    _, (check,), rest = FORMAT.read(path, name)
    try:
        numbers = zlib.decompress(rest)
    except zlib.error as error:
        raise BadFile(f"{path} is damaged: {error}") from error
    verify(path, numbers, 2 * (CLASSES + WEIGHTS), check, f"{CLASSES + WEIGHTS} numbers")
    # A greater one would have the engine read beyond the weights.
    if any(numbers[1 : 2 * CLASSES : 2]) or max(numbers[: 2 * CLASSES : 2]) > HIGHEST:
        raise BadFile(f"{path} is damaged: expected classes from 0 to {HIGHEST}")
    return numbers


_loaded = {}


def _found(name):
    """The numbers of a game's network, None where it has none that can be read."""
    path = os.path.join(FOLDER, f"{name}.ntuple")
    try:
        return load(path, name) if os.path.exists(path) else None
    except (OSError, BadFile) as error:
        print(f"pawnstorm: {error}; evaluating without it", file=sys.stderr, flush=True)
        return None


def address(rules):
    """The address of a game's network, 0 where it has none. It stays in memory, and any threads may ask at once.

    Games that differ in en passant alone share a network. If it cannot be read, stderr says so, and the game has none.
    """
    name = rules.full_name.partition("-")[0]
    if name not in _loaded:
        _loaded.setdefault(name, _found(name))  # the first one stays: it may be in use already
    numbers = _loaded[name]
    return ctypes.cast(ctypes.c_char_p(numbers), ctypes.c_void_p).value if numbers else 0
