"""The engine's kernels for programs that compile functions of their own with them: out of the cache, or into it (machinecode.py).

To be imported before them. The engine itself needs none of this: its core is built once as a library (engine/native.py).
"""

from pathlib import Path

from proving import machinecode

from engine import kernel


def _keep(on):
    kernel.KEPT = on


machinecode.load(("engine.solver",), "the engine's kernels", Path(kernel.__file__).parent.rglob("*.py"), _keep)
