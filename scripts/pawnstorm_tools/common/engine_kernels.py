"""The engine's kernels for programs that compile functions of their own with them, kept in the user's cache
(machinecode.py).

Import this before them. The engine itself needs none of this: its core is built once as a library
(engine/pawnstorm/core/native.py).
"""

import importlib
from pathlib import Path

import numpy as np

from pawnstorm.core import parameters, state
from pawnstorm.evaluation import weights
from pawnstorm.kernels import kernel
from pawnstorm_tools.common import machinecode


def _keep(on):
    kernel.CACHE = on


# Kernels import nothing of the engine but one another, its parameters and the table of the record's fields.
SOURCES = [*sorted(Path(kernel.__file__).parent.glob("*.py")), parameters.__file__, state.__file__]


def load(name):
    """Import a module of the kernels, and all that it imports; out of the cache, or into it."""
    load_all([f"{kernel.__package__}.{name}"], "the engine's kernels")


def load_all(names, title):
    """Import modules of kernels that use the engine's, in this order: from the cache, compiling into it if needed."""
    if parameters.OVERRIDES:  # the machine code does not follow from the files alone: it is for this run
        for name in names:
            importlib.import_module(name)
    machinecode.load(names, title, SOURCES, _keep)


def record(rules):
    """A kernels' record that is set to a game and has its weights, as an array of words."""
    made = state.State()
    made.set_game(rules)
    weights.set_weights(made, rules)
    return np.frombuffer(bytearray(bytes(made)), kernel.STATE_DTYPE).view(np.recarray)[0]


load("dfpn")  # imports all that most programs use
