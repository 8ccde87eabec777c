"""From a root's unfinished proof to its positions: the walk through the solver's table."""

import numpy as np
from numba import njit

from learning.positions import GAME, LEAST, RECORD
from proving import met, saved

from engine.board import Board
from engine.movegen import moves
from engine.position import make_move
from engine.proofs import delta, phi, proof_key, work
from engine.prover import Prover
from engine.rules import game
from engine.state import MAX_MOVES


@njit
def meet(own, opp, ep, count, records, index, words, state):
    """Add a position that has an entry, with the entry's word; returns the count. What is decided at sight has no entry."""
    word = met.probe(proof_key(own, opp, ep, state), words)
    return met.add(own, opp, ep, word, records, count, index, state) if word else count


@njit
def walk(count, records, index, words, state):
    """Add to the first `count` records all positions with entries that are reached from them over such positions; returns the count."""
    done = 0
    while done < count:
        own, opp, ep = records[done, met.OWN], records[done, met.OPP], records[done, met.EP]
        for number in range(moves(own, opp, ep, state)):
            new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(state.moves[number]), state)
            count = meet(new_own, new_opp, new_ep, count, records, index, words, state)
        done += 1
    return count


@njit
def measured(records, numbers):
    """Write (work, phi, delta) of each record's word."""
    for row in range(len(records)):
        word = records[row, met.WORD]
        numbers[row, 0], numbers[row, 1], numbers[row, 2] = work(word), phi(word), delta(word)


class Source:
    """Expands and walks one root after the other; one in each process. Raises MemoryError."""

    def __init__(self, nodes, mebibytes):
        self.nodes, self.prover, self.rules = nodes, Prover(mebibytes), game(GAME)
        self.state = met.record(self.rules)

    def records(self, number, bitboards):
        """RECORDs of root `number`, in an order that follows from the root; none where it is decided at sight."""
        self.prover.clear()
        self.prover.prove(Board(self.rules, *bitboards, False), self.nodes)
        # The table was empty, so that no more positions have entries than were expanded.
        room = self.prover.nodes + 1 + MAX_MOVES
        found = np.empty((room, met.FIELDS), np.uint64)
        index = np.full(1 << (2 * room).bit_length(), -1, np.int64)
        words = saved.words(self.prover.table)
        count = meet(*map(np.uint64, bitboards), 0, found, index, words, self.state)
        count = walk(count, found, index, words, self.state)
        numbers = np.empty((count, 3), np.int64)
        measured(found[:count], numbers)
        kept = numbers[:, 0] >= LEAST
        result = np.empty(int(kept.sum()), RECORD)
        result["own"], result["opp"] = found[:count][kept][:, :met.EP].T
        result["root"] = number
        result["phi"], result["delta"] = numbers[kept, 1:].T
        return result
