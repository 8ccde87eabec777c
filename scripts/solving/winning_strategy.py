"""The winner's strategy out of a solver's table: a move for every position that the loser can bring about, down to
races, as a file for scripts/verify.py (checking/prooffile.py).

write() follows the proof from its root; what the table has lost on the way is proven again. Moves that are to be
played, as those of a book, can be given. Positions that need no record in a proof get none. Mirror images are counted
once.

In memory a record is a row of three words, uint64:

    own, opp    the position seen by the winner, as in engine/kernels/position.py
    plan        as a proof has it, but with squares seen by the winner: one move of a pawn, or a whole race; 0 as long
                as none is known
"""

import numpy as np
from numba import njit
from tqdm import tqdm

from common import engine_kernels  # noqa: F401  before the engine's kernels
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.notation import fen
from pawnstorm.engine.kernels.bits import lowest
from pawnstorm.engine.kernels.dfpn import at_sight
from pawnstorm.engine.kernels.kernel import EIGHT, NINE, ONE, SEVEN, SIXTEEN, ZERO
from pawnstorm.engine.kernels.movegen import count_moves, moves
from pawnstorm.engine.kernels.pn_table import delta, entry_move, is_proven, phi, plies, proof_key, work
from pawnstorm.engine.kernels.position import SIX, SQUARE, attacks_down, make_move
from pawnstorm.engine.kernels.race import advance_reach, advance_runners, find_walls, runs
from pawnstorm.engine.kernels.threats import wins_now
from pawnstorm.engine.proof import endings
from pawnstorm.engine.state import MAX_MOVES
from solving import strategy_file, table_save, table_walk
from solving.errors import NotWon
from solving.table_walk import probe, record

OWN, OPP, PLAN, FIELDS = 0, 1, 2, 3
DONE, FULL, UNKNOWN = 0, 1, 2
LONGEST = 7  # moves that a plan can hold
FOUR, FILE = np.uint64(4), np.uint64(15)
PASSED = FILE << FOUR  # bits of a plan
CHUNK, PORTION = 1 << 16, 1 << 18  # records that are given plans, and added, at once


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
def needs_record(own, opp, ep, state):
    """Whether a proof has to list a position with the winner to move: no pawn is certain to be home in two moves."""
    plies = runs(own, opp, state)
    return (plies == 0 or plies > 3) and count_moves(own, opp, ep, state) != ZERO


@njit
def passed_file(ep):
    """An en passant square as a plan has it."""
    return ((lowest(ep) & SEVEN) + ONE) << FOUR if ep else ZERO


@njit
def passed_square(plan, state):
    """The en passant square of a plan, as a set."""
    file = plan >> FOUR & FILE
    return ONE << (lowest(state.ep_squares) + file - ONE) if file else ZERO


@njit
def grow(records, done, fresh, count, keys, words, state):
    """Give plans to `records` from `done` on, but for those that have one, and add what they lead to to `fresh`, which
    holds `count`.

    Returns (done, count, why it ended): DONE; FULL, when more room is wanted; UNKNOWN, when the table has lost the win
    of record `done`.
    """
    while done < len(records):
        if count + MAX_MOVES > len(fresh):
            return done, count, FULL
        own, opp, plan = records[done, OWN], records[done, OPP], records[done, PLAN]
        passed, ep = plan & PASSED, passed_square(plan, state)
        plan ^= passed
        if plan == ZERO:
            legal = state.moves[: moves(own, opp, ep, state)].copy()
            plan = plan_at_sight(own, opp, ep, legal, state)
            if plan == ZERO:
                move = winning_move(own, opp, ep, legal, words, state)
                if move == ZERO:
                    return done, count, UNKNOWN
                plan = one_move(move)
        if plan & SEVEN == ONE:
            own, opp, ep = make_move(own, opp, ep, planned_move(plan), state)
            replies = state.moves[: moves(own, opp, ep, state)].copy()
            for number in range(len(replies)):
                new_own, new_opp, new_ep = make_move(own, opp, ep, np.uint64(replies[number]), state)
                if needs_record(new_own, new_opp, new_ep, state):
                    count = add(new_own, new_opp, new_ep, ZERO, fresh, count, keys, state)
        records[done, PLAN] = plan | passed
        done += 1
    return done, count, DONE


