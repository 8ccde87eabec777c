"""Chooses the positions of a book of limited size: those that games are likely to reach, and in which the engine may err.

The lines begin at the root. The winner plays one move in each position, and every reply of the loser has a chance, which the
engine's own replies and its scores of all replies determine. The chance of a position is the product of the chances on the way
to it. The most likely positions of the winner are decided first (best-first search by the probability of a line):

    LEAF     the solver alone proves the win, as quickly as the engine does in a game: the lines end here
    SOUND    the position is rare, and every move that the engine chooses, with much or with little time, is proven to win: the
             lines follow these moves
    MOVE     the book needs the winner's move: the lines follow it

A log keeps what was decided, so a run that was stopped continues from it (line_log.py).
"""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

import heapq
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from pawnstorm.games.position import Board
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.solving.decisions import SMALL
from pawnstorm_tools.solving.line_log import LEAF, LOSING, MET, MOVE, RECORD, SOUND
from pawnstorm_tools.solving.plans import Planner
from pawnstorm_tools.solving.progress import PositionsBar

OFTEN = -19.0  # the base-2 logarithm of a chance; more likely positions get a move without a test
NODES = 1_500, 4_000, 8_000, 16_000, 32_000  # of the searches; a position is SOUND if the moves of all of them win
PROOF = 10_000  # expansions for the proof that such a move wins; a move whose proof takes more counts as an error
STEP = 250  # expansions, of the test for a LEAF: as in engine/pawnstorm/proof/time_sliced_solver.py
LOSER_NODES = 4_000, 30_000  # of the searches whose moves are the likeliest replies
CHOSEN = 0.3  # the share of the chance that each of these moves gets; the scores of all replies determine the rest
REPLY_NODES = 800  # of the search that gives a reply its score
TEMPERATURE = 60.0  # a reply's part of this rest is divided by e for every so many centipawns that it loses
MOST = 1500.0  # centipawns; a larger score, also a win, counts as this
ANY = 0.02  # the share of the chance that is divided equally among all replies
LEAST = -24.0  # the base-2 logarithm of a chance; the run forgets positions that are less likely
BATCH = 32  # positions that are decided at once


class Choice(NamedTuple):
    """The winner's move in a position, and an upper bound of the plies to the end of the game."""

    move: int
    plies: int


def replies(board):
    """The canonical positions after the moves of a board, each once."""
    return list(dict.fromkeys(board.push(move).canonical() for move in board.moves()))


class Worker:
    """Decides positions in one thread. It shares the table of a prover. searcher: as for LikelyLines. Raises MemoryError."""

    def __init__(self, prover, rules, leaf_nodes, searcher):
        self._leaf_nodes, self._search = leaf_nodes, searcher(rules).search
        self._alone, self._shared = Prover(SMALL), prover.sharing_copy()
        self._planner = Planner(self._shared, rules)

    def decide(self, board, chance):
        """(LEAF, SOUND or MOVE, the winner's Choices to follow) for a position of the winner. Raises NotWon.

        chance: the base-2 logarithm of the chance that a game reaches it.
        """
        if self._is_leaf(board):
            return LEAF, []
        if chance < OFTEN:
            moves = list(dict.fromkeys(self._search(board, nodes)[0] for nodes in NODES))
            bounds = [self._bound(board.push(move)) for move in moves]
            if all(bounds):
                return SOUND, [Choice(*found) for found in zip(moves, bounds)]
        move = self._planner.move(board)
        return MOVE, [Choice(move, self._shared.prove(board.push(move)).plies + 1)]

    def chances(self, board):
        """[(position after a reply, base-2 logarithm of the reply's chance)] of a position of the loser."""
        after = replies(board)
        scores = np.array([self._search(child, REPLY_NODES)[1] for child in after], float).clip(-MOST, MOST)
        shares = np.exp((scores.min() - scores) / TEMPERATURE)
        shares = (1 - ANY - CHOSEN * len(LOSER_NODES)) * shares / shares.sum() + ANY / len(after)
        for nodes in LOSER_NODES:
            chosen = board.push(self._search(board, nodes)[0]).canonical()
            shares[after.index(chosen)] += CHOSEN
        return list(zip(after, np.log2(shares).tolist()))

    def _is_leaf(self, board):
        """Whether a solver with an empty table proves the win, if it works as it does in a game."""
        self._alone.clear()
        left = self._leaf_nodes
        while left > 0:
            proof = self._alone.prove(board, min(STEP, left))
            left -= STEP
            if proof.value or proof.phi > max(left, self._leaf_nodes):
                return proof.value > 0
        return False

    def _bound(self, after):
        """An upper bound of the plies from the position before `after`, if the side to move there is proven to lose; else 0."""
        if after.is_game_over():
            return 1
        proof = self._shared.prove(after, PROOF)
        return proof.plies + 1 if proof.value < 0 else 0


