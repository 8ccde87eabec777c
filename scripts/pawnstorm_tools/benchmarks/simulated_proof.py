"""A worker's part of a proof in a simulated cluster: cluster_job.py's functions.

Each position is really solved, by so many times fewer expansions as the setup says, and the rest of the time that all of
them would have taken is waited for. So the cluster proves the game as real workers would that are slower by that factor.

A setup is cluster_job's and (that factor, expansions a second, of which each job has one). All workers of a process share
a table.
"""

import random

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import cluster_job
from pawnstorm_tools.benchmarks.simulated_cluster import Job, stop  # noqa: F401  stop: a function of such a module


def prepare(setup):
    cluster_job.solve(setup[:3], *Board.start(get_rules(setup[0])).bitboards, 1)  # makes the table of the last rows
    return cluster_job.prepare(setup[:3])


def solve(setup, own, opp, ep, nodes):
    with Job() as job:
        *setup, factor, speeds = setup
        answer = cluster_job.solve(tuple(setup), own, opp, ep, max(1, nodes // factor))
        nodes = min(nodes, answer.nodes * factor)  # a large job has expanded the children on the way
        job.seconds = nodes / random.choice(speeds)
    return answer._replace(nodes=nodes, seconds=job.seconds)
