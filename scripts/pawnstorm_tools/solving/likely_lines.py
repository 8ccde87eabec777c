"""Chooses the positions of a book of limited size: those that games are likely to reach.

The lines begin at the root. The winner plays one move in each position, and every reply of the loser has a chance, which the
engine's own replies and its scores of all replies determine. The chance of a line is the product of the chances on it, and a
position has the sum of the chances of the lines that reach it. The most likely positions of the winner are decided first
(best-first search by probability):

    LEAF     a solver with an empty table proves the win within `leaf_nodes` expansions: the lines end here
    MOVE     the book needs the winner's move: the lines follow it

A log keeps what was decided, so a run that was stopped continues from it (line_log.py). Lines can also extend those of a book.
Then they begin only where games leave that book.
"""

from pawnstorm_tools.common import engine_kernels  # noqa: F401  before the engine's kernels

# isort: split

import heapq
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import zip_longest
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from pawnstorm.games.position import Board
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.solving.decisions import SMALL, leaf_test
from pawnstorm_tools.solving.line_log import LEAF, LOSING, MET, MOVE, RECORD
from pawnstorm_tools.solving.plans import Planner
from pawnstorm_tools.solving.progress import PositionsBar

TEMPERATURE = 70.0  # by the scores, a reply's chance is divided by e for every so many centipawns that it loses
MOST = 1500.0  # centipawns; a larger score, also a win, counts as this, and a score below -MOST as -MOST
ANY = 0.02  # the share of the chance that is divided equally among all replies
LEAST = -26.0  # the base-2 logarithm of a chance; a less likely way to a position is not noted
LEAST_EXTENDED = -30.0  # the same for a run that extends a book: such a run has few lines
# The base-2 logarithm of the chance that a position gets, in each run, for each game that leaves the lines in it.
GAME_CHANCE = -12.0
BATCH = 32  # the most positions that are decided at once


class Effort(NamedTuple):
    """The searches that give the chances of the replies in a position of the loser.

    chance  the base-2 logarithm of the least chance that a position must have for this effort
    chosen  {nodes of a search: the share of the chance that the move of this search gets}; the scores of all
            replies, and ANY, determine how the rest is shared
    nodes   of the search that gives each reply its score
    """

    chance: float
    chosen: dict[int, float]
    nodes: int


EFFORTS = (
    Effort(-12.0, {4_000_000: 0.1, 1_000_000: 0.2, 250_000: 0.1, 30_000: 0.1}, 10_000),
    Effort(-15.0, {1_000_000: 0.25, 250_000: 0.1, 30_000: 0.15}, 3_000),
    Effort(-17.0, {250_000: 0.25, 30_000: 0.2}, 1_500),
    Effort(float("-inf"), {30_000: 0.25, 4_000: 0.15}, 800),
)
"""The more likely a position, the more is searched. The shares and TEMPERATURE are those that give the moves of engines in
games the largest chance."""
DEEP, DEEP_HASH = 100_000, 64  # a search of more than DEEP nodes has a table of DEEP_HASH MiB, others have one of 1 MiB


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
        self._leaf_nodes = leaf_nodes
        self._quick, self._deep = searcher(rules, 1).search, searcher(rules, DEEP_HASH).search
        self._alone, self._shared = Prover(SMALL), prover.sharing_copy()
        self._planner = Planner(self._shared, rules)

    def decide(self, board):
        """(LEAF, None) or (MOVE, the winner's Choice) for a position of the winner. Raises NotWon."""
        if leaf_test(self._alone, board, self._leaf_nodes).plies:
            return LEAF, None
        move = self._planner.move(board)
        return MOVE, Choice(move, self._shared.prove(board.push(move)).plies + 1)

    def chances(self, board, chance):
        """[(position after a reply, base-2 logarithm of the reply's chance)], for each reply to a position of the loser.

        chance: the base-2 logarithm of the chance that a game reaches `board`.
        """
        after, effort = replies(board), next(one for one in EFFORTS if chance >= one.chance)
        scores = np.array([self._quick(child, effort.nodes)[1] for child in after], float).clip(-MOST, MOST)
        shares = np.exp((scores.min() - scores) / TEMPERATURE)
        shares = (1 - ANY - sum(effort.chosen.values())) * shares / shares.sum() + ANY / len(after)
        for nodes, share in effort.chosen.items():
            search = self._deep if nodes > DEEP else self._quick
            shares[after.index(board.push(search(board, nodes)[0]).canonical())] += share
        return list(zip(after, np.log2(shares).tolist()))

    def stop(self):
        """Make a decide() in another thread end soon, perhaps with an exception. Neither its result nor the worker can be used
        afterwards.
        """
        self._planner.stop()


