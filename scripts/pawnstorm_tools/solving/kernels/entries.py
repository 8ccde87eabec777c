"""The positions below a root that have entries in a solver's table."""

import numpy as np
from numba.types import Array

from pawnstorm.kernels.kernel import STATE, i64, u64
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.pn_table import canonical, delta, entry_work, phi, proof_key
from pawnstorm.kernels.position import make_move
from pawnstorm_tools.common.machinecode import compiled
from pawnstorm_tools.solving.kernels.table_walk import ROWS, WORDS, add, probe

OWN, OPP, EP, WORD, FIELDS = 0, 1, 2, 3, 4  # of a record: a position and its entry's word


@compiled(i64(u64, u64, u64, i64, ROWS, ROWS, WORDS, STATE))
def meet(own, opp, ep, count, records, keys, words, state):
    """Write a position after the first `count` records if it is new and has an entry in the table; returns the new count.
    Positions decided statically have no entry.
    """
    word = probe(proof_key(own, opp, ep, state), state, words)
    if word:
        own, opp, ep = canonical(own, opp, ep, state)
        if add(own, opp, ep, keys, state):
            records[count, OWN], records[count, OPP], records[count, EP], records[count, WORD] = own, opp, ep, word
            count += 1
    return count


@compiled(i64(i64, ROWS, ROWS, WORDS, STATE))
def walk(count, records, keys, words, state):
    """Follow all moves from the first `count` records, and add the positions that meet() accepts; then do the same from each
    added position. Returns the new count.
    """
    done = 0
    while done < count:
        own, opp, ep = records[done, OWN], records[done, OPP], records[done, EP]
        for number in range(generate_moves(own, opp, ep, state)):
            new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(state.moves[number]), state)
            count = meet(new_own, new_opp, new_ep, count, records, keys, words, state)
        done += 1
    return count


@compiled(Array(i64, 2, "C")(ROWS))
def write_numbers(records):
    """(records, 3) int64: work, phi and delta of each record's word."""
    numbers = np.empty((len(records), 3), np.int64)
    for row in range(len(records)):
        word = records[row, WORD]
        numbers[row, 0], numbers[row, 1], numbers[row, 2] = entry_work(word), phi(word), delta(word)
    return numbers
