"""What the shell asks of a player, when its search must end, iterative deepening as most authors wrote it,
and two players that do not search.
"""

import time

from pawnstorm.games.rules import GAMES
from pawnstorm_tools.opponents.pawns import attacked_down

GAME_TIME = 120.0
"""Seconds of a game for schemes that divide the game's time, where `go` names no clock: at two minutes seed002, whose
depth is reported for 4 s a move, has just that.
"""


class Stopped(Exception):
    """The budget ran out inside a search; what it has found so far is unfinished."""


class Budget:
    """Nodes and time of one move, asked once a node. start() and stop() may be called from another thread than the search's.

    nodes      counted so far
    exhausted  whether the search has been told to end
    """

    EVERY = 8  # nodes between two looks at the clock: within a few milliseconds even where a node is a whole playout

    def __init__(self, nodes=0):
        self.nodes, self.exhausted = 0, False
        self._limit = nodes or float("inf")
        self._deadline, self._stopped = float("inf"), False
        self._next = min(self.EVERY, self._limit)

    def start(self, seconds):
        """From now on the search has so many seconds; None: all that it wants."""
        if seconds is not None:
            self._deadline = time.monotonic() + seconds

    def stop(self):
        """End the search at its next node."""
        self._stopped = True
        self._next = 0

    def count_node(self):
        """Count a node; whether the search must end, and from then on always True."""
        self.nodes += 1
        if self.nodes < self._next:
            return False
        # Set before _stopped is read, so that a stop() in between is not lost.
        self._next = min(self.nodes + self.EVERY, self._limit)
        if self._stopped or self.nodes >= self._limit or time.monotonic() >= self._deadline:
            self.exhausted, self._next = True, 0
        return self.exhausted

    def check(self):
        """Count a node. Raises Stopped where the search must end."""
        if self.count_node():
            raise Stopped


class Player:
    """One system. The shell calls new_game() before each game and think() for each move, from one thread at a time.

    games     names of the games it plays, the default first
    deepens   whether a depth limits it, as `go depth` asks
    ponders   whether it thinks in the opponent's time and so tells the reply that it expects
    """

    games = ()
    deepens = True
    ponders = False

    def __init__(self, rng):
        """rng: the random.Random that every random choice is taken from; the shell seeds it anew for each game."""
        self.rng = rng

    def new_game(self):
        """Forget the last game."""

    def seconds(self, clock):
        """What its author gives a move, None for no clock. clock: seconds left on the own clock, None where `go` names
        none.
        """
        return None

    def think(self, board, roots, limits, budget):
        """Yield (depth, score, line), each better founded than the one before; the last one's first move is played.

        board: the position, not over. roots: the legal moves to choose from, at least one. limits: an engine.Limits;
        its depth replaces the author's, its clock is (ms, ms) or None. budget: to be counted at every node. score: the
        author's number, for the side to move. A generator that yields nothing plays roots[0].
        """
        raise NotImplementedError


def deepen(search, last, budget):
    """Yield (depth, score, line) of search(depth) for depths 1 to last; an unfinished depth is dropped."""
    for depth in range(1, last + 1):
        try:
            score, move = search(depth)
        except Stopped:
            return
        yield depth, score, [move]
        if budget.exhausted:
            return


def negamax(search, children, depth, alpha, beta):
    """The fail-soft alpha-beta value of a node `depth` plies deep, by search(child, depth, alpha, beta) of its children."""
    best = -float("inf")
    for child in children:
        value = -search(child, depth - 1, -beta, -alpha)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break
    return best


def families(*names):
    """Every game of the families that the names begin with."""
    return tuple(word for word in GAMES if word.startswith(names))


class Random(Player):
    """Any legal move."""

    games = GAMES

    def think(self, board, roots, limits, budget):
        budget.count_node()
        yield 1, 0, [self.rng.choice(roots)]


class Greedy(Player):
    """Captures, else the most advanced safe push, else the most advanced push; chance decides between equals.

    Of several captures one that lands furthest up. A push is any move that takes nothing, the diagonal steps of
    Breakthrough included, and as advanced as the rank it reaches; it is safe where no enemy can take on that square, or
    in passing, at once.
    """

    games = GAMES

    def think(self, board, roots, limits, budget):
        budget.count_node()
        best = max(map(lambda move: rank(board, move), roots))
        yield 1, 0, [self.rng.choice([move for move in roots if rank(board, move) == best])]


def rank(board, move):
    """How much Greedy likes a move; more is better."""
    target = 1 << (move >> 6)
    child = board.push(move)
    takes = child.own.bit_count() < board.opp.bit_count()
    # After a move that ends the game nobody takes anything.
    safe = child.is_game_over() or not (child.ep or target & attacked_down(board.opp))
    return takes, safe or takes, move >> 9
