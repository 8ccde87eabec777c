"""seed000: Two Flags in Python. Its table treats bounds and the values of unfinished searches as exact, and its search does
not see the far rank.

What the description leaves open, and what is played here:

- The time of a move is a thirtieth of what the clock has left, 4 s without a clock.
- Out of time, a node returns its static value; its ancestors go through their moves all the same and store the
  values that result.
- Of two captures the one towards the a-file comes first. The table lives for a game. The search of the root does not
  use it, because the root needs a move.
- It ponders by `go ponder`, on the reply that is best by its table.
- A pawn on the far rank "gets no win value": in the author's code, the search plays on after such a position; in the
  report, it ends there with 10000. seed000-coded plays as coded, seed000-reported as reported.
- The reported terms are added: a passed pawn one step from its far rank gets all of them.

It knows no en passant. If only such a capture is legal, it has lost by its own rules, and plays the capture.
"""

from pawnstorm.games.position import Board
from pawnstorm.games.rules import Rules
from pawnstorm_tools.opponents.base import GAME_TIME, Player, negamax
from pawnstorm_tools.opponents.pawns import passed_down, passed_up, rank_sum

NO_MOVES, HOME = 9999, 10000
FIRST_PLIES = 10
TABLE_ENTRIES = 1_000_000  # then it is emptied: some 300 MB, which is this machine's limit and not the author's


def known_rules(far_rank):
    """The rules of Two Flags that this player's search knows. There is no en passant. A pawn that reaches the far rank ends the
    game if far_rank is true; otherwise the game goes on.
    """
    rules = Rules("twoflags", "twoflags8x8", 8, 8, 1, 1, "chess")
    rules.ep_squares = rules.ep_victims = 0
    if not far_rank:
        rules.home = rules.goal = 0
    return rules


def board_order(black):
    """A list: move -> its place in board order. The pawns come from rank 8 down, and on each rank from a to h; the moves of a
    pawn are push, double step, captures. black: whether Black moves.
    """
    places = [0] * 4096
    kinds = {8: 0, 16: 1, 7: 2, 9: 3}
    for move in range(4096):
        source, target = move & 63, move >> 6
        from_top = source >> 3 if black else 7 - (source >> 3)
        places[move] = 4 * (8 * from_top + (source & 7)) + kinds.get(target - source, 0)
    return places


ORDER = {black: board_order(black).__getitem__ for black in (False, True)}


def coded(board):
    """The sum over own pawns of 10 plus the pawn's row number, less the same sum for the enemy.

    Each side counts the rows from 0 at its own first rank, so that the sum is alike for both colours.
    """
    own, opp = board.own, board.opp
    return 10 * (own.bit_count() - opp.bit_count()) + rank_sum(own) - (7 * opp.bit_count() - rank_sum(opp))


def reported(board):
    """The report's terms for the side to move.

    They favour Black: only Black's pawns get points for standing one step from the far rank, and Black's passed pawns get more
    points than White's.
    """
    own, opp, rules = board.own, board.opp, board.rules
    if opp & rules.home:
        return -HOME
    if own & rules.goal:
        return HOME
    passed, danger = passed_up(own, opp), passed_down(opp, own)
    advances = rank_sum(own) + rank_sum(passed)
    enemy_advances = 7 * (opp.bit_count() + danger.bit_count()) - rank_sum(opp) - rank_sum(danger)
    value = 40 * (own.bit_count() - opp.bit_count()) + 30 * (advances - enemy_advances)
    if board.black_to_move:
        near = own & rules.goal >> 8
        return value + 1000 * near.bit_count() + 250 * passed.bit_count() - 150 * danger.bit_count()
    near = opp & rules.home << 8
    return value - 1000 * near.bit_count() - 250 * danger.bit_count() + 150 * passed.bit_count()


class Seed000(Player):
    """evaluate and rules: (coded, known_rules(False)) or (reported, known_rules(True))."""

    games = ("twoflags", "pawnsonly")
    ponders = True

    def __init__(self, rng, evaluate, rules):
        super().__init__(rng)
        self.evaluate, self.rules = evaluate, rules

    def new_game(self):
        self.table = {}

    def seconds(self, clock):
        return (GAME_TIME if clock is None else clock) / 30

    def think(self, board, roots, limits, budget):
        self.budget = budget
        played = 2 * (board.fullmove - 1) + board.black_to_move
        for move in sorted(roots, key=ORDER[board.black_to_move]):
            if 1 << (move >> 6) & board.rules.goal:
                yield 1, HOME, [move]
                return
        board = Board(self.rules, board.own, board.opp, 0, board.black_to_move)
        known = set(board.moves())
        moves = sorted(known.intersection(roots), key=ORDER[board.black_to_move])
        for depth in range(1, (limits.depth or (8 if played < FIRST_PLIES else 12)) + 1):
            if not moves:
                return
            best, choice = -float("inf"), None
            for move in moves:
                value = -self.search(board.push(move), depth - 1, -float("inf"), -best)
                if value > best:
                    best, choice = value, move
                if budget.exhausted:
                    break
            yield depth, best, [choice, *self.expected(board.push(choice))]
            if budget.exhausted:
                return

    def search(self, board, depth, alpha, beta):
        """Value for the side to move: by alpha-beta, unless the table has a value or the time is over."""
        if self.budget.count_node():
            return self.evaluate(board)
        key = board.own, board.opp, board.black_to_move
        stored = self.table.get(key)
        if stored is not None and stored[0] >= depth:
            return stored[1]
        if depth == 0:
            return self.evaluate(board)
        moves = board.moves()
        if not moves:
            return -HOME if board.opp & board.rules.home else -NO_MOVES
        moves.sort(key=ORDER[board.black_to_move])
        best = negamax(self.search, map(board.push, moves), depth, alpha, beta)
        if len(self.table) >= TABLE_ENTRIES:
            self.table.clear()
        self.table[key] = depth, best
        return best

    def expected(self, board):
        """The reply to ponder on, as a list: [the best reply by the values in the table], or [] if the table has none."""
        best, reply = float("inf"), []
        for move in board.moves():
            child = board.push(move)
            stored = self.table.get((child.own, child.opp, child.black_to_move))
            if stored is not None and stored[1] < best:
                best, reply = stored[1], [move]
        return reply
