"""Takes training positions from the solver's table: first the solver works on a root for a number of expansions; then a walk
from this root finds the positions below it that have entries. saved_records() uses a table that a long run has saved.
"""

import numpy as np

from pawnstorm.core.state import MAX_MOVES
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.solving import table_save
from pawnstorm_tools.solving.kernels import table_walk
from pawnstorm_tools.solving.kernels.entries import EP, FIELDS, meet, walk, write_numbers
from pawnstorm_tools.training import TrainingError
from pawnstorm_tools.training.solver_positions import LEAST, RECORD


def saved_records(path, rules, least):
    """RECORDs of the positions below the start position, from a table that `solve.py --save` wrote. All have root 0.

    The walk reaches only positions on which the run spent at least `least` expansions. The start position has no RECORD,
    because its entry does not count the work while a run goes on. Positions in which en passant is possible have none,
    because a RECORD would not show this. Raises BadSave, OSError, MemoryError, and TrainingError if `least` is too small, or
    if no position after the first move has an entry with that much work.
    """
    if least < LEAST:
        raise TrainingError(f"--least {least}: expected {LEAST} or more")
    table = table_save.load_strongest(path, rules.name, least)
    start = Board.start(rules)
    roots = [start.push(move).bitboards for move in start.moves()]
    found, numbers = walk_from(roots, table_save.count(table), table_save.words(table), rules)
    if not len(found):
        raise TrainingError(
            f"{path} has no entries for positions after the first move with the work of --least {least}: expected the table "
            "of a long run that began at the start position"
        )
    kept = found[:, EP] == 0
    return to_records(0, found[kept], numbers[kept])


def walk_from(roots, count, words, rules):
    """Walk from the roots through positions that have entries; returns (positions, numbers).

    positions: (n, FIELDS), each position met once; a root without an entry is left out. numbers: (n, 3), the work, phi and
    delta of each position.

    roots: bitboards. count: the number of entries in the table. words: its memory.
    """
    state, room = table_walk.new_state(rules, words), count + 1 + MAX_MOVES
    found, keys = np.empty((room, FIELDS), np.uint64), table_walk.empty_set(rules, 2 * room)
    count = 0
    for bitboards in roots:
        count = meet(*map(np.uint64, bitboards), count, found, keys, words, state)
    count = walk(count, found, keys, words, state)
    return found[:count], write_numbers(found[:count])


def to_records(number, found, numbers):
    """RECORDs of the root with this number, from what walk_from() returns."""
    result = np.empty(len(found), RECORD)
    result["own"], result["opp"] = found[:, :EP].T
    result["root"] = number
    result["work"] = np.minimum(numbers[:, 0], np.iinfo(np.uint32).max)
    result["phi"], result["delta"] = numbers[:, 1:].T
    return result


class Source:
    """Expands and walks one root after the other. Each process has one Source. Raises MemoryError.

    name: of the game. nodes: expansions for each root. mebibytes: the size of the table.
    """

    def __init__(self, name, nodes, mebibytes):
        self.nodes, self.prover, self.rules = nodes, Prover(mebibytes, endings=True), get_rules(name)
        self.words = table_save.words(self.prover.table)

    def records(self, root):
        """RECORDs of a root and the positions below it, if the solver spent at least LEAST expansions on them. The root, the
        expansions and the table's size determine the RECORDs and their order.

        root: (its number, its bitboards). There are no RECORDs if the root is decided statically.
        """
        number, bitboards = root
        self.prover.clear()
        self.prover.prove(Board(self.rules, *bitboards, False), self.nodes)
        # The table was empty, so no more positions have entries than were expanded.
        found, numbers = walk_from([bitboards], self.prover.nodes, self.words, self.rules)
        kept = numbers[:, 0] >= LEAST
        return to_records(number, found[kept], numbers[kept])
