"""Clocks to milliseconds: how long a move may take. Pure functions of integers."""

MOVES_AHEAD = 26     # moves that the clock is to last for, where the game does not say; a game has 20 to 45 a side
LATENCY = 3          # milliseconds that a timer may come late, kept back whatever the overhead
BLIND = 100          # milliseconds for a `go` that names clocks, but not our own


def budget(time, increment, moves_to_go, overhead):
    """(soft, hard) milliseconds for one move: no new iteration starts after soft, the search is stopped at hard.

    time, increment: the own clock, in milliseconds; time may be 0 or negative. moves_to_go: moves to the next time control, or 0.
    overhead: what is lost between the clock and us, for each move. 1 <= soft <= hard, and hard leaves the overhead on the clock
    wherever the clock has more than that.
    """
    if time <= 0:
        return 1, 1
    increment, overhead = max(0, increment), max(overhead, LATENCY)
    usable = max(1, time - overhead)
    ahead = min(moves_to_go, MOVES_AHEAD) if moves_to_go > 0 else MOVES_AHEAD
    # What the clock will hold over these moves, each of which loses the overhead.
    pool = max(1, time + (ahead - 1) * increment - ahead * overhead) if ahead > 1 else usable
    share = pool // ahead
    soft = max(1, min(share * 7 // 10 if ahead > 1 else share * 9 // 10, usable))
    hard = max(1, min(share * 4, usable * 4 // 5 if ahead > 1 else usable))
    return min(soft, hard), hard


def fixed(movetime, overhead):
    """(soft, hard) for `go movetime`: all of it, less the overhead where that leaves something."""
    overhead = max(overhead, LATENCY)
    hard = max(1, movetime - overhead) if movetime > 2 * overhead else max(1, movetime // 2)
    return hard, hard
