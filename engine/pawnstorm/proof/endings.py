"""Tables of the last rows of Breakthrough boards (engine/pawnstorm/kernels/endings.py), made when they are first needed."""

import mmap
import threading

from pawnstorm.core import native
from pawnstorm.core.hashtable import BUCKET_BYTES
from pawnstorm.core.state import State
from pawnstorm.system.pages import Pages

MAX_ENTRIES = 40_000_000  # of two bytes each; making this many takes some seconds
_made, _making = {}, threading.Lock()  # Rules -> Pages; never made again, since states have the addresses


def rows_of(rules):
    """How many rows a game's table has: as many as MAX_ENTRIES allows; 0 if the game has no table."""
    rows = 0
    while rules.quiet_diagonals and rows < rules.ranks - 1 and entries(rules, rows + 1) <= MAX_ENTRIES:
        rows += 1
    return rows if rows > 2 else 0  # a race already decides what is won within two rows


def entries(rules, rows):
    """How many entries a table of `rows` rows has."""
    return 3 ** (rules.files * (rows - 1)) << rules.files


def set_endings(state, rules):
    """Write the address and the size of a game's table into `state`. If the game has no table, the address is 0.

    state: a State, or a numpy record with the same fields. The table is made if needed, and stays in memory.

    Raises MemoryError, OSError.
    """
    rows = rows_of(rules)
    _set(state, rules, rows, _table(rules, rows).address if rows else 0)


def _table(rules, rows):
    with _making:
        if rules not in _made:
            size = 2 * entries(rules, rows) + mmap.PAGESIZE - 1 & -mmap.PAGESIZE
            pages, state = Pages(size), State()
            state.set_game(rules)
            state.buckets = size // BUCKET_BYTES  # kernels in plain Python take the size from this
            _set(state, rules, rows, pages.address)
            native.core().endings(state, pages.address)
            _made[rules] = pages
        return _made[rules]


def _set(state, rules, rows, address):
    state.endings, state.ending_rows, state.ending_base = address, rows, 3**rules.files
