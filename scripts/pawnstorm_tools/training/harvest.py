"""Takes training positions from the solver's table: walks from a root, on which the solver has worked for a number of
expansions, to the positions below it that have entries.
"""

import numpy as np

from pawnstorm.core.state import MAX_MOVES
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.solving import table_save
from pawnstorm_tools.solving.kernels import table_walk
from pawnstorm_tools.solving.kernels.entries import EP, FIELDS, meet, walk, write_numbers
from pawnstorm_tools.training.solver_positions import LEAST, RECORD


class Source:
    """Expands and walks one root after the other; one Source in each process. Raises MemoryError.

    name: of the game. nodes: expansions for each root. mebibytes: the size of the table.
    """

    def __init__(self, name, nodes, mebibytes):
        self.nodes, self.prover, self.rules = nodes, Prover(mebibytes, endings=True), get_rules(name)
        self.words = table_save.words(self.prover.table)
        self.state = table_walk.new_state(self.rules, self.words)

    def records(self, root):
        """RECORDs of a root and the positions below it, if the solver spent at least LEAST expansions on them. The root, the
        expansions and the table's size determine the RECORDs and their order.

        root: (its number, its bitboards). There are no RECORDs if the root is decided statically.
        """
        number, bitboards = root
        self.prover.clear()
        self.prover.prove(Board(self.rules, *bitboards, False), self.nodes)
        # The table was empty, so no more positions have entries than were expanded.
        room = self.prover.nodes + 1 + MAX_MOVES
        found, keys = np.empty((room, FIELDS), np.uint64), table_walk.empty_set(self.rules, 2 * room)
        count = meet(*map(np.uint64, bitboards), 0, found, keys, self.words, self.state)
        count = walk(count, found, keys, self.words, self.state)
        numbers = write_numbers(found[:count])
        kept = numbers[:, 0] >= LEAST
        result = np.empty(int(kept.sum()), RECORD)
        result["own"], result["opp"] = found[:count][kept][:, :EP].T
        result["root"] = number
        result["work"], result["phi"], result["delta"] = numbers[kept].T
        return result
