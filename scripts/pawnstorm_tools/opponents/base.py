"""The interface of a player, the budget of its search, iterative deepening as most authors wrote it, and two players that
do not search.
"""

import time

from pawnstorm.games.rules import GAMES
from pawnstorm_tools.opponents.pawns import attacked_down

GAME_TIME = 120.0
"""Seconds of a game for schemes that divide the game's time, if `go` names no clock. With two minutes, seed002 has 4 s a
move, for which its depth is reported.
"""


class Stopped(Exception):
    """The budget ran out during a search; its result so far is unfinished."""


class Budget:
    """Limits the nodes and the time of one move; the search asks at each node whether it must end.
    Another thread may call start() and stop().

    nodes      counted so far
    exhausted  whether count_node() has told the search to end
    """

    EVERY = 8  # nodes between two looks at the clock: at most a few milliseconds, even if a node is a whole playout

    def __init__(self, nodes=0):
        self.nodes, self.exhausted = 0, False
        self._limit = nodes or float("inf")
        self._deadline, self._stopped = float("inf"), False
        self._next = min(self.EVERY, self._limit)

    def start(self, seconds):
        """End the search this many seconds from now; None sets no limit."""
        if seconds is not None:
            self._deadline = time.monotonic() + seconds

    def stop(self):
        """End the search at its next node."""
        self._stopped = True
        self._next = 0

    def count_node(self):
        """Count a node; returns whether the search must end. Once True, it stays True."""
        self.nodes += 1
        if self.nodes < self._next:
            return False
        # Set before _stopped is read, so that a stop() in between is not lost.
        self._next = min(self.nodes + self.EVERY, self._limit)
        if self._stopped or self.nodes >= self._limit or time.monotonic() >= self._deadline:
            self.exhausted, self._next = True, 0
        return self.exhausted

    def check(self):
        """Count a node. Raises Stopped if the search must end."""
        if self.count_node():
            raise Stopped


class Player:
    """One opponent. The shell calls new_game() before each game and think() for each move, from one thread at a time.

    games     names of the games that it plays, the default first
    deepens   whether it obeys the depth of `go depth`
    ponders   whether it thinks in the opponent's time; then it names the reply that it expects
    """

    games = ()
    deepens = True
    ponders = False

    def __init__(self, rng):
        """rng: the random.Random for all random choices; the shell seeds it anew for each game."""
        self.rng = rng

    def new_game(self):
        """Forget the last game."""

    def seconds(self, clock):
        """The seconds that its author gives a move, None for no limit. clock: seconds left on its own clock, None if `go`
        names none.
        """
        return None

    def think(self, board, roots, limits, budget):
        """Yield (depth, score, line), each from more search than the one before. The first move of the last line is played,
        or roots[0] if nothing is yielded.

        score: for the side to move, on the scale of the player's author. board: a position in which the game is not over.
        roots: the legal moves to choose from, at least one. limits: a Limits. Its depth replaces the depth that the player's
        author chose. Its clock is (time left, increment) in ms, or None. budget: a Budget, which must count every node.
        """
        raise NotImplementedError


def deepen(search, last, budget):
    """Yield (depth, score, line) of search(depth) for depths 1 to `last`; an unfinished depth is dropped."""
    for depth in range(1, last + 1):
        try:
            score, move = search(depth)
        except Stopped:
            return
        yield depth, score, [move]
        if budget.exhausted:
            return


def negamax(search, children, depth, alpha, beta):
    """The fail-soft alpha-beta value of a node, `depth` plies deep; search(child, depth, alpha, beta) values its children."""
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
    """Every game whose name begins with one of these."""
    return tuple(word for word in GAMES if word.startswith(names))


class Random(Player):
    """Plays any legal move."""

    games = GAMES

    def think(self, board, roots, limits, budget):
        budget.count_node()
        yield 1, 0, [self.rng.choice(roots)]


class Greedy(Player):
    """Captures; otherwise makes the most advanced safe push; otherwise the most advanced push. Chance decides between equals.

    Among captures it takes one that lands furthest up. A push is any move that takes nothing, also a diagonal step of
    Breakthrough; the rank that it reaches says how advanced it is. It is safe if no enemy can take on that square, or en
    passant, at once.
    """

    games = GAMES

    def think(self, board, roots, limits, budget):
        budget.count_node()
        best = max(map(lambda move: rank(board, move), roots))
        yield 1, 0, [self.rng.choice([move for move in roots if rank(board, move) == best])]


def rank(board, move):
    """The sort key of a move for Greedy, which plays a move with the highest key."""
    target = 1 << (move >> 6)
    child = board.push(move)
    takes = child.own.bit_count() < board.opp.bit_count()
    # After a move that ends the game, there are no captures.
    safe = child.is_game_over() or not (child.ep or target & attacked_down(board.opp))
    return takes, safe or takes, move >> 9
