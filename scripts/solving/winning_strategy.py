"""The winner's strategy out of a solver's table: a move for every position that the loser can bring about, down to
races.

extract() follows the proof from its root; what the table has lost on the way is proven again. Moves that are to be
played, as those of a book, can be given. The result is a set of records, one for each position with the winner to move,
mirror images counted once:

    own, opp, ep    the position seen by the winner, as in engine/kernels/position.py
    plan            bits 0-2 the number of moves n; bits 8-55 n + 1 squares of six bits: the path of one pawn. One move,
                    or a whole race

as_proof() makes of them what scripts/verify.py checks (checking/prooffile.py).
"""

import numpy as np
from numba import njit
from tqdm import tqdm

from checking import prooffile
from common import engine_kernels  # noqa: F401  before the engine's kernels
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.notation import fen
from pawnstorm.engine.kernels.bits import lowest
from pawnstorm.engine.kernels.dfpn import at_sight
from pawnstorm.engine.kernels.kernel import EIGHT, NINE, ONE, SEVEN, SIXTEEN, ZERO
from pawnstorm.engine.kernels.movegen import count_moves, moves
from pawnstorm.engine.kernels.pn_table import delta, entry_move, is_proven, phi, plies, proof_key, work
from pawnstorm.engine.kernels.position import SIX, SQUARE, attacks_down, make_move
from pawnstorm.engine.kernels.race import advance_reach, advance_runners, find_walls
from pawnstorm.engine.kernels.threats import wins_now
from pawnstorm.engine.proof import endings
from solving import table_save, table_walk
from solving.errors import NotWon
from solving.table_walk import EP, FIELDS, OPP, OWN, WORD, probe, record, reindex

PLAN = WORD
DONE, FULL, UNKNOWN = 0, 1, 2
LONGEST = 7  # moves that a plan can hold


@njit
def race_plan(own, opp, state):
    """The plan of a race that race.runs() decides, 0 where it decides none: the same flood, with its way back."""
    # After each step: the runners, and for it the enemy's reach and what that attacks.
    sets = np.zeros((LONGEST + 1, 3), np.uint64)
    reach, guarded, walls = opp, attacks_down(opp), find_walls(own, opp, state)
    sets[0, 0] = own & ~walls
    for step in range(1, LONGEST + 1):
        sets[step, 1], sets[step, 2] = reach, guarded
        arrived = advance_runners(sets[step - 1, 0], own, reach, guarded, opp if step == 1 else ZERO, state)
        if arrived & state.goal:
            return way_back(sets, step, ONE << lowest(arrived & state.goal), own, opp, state)
        sets[step, 0] = arrived & ~guarded
        if not sets[step, 0]:
            return ZERO
        reach = advance_reach(reach, guarded, walls, own, state)
        if reach & state.home:
            return ZERO
        walls &= ~reach
        guarded = attacks_down(reach)
    return ZERO


@njit
def way_back(sets, step, target, own, opp, state):
    """The plan that leads to `target` in `step` moves."""
    plan = np.uint64(step)
    while step > 0:
        plan |= lowest(target) << (EIGHT + SIX * np.uint64(step))
        taken = opp if step == 1 else ZERO
        for shift in (EIGHT, SEVEN, NINE, SIXTEEN):
            source = (target >> shift) & sets[step - 1, 0]
            if source and advance_runners(source, own, sets[step, 1], sets[step, 2], taken, state) & target:
                target = source
                break
        step -= 1
    return plan | lowest(target) << EIGHT


@njit
def one_move(move):
    """The plan of a single move."""
    return ONE | (move & SQUARE) << EIGHT | ((move >> SIX) & SQUARE) << (EIGHT + SIX)


@njit
def planned_move(plan):
    """The move that a plan begins with, 0 where there is no plan."""
    return (plan >> EIGHT & SQUARE) | (plan >> (EIGHT + SIX) & SQUARE) << SIX


@njit
def add(own, opp, ep, move, records, count, index, state):
    """Add a position unless it, or its image, is there; `move`, not 0, is the one to be played there. Returns the
    count.
    """
    move = entry_move(move, own, opp, ep, state)
    return table_walk.add(own, opp, ep, one_move(move) if move else ZERO, records, count, index, state)


@njit
def winning_move(own, opp, ep, legal, words, state):
    """The move behind which the least work is known to prove the loss of the opponent; 0 where none is known."""
    best, least = ZERO, np.int64(1 << 60)
    for number in range(len(legal)):
        move = np.uint64(legal[number])
        new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
        word, cost = at_sight(new_own, new_opp, new_ep, state), np.int64(0)
        if word == ZERO:
            word = probe(proof_key(new_own, new_opp, new_ep, state), state, words)
            cost = work(word)
        if is_proven(word) and delta(word) == 0:
            cost = cost * 256 + plies(phi(word))
            if cost < least:
                best, least = move, cost
    return best


@njit
def plan_at_sight(own, opp, ep, legal, state):
    """The plan of a move that ends the game or of a race, 0 where neither wins."""
    if wins_now(own, opp, ep, state):
        for number in range(len(legal)):
            new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(legal[number]), state)
            if count_moves(new_own, new_opp, new_ep, state) == ZERO:
                return one_move(np.uint64(legal[number]))
    return race_plan(own, opp, state)


