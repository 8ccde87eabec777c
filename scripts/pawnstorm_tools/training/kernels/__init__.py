"""The kernels that search and play games for training. Importing one of them loads all from the cache, and compiles them into
it if needed. With tunable.py, which changes the engine's kernels, they are compiled for this run only.
"""

import importlib
import sys

from pawnstorm_tools.common import engine_kernels

MODULES = [f"{__name__}.{name}" for name in ("games", "choices")]

engine_kernels.load("root")
if "pawnstorm_tools.training.tunable" in sys.modules:
    for name in MODULES:
        importlib.import_module(name)
engine_kernels.load_all(MODULES, "the games")
