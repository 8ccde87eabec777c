"""A job: what one process does for a proof that many share, and what it answers.

The process keeps one Prover, whose table serves all jobs of the same setup: (the game's name, MiB of the table, threads that share it).
Nothing here knows by what way jobs come and answers go.
"""

import hashlib
import threading
import time
from collections import namedtuple
from pathlib import Path

from engine import native
from engine.board import Board
from engine.prover import Prover
from engine.rules import game

Answer = namedtuple("Answer", "proof children nodes seconds")
Answer.__doc__ = """What a job has found, and what it took.

proof       of the position
children    the proofs of the positions after each of its moves(), in that order; () where the position is decided
nodes       positions expanded
seconds     of this process
"""

_lock = threading.Lock()   # a Prover does one thing at a time
_kept = None, None         # a setup and its Prover


def digest(folder, *kinds):
    """One of a folder's sources, and of its files of other kinds."""
    found = hashlib.sha256()
    for path in sorted(path for kind in ("*.py", *kinds) for path in folder.glob(kind)):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


VERSION = digest(Path(__file__).parent, "data/*.py", "data/*.ntuple")
"""Whoever shares a proof must agree about the engine's sources and its evaluation. Taken when they are loaded: they may change while a
process goes on."""


def prepare(setup):
    """Make this process ready for the jobs of a setup; returns VERSION. Raises MemoryError, engine.build.BuildError."""
    with _lock:
        native.core()
        _prover(setup)
    return VERSION


def solve(setup, own, opp, ep, nodes):
    """The Answer about a position, by expanding about `nodes` positions at most."""
    began = time.monotonic()
    with _lock:
        name, _, threads = setup
        prover, board, children = _prover(setup), Board(game(name), own, opp, ep, False), []
        proof, spent = prover.prove(board, nodes), prover.nodes
        if not proof.value:
            for move in board.moves():
                child = board.push(move)
                known = prover.known(child)
                if known.phi is None:   # never expanded, or fallen out of the table
                    known = prover.prove(child, threads)
                    spent += prover.nodes
                children.append(known)
    return Answer(proof, tuple(children), spent, time.monotonic() - began)


def stop():
    """End the running job soon, from another thread; it answers what it has found."""
    if _kept[1]:
        _kept[1].stop()


def _prover(setup):
    """The Prover of a setup, the one kept if that has been asked for before."""
    global _kept
    if _kept[0] != setup:
        _kept = None, None   # one table goes before the next one comes
        _, mebibytes, threads = setup
        _kept = setup, Prover(mebibytes, threads)
    return _kept[1]