@njit
def grow(records, count, done, end, index, words, state):
    """Give plans to the records from `done` to `end`, but for those that have one, and add what they lead to.

    Returns (count, done, why it ended): DONE; FULL, when more room is wanted; UNKNOWN, when the table has lost the win
    of record `done`.
    """
    while done < end:
        if count + 128 > len(records) or 2 * (count + 128) > len(index):
            return count, done, FULL
        own, opp, ep = records[done, OWN], records[done, OPP], records[done, EP]
        legal = state.moves[: moves(own, opp, ep, state)].copy()
        plan = records[done, PLAN]
        move = planned_move(plan)
        if plan == ZERO:
            plan = plan_at_sight(own, opp, ep, legal, state)
        if plan == ZERO:
            move = winning_move(own, opp, ep, legal, words, state)
            if move == ZERO:
                return count, done, UNKNOWN
        if move:
            plan = one_move(move)
            own, opp, ep = make_move(own, opp, ep, move, state)
            replies = state.moves[: moves(own, opp, ep, state)].copy()
            for number in range(len(replies)):
                new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(replies[number]), state)
                if new_own and count_moves(new_own, new_opp, new_ep, state) != ZERO:
                    count = add(new_own, new_opp, new_ep, ZERO, records, count, index, state)
        records[done, PLAN] = plan
        done += 1
    return count, done, DONE


class Strategy:
    """A strategy that grows out of a prover's table.

    records     (capacity, 4) uint64, of which the first `count` rows hold something
    """

    def __init__(self, prover, rules):
        self.records, self.count = np.zeros((1 << 16, FIELDS), np.uint64), 0
        self._prover, self._rules, self._words = prover, rules, table_save.words(prover.table)
        self._state = record(rules, self._words)
        endings.fill(self._state, rules)
        self._index = np.full(1 << 17, -1, np.int64)

    def add(self, board, move=0):
        """Add a position with the winner to move, and the move to be played there; 0: the solver's."""
        if self.count == len(self.records):
            self._double()
        words = map(np.uint64, (board.own, board.opp, board.ep, move))
        self.count = add(*words, self.records, self.count, self._index, self._state)

    def grow(self, black):
        """Give every record its plan, and add what those lead to; `black`: the winner's colour."""
        done = 0
        with tqdm(desc="strategy", unit=" positions", unit_scale=True) as bar:
            while True:
                # in portions, so that progress is seen and Ctrl-C heard
                portion = min(self.count, done + (1 << 16))
                self.count, done, why = grow(
                    self.records, self.count, done, portion, self._index, self._words, self._state
                )
                bar.n = self.count
                bar.update(0)
                if why == FULL:
                    self._double()
                elif why == UNKNOWN:
                    recall(self._prover, Board(self._rules, *map(int, self.records[done, :PLAN]), black))
                elif done == self.count:
                    return

    def _double(self):
        """Make room for as many records again."""
        self.records = np.vstack([self.records, np.zeros_like(self.records)])
        self._index = np.full(2 * len(self._index), -1, np.int64)
        reindex(self.records, self.count, self._index)


def recall(prover, board):
    """Prove a won position again, and what its move leads to, so that the table knows both. Raises NotWon."""
    proof = prover.prove(board)
    if proof.value <= 0:
        raise NotWon(f"the strategy leads to {fen(board)}, which the solver does not find won for the side to move")
    if proof.move:
        prover.prove(board.push(proof.move))


class Guide:
    """Moves that win positions of a game, out of the table of a prover."""

    def __init__(self, prover, rules):
        self._prover, self._words = prover, table_save.words(prover.table)
        self._state = record(rules, self._words)
        endings.fill(self._state, rules)

    def move(self, board):
        """The winning move of a board, not one won at sight, behind which least work is known."""
        legal, words = np.array(board.moves()), tuple(map(np.uint64, (board.own, board.opp, board.ep)))
        while not (move := winning_move(*words, legal, self._words, self._state)):
            recall(self._prover, board)
        return int(move)


def extract(prover, board, moves=(), value=0):
    """(records, whether Black is the winner) of a position that the prover has proven. Raises NotWon.

    moves: (board, move) of positions of the winner where the move is given; value: 1 where the side to move wins, -1
    where it loses, 0 where the prover is to say.
    """
    strategy, wins = Strategy(prover, board.rules), (value or prover.prove(board).value) > 0
    for given in moves:
        strategy.add(*given)
    for root in [board] if wins else [board.push(move) for move in board.moves()]:
        if not root.over():
            strategy.add(root)
    black = board.black == wins
    strategy.grow(black)
    return strategy.records[: strategy.count], black


def as_proof(board, records, black):
    """A strategy from `board` as the Proof that scripts/verify.py checks."""
    rules = board.rules
    own, opp, ep, plan = records.T
    passed = np.zeros(len(records), np.uint64)
    for file in range(8):
        passed[(ep & np.uint64(0x0101010101010101 << file)) != 0] = file + 1
    if black:
        own, opp = (array.byteswap() >> np.uint64(rules.flip_shift) for array in (opp, own))
        moves, turned = plan & np.uint64(7), plan & np.uint64(7)
        for number in range(LONGEST + 1):
            square = plan >> np.uint64(8 + 6 * number) & np.uint64(63)
            upside = np.uint64(8 * (rules.ranks - 1)) - (square & np.uint64(56)) | square & np.uint64(7)
            turned |= np.where(moves >= number, upside << np.uint64(8 + 6 * number), np.uint64(0))
        plan = turned
    return prooffile.Proof(
        rules.full_name, fen(board), "wb"[black], np.column_stack([own, opp, plan | passed << np.uint64(4)])
    )
