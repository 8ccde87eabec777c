"""The kernels that walk through a solver's table and write proofs and books. Importing one of them loads all from the
cache, and compiles them into it if needed.
"""

from pawnstorm_tools.common import engine_kernels

MODULES = [f"{__name__}.{name}" for name in ("table_walk", "entries", "unlisted", "plans", "records")]
engine_kernels.load_all(MODULES, "what reads the solver's table")
