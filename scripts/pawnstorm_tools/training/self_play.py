"""Training positions out of games that the engine plays against itself, each in one compiled loop.

A game begins with random moves; then every move is searched for some number of nodes, on one thread, from an empty
table, until one side is proven to win. Kept are positions in which the static score counts: nothing is won by force or
by running, the opponent does not stand a step from home, and the best move takes nothing.
"""

from pawnstorm_tools.common import engine_kernels

# isort: split

import ctypes
import random

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.extending import intrinsic

from pawnstorm.core.hashtable import HashTable
from pawnstorm.core.state import MAX_DEPTH, MAX_PLY, MIN_WIN_SCORE, UNLIMITED, WIN
from pawnstorm.evaluation import networks
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.kernel import TABLE
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.position import make_move
from pawnstorm.kernels.race import race
from pawnstorm.search.memory import LOGS
from pawnstorm_tools.common.random_openings import random_board
from pawnstorm_tools.training.game_positions import RECORD

engine_kernels.load("root")
from pawnstorm.kernels.root import search_root  # noqa: E402

FIRST_DEPTH = 2  # searched whatever it takes, so that there is a move to play


if config.DISABLE_JIT:

    def as_table(address, state):
        """The words of the record's table, which lies at an address."""
        return np.frombuffer((ctypes.c_uint64 * (8 * int(state.buckets))).from_address(int(address)), np.uint64)
else:

    @intrinsic
    def as_table(typing, address, state):
        """The words of the record's table, which lies at an address."""

        def cast(context, builder, sig, args):
            return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

        return TABLE(types.uint64, state), cast


@njit(nogil=True)
def think(nodes, state, table):
    """(best move, score) of the state's position, searched depth by depth for so many nodes."""
    state.stop, state.nodes, state.seldepth = 0, 0, 0
    state.generation = (state.generation + 1) & 63
    state.root_first, state.root_count = 0, generate_moves(state.own, state.opp, state.ep, state)
    score = 0
    for depth in range(1, MAX_DEPTH):
        # Both of one type: joined with an int64, the compiler makes the limit a float, and then always `nodes`.
        state.node_limit = np.uint64(UNLIMITED) if depth <= FIRST_DEPTH else np.uint64(nodes)
        # Where an iteration is cut short, the root score is that of the best move it has looked at, the last one's
        # among them, or still the one before.
        search_root(np.int32(depth), np.int32(-WIN), np.int32(WIN), state, table)
        score = state.root_score
        if state.stop or state.nodes >= np.uint64(nodes) or abs(score) > MIN_WIN_SCORE or state.root_count == 1:
            break
    return np.uint64(state.moves[0]), score


@njit(nogil=True)
def play(own, opp, ep, black, nodes, found, address, state):
    """Play a game to its proven end. Returns how many positions were kept, and whether Black has won.

    found   filled with rows of own, opp, score, plies since the beginning, whether Black is to move
    """
    table = as_table(address, state)
    state.history[:], state.continuation_history[:], state.current_moves[:] = 0, 0, 0
    count, ply = 0, 0
    while True:
        state.own, state.opp, state.ep, state.side = own, opp, ep, black
        if not generate_moves(own, opp, ep, state):
            return count, not black
        move, score = think(nodes, state, table)
        if abs(score) > MIN_WIN_SCORE:
            return count, bool(black) == (score > 0)
        target = np.uint64(1) << (move >> np.uint64(6))
        quiet = not ((opp | ep) & target or opp & (state.home << np.uint64(8)) or ep)
        if quiet and not race(own, opp, ep, state):
            found[count, 0], found[count, 1] = np.int64(own), np.int64(opp)
            found[count, 2], found[count, 3], found[count, 4] = score, ply, black
            count += 1
        own, opp, ep = make_move(own, opp, ep, move, state)
        black, ply = 1 - black, ply + 1


def player(rules, table, network):
    """A record for think(), with a HashTable. network: the file to evaluate by, None for the game's weights. Raises
    BadFile, OSError.
    """
    state = engine_kernels.record(rules)
    state.network = networks.address_of(network, rules) if network is not None else 0
    state.logs[1:] = LOGS
    state.buckets = table.buckets
    return state


class Source:
    """Plays games one by one; one in each process. Raises networks.BadFile, OSError, MemoryError.

    network     the file to evaluate by, None for the game's weights
    """

    def __init__(self, name, nodes, seed, plies, network=None):
        self.rules, self.nodes, self.seed, self.plies = get_rules(name), nodes, seed, plies
        self.table = HashTable(1, share=0.25)  # stays in the processor's cache
        self.state = player(self.rules, self.table, network)
        self.found = np.empty((MAX_PLY, 5), np.int64)

    def records(self, number):
        """RECORDs of game `number`; none where the random moves already ended it."""
        board = random_board(self.rules, self.plies, random.Random(f"{self.seed} {number}"))
        if board.is_game_over():
            return np.empty(0, RECORD)
        self.table.clear()
        bitboards = (np.uint64(word) for word in board.bitboards)
        address = np.uint64(self.table.address)
        count, black_won = play(*bitboards, int(board.black_to_move), self.nodes, self.found, address, self.state)
        found = self.found[:count]
        records = np.empty(count, RECORD)
        records["own"], records["opp"] = found[:, 0].view(np.uint64), found[:, 1].view(np.uint64)
        records["game"], records["score"], records["ply"] = number, found[:, 2], found[:, 3]
        records["won"] = (found[:, 4] == 1) == black_won
        return records
