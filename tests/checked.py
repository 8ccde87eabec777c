"""Runs work on the kernels as plain Python, with every index and number checked, and prints what it found as JSON.

    NUMBA_DISABLE_JIT=1 python tests/checked.py searches 40

names a workload of tests/workloads.py, or last_plies, and its size. A name of FAULTS may follow: that fault is put
into a kernel first. NumPy alone counts a negative index from the end, and cuts a number to the bits of its place, as
machine code does. Here both raise, and so does an argument or a result of a kernel that does not fit its type.
"""

import ctypes
import functools
import json
import sys

import numpy as np
from numba import types

from pawnstorm.core import native
from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import FIELDS, HIDDEN_WIDTH, MAX_MOVES, MAX_PLY, NO_LIMIT, WIN, State
from pawnstorm.evaluation import networks, weights
from pawnstorm.kernels import kernel


def limits(dtype):
    """The least and the greatest number of an integer type, as Python's."""
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


class Words:
    """An array whose every index and number is checked. Raises IndexError, OverflowError."""

    def __init__(self, array, name):
        self._array, self._name, self._limits = array, name, limits(array.dtype)

    def _checked(self, index):
        if isinstance(index, slice):
            if not 0 <= index.start <= index.stop <= len(self._array):
                raise IndexError(f"{self._name}[{index}] of {self._array.shape}")
            return index
        each = index if isinstance(index, tuple) else (index,)
        if len(each) != self._array.ndim or not all(0 <= one < length for one, length in zip(each, self._array.shape)):
            raise IndexError(f"{self._name}[{index}] of {self._array.shape}")
        return index

    def __getitem__(self, index):
        return self._array[self._checked(index)]

    def __setitem__(self, index, number):
        if not self._limits[0] <= np.min(number) <= np.max(number) <= self._limits[1]:
            raise OverflowError(f"{self._name}[{index}] = {number}")
        self._array[self._checked(index)] = number


class Record:
    """A State as kernels see it: its fields, checked. One for each State."""

    def __new__(cls, state):
        record = state.__dict__.get("record")
        if record is None:
            record = state.record = super().__new__(cls)
            record._state, memory = state, np.frombuffer(state, kernel.STATE_DTYPE)[0]
            for name, _, shape in FIELDS:
                if shape:
                    setattr(record, name, Words(memory[name], name))
        return record


def number(name, code):
    """A property: the field of that name, one number."""
    made = np.dtype(code).type
    low, high = limits(made)

    def put(self, value):
        if not low <= value <= high:
            raise OverflowError(f"{name} = {value}")
        setattr(self._state, name, int(value))

    return property(lambda self: made(getattr(self._state, name)), put)


for field, code, shape in FIELDS:
    if not shape:
        setattr(Record, field, number(field, code))


def checked_kernel(signature):
    """In place of engine.kernel.kernel: arguments and results must fit the declared types. Raises OverflowError."""

    def bounds(kind):
        return limits(kind.name) if isinstance(kind, types.Integer) else None

    given = [(place, *bounds(kind)) for place, kind in enumerate(signature.args) if bounds(kind)]
    low, high = bounds(signature.return_type) or (None, None)

    def decorate(function):
        def call(*arguments):
            for place, least, most in given:
                if not least <= arguments[place] <= most:
                    raise OverflowError(f"{function.__name__}: argument {place} is {arguments[place]}")
            result = function(*arguments)
            if low is not None and not low <= result <= high:
                raise OverflowError(f"{function.__name__} returns {result}")
            return result

        return call

    return decorate


def table_words(place, buckets):
    """The words of a table of so many buckets at an address, or of an array of rows."""
    if isinstance(place, int):
        return Words(np.frombuffer((ctypes.c_uint64 * (8 * buckets)).from_address(place), np.uint64), "table")
    return Words(np.frombuffer(place, np.uint64), "rows")


@functools.cache
def numbers_at(address):
    """The numbers of the network that lies at an address. Raises IndexError."""
    loaded = [numbers for kinds in networks._loaded.values() for numbers in kinds.values()]
    for numbers in (*loaded, *networks._kept):
        if networks._address(numbers) == address:
            return Words(np.frombuffer(numbers, np.int16), "network")
    raise IndexError(f"no network lies at {address}")


