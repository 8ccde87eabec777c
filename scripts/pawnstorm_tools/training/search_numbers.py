"""Which numbers of engine/pawnstorm/core/parameters.py a search at fixed nodes depends on: those that its kernels read
where they have the thread's record. Found in the sources, so that nothing is compiled.
"""

import ast
from pathlib import Path

from pawnstorm.core import parameters

MODULES = ("search", "root", "quiescence", "movepick", "table")


def names():
    """The names of these numbers."""
    kernels, found = Path(parameters.__file__).parents[1] / "kernels", set()
    for module in MODULES:
        for node in ast.walk(ast.parse((kernels / f"{module}.py").read_text())):
            if isinstance(node, ast.FunctionDef) and "state" in [argument.arg for argument in node.args.args]:
                found |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return found & {row.name for row in parameters.ROWS}
