"""Try a program that a release has made: the node count of bench, perft, and the time to the first best move."""

import statistics
import subprocess
import time

from pawnstorm_tools.common.timed_engine import Engine

PERFT = {
    "twoflags": (16, 256, 3846, 57744, 815968),
    "breakthrough": (22, 484, 11132, 256036),
    "breakthrough7": (19, 361, 7220, 144251),
    "breakthrough6": (16, 256, 4308, 71478),
    "breakthrough5": (13, 156, 1924, 23084, 289828),
    "breakthrough4x4": (6, 42, 334, 2216, 16118),
    "breakthrough4x5": (10, 90, 848, 7794, 75378),
    "breakthrough5x6": (13, 169, 2331, 31545),
    "breakthrough6x5": (16, 240, 3666, 54448),
    "hexapawn": (3, 10, 28, 56, 70, 64, 20),
}
"""Game -> positions after 1, 2, 3, ... plies, as independent programs count them."""
LIMIT = 300  # seconds; no step takes nearly as long, even on an emulated processor


class TrialError(RuntimeError):
    """A program does not do what it should; the text says what it did."""


def trial(command, nodes, starts):
    """Run the engine that a command starts, and return what was seen, as one line of text.

    nodes     the number of nodes that bench searches when it is run from source
    starts    how often to measure the first move

    Raises TrialError if a count is wrong or bench fails, and OSError if the engine does not answer.
    """
    _bench(command, nodes)
    for game, counts in PERFT.items():
        if (found := _perft(command, game, len(counts))) != counts:
            raise TrialError(f"{' '.join(command)}: perft of {game}: expected {counts}, but it counts {found}")
    times = [_first_move(command) for _ in range(starts)]
    first = f"first move {statistics.median(times):.0f} ms after the start (median of {starts}; at most {max(times):.0f} ms)"
    return f"bench {nodes}, perft of {len(PERFT)} games, {first}"


def _bench(command, nodes):
    """Raise TrialError if bench counts another number of nodes, or fails."""
    asked = [*command, "bench"]
    try:
        done = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TrialError(str(error)) from error
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    if done.returncode or told.get("Nodes searched") != str(nodes):
        raise TrialError(
            f"{' '.join(asked)}: expected {nodes} nodes, but it says: {(done.stdout + done.stderr)[-300:]}"
        )


def _perft(command, game, depth):
    """The positions after 1, 2, 3, ... plies from the start of a game."""
    counts = []
    with Engine(command, LIMIT) as engine:
        engine.send(f"setoption name UCI_Variant value {game}")
        for plies in range(1, depth + 1):
            engine.send(f"go perft {plies}")
            counts.append(int(engine.until("Nodes searched: ")[-1].split()[-1]))
    return tuple(counts)


def _first_move(command):
    """Milliseconds from the start of a process to its first best move."""
    with Engine(command, LIMIT) as engine:
        engine.send("position startpos", "go depth 1")
        engine.until("bestmove ")
        return 1000 * (time.perf_counter() - engine.begun)
