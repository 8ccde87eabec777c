"""Writes the winner's strategy from a solver's table, as a proof for scripts/verify.py (checking/prooffile.py).

The strategy has a move for every position that the loser can bring about, down to races. write() follows the proof from
its root, and proves again the positions that the table has lost. Its caller can give moves to play, such as those of a
book. Positions that need no record in a proof get none. A position and its mirror image get one record. Threads give
plans to the next portions of records (plans.py) while the main thread adds the positions to which the plans lead.
"""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

from collections import deque
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from pawnstorm.kernels.kernel import ZERO
from pawnstorm.kernels.pn_table import canonical, canonical_move
from pawnstorm_tools.solving import strategy_file
from pawnstorm_tools.solving.kernels import table_walk
from pawnstorm_tools.solving.kernels.plans import FIELDS, ep_file, one_move
from pawnstorm_tools.solving.kernels.records import add
from pawnstorm_tools.solving.plans import Planner
from pawnstorm_tools.solving.progress import PositionsBar

CHUNK = 1 << 16  # records of a portion
LEAST = 1 << 17  # places of the set of keys, at least
WAITING = 0.1  # seconds until Ctrl-C is seen


class Strategy:
    """Builds a strategy: takes the winner's moves from a prover's table, and writes them to a StrategyFile."""

    def __init__(self, prover, rules, file):
        self._prover, self._rules, self._file = prover, rules, file
        self._state = table_walk.new_state(rules)
        self._keys = table_walk.empty_set(rules, 1)
        self._make_room(0)

    def add(self, boards_and_moves):
        """Add (board, move) pairs with the winner to move. move: the one to play there; 0 leaves it to the solver."""
        self._add(np.array([self._record(*given) for given in boards_and_moves], np.uint64).reshape(-1, FIELDS))

    def grow(self):
        """Give every record its plan, and add the positions to which the plans lead."""
        file = self._file
        with (
            PositionsBar(desc="strategy", initial=file.done) as bar,
            Planners(self._prover, self._rules, file) as planners,
        ):
            while file.done < file.count:
                records, found = planners.next()
                self._add(found)
                file.finish(records)
                bar.total = file.count
                bar.update(file.done - bar.n)

    def _record(self, board, move):
        """The record of a board's canonical position, with the plan of `move`; without a plan if `move` is 0. `move` is a move on
        the board itself, not on its canonical position.
        """
        words = tuple(map(np.uint64, (board.own, board.opp, board.ep)))
        move = canonical_move(np.uint64(move), *words, self._state)
        own, opp, ep = canonical(*words, self._state)
        return own, opp, (one_move(move) if move else ZERO) | ep_file(ep)

    def _add(self, records):
        """Add to the file those records whose positions are new. The array `records` is overwritten."""
        self._make_room(len(records))
        self._file.append(records[: add(records, self._keys, self._state)])

    def _make_room(self, more):
        """Make room in the set of keys for all records of the file and `more` others."""
        wanted = (self._file.count + more) * 5 // 4
        if len(self._keys) <= wanted:
            self._keys = None  # the old set's memory goes to the new one
            self._keys = table_walk.empty_set(self._rules, max(wanted * 5 // 4, LEAST))
            for first in range(0, self._file.count, CHUNK):
                add(self._file.read(first, min(first + CHUNK, self._file.count)), self._keys, self._state)


class Planners:
    """Threads that give plans to the next portions of a file's records, as many threads as the prover has."""

    def __init__(self, prover, rules, file):
        self._file, self._begun, self._portions = file, file.done, deque()
        # Each planner has one thread, so its portions come in order: a position that it leaves out as met is in one of
        # its earlier portions.
        self._planners = deque(
            (Planner(prover.sharing_copy(), rules), ThreadPoolExecutor(1)) for _ in range(prover.threads)
        )

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        """Stop the threads, and return when all have ended."""
        for portion in self._portions:
            portion.cancel()
        for planner, _ in self._planners:
            planner.stop()
        for _, thread in self._planners:
            thread.shutdown()

    def next(self):
        """(the next records with their plans, records of the positions to which these plans lead). Raises NotWon."""
        while len(self._portions) <= len(self._planners) and self._begun < self._file.count:
            records = self._file.read(self._begun, min(self._begun + CHUNK, self._file.count))
            planner, thread = self._planners[0]
            self._portions.append(thread.submit(self._plan, planner, records))
            self._planners.rotate(-1)
            self._begun += len(records)
        while not wait([self._portions[0]], WAITING).done:  # Ctrl-C is seen between two waits
            pass
        return self._portions.popleft().result()

    def _plan(self, planner, records):
        ahead = planner.plan(records, self._file.black, self._file.within)
        return records, np.concatenate([ahead, planner.follow(records, self._file.within)])


def write(prover, board, path, moves=(), value=0):
    """Write the proof of a position that the prover has proven; returns (number of records, whether Black is the winner).

    moves: pairs (board, move): a position with the winner to move, and the move to write for it.
    value: 1 if the side to move wins, -1 if it loses, 0 to ask the prover. Raises NotWon, OSError.
    """
    prover.probe(board)  # sets the board's game, before the planners share the prover's table
    wins = (value or prover.prove(board).value) > 0
    with strategy_file.open_strategy(path, board, board.black_to_move == wins, list(moves)) as file:
        strategy = Strategy(prover, board.rules, file)
        if file.done == 0:
            roots = [board] if wins else [board.push(move) for move in board.moves()]
            strategy.add([*moves, *((root, 0) for root in roots if not root.is_game_over())])
        strategy.grow()
    return file.count, file.black
