"""The networks of a game, read from files. N-tuple networks (engine/pawnstorm/kernels/ntuple.py), made by
scripts/learn.py, and neural networks (engine/pawnstorm/kernels/network.py), made by scripts/train.py, evaluate it. The
solver's network, made by scripts/learn.py, estimates how many positions a proof will take.

a line     pawnstorm ntuple 1 GAME check CRC-32 of the numbers, or
           pawnstorm network 3 GAME width N buckets N check CRC-32 of the numbers, or
           pawnstorm solver 3 GAME width N buckets N check CRC-32 of the numbers
numbers    int16, compressed by zlib. Of n-tuples, little endian: 4096 classes of files, then the weights of 3 triples
           of 64 * 64 * 64 classes.

           Of a neural network: all low bytes, then all high bytes. They are the rows that
           engine/pawnstorm/kernels/network.py describes, each without its second half, which belongs to the mirrored
           board. A row of a pawn of kind k > 0 is the difference from the row of the same pawn of the kind without k's
           highest bit: a file of differences is half as large.
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
MAX_CLASS = 63  # class
NTUPLE_SCALE = 50  # the odds_scale() of n-tuple networks (scripts/learn.py fit --scale)
MAX_OUTPUT_WEIGHT = 127  # output weight, so that a hidden unit times it is an int16
HALF = HIDDEN_WIDTH // 2  # numbers of a row in a file
_ROW, _BLOCK = 2 * HALF, 64 * 2 * HALF  # bytes of a row in a file, and of those of a kind of pawn
_SIGNS = int.from_bytes(_BLOCK // 2 * b"\0\x80", "little")


def _max_packed_size(size):
    """The maximum size in bytes of what zlib makes of `size` bytes, at any setting."""
    return size + (size >> 6) + 1024


def _inflate(path, data, size):
    """The numbers, as bytes; never many more than there should be. Raises BadFile."""
    try:
        return zlib.decompressobj().decompress(data, size + 1)
    except zlib.error as error:
        raise BadFile(f"{path} is damaged: {error}") from error


def load_ntuple(path, name=None):
    """(game, numbers as bytes) of a file. Raises BadFile, OSError."""
    size = 2 * (CLASSES + WEIGHTS)
    name, (check,), rest = NTUPLE_FORMAT.read(path, lambda numbers: _max_packed_size(size), name)
    numbers = _inflate(path, rest, size)
    verify(path, numbers, size, check, f"{CLASSES + WEIGHTS} numbers")
    # A greater one would have the engine read beyond the weights.
    if any(numbers[1 : 2 * CLASSES : 2]) or max(numbers[: 2 * CLASSES : 2]) > MAX_CLASS:
        raise BadFile(f"{path} is damaged: expected classes from 0 to {MAX_CLASS}")
    return name, numbers


def mirrored_kind(kind):
    """The kind of a pawn (engine/pawnstorm/kernels/network.py) on a mirrored board."""
    left, right = kind & 1, kind >> 1 & 1
    return kind & ~3 | left << 1 | right


def stored_numbers(outputs):
    """How many numbers the file of a neural network with so many outputs has."""
    return (OUTPUT_ROW + 2 * OUTPUT_BUCKETS * outputs) * HALF + outputs * (OUTPUT_BUCKETS + 1)


def _add(one, other):
    """Sums, modulo 2**16, of the int16 of two kinds of pawn, each as one int."""
    return (one & ~_SIGNS) + (other & ~_SIGNS) ^ (one ^ other) & _SIGNS


def _input_rows(numbers, mirror_shift):
    """The rows of the inputs of one colour, from its numbers in a file; a list of halves."""
    kinds = []
    for kind in range(PAWN_KINDS):
        rows = int.from_bytes(numbers[kind * _BLOCK : (kind + 1) * _BLOCK], "little")
        kinds.append(_add(rows, kinds[kind ^ 1 << kind.bit_length() - 1]) if kind else rows)
    blocks, halves = [kind.to_bytes(_BLOCK, "little") for kind in kinds], []
    for kind in range(PAWN_KINDS):
        block, mirror_image = blocks[kind], blocks[mirrored_kind(kind)]
        for square in range(64):
            mirrored = ((square ^ 7) - mirror_shift) % 64  # modulo 64 for squares beside the board alone
            halves += block[square * _ROW : (square + 1) * _ROW], mirror_image[mirrored * _ROW : (mirrored + 1) * _ROW]
    return halves


def _unpack(stored, rules, outputs):
    """The numbers of the kernels, as bytes, from those of a file."""
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
    """(Rules, stored numbers as bytes) of a file of a neural network with so many outputs. Raises BadFile, OSError."""
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
    """(game, numbers as bytes) of a file of a neural network with so many outputs. Raises BadFile, OSError."""
    rules, stored = read_network(path, name, form, outputs)
    numbers = _unpack(stored, rules, outputs)
    first, last = OUTPUT_ROW * HIDDEN_WIDTH, (OUTPUT_ROW + 2 * OUTPUT_BUCKETS * outputs) * HIDDEN_WIDTH
    if any(abs(weight) > MAX_OUTPUT_WEIGHT for weight in memoryview(numbers).cast("h")[first:last]):
        raise BadFile(f"{path} is damaged: expected output weights from -{MAX_OUTPUT_WEIGHT} to {MAX_OUTPUT_WEIGHT}")
    return rules.full_name, numbers


def load_solver(path, name=None):
    """(game, numbers as bytes) of a file of a solver's network. Raises BadFile, OSError."""
    return load_network(path, name, SOLVER_FORMAT, SOLVER_OUTPUTS)