def _decide(workers, losing, likely, given=None):
    """Decide a position of the winner; returns (kind, Choice, the loser's position after the move, chances of its replies).

    likely: the winner's position, and the base-2 logarithm of its chance. losing: the bitboards of positions of the loser whose
    replies were met. given: kind and Choice, if they are known. For a LEAF, the Choice and the loser's position are None, and
    the chances are []. For a MOVE, the chances are [] if the game is over after it, or if the loser's position is in `losing`.
    Raises NotWon.
    """
    worker, (board, chance) = workers.get(), likely
    try:
        kind, choice = given or worker.decide(board)
        after = choice and board.push(choice.move).canonical()
        is_new = choice and not (after.is_game_over() or after.bitboards in losing)
        return kind, choice, after, worker.chances(after, chance) if is_new else []
    finally:
        workers.put(worker)


class LikelyLines:
    """The likely lines from a root. All boards are canonical.

    prover: it has proven the root, or the position after `first`. wins: whether the side to move at the root wins. first: the
    winning move at the root, as a move on the canonical root, if the prover has proven only the position after this move;
    otherwise 0. log: what line_log.open_log() returned for this game and `leaf_nodes`. searcher: a function that is called
    twice for each thread, with the Rules and the MiB of a table. It returns an object whose search(board, nodes) returns (move,
    score), as in training/own_search.py. known: {bitboards: Choice} of a book to extend; with it, nothing need be proven.
    """

    def __init__(self, prover, root, wins, first, leaf_nodes, log, searcher, known=None):
        self._start, self._root, self._first, self._wins = root, root.canonical(), first, wins
        self._prover, self._leaf_nodes, self._log, self._searcher = prover, leaf_nodes, log, searcher
        self._is_extension, self._least = bool(known), LEAST_EXTENDED if known else LEAST
        self._moves = dict(known or {})  # bitboards -> Choice, of the positions that need a move, in the order found
        self._heap = []  # (-chance, bitboards) of positions of the winner
        self._met = {}  # their bitboards -> chance; an entry of the heap with another one is out of date
        self._decided, self._losing = set(self._moves), set()
        self._read(log.records)

    def grow(self, count, games=()):
        """Decide positions until `count` of them need a move, or until none is left; returns {bitboards: Choice} of the first
        `count`. Raises NotWon, OSError, MemoryError.

        games: the boards of each game. If a game follows the lines from the root to an undecided position of the winner, this
        position then counts as likely. A game makes no position likely if it begins elsewhere, if it reaches a LEAF first, or
        if the winner first plays another move than the lines.
        """
        rules, threads = self._root.rules, self._prover.threads
        team = [Worker(self._prover, rules, self._leaf_nodes, self._searcher) for _ in range(threads)]
        workers = SimpleQueue()
        for worker in team:
            workers.put(worker)
        with PositionsBar(desc="likely lines", initial=len(self._decided)) as bar, ThreadPoolExecutor(threads) as pool:
            # _begin() writes the root's own record last. So if the run is killed within _begin(), the next run begins again.
            begun = self._is_extension or any(
                self._root.bitboards in seen for seen in (self._met, self._losing, self._decided)
            )
            if not begun:
                self._begin(workers)
            for boards in games:
                self._follow(boards)
            try:
                while len(self._moves) < count and (batch := self._likeliest(min(BATCH, 1 + len(self._heap) // 8))):
                    for (board, chance), found in zip(batch, pool.map(partial(_decide, workers, self._losing), batch)):
                        self._add(board, chance, *found)
                    bar.set_postfix_str(f"{len(self._moves):,} moves, chance 2^{chance:.1f}", False)
                    bar.update(len(batch))
            except BaseException:  # such as Ctrl-C: a running proof has no other end
                for worker in team:
                    worker.stop()
                raise
            finally:
                pool.shutdown(cancel_futures=True)
        return dict(list(self._moves.items())[:count])

    def _follow(self, boards):
        """If a game leaves these lines in an undecided position of the winner, make this position likely."""
        if boards[0].bitboards != self._start.bitboards:
            return
        for board, after in zip_longest(boards, boards[1:]):
            if board.black_to_move != (self._root.black_to_move == self._wins):
                continue
            board = board.canonical()
            choice = self._moves.get(board.bitboards)
            if choice is None:
                if board.bitboards not in self._decided:
                    self._note([(board, GAME_CHANCE, MET)])
                return
            if after and board.push(choice.move).canonical().bitboards != after.canonical().bitboards:
                return

    def _likeliest(self, count):
        """Take the likeliest undecided positions, at most `count`: [(board, chance)]."""
        taken = []
        while self._heap and len(taken) < count:
            cost, bitboards = heapq.heappop(self._heap)
            if bitboards not in self._decided and self._met[bitboards] == -cost:
                taken.append((Board(self._root.rules, *bitboards, False), -cost))
        return taken

    def _begin(self, workers):
        """Note the first positions of the winner as MET, and the root's move if it was given."""
        if self._first:
            after = self._root.push(self._first)
            given = MOVE, Choice(self._first, self._prover.prove(after).plies + 1)
            self._add(self._root, 0.0, *_decide(workers, self._losing, (self._root, 0.0), given))
        else:
            roots = [self._root] if self._wins else replies(self._root)
            begun = [] if self._wins else [(self._root, 0.0, LOSING)]
            self._note([*((board, -np.log2(len(roots)), MET) for board in roots), *begun])

    def _add(self, board, chance, kind, choice, after, shares):
        """Note how a position was decided, and note the positions of the winner that follow as MET. chance: as in a RECORD.
        The other arguments are what _decide() returned for the board; shares are the chances of the replies.
        """
        rows = []
        # Several positions that were decided at once may lead to `after`: only the first of them meets the replies.
        if shares and after.bitboards not in self._losing:
            rows += [(child, chance + share, MET) for child, share in shares]
            rows.append((after, chance, LOSING))
        self._note([*rows, (board, chance, kind, *(choice or ()))])

    def _note(self, rows):
        """Append new records to the log and read them. rows: (board, chance, kind, move, plies) or (board, chance, kind). Rows
        of kind MET with a chance below LEAST, or LEAST_EXTENDED if a book is extended, are left out. Raises OSError.
        """
        found = np.zeros(len(rows), RECORD)
        for record, (board, chance, kind, *choice) in zip(found, rows):
            record["own"], record["opp"], record["ep"] = board.bitboards
            record["chance"], record["kind"] = chance, kind
            record["move"], record["plies"] = choice or (0, 0)
        found = found[(found["kind"] != MET) | (found["chance"] >= self._least)]
        self._log.append(found)
        self._read(found)

    def _read(self, records):
        """Update the lines from records."""
        for own, opp, ep, chance, move, plies, kind in records.tolist():
            bitboards = own, opp, ep
            if kind == MET:
                if bitboards not in self._decided:
                    self._met[bitboards] = float(np.logaddexp2(self._met.get(bitboards, -np.inf), chance))
                    heapq.heappush(self._heap, (-self._met[bitboards], bitboards))
            elif kind == LOSING:
                self._losing.add(bitboards)
            else:
                self._decided.add(bitboards)
                if kind == MOVE:
                    self._moves[bitboards] = Choice(move, plies)
