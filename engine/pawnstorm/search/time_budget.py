"""Time management: how long a move may take, and when a search has seen enough. Integers only."""

LATENCY = 3  # milliseconds by which a timer may be late; the overhead never counts as less
NODES_PER_MS = 1500  # for a time that is too short for a timer: half the speed of a slow machine
UNKNOWN_CLOCK = 100  # milliseconds for a `go` that names clocks, but not our own, or whose limit was not understood
OVERHEAD_MOVES = 26  # moves for which the overhead is kept back, if no number of moves to a time control is known
# Expected moves before the game is decided, by which the clock is divided. There are MIN_MOVES_AHEAD in every game. If
# pawns step diagonally onto empty squares, there are EXTRA_MOVES_AHEAD more on 8x8, before the first capture.
MIN_MOVES_AHEAD, EXTRA_MOVES_AHEAD = 6, 18


def moves_ahead(pieces, start_pawns, squares, diagonals):
    """Expected number of own moves before the game is decided; from then on the engine answers at once.

    pieces: the number of pawns of both sides on the board. start_pawns: the same in the start position. squares: the
    number of squares of the board. diagonals: whether pawns step diagonally onto empty squares, as in Breakthrough.

    Without such steps, blocked pawns soon run out of moves, and the search sees the end from the opening. The result is
    based on 200 games of each kind at 1+0.01 s: Breakthrough, 22 moves at 32 pawns, 13 at 28, 8 at 24, 5 at 20; Two Flags,
    3 to 5. With more time there are fewer.
    """
    excess = max(0, 2 * min(pieces, start_pawns) - start_pawns)
    return MIN_MOVES_AHEAD + (
        EXTRA_MOVES_AHEAD * squares * excess * excess // (64 * start_pawns * start_pawns) if diagonals else 0
    )


def budget(time, increment, moves_to_go, overhead, ahead=OVERHEAD_MOVES):
    """(soft, hard) milliseconds for one move: the time that an ordinary move should take, and the latest end of a search.

    time, increment: our own clock, in milliseconds; time may be 0 or negative. moves_to_go: moves to the next time
    control, or 0. overhead: milliseconds lost between the clock and us on each move. ahead: the expected number of
    moves that need thought, at least 2. 1 <= soft <= hard. hard leaves the overhead on the clock, if the clock has more
    than that.
    """
    if time <= 0:
        return 1, 1
    increment, overhead = max(0, increment), max(overhead, LATENCY)
    usable = max(1, time - overhead)
    if moves_to_go == 1:
        return max(1, usable * 9 // 10), usable
    ahead = min(moves_to_go, ahead) if moves_to_go > 0 else ahead
    # The time that these moves share. Each of them loses the overhead. The moves after them take no thought, but lose
    # the overhead as well, less their increment.
    later = max(0, (min(moves_to_go, OVERHEAD_MOVES) if moves_to_go > 0 else OVERHEAD_MOVES) - ahead)
    pool = max(1, time + (ahead - 1) * increment - ahead * overhead - later * max(0, overhead - increment))
    share = pool // ahead
    # No move gets more than a third of the clock, unless its share is larger. This happens with two moves to the time
    # control, or with an increment above the time left. Then it gets four fifths at most.
    hard = max(1, min(share * 4, max(usable // 3, min(share, usable * 4 // 5))))
    return max(1, min(share, hard)), hard


def node_budget(hard):
    """Nodes for a search whose hard limit is too short for a timer; else 0.

    A timer may be LATENCY late, and later on a busy machine.
    """
    return NODES_PER_MS * hard if hard <= LATENCY else 0


def fixed_budget(movetime, overhead):
    """(soft, hard) milliseconds for `go movetime`. Both are movetime less the overhead, but at least half of movetime."""
    overhead = max(overhead, LATENCY)
    hard = max(1, movetime - overhead) if movetime > 2 * overhead else max(1, movetime // 2)
    return hard, hard


def soft_scale(stable, drop):
    """Per cent of the soft limit that a position deserves.

    stable: finished iterations since the best move last changed. drop: centipawns by which the score has fallen over
    two iterations; negative if it rose. It is not measured over one iteration, because the score swings with the side that
    moves last.
    """
    return max(200 - 25 * stable, 40) * (100 + max(-20, min(100, 2 * drop))) // 100


class TimeManager:
    """Follows the iterations of one search. Times in milliseconds since its start."""

    def __init__(self):
        self.best, self.stable, self.scores, self.ends = None, 0, [], [0]

    def update(self, best, score, elapsed):
        """Record a finished iteration."""
        self.stable = self.stable + 1 if best == self.best else 0
        self.best = best
        self.scores.append(score)
        self.ends.append(elapsed)

    def should_stop(self, soft, left):
        """Whether no further iteration should begin. left: milliseconds to the hard limit.

        An iteration begins only if half of its expected time fits into the scaled soft limit, so that iterations end around
        that limit. It must also be expected to finish by the hard limit; otherwise it would mostly search the best move
        again.
        """
        deserved = soft * soft_scale(self.stable, self.scores[-3] - self.scores[-1] if len(self.scores) > 2 else 0)
        now = self.ends[-1]
        last, before = now - self.ends[-2], self.ends[-2] - (self.ends[-3] if len(self.ends) > 2 else 0)
        expected = min(3 * last, max(last, last * last // max(1, before)))
        return 100 * (now + expected // 2) >= deserved or expected > left
