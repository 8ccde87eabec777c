"""The engine's kernels for programs that compile functions of their own with them.

Import this module before the kernels, so that their machine code is kept in the user's cache (machinecode.py). The engine itself
does not need this, because its core is built once as a library (engine/pawnstorm/core/native.py).
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


# Of the engine, kernels import only each other, the parameters and the table of the state record's fields.
SOURCES = [*sorted(Path(kernel.__file__).parent.glob("*.py")), parameters.__file__, state.__file__]


def load(name):
    """Import a module of the engine's kernels, and all that it imports, as load_all() does."""
    load_all([f"{kernel.__package__}.{name}"], "the engine's kernels")


def load_all(names, title):
    """Import modules in the order of `names`. Their machine code comes from the cache; what the cache lacks is compiled first.

    The modules may define kernels of their own that use the engine's kernels.
    """
    if parameters.OVERRIDES:  # the machine code does not depend on the files alone, so it is not cached
        for name in names:
            importlib.import_module(name)
    machinecode.load(names, title, SOURCES, _keep)


def record(rules):
    """A state record for kernels, set to a game and its weights, as a NumPy record."""
    made = state.State()
    made.set_game(rules)
    weights.set_weights(made, rules)
    return np.frombuffer(bytearray(bytes(made)), kernel.STATE_DTYPE).view(np.recarray)[0]


load("dfpn")  # imports all kernels that most programs use
