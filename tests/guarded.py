"""A native core whose memory valgrind's memcheck sees through, and programs that run it.

    python tests/guarded.py build TARGET FOLDER        make a core, with numba's target in the environment
    python tests/guarded.py work CORE proofs 40 ...    under valgrind: print what tests/workloads.py finds, as JSON
    python tests/guarded.py uci CORE                   under valgrind: the UCI engine
    python tests/guarded.py faults CORE                under valgrind: commit each of FAULTS, and count its reports

By itself memcheck accepts an index that leads from one field of the state record into the next, or after the
transposition table, which is a mapping and not a block. Here the kernels are compiled for a record with a gap behind
each field, and a page follows the table. Both are forbidden, by requests to memcheck. So is reading what a search has
to write first: it counts as uninitialised.
"""

import ctypes
import json
import mmap
import os
import sys

from pawnstorm.core import state as layout

GAP = 64  # bytes after each field, and what it takes to the next multiple of them
UNWRITTEN = ("moves", "move_stack", "pv", "pv_length")  # fields that a search writes before it reads them


def guarded(fields):
    """The fields with a gap behind each."""
    found = []
    for name, code, shape in fields:
        size = ctypes.sizeof(layout._ctype(code, shape))
        found += [(name, code, shape), (f"gap_behind_{name}", "i4", ((GAP + -size % GAP) // 4,))]
    return tuple(found)


class Guarded(ctypes.Structure):
    """engine.state.State with gaps."""

    _fields_ = [(name, layout._ctype(code, shape)) for name, code, shape in guarded(layout.FIELDS)]
    RULES_FIELDS, set_game = layout.State.RULES_FIELDS, layout.State.set_game

    def __init__(self):
        guard(self)


layout.FIELDS, layout.State = guarded(layout.FIELDS), Guarded  # before the modules that take them from there

from pawnstorm.core import build, hashtable, linker, native  # noqa: E402
from pawnstorm.search import memory  # noqa: E402

# A function of the address of a request's six words: instructions that mean something to valgrind alone (valgrind.h).
REQUEST = bytes.fromhex("4889f8 31d2 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")
MEMCHECK = ord("M") << 24 | ord("C") << 16
RUNNING, ERRORS = 0x1001, 0x1201
FORBID, UNWRITE, ALLOW = MEMCHECK, MEMCHECK + 1, MEMCHECK + 2

_code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
_code.write(REQUEST)
_asked = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(ctypes.addressof(ctypes.c_char.from_buffer(_code)))


def request(number, *words):
    """valgrind's answer to a request; 0 where it is not there."""
    return _asked(ctypes.addressof((ctypes.c_uint64 * 6)(number, *words)))


def guard(state):
    """Forbid the gaps of a record, and declare the fields of UNWRITTEN uninitialised."""
    for name, *_ in layout.FIELDS:
        field = getattr(Guarded, name)
        if name.startswith("gap_behind_"):
            request(FORBID, ctypes.addressof(state) + field.offset, field.size)
        elif name in UNWRITTEN:
            request(UNWRITE, ctypes.addressof(state) + field.offset, field.size)


def install(core):
    """Have core.native offer the guarded core, and records and tables be guarded."""
    made, reset = hashtable.HashTable.__init__, memory._reset

    def make(self, mebibytes, share=1):
        made(self, mebibytes, share + mmap.PAGESIZE / (mebibytes << 20))
        self.size -= mmap.PAGESIZE
        self.buckets = self.size // hashtable.BUCKET_BYTES
        request(FORBID, self.address + self.size, mmap.PAGESIZE)

    def clean(state):
        request(ALLOW, ctypes.addressof(state), ctypes.sizeof(state))
        reset(state)
        guard(state)
        return state

    hashtable.HashTable.__init__, memory._reset = make, clean
    native._core = native.Core(native._functions(core, native.SIGNATURES), "guarded", core)


def searching():
    """A record and a table that have just been searched with."""
    from pawnstorm.games.position import Board
    from pawnstorm.games.rules import get_rules
    from pawnstorm.search.engine import Engine
    from pawnstorm.search.limits import Limits

    player = Engine()
    player.set_hash(1)
    player.go(Board.start(get_rules("breakthrough5x5")), Limits(depth=3))
    player.wait()
    return player.memory.states[0], player.memory.table


def beyond_the_table():
    """Search with a table that is a page shorter than its number of buckets says."""
    state, table = searching()
    state.buckets += mmap.PAGESIZE // hashtable.BUCKET_BYTES
    native.core().search(8, -layout.WIN, layout.WIN, state, table.address)


def beyond_a_field():
    """Search one root move more than the field holds."""
    state, table = searching()
    state.moves[:] = [state.moves[0]] * layout.MAX_MOVES
    state.root_count = layout.MAX_MOVES + 1
    native.core().search(1, -layout.WIN, layout.WIN, state, table.address)


def what_was_not_written():
    """Search one root move more than was written."""
    state, table = searching()
    state.root_count += 1
    native.core().search(1, -layout.WIN, layout.WIN, state, table.address)


FAULTS = {fault.__name__: fault for fault in (beyond_the_table, beyond_a_field, what_was_not_written)}


def main(program, *words):
    if program == "build":
        target, folder = words
        build.compile_here([target], folder)
        linker.link(target, folder)
        return
    install(words[0])
    if not request(RUNNING):
        sys.exit("guarded.py: not under valgrind, so that nothing would be seen")
    if program == "uci":
        from pawnstorm_protocol import main as __main__

        del sys.argv[1:]
        __main__.main()
    elif program == "faults":
        counts = {}
        for name, fault in FAULTS.items():
            before = request(ERRORS)
            fault()
            counts[name] = request(ERRORS) - before
        print(json.dumps(counts), flush=True)
    else:
        import workloads

        work = zip(words[1::2], words[2::2])
        print(json.dumps([workloads.WORKLOADS[name](int(size)) for name, size in work]), flush=True)
    os._exit(0)  # what is forbidden is not tidied up


if __name__ == "__main__":
    main(*sys.argv[1:])
