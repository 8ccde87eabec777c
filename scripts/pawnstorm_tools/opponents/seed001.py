"""seed001: Two Flags in Python; each move has a fixed depth, which the time of the last move decides.

What the description leaves open, and what is played here:

- `own` is the side to move, `opp` the other side. The difference in pawns is divided by the number of own pawns, as in the
  author's code; the report differs.
- The memo holds the bounds of a position at a depth, for one move's search: it changes no value, it only saves time.
- "Two or three more" plies: three if the last move took less than a hundredth of the time left, else two.
- Left is towards the a-file for both sides, and in each group the moves come rank by rank from the side's first rank.
- Without a clock the game has two minutes. Nothing cuts a search but `stop` and `go`'s own limits; then the best of the
  root moves that were finished is played.
"""

import time

from pawnstorm_tools.opponents.base import GAME_TIME, Player, Stopped, negamax
from pawnstorm_tools.opponents.pawns import highest_row, lowest_row, passed_down, passed_up

WIN = 5000
FAR = 10  # steps to go of a side without an attacker
DEEPEST = 20
RANDOM_MOVES = 3
MEMO_ENTRIES = 1_000_000  # then it is emptied: this machine's limit, not the author's
UPPER_HALF, LOWER_HALF = 0xFFFFFFFF00000000, 0x00000000FFFFFFFF


def steps_to_go(board):
    """(own, opp): the fewest steps that a passed pawn beyond the middle has to the far rank; FAR without such a pawn."""
    mine = passed_up(board.own & UPPER_HALF, board.opp)
    theirs = passed_down(board.opp & LOWER_HALF, board.own)
    return 7 - highest_row(mine) if mine else FAR, lowest_row(theirs) if theirs else FAR


def evaluate(board, mobility):
    """Static value for the side to move, which has `mobility` legal moves; not for a finished game."""
    own, opp = steps_to_go(board)
    if own == opp < FAR:
        own -= 1
    if own < opp:
        return 1000 * (5 - own)
    if opp < own:
        return -1000 * (5 - opp)
    if mobility < 5:
        return -5000 * (5 - mobility) / 5
    pawns = board.own.bit_count()
    return 5000 * (pawns - board.opp.bit_count()) / pawns


def next_depth(depth, ratio):
    """The depth of the next move, if the last one had `depth` and took `ratio` of the time that is left now."""
    if ratio >= 0.25:
        depth -= 1
    elif ratio < 0.01:
        depth += 3
    elif ratio < 0.05:
        depth += 2
    elif ratio < 0.1:
        depth += 1
    return max(1, min(DEEPEST, depth))


class Seed001(Player):
    games = ("twoflags", "pawnsonly")

    def new_game(self):
        self.depths = [2, 3]  # the next depths; after them the ratio decides
        self.depth = self.last = 0
        self.used = 0.0

    def think(self, board, roots, limits, budget):
        if board.fullmove <= RANDOM_MOVES:
            yield 1, 0, [self.rng.choice(roots)]
            return
        started = time.monotonic()
        left = limits.clock[0] / 1000 if limits.clock else GAME_TIME - self.used
        self.depth = self.depths.pop(0) if self.depths else next_depth(self.depth, self.last / max(left, 0.001))
        depth = limits.depth or self.depth
        self.budget, self.memo = budget, {}
        best, choice = -float("inf"), None
        try:
            for move in roots:
                value = -self.search(board.push(move), depth - 1, -float("inf"), float("inf"))
                if value > best:
                    best, choice = value, move
        except Stopped:
            pass
        self.last = time.monotonic() - started
        self.used += self.last
        if choice is not None:
            yield depth, best, [choice]

    def search(self, board, depth, alpha, beta):
        """Fail-soft alpha-beta value for the side to move."""
        self.budget.check()
        moves = board.moves()
        if not moves:
            return -WIN
        if depth == 0:
            return evaluate(board, len(moves))
        key = board.own, board.opp, board.ep, depth
        low, high = self.memo.get(key, (-float("inf"), float("inf")))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best = negamax(self.search, map(board.push, moves), depth, alpha, beta)
        if len(self.memo) >= MEMO_ENTRIES:
            self.memo.clear()
        self.memo[key] = best if best > alpha else low, best if best < beta else high
        return best
