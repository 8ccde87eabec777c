"""One job of a proof that many processes share: a position to solve, and the answer.

The process keeps one Prover, whose table serves all jobs of the same setup: (name of the game, MiB of the table, number
of threads). How jobs and answers travel is not this module's business (scripts/cluster/).
"""

import hashlib
import threading
import time
from collections import namedtuple
from pathlib import Path

from pawnstorm.engine import native
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.rules import game
from pawnstorm.engine.proof.prover import Prover

Answer = namedtuple("Answer", "proof children nodes seconds")
Answer.__doc__ = """What a job has found, and what it took.

proof       of the position
children    the proofs of the positions after each of its moves(), in that order; () where the position is decided
nodes       positions expanded
seconds     of this process
"""

_lock = threading.Lock()  # a Prover does one thing at a time
_kept = None, None  # a setup and its Prover


def digest(folder, *kinds):
    """A digest of the Python files below a folder, and of its files of other kinds."""
    found = hashlib.sha256()
    for path in sorted(path for kind in ("*.py", *kinds) for path in folder.rglob(kind)):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()[:16]


VERSION = digest(Path(__file__).parents[1], "*.network", "*.ntuple", "*.solver")
"""All processes that share a proof must have the same sources and the same evaluation. Taken when they are loaded: the
files may change while a process runs.
"""


def prepare(setup):
    """Make this process ready for the jobs of a setup; returns VERSION. Raises MemoryError, engine.build.BuildError."""
    with _lock:
        native.core()
        _prover(setup)
    return VERSION


def solve(setup, own, opp, ep, nodes):
    """The Answer about a position, by expanding about `nodes` positions at most."""
    with _lock:
        began = time.monotonic()
        name, _, threads = setup
        prover, board, children = _prover(setup), Board(game(name), own, opp, ep, False), []
        prover.begin()
        proof, spent = prover.prove(board, nodes), prover.nodes
        if not proof.value:
            for move in board.moves():
                child = board.push(move)
                known = prover.known(child)
                if known.phi is None:  # never expanded, or fallen out of the table
                    known = prover.prove(child, threads)
                    spent += prover.nodes
                children.append(known)
    return Answer(proof, tuple(children), spent, time.monotonic() - began)


def stop():
    """End the running job soon, from another thread; it answers what it has found."""
    if _kept[1]:
        _kept[1].stop()


def _prover(setup):
    """The Prover of a setup: the one kept if it is of the same setup."""
    global _kept
    if _kept[0] != setup:
        _kept = None, None  # one table goes before the next one comes
        _, mebibytes, threads = setup
        _kept = setup, Prover(mebibytes, threads, endings=True)
    return _kept[1]
