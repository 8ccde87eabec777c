"""Plays games between two settings of the search's numbers, for scripts/spsa.py.

The kernels normally have these numbers as constants. Here they read them from the state record, so that two players in one
process can have different numbers. Import this module before the kernels, and before any module that makes a State.

In the source of each kernel that has an argument `state`, the name of each number of engine/pawnstorm/core/parameters.py is
replaced by its element of state.parameters. Then the kernel is compiled. Reading a number is slower than a constant, so only
games with a fixed number of nodes can be compared.
"""

import ast
import ctypes
import importlib
import inspect
import random
import sys
import textwrap

from pawnstorm.core import parameters, state

if "pawnstorm.kernels.kernel" in sys.modules:
    raise ImportError("pawnstorm_tools.training.tunable has to be imported before the engine's kernels")
PLACES = {row.name: place for place, row in enumerate(parameters.PARAMETERS)}


class _Tunable(ctypes.Structure):
    """A State with the numbers after its fields."""

    _fields_ = [*state.State._fields_, ("parameters", ctypes.c_int64 * len(PLACES))]
    RULES_FIELDS, set_game = state.State.RULES_FIELDS, state.State.set_game


state.FIELDS = (*state.FIELDS, ("parameters", "i8", (len(PLACES),)))
state.State = _Tunable

from pawnstorm.kernels import kernel  # noqa: E402  its record has the new field


class _Replaced(ast.NodeTransformer):
    """Replaces the name of each number by its place in the state record."""

    def visit_Name(self, node):
        if node.id not in PLACES:
            return node
        place = ast.parse(f"state.parameters[{PLACES[node.id]}]", mode="eval").body
        return ast.copy_location(ast.fix_missing_locations(ast.copy_location(place, node)), node)


def _tunable(signature, compiled=kernel.kernel):
    """A replacement for kernel.kernel: a kernel with an argument `state` reads the numbers from it."""

    def decorate(function):
        if "state" not in inspect.signature(function).parameters:
            return compiled(signature)(function)
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        tree.body[0].decorator_list = []
        tree = ast.increment_lineno(_Replaced().visit(tree), function.__code__.co_firstlineno - 1)
        exec(compile(ast.fix_missing_locations(tree), inspect.getsourcefile(function), "exec"), function.__globals__)
        return compiled(signature)(function.__globals__[function.__name__])

    return decorate


kernel.kernel = _tunable
# Compiled now, since the cache is not for this machine code (common/engine_kernels.py).
for _name in ("dfpn", "root"):
    importlib.import_module(f"{kernel.__package__}.{_name}")

from pawnstorm.evaluation import networks  # noqa: E402
from pawnstorm.games.rules import get_rules  # noqa: E402
from pawnstorm_tools.common.random_openings import random_board  # noqa: E402
from pawnstorm_tools.training.network_match import Pair  # noqa: E402


class Source:
    """Plays openings with the engine's own evaluation. Each process has one Source. Raises MemoryError."""

    def __init__(self, name, nodes, plies):
        self.rules, self.plies = get_rules(name), plies
        self.pair = Pair(self.rules, nodes, (None, None))
        for player in self.pair.states:
            for kind, address in networks.addresses(self.rules).items():
                setattr(player, kind, address)

    def records(self, job):
        """A list with an entry for each pair of games between two settings: how many of the pair's games the first setting won.

        job: the seed of the openings, the number of pairs, and for each player the {name: value} of the numbers that
        differ from engine/pawnstorm/core/parameters.py
        """
        seed, count, settings = job
        for player, values in zip(self.pair.states, settings):
            for row in parameters.PARAMETERS:
                player.parameters[PLACES[row.name]] = values.get(row.name, row.value)
        chance, results = random.Random(seed), []
        while len(results) < count:
            board = random_board(self.rules, self.plies, chance)
            if not board.is_game_over():
                results.append(self.pair.won(board))
        return results
