"""Races decided without search, against exhaustive play: one false claim among millions is a defect. Seeds are in the tables."""
import numpy as np
import pytest
from numba import njit

import exhaustive
import naive
from engine.board import Board
from engine.kernel import ONE, SEVEN, EIGHT, NINE, NOT_A, NOT_H, ZERO
from engine.movegen import moves
from engine.notation import parse_fen
from engine.position import attacks, flip, make_move
from engine.race import outrun, race, runs
from engine.rules import game

from engine.bits import popcount, lowest

SQUARES = np.uint64(63)


@njit
def pick(bitboard):
    """A random bit of a set that is not empty."""
    for _ in range(np.random.randint(0, np.int64(popcount(bitboard)))):
        bitboard &= bitboard - ONE
    return ONE << lowest(bitboard)


@njit
def thrown(own_pawns, opp_pawns, state):
    """A random unfinished setup: nobody has arrived. Where a double step may have been made just now it has, now and then."""
    own, opp = ZERO, ZERO
    for _ in range(own_pawns):
        own |= pick(state.board & ~(state.goal | own))
    for _ in range(opp_pawns):
        opp |= pick(state.board & ~(state.home | own | opp))
    empty = state.board & ~(own | opp)
    ep = (opp << EIGHT) & state.ep_squares & empty & (empty >> EIGHT) & attacks(own)
    if ep and np.random.randint(0, 2):
        return own, opp, pick(ep)
    return own, opp, ZERO


@njit
def false_claim(own, opp, ep, state, memo, tally):
    """Whether runs() or outrun() says of an unfinished position what exhaustive play denies."""
    truth = exhaustive.value(own, opp, ep, state, memo)
    wins, loses = runs(own, opp, state), outrun(own, opp, ep, state)
    tally[0] += 1
    tally[1] += wins > 0
    tally[2] += loses > 0
    return (wins > 0 and not 0 < truth <= wins) or (loses > 0 and not 0 < -truth <= loses)


@njit
def play(games, seed, own_start, opp_start, fewest, most, state, memo, tally):
    """Random games from a setup, or from thrown ones where it is empty, checking all positions of at most `most` pawns.

    Returns the first position with a false claim, or three zeros. tally: positions, won and lost races among them.
    """
    np.random.seed(seed)
    for _ in range(games):
        own, opp, ep = own_start, opp_start, ZERO
        if own == ZERO:
            pawns = np.random.randint(fewest, most + 1)
            mine = np.random.randint(1, pawns)
            own, opp, ep = thrown(mine, pawns - mine, state)
        count = moves(own, opp, ep, state)
        while count:
            move = np.uint64(state.moves[np.random.randint(0, count)])
            if np.int64(popcount(own | opp)) <= most and false_claim(own, opp, ep, state, memo, tally):
                return own, opp, ep
            own, opp, ep = make_move(own, opp, ep, move, state)
            count = moves(own, opp, ep, state)
    return ZERO, ZERO, ZERO
