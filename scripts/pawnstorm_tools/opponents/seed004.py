"""seed004: Breakthrough in Python, minimax over children sorted by their static value.

What the description leaves open, and what is played here:

- At every node, "own" means the player that thinks, whoever is to move.
- Taking the last pawn is worth as much as reaching the far rank: 1000, however many plies away. A pawn that is attacked and
  protected gets both -30 and +55.
- The first of equal moves is kept. The memo of evaluations lives for a game and a side.
"""

from pawnstorm_tools.opponents.base import Player, deepen, families, negamax
from pawnstorm_tools.opponents.pawns import (
    attacked_down,
    attacked_up,
    highest_row,
    lowest_row,
    occupied_files,
    rank_sum,
)

WIN = 1000
LONGEST = 208  # plies of a game
MEMO_ENTRIES = 1_000_000  # then it is emptied: this machine's limit, not the author's


def evaluate(own, opp, rules):
    """Static value of a position for the player whose pawns, `own`, move up, whoever is to move."""
    if opp & rules.home or not own:
        return -WIN
    if own & rules.goal or not opp:
        return WIN
    last = rules.ranks - 1
    threatened = own & attacked_down(opp)
    value = 10 * own.bit_count() + 10 * rank_sum(own)
    value += 55 * (threatened & attacked_up(own)).bit_count() - 30 * threatened.bit_count()
    value -= (
        10 * opp.bit_count() + 10 * (last * opp.bit_count() - rank_sum(opp)) + 100 * (opp & rules.home << 8).bit_count()
    )
    open_files = rules.home & ~occupied_files(own)
    value -= 20 * open_files.bit_count() + 20 * (open_files & occupied_files(opp)).bit_count()
    return value + 30 * lowest_row(opp) + 5 * highest_row(own)


class Minimax(Player):
    """Iterative deepening minimax with alpha-beta, children sorted by static value, with a memo of evaluations.

    term(own, opp, rules): the static value for the player whose pawns move up. last: the greatest depth, in plies.
    move_time: seconds for a move, None for no limit.
    """

    games = families("breakthrough", "minibreakthrough")

    def __init__(self, rng, term, last, move_time):
        super().__init__(rng)
        self.term, self.last, self.move_time = term, last, move_time

    def new_game(self):
        self.memo, self.black = {}, None

    def seconds(self, clock):
        return self.move_time

    def think(self, board, roots, limits, budget):
        if board.black_to_move != self.black or len(self.memo) >= MEMO_ENTRIES:
            self.memo, self.black = {}, board.black_to_move
        self.budget = budget
        return deepen(lambda depth: self.choose(board, roots, depth), limits.depth or self.last, budget)

    def choose(self, board, roots, depth):
        """(value, first move that has it) of a search `depth` plies deep."""
        best, choice = -float("inf"), None
        children = [(board.push(move), move) for move in roots]
        children.sort(key=lambda pair: self.static(pair[0]))
        for child, move in children:
            value = -self.search(child, depth - 1, -float("inf"), -best)
            if value > best:
                best, choice = value, move
        return best, choice

    def search(self, board, depth, alpha, beta):
        """Fail-soft alpha-beta value for the side to move."""
        self.budget.check()
        if depth == 0:
            return self.static(board)
        children = [board.push(move) for move in board.moves()]
        if not children:
            return self.static(board)
        if depth == 1:
            return -min(map(self.static, children))  # what the sorted children give, of which the first is the best
        children.sort(key=self.static)
        return negamax(self.search, children, depth, alpha, beta)

    def static(self, board):
        """The static value for the side to move."""
        key = board.own, board.opp, board.black_to_move
        value = self.memo.get(key)
        if value is None:
            rules = board.rules
            if board.black_to_move == self.black:
                value = self.term(board.own, board.opp, rules)
            else:
                value = -self.term(rules.flip(board.opp), rules.flip(board.own), rules)
            self.memo[key] = value
        return value


def seed004(rng):
    """The player seed004: 2.9 s a move, as deep as the time allows."""
    return Minimax(rng, evaluate, LONGEST, 2.9)