@njit
def add(own, opp, ep, move, fresh, count, keys, state):
    """Add a position to `fresh` unless it, or its image, was met; `move`, not 0, is the one to be played there. Returns
    the count.
    """
    move = entry_move(move, own, opp, ep, state)
    own, opp, ep = table_walk.canonical(own, opp, ep, state)
    if table_walk.add(own, opp, ep, keys, state):
        fresh[count, OWN], fresh[count, OPP] = own, opp
        fresh[count, PLAN] = (one_move(move) if move else ZERO) | passed_file(ep)
        count += 1
    return count


@njit
def enter(records, keys, state):
    """Add records to a set of keys."""
    for row in range(len(records)):
        plan = records[row, PLAN]
        table_walk.add(records[row, OWN], records[row, OPP], passed_square(plan, state), keys, state)


class Strategy:
    """A strategy that grows out of a prover's table into a StrategyFile."""

    def __init__(self, prover, rules, file):
        self._prover, self._rules, self._file, self._words = prover, rules, file, table_save.words(prover.table)
        self._state = record(rules, self._words)
        endings.fill(self._state, rules)
        self._fresh, self._count = np.empty((PORTION, FIELDS), np.uint64), 0
        self._keys = table_walk.empty_set(rules, 1)
        self._make_room()

    def add(self, board, move=0):
        """Add a position with the winner to move, and the move to be played there; 0: the solver's."""
        if self._count == len(self._fresh):
            self._flush()
        words = map(np.uint64, (board.own, board.opp, board.ep, move))
        self._count = add(*words, self._fresh, self._count, self._keys, self._state)

    def grow(self):
        """Give every record its plan, and add what those lead to."""
        file = self._file
        self._flush()
        with tqdm(desc="strategy", unit=" positions", unit_scale=True, initial=file.done, mininterval=0.5) as bar:
            while file.done < file.count:
                records, done = file.read(file.done, min(file.done + CHUNK, file.count)), 0
                why = FULL
                while why != DONE:
                    done, self._count, why = grow(
                        records, done, self._fresh, self._count, self._keys, self._words, self._state
                    )
                    if why == FULL:
                        self._flush()
                    elif why == UNKNOWN:
                        own, opp, plan = records[done]
                        ep = passed_square(plan, self._state)
                        recall(self._prover, Board(self._rules, *map(int, (own, opp, ep)), file.black))
                self._flush()
                file.finish(records)
                bar.total = file.count
                bar.update(file.done - bar.n)

    def _flush(self):
        """Put what is fresh into the file, and make room for as much again."""
        self._file.append(self._fresh[: self._count])
        self._count = 0
        self._make_room()

    def _make_room(self):
        """Have room in the set of keys for all records of the file and what may be fresh."""
        wanted = (self._file.count + PORTION) * 5 // 4
        if len(self._keys) < wanted:
            self._keys = None  # the old set's memory goes to the new one
            self._keys = table_walk.empty_set(self._rules, max(wanted * 9 // 8, 1 << 17))
            for first in range(0, self._file.count, CHUNK):
                enter(self._file.read(first, min(first + CHUNK, self._file.count)), self._keys, self._state)


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


def write(prover, board, path, moves=(), value=0):
    """(number of records, whether Black is the winner) of the proof of a position that the prover has proven, written to
    a path. Raises NotWon, OSError.

    moves: (board, move) of positions of the winner where the move is given; value: 1 where the side to move wins, -1
    where it loses, 0 where the prover is to say.
    """
    wins = (value or prover.prove(board).value) > 0
    with strategy_file.opened(path, board, board.black == wins, list(moves)) as file:
        strategy = Strategy(prover, board.rules, file)
        if file.done == 0:
            for given in moves:
                strategy.add(*given)
            for root in [board] if wins else [board.push(move) for move in board.moves()]:
                if not root.over():
                    strategy.add(root)
        strategy.grow()
    return file.count, file.black
