"""The kernels that play games for training. Whoever imports one of them loads all, out of the cache or into it; beside
tunable.py, which changes the engine's, they are compiled for this run.
"""

import importlib
import sys

from pawnstorm_tools.common import engine_kernels

MODULES = [f"{__name__}.games"]

engine_kernels.load("root")
if "pawnstorm_tools.training.tunable" in sys.modules:
    for name in MODULES:
        importlib.import_module(name)
engine_kernels.load_all(MODULES, "the games")