EVAL_LOADERS = {"network": load_network, "ntuple": load_ntuple}
"""By the record's field, which is also the suffix of the file: what loads it. The first that a game has evaluates it."""

SOLVER_LOADERS = {"solver": load_solver}
"""{kind: loader} of the networks that the solver uses."""

_loaded = {}  # what _load_first() gave, by the game and the kinds
_used = {}
_kept = []  # all that were ever used: a search may still read one when the next one comes


def _first(name, kinds):
    """{kind: numbers} of a game: of its first network of these kinds that can be read. It is read once."""
    key = name, *kinds
    if key not in _loaded:
        _loaded.setdefault(key, _load_first(name, kinds))  # the first one stays: it may be in use already
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
    """Games that differ in en passant alone share a network."""
    return rules.full_name.partition("-")[0]


def set_eval_file(path):
    """Evaluate the game that a file of a neural network names by that file from now on; all games by their own again
    where the path is None. Raises BadFile, OSError.
    """
    if path is None:
        _used.clear()
        return
    name, numbers = load_network(path)
    _kept.append(numbers)
    _used[name] = {"network": numbers}


def address_of(path, rules):
    """The address of a file's neural network of a game, which stays in memory. Raises BadFile, OSError."""
    _kept.append(load_network(path, _base(rules))[1])
    return _address(_kept[-1])


def numbers_of(rules):
    """{kind: numbers as bytes} of the network that evaluates a game; {} if there is none."""
    name = _base(rules)
    return _used.get(name) or _first(name, EVAL_LOADERS)


def addresses(rules):
    """{kind: address} of a game's network, 0 for what it has not. It stays in memory, and any threads may ask at once.

    If it cannot be read, stderr says so, and the game has none.
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
    """Set solver_network of a State, or a kernels' record, to the address of the game's solver's network, or 0; where there
    is one, network too. If it cannot be read, stderr says so.
    """
    numbers = _first(_base(rules), SOLVER_LOADERS)
    state.solver_network = _address(numbers["solver"]) if numbers else 0
    state.network = state.solver_network or state.network


def _address(numbers):
    return ctypes.cast(ctypes.c_char_p(numbers), ctypes.c_void_p).value