def _decide(workers, likely, given=None):
    """(kind, Choices, [(position of the loser that follows, chances of the replies)]) of a position of the winner.

    likely: the position and the base-2 logarithm of its chance. given: kind and Choices, if they are known.
    """
    worker, (board, _) = workers.get(), likely
    try:
        kind, choices = given or worker.decide(*likely)
        after = (board.push(move).canonical() for move, _ in choices)
        return kind, choices, [(one, worker.chances(one)) for one in after if not one.is_game_over()]
    finally:
        workers.put(worker)


class LikelyLines:
    """The lines from a root that a prover has proven. All boards are canonical.

    wins: whether the side to move at the root wins. first: its winning move, if only the position after it has been proven; 0
    otherwise. log: what line_log.open_log() returned for this game and `leaf_nodes`. searcher: called with the Rules in each
    thread, returns an object whose search(board, nodes) returns (move, score), as training/own_search.py has it.
    """

    def __init__(self, prover, root, wins, first, leaf_nodes, log, searcher):
        self._root, self._first, self._wins = root.canonical(), first, wins
        self._prover, self._leaf_nodes, self._log, self._searcher = prover, leaf_nodes, log, searcher
        self._moves = {}  # bitboards -> Choice, of the positions that need a move, in the order in which they were found
        self._heap, self._met, self._losing, self._decided = [], set(), set(), set()
        self._read(log.records)
        self._heap = [entry for entry in self._heap if entry[1] not in self._decided]
        heapq.heapify(self._heap)

    def grow(self, count):
        """Decide positions until `count` of them need a move, or until none is left; returns {bitboards: Choice} of the first
        `count`. Raises NotWon.
        """
        rules, threads = self._root.rules, self._prover.threads
        workers = SimpleQueue()
        for _ in range(threads):
            workers.put(Worker(self._prover, rules, self._leaf_nodes, self._searcher))
        with PositionsBar(desc="likely lines", initial=len(self._decided)) as bar, ThreadPoolExecutor(threads) as pool:
            # _begin() writes the root's own record last. So if the run is killed within _begin(), the next run begins again.
            if not any(self._root.bitboards in seen for seen in (self._met, self._losing, self._decided)):
                self._begin(workers)
            try:
                while self._heap and len(self._moves) < count:
                    batch = [heapq.heappop(self._heap) for _ in range(min(BATCH, 1 + len(self._heap) // 8))]
                    boards = [(Board(rules, *bitboards, False), -cost) for cost, bitboards in batch]
                    for (board, chance), found in zip(boards, pool.map(partial(_decide, workers), boards)):
                        self._add(board, chance, *found)
                    bar.set_postfix_str(f"{len(self._moves):,} moves, chance 2^{chance:.1f}", False)
                    bar.update(len(batch))
            finally:
                pool.shutdown(cancel_futures=True)
        return dict(list(self._moves.items())[:count])

    def _begin(self, workers):
        """Meet the first positions of the winner, and note the root's move if it was given."""
        if self._first:
            after = self._root.push(self._first)
            given = MOVE, [Choice(self._first, self._prover.prove(after).plies + 1)]
            self._add(self._root, 0.0, *_decide(workers, (self._root, 0.0), given))
        else:
            roots = [self._root] if self._wins else replies(self._root)
            begun = [] if self._wins else [(self._root, 0.0, LOSING)]
            self._note([*((board, -np.log2(len(roots)), MET) for board in roots), *begun])

    def _add(self, board, chance, kind, choices, followed):
        """Note how a position was decided, and meet the positions of the winner that follow. chance: as in a RECORD."""
        rows = []
        for after, shares in followed:
            if after.bitboards not in self._losing:
                rows += [(child, chance + share, MET) for child, share in shares]
                rows.append((after, chance, LOSING))
        rows.append((board, chance, kind, *(choices[0] if kind == MOVE else ())))
        self._note(rows)

    def _note(self, rows):
        """Append new records to the log and read them: (board, chance, kind, move, plies), or without move and plies."""
        found = np.zeros(len(rows), RECORD)
        for record, (board, chance, kind, *choice) in zip(found, rows):
            record["own"], record["opp"], record["ep"] = board.bitboards
            record["chance"], record["kind"] = chance, kind
            record["move"], record["plies"] = choice or (0, 0)
        found = found[(found["kind"] != MET) | (found["chance"] >= LEAST)]
        self._log.append(found)
        self._read(found)

    def _read(self, records):
        """Take what records say."""
        for own, opp, ep, chance, move, plies, kind in records.tolist():
            bitboards = own, opp, ep
            if kind == MET:
                if bitboards not in self._met:
                    self._met.add(bitboards)
                    heapq.heappush(self._heap, (-chance, bitboards))
            elif kind == LOSING:
                self._losing.add(bitboards)
            else:
                self._decided.add(bitboards)
                if kind == MOVE:
                    self._moves[bitboards] = Choice(move, plies)
