"""Command lines of matches in which an agent of the course plays."""

import contextlib

import matches
from processes import wait_until

from pawnstorm_tools.referee import commandline

START = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"
BLACK_FIRST = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"


def line(port, *more, agent=(), other=(f"cmd={matches.fake('good')}",)):
    """A command line: the agent at a port, with words of its own, against another engine, then flags."""
    engines = ["-engine", "proto=course", f"port={port}", *agent, "-engine", *other]
    return [*engines, "-each", "tc=60", *map(str, more)]


def parsed(*words):
    """The settings that words of an agent make."""
    return commandline.parse(["-engine", "proto=course", "port=9", *words, "-engine", "cmd=y", "-each", "tc=60"])


def once_it_listens(connect, *arguments):
    """What connect() returns as soon as a match listens at its port."""

    def tried():
        with contextlib.suppress(ConnectionRefusedError):
            return connect(*arguments)

    return wait_until(tried, "the port of a match")
