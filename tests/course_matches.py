"""Command lines of matches in which an agent of the course plays."""

import matches

from pawnstorm_tools.referee import commandline

START = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"
BLACK_FIRST = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"
DEADLINE = 30  # seconds that only a hang takes


def line(port, *more, agent=()):
    """A command line: the agent at a port, with words of its own, against a fake engine, then flags."""
    return [
        "-engine",
        "proto=course",
        f"port={port}",
        *agent,
        "-engine",
        f"cmd={matches.fake('good')}",
        "-each",
        "tc=60",
        *map(str, more),
    ]


def parsed(*words):
    """The settings that words of an agent make."""
    return commandline.parse(["-engine", "proto=course", "port=9", *words, "-engine", "cmd=y", "-each", "tc=60"])
