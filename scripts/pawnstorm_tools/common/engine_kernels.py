"""The engine's kernels for programs that compile functions of their own with them, kept in the user's cache
(machinecode.py).

Import this before them. The engine itself needs none of this: its core is built once as a library
(engine/pawnstorm/core/native.py).
"""

import importlib

import numpy as np

from pawnstorm.core import parameters, state
from pawnstorm.evaluation import weights
from pawnstorm.kernels import kernel
from pawnstorm_tools.common import machinecode


def _keep(on):
    kernel.CACHE = on


def load(name):
    """Import a module of the kernels, and all that it imports; out of the cache, or into it."""
    module = f"{kernel.__package__}.{name}"
    if parameters.OVERRIDES:  # the machine code does not follow from the files alone: it is for this run
        importlib.import_module(module)
    # Kernels import nothing of the engine but one another, its parameters and the table of the record's fields.
    machinecode.load((module,), "the engine's kernels", [parameters.__file__, state.__file__], _keep)


def record(rules):
    """A kernels' record that is set to a game and has its weights, as an array of words."""
    made = state.State()
    made.set_game(rules)
    weights.set_weights(made, rules)
    return np.frombuffer(bytearray(bytes(made)), kernel.STATE_DTYPE).view(np.recarray)[0]


load("dfpn")  # imports all that most programs use