def install():
    """Have core.native offer checked kernels."""
    kernel.kernel = checked_kernel  # before the modules that take it from there
    from pawnstorm.kernels import core, network, ntuple, vector_rows

    ntuple.load_i16 = network.load_i16 = lambda address, index: numbers_at(int(address))[index]
    vector_rows._row = lambda address, number: numbers_at(int(address))[
        slice(HIDDEN_WIDTH * int(number), HIDDEN_WIDTH * (int(number) + 1))
    ]

    def offered(function, kinds):
        def call(*values):
            state = values[kinds.index(native._state)]
            checked = {
                native._state: Record,
                native._table: lambda place: table_words(place, int(state.buckets)),
                native._u64: np.uint64,
                native._i32: np.int32,
            }
            with np.errstate(over="ignore"):  # machine words wrap
                return int(function(*(checked[kind](value) for value, kind in zip(values, kinds))))

        return call

    functions = {name: offered(getattr(core, name), kinds) for name, (_, kinds) in native.SIGNATURES.items()}
    native._core = native.Core(functions, "plain", "tests/checked.py")


def last_plies(count):
    """What search and solver find of boards of two games where they begin near the end of their arrays."""
    from pawnstorm.kernels import dfpn, network, position, search
    from pawnstorm.kernels.kernel import i32, i64

    found, table = [], HashTable(1, workloads.TINY)
    for name in ("breakthrough", "twoflags"):
        for board in workloads.boards(name, count, 4):
            if board.is_game_over():
                continue
            state = State()
            state.set_game(board.rules)
            weights.set_weights(state, board.rules)
            state.own, state.opp, state.ep = board.bitboards
            state.buckets, state.node_limit = table.buckets, 60
            record, words = Record(state), table_words(table.address, table.buckets)
            squares = [*map(np.uint64, board.bitboards)]
            shift = np.uint64(state.flip_shift)
            lines = squares[:2], [position.flip(squares[1], shift), position.flip(squares[0], shift)]
            with np.errstate(over="ignore"):
                for ply in range(MAX_PLY - 6, MAX_PLY - 1):
                    for before in range(ply + 1):  # moves of none lead there
                        network.set_line_position(*lines[(ply - before) % 2], i64(before), record)
                    for depth in (0, 4):
                        state.stop, state.nodes = 0, 0
                        numbers = i32(depth), i32(-WIN), i32(WIN), i64(ply), i32(1), i32(0)
                        found.append(int(search.negamax(*squares, *numbers, record, words)))
                table.clear()
                for left in (MAX_MOVES - 1, MAX_MOVES, 2 * MAX_MOVES):
                    if dfpn.static_proof(*squares, record):
                        continue
                    state.stop, state.nodes = 0, 0
                    key = dfpn.limited_key(*squares, i64(NO_LIMIT), record)
                    numbers = i64(NO_LIMIT), i64(1 << 20), i64(1 << 20), i64(MAX_PLY - 4), i64(dfpn.CHILD_KEYS - left)
                    found.append(int(dfpn.prove(*squares, key, *numbers, record, words)))
                table.clear()
    return found


def wide_rows():
    """Two picks more for each ply: those of the last plies lie after the array."""
    from pawnstorm.kernels import movepick

    movepick.PICKS_PER_PLY = np.uint64(MAX_MOVES + 2)


def low_keys():
    """The keys of the solver's lines lie before the array, at negative indices."""
    from pawnstorm.kernels import dfpn

    dfpn.CHILD_KEYS, dfpn.MAX_MOVES = -200, -1000


def long_moves():
    """A move of more bits than state.moves has."""
    from pawnstorm.kernels import position

    position.SIX = np.uint64(20)


def long_quiescence():
    """A number of plies that its argument's type does not hold."""
    from pawnstorm.kernels import search

    search.QS_MAX_PLIES = np.int64(1 << 31)


def big_buckets():
    """Buckets of twice as many words: the last ones lie after the table."""
    from pawnstorm.kernels import table

    table.BUCKET_SHIFT = np.uint64(4)


FAULTS = {fault.__name__: fault for fault in (wide_rows, low_keys, long_moves, long_quiescence, big_buckets)}


if __name__ == "__main__":
    install()
    import workloads  # now that what it imports finds the checked core

    work, size, *faults = sys.argv[1:]
    for fault in faults:
        FAULTS[fault]()
    print(json.dumps((workloads.WORKLOADS | {"last_plies": last_plies})[work](int(size))))
