"""The walk through the solver's table, from a root whose proof is unfinished to the positions below it."""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

import numpy as np
from numba import njit

from pawnstorm.core.state import MAX_MOVES
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.pn_table import delta, entry_work, phi, proof_key
from pawnstorm.kernels.position import make_move
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.solving import table_save, table_walk
from pawnstorm_tools.training.solver_positions import LEAST, RECORD

OWN, OPP, EP, WORD, FIELDS = 0, 1, 2, 3, 4  # of a record: a position and its entry's word


@njit
def meet(own, opp, ep, count, records, keys, words, state):
    """Add a position that has an entry, unless it is there; returns the count. What is decided statically has no entry."""
    word = table_walk.probe(proof_key(own, opp, ep, state), state, words)
    if word:
        own, opp, ep = table_walk.canonical(own, opp, ep, state)
        if table_walk.add(own, opp, ep, keys, state):
            records[count, OWN], records[count, OPP], records[count, EP], records[count, WORD] = own, opp, ep, word
            count += 1
    return count


@njit
def walk(count, records, keys, words, state):
    """Add to the first `count` records all positions with entries that are reached from them over such positions;
    returns the count.
    """
    done = 0
    while done < count:
        own, opp, ep = records[done, OWN], records[done, OPP], records[done, EP]
        for number in range(generate_moves(own, opp, ep, state)):
            new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(state.moves[number]), state)
            count = meet(new_own, new_opp, new_ep, count, records, keys, words, state)
        done += 1
    return count


@njit
def write_numbers(records):
    """(records, 3) int64: work, phi and delta of each record's word."""
    numbers = np.empty((len(records), 3), np.int64)
    for row in range(len(records)):
        word = records[row, WORD]
        numbers[row, 0], numbers[row, 1], numbers[row, 2] = entry_work(word), phi(word), delta(word)
    return numbers


class Source:
    """Expands and walks one root after the other; one in each process. Raises MemoryError."""

    def __init__(self, name, nodes, mebibytes):
        self.nodes, self.prover, self.rules = nodes, Prover(mebibytes, endings=True), get_rules(name)
        self.words = table_save.words(self.prover.table)
        self.state = table_walk.new_state(self.rules, self.words)

    def records(self, root):
        """RECORDs of a root (its number, its bitboards), in an order that follows from it; none where it is decided at
        sight.
        """
        number, bitboards = root
        self.prover.clear()
        self.prover.prove(Board(self.rules, *bitboards, False), self.nodes)
        # The table was empty, so that no more positions have entries than were expanded.
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
