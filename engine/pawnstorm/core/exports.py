"""The names and signatures of the functions that the native core exports.

The kernels of the same names in engine/pawnstorm/kernels/core.py are the bodies of these functions. The kernels take their
signatures from EXPORTS. native.py takes them from there too, so it can load the core with ctypes without importing a kernel.
"""

EXPORTS = {
    "core_moves": ("i32", "state"),
    "core_make": ("i32", "u64", "state"),
    "core_perft": ("u64", "i32", "state"),
    "core_evaluate": ("i32", "state"),
    "core_race": ("i32", "state"),
    "core_search": ("i32", "i32", "i32", "i32", "state", "table"),
    "core_solve": ("u64", "state", "table"),
    "core_line": ("i32", "state", "table"),
    "core_endings": ("i32", "state", "table"),
    "core_evaluate_many": ("i32", "i32", "rows", "state"),
    "core_solve_many": ("i32", "i32", "rows", "state", "table"),
    "core_read_line_book": ("i32", "i32", "state", "table"),
    "core_look_up_line_book": ("u64", "state", "table"),
}
"""{name: (result, argument, ...)}; `state` is the record of engine/pawnstorm/core/state.py, `table` the address of a
HashTable or a line book, `rows` an array of positions (engine/pawnstorm/kernels/batch.py).
"""
