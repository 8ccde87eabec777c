"""A worker's part of a match in a simulated cluster: cluster_worker.py's functions.

Each game is one that was played before, and takes as long as that did. A setup is cluster_worker's, and the path of the
results file with the games, and the engines' names.
"""

import random

from pawnstorm_tools.benchmarks.simulated_cluster import Job, stop  # noqa: F401  stop: a function of such a module
from pawnstorm_tools.common import journal
from pawnstorm_tools.referee import cluster_worker

_games = {}  # the records of a file by its path


def prepare(setup):
    *_, path, names = setup
    if path not in _games:
        _games[path] = list(journal.read(path, "match", "game")[2].values())
    return cluster_worker.VERSION, names, []


def play(setup, slot, pairing):
    *_, path, names = setup
    number, turn, white, black, _ = pairing
    with Job() as job:
        record = random.choice(_games[path])
        job.seconds = seconds(record)
    first = "white" if white < black else "black"
    return record | {"game": number, "round": turn, "white": names[white], "black": names[black], "first": first}, ""


def seconds(record):
    """How long the moves of a game took."""
    return sum(move[1] for move in record["moves"]) / 1000
