"""Reads the networks of a game from files.

There are three kinds:

ntuple     an n-tuple network (engine/pawnstorm/kernels/ntuple.py), which evaluates; scripts/learn.py makes it
network    a neural network (engine/pawnstorm/kernels/network.py), which evaluates; scripts/train.py makes it
solver     a solver's network, which estimates how many positions a proof will take; scripts/learn.py makes it

A file has two parts:

a line     pawnstorm ntuple 1 GAME check CRC-32 of the numbers, or
           pawnstorm network 3 GAME width N buckets N check CRC-32 of the numbers, or
           pawnstorm solver 3 GAME width N buckets N check CRC-32 of the numbers
numbers    int16, compressed by zlib.

           An n-tuple network is little endian: the classes of the 4096 ways to fill a file of the board, then 64 * 64 * 64
           weights for each of 3 triples of neighbouring files.

           The other networks have all low bytes, then all high bytes. The numbers are the rows that
           engine/pawnstorm/kernels/network.py describes, each without its second half, which belongs to the mirrored
           board. A row of kind k > 0 is stored as its difference from the row of the same colour and square whose kind is k
           without its highest bit. With these differences the file is half as large.
"""

import ctypes
import os
import sys
import zlib

from pawnstorm.core.state import HIDDEN_WIDTH, OUTPUT_BUCKETS, OUTPUT_ROW, PAWN_KINDS, SOLVER_OUTPUTS
from pawnstorm.games.datafile import BadFile, Format, verify
from pawnstorm.games.rules import UnknownGame, get_rules

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
NTUPLE_FORMAT = Format("n-tuple network", "pawnstorm ntuple 1", ("check",))
NETWORK_FORMAT = Format("neural network", "pawnstorm network 3", ("width", "buckets", "check"))
SOLVER_FORMAT = Format("solver's network", "pawnstorm solver 3", ("width", "buckets", "check"))
CLASSES, WEIGHTS = 4096, 3 << 18
MAX_CLASS = 63
NTUPLE_SCALE = 50  # the odds_scale() of n-tuple networks (scripts/learn.py fit --scale)
MAX_OUTPUT_WEIGHT = 127  # so that the product of a hidden unit and an output weight is an int16
HALF = HIDDEN_WIDTH // 2  # numbers of a row in a file
_ROW, _BLOCK = 2 * HALF, 64 * 2 * HALF  # bytes in a file of a row, and of the 64 rows of a kind of pawn
_SIGNS = int.from_bytes(_BLOCK // 2 * b"\0\x80", "little")


def _max_packed_size(size):
    """The most bytes that zlib makes of `size` bytes, at any setting."""
    return size + (size >> 6) + 1024


def _inflate(path, data, size):
    """Decompress the numbers; returns at most size + 1 bytes, so that verify() sees if there are too many. Raises BadFile."""
    try:
        return zlib.decompressobj().decompress(data, size + 1)
    except zlib.error as error:
        raise BadFile(f"{path} is damaged: {error}") from error


def load_ntuple(path, name=None):
    """Load an n-tuple network; returns (game, numbers as bytes). Raises BadFile, OSError."""
    size = 2 * (CLASSES + WEIGHTS)
    name, (check,), rest = NTUPLE_FORMAT.read(path, lambda numbers: _max_packed_size(size), name)
    numbers = _inflate(path, rest, size)
    verify(path, numbers, size, check, f"{CLASSES + WEIGHTS} numbers")
    # With a greater class, the engine would read beyond the weights.
    if any(numbers[1 : 2 * CLASSES : 2]) or max(numbers[: 2 * CLASSES : 2]) > MAX_CLASS:
        raise BadFile(f"{path} is damaged: expected classes from 0 to {MAX_CLASS}")
    return name, numbers


def mirrored_kind(kind):
    """The kind of a pawn (engine/pawnstorm/kernels/network.py) on a mirrored board."""
    left, right = kind & 1, kind >> 1 & 1
    return kind & ~3 | left << 1 | right


def stored_numbers(outputs):
    """How many numbers the file of a neural network with `outputs` outputs has."""
    return (OUTPUT_ROW + 2 * OUTPUT_BUCKETS * outputs) * HALF + outputs * (OUTPUT_BUCKETS + 1)


def _add(one, other):
    """Add the int16 numbers of two kinds of pawn, modulo 2**16. The numbers of a kind are given as one int."""
    return (one & ~_SIGNS) + (other & ~_SIGNS) ^ (one ^ other) & _SIGNS


def _input_rows(numbers, mirror_shift):
    """The input rows of one colour, as a list of half rows.

    numbers: the numbers that a file has for this colour, as bytes, little endian. mirror_shift: Rules.mirror_shift.
    """
    kinds = []
    for kind in range(PAWN_KINDS):
        rows = int.from_bytes(numbers[kind * _BLOCK : (kind + 1) * _BLOCK], "little")
        kinds.append(_add(rows, kinds[kind ^ 1 << kind.bit_length() - 1]) if kind else rows)
    blocks, halves = [kind.to_bytes(_BLOCK, "little") for kind in kinds], []
    for kind in range(PAWN_KINDS):
        block, mirror_image = blocks[kind], blocks[mirrored_kind(kind)]
        for square in range(64):
            mirrored = ((square ^ 7) - mirror_shift) % 64  # the modulo matters only for squares beside the board
            halves += block[square * _ROW : (square + 1) * _ROW], mirror_image[mirrored * _ROW : (mirrored + 1) * _ROW]
    return halves


def _unpack(stored, rules, outputs):
    """Convert the numbers of a file to those that the kernels use, as bytes."""
    numbers, middle = bytearray(len(stored)), len(stored) // 2
    numbers[::2], numbers[1::2] = stored[:middle], stored[middle:]
    colour, halves = PAWN_KINDS * _BLOCK, []
    for first in (0, colour):
        halves += _input_rows(numbers[first : first + colour], int(rules.mirror_shift))
    first = 2 * colour
    for _ in range(1 + 2 * OUTPUT_BUCKETS * outputs):
        halves += 2 * (numbers[first : first + _ROW],)
        first += _ROW
    return b"".join(halves) + numbers[first:]


def read_network(path, name=None, form=NETWORK_FORMAT, outputs=1):
    """Read a neural network with `outputs` outputs; returns (Rules, stored numbers as bytes). Raises BadFile, OSError."""
    count = stored_numbers(outputs)

    def most(numbers):
        width, buckets, _ = numbers
        if (width, buckets) != (HIDDEN_WIDTH, OUTPUT_BUCKETS):
            raise BadFile(
                f"{path} has width {width} and {buckets} buckets: expected width {HIDDEN_WIDTH} and {OUTPUT_BUCKETS} buckets"
            )
        return _max_packed_size(2 * count)

    name, (*_, check), rest = form.read(path, most, name)
    try:
        rules = get_rules(name)
    except UnknownGame:
        rules = None
    if rules is None or rules.full_name != name:
        raise BadFile(f"{path} is of the game '{name[:40]}': expected a game and its size, such as breakthrough8x8")
    stored = _inflate(path, rest, 2 * count)
    verify(path, stored, 2 * count, check, f"{count} numbers")
    return rules, stored


def load_network(path, name=None, form=NETWORK_FORMAT, outputs=1):
    """Load a neural network with `outputs` outputs; returns (game, numbers as bytes). Raises BadFile, OSError."""
    rules, stored = read_network(path, name, form, outputs)
    numbers = _unpack(stored, rules, outputs)
    first, last = OUTPUT_ROW * HIDDEN_WIDTH, (OUTPUT_ROW + 2 * OUTPUT_BUCKETS * outputs) * HIDDEN_WIDTH
    if any(abs(weight) > MAX_OUTPUT_WEIGHT for weight in memoryview(numbers).cast("h")[first:last]):
        raise BadFile(f"{path} is damaged: expected output weights from -{MAX_OUTPUT_WEIGHT} to {MAX_OUTPUT_WEIGHT}")
    return rules.full_name, numbers


def load_solver(path, name=None):
    """Load a solver's network; returns (game, numbers as bytes). Raises BadFile, OSError."""
    return load_network(path, name, SOLVER_FORMAT, SOLVER_OUTPUTS)


EVAL_LOADERS = {"network": load_network, "ntuple": load_ntuple}
"""{kind: loader} of the networks that evaluate; a game is evaluated by the first kind that it has.

A kind is a field of the state record, and the suffix of the file.
"""

SOLVER_LOADERS = {"solver": load_solver}
"""{kind: loader} of the networks that the solver uses."""

_loaded = {}  # (game, *kinds) -> what _load_first() returned
_used = {}  # game -> what set_eval_file() loaded for it
_kept = []  # all networks that were ever used: a search may still read one when the next one is set


def _first(name, kinds):
    """{kind: numbers} of one network of a game: the first of `kinds` whose file can be read; {} if there is none.

    kinds: {kind: loader}. The network is read only once.
    """
    key = name, *kinds
    if key not in _loaded:
        _loaded.setdefault(key, _load_first(name, kinds))  # keeps the first one, which may be in use already
    return _loaded[key]


def _load_first(name, kinds):
    for kind, load in kinds.items():
        path = os.path.join(FOLDER, f"{name}.{kind}")
        try:
            if os.path.exists(path):
                return {kind: load(path, name)[1]}
        except (OSError, BadFile) as error:
            print(f"pawnstorm: {error}; going on without it", file=sys.stderr, flush=True)
    return {}


def _base(rules):
    """The full name of the game whose network this game uses. Games that differ only in en passant share a network."""
    return rules.full_name.partition("-")[0]


def set_eval_file(path):
    """Evaluate a game by the neural network in a file from now on. The file names the game. Raises BadFile, OSError.

    If the path is None, evaluate all games by their own networks again.
    """
    if path is None:
        _used.clear()
        return
    name, numbers = load_network(path)
    _kept.append(numbers)
    _used[name] = {"network": numbers}


def address_of(path, rules):
    """Load a neural network of a game from a file, and return its address. It stays in memory. Raises BadFile, OSError."""
    _kept.append(load_network(path, _base(rules))[1])
    return _address(_kept[-1])


def numbers_of(rules):
    """{kind: numbers as bytes} of the network that evaluates a game; {} if there is none."""
    name = _base(rules)
    return _used.get(name) or _first(name, EVAL_LOADERS)


def addresses(rules):
    """{kind: address} of a game's network; the address is 0 for each kind that the game does not use.

    The network stays in memory. Several threads may call this at once. If a network cannot be read, a message on stderr
    says so, and the game goes on without it.
    """
    numbers = numbers_of(rules)
    return {kind: _address(numbers[kind]) if kind in numbers else 0 for kind in EVAL_LOADERS}


def odds_scale(rules):
    """The score in centipawns at which a game's network expects odds of e to 1 of winning; None without a network."""
    name = _base(rules)
    numbers = _used.get(name) or _first(name, EVAL_LOADERS)
    if "network" in numbers:
        return memoryview(numbers["network"]).cast("h")[-1]  # the centipawns of a score of 1
    return NTUPLE_SCALE if "ntuple" in numbers else None


def set_solver_network(state, rules):
    """Set the solver's network of a game in a State, or in a record of the kernels.

    `solver_network` becomes its address, or 0 if the game has none. If the game has one, the field `network` is set to this
    address too. If the network cannot be read, a message on stderr says so.
    """
    numbers = _first(_base(rules), SOLVER_LOADERS)
    state.solver_network = _address(numbers["solver"]) if numbers else 0
    state.network = state.solver_network or state.network


def _address(numbers):
    return ctypes.cast(ctypes.c_char_p(numbers), ctypes.c_void_p).value
