"""The engine's kernels for programs that compile functions of their own with them, kept in the user's cache
(machinecode.py).

Import this before them. The engine itself needs none of this: its core is built once as a library (engine/native.py).
"""

import importlib

from common import machinecode
from pawnstorm.engine import parameters, state
from pawnstorm.engine.kernels import kernel

MODULE = "pawnstorm.engine.kernels.dfpn"  # imports all that such programs use


def _keep(on):
    kernel.KEPT = on


if parameters.OVERRIDES:  # the machine code does not follow from the files alone: it is for this run
    importlib.import_module(MODULE)
# Kernels import nothing of the engine but one another, its parameters and the table of the record's fields.
machinecode.load((MODULE,), "the engine's kernels", [parameters.__file__, state.__file__], _keep)
