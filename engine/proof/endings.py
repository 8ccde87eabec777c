"""Tables of the last rows of Breakthrough boards (engine/kernels/endings.py), made when they are first asked for."""

from pawnstorm.engine import native
from pawnstorm.engine.hashtable import BUCKET_BYTES
from pawnstorm.engine.state import State
from pawnstorm.engine.system.pages import Pages

LARGEST = 40_000_000  # entries, of two bytes; making so many takes some seconds
NONE = {"endings": 0, "ending_rows": 0, "ending_base": 0}
_made, _kept = {}, []


def rows_of(rules):
    """How many rows a game's table has: as many as LARGEST allows; 0 where there is none."""
    rows = 0
    while rules.diagonals and rows < rules.ranks - 1 and entries(rules, rows + 1) <= LARGEST:
        rows += 1
    return rows if rows > 2 else 0  # what is won within two rows a race decides


def entries(rules, rows):
    """How many entries a table of so many rows has."""
    return 3 ** (rules.files * (rows - 1)) << rules.files


def fields(rules):
    """The fields of a State that the kernels read, by name. The table stays in memory. Raises MemoryError, OSError."""
    if rules.full_name not in _made:
        _made[rules.full_name] = _make(rules)
    return _made[rules.full_name]


def _make(rules):
    rows = rows_of(rules)
    if not rows:
        return NONE
    size = 2 * entries(rules, rows) + 4095 & ~4095
    pages, state = Pages(size), State()
    state.set_game(rules)
    state.buckets = size // BUCKET_BYTES  # which tells kernels in plain Python the size
    found = {"endings": pages.address, "ending_rows": rows, "ending_base": 3**rules.files}
    for name, value in found.items():
        setattr(state, name, value)
    native.core().endings(state, pages.address)
    _kept.append(pages)
    return found


def fill(state, rules):
    """Set these fields of a State, or of a kernels' record."""
    for name, value in fields(rules).items():
        setattr(state, name, value)
