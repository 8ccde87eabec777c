"""One job of a proof that many processes share: a position to solve, and the answer.

The process keeps one Prover, whose table serves all jobs of the same setup: (name of the game, MiB of the table, number
of threads). scripts/pawnstorm_tools/cluster/ carries the jobs and answers between processes.
"""

import hashlib
import threading
import time
from collections import namedtuple
from pathlib import Path

from pawnstorm.core import native
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import INFINITE_NUMBER, MAX_PROOF_PLIES, MOVE, Proof, Prover

Answer = namedtuple("Answer", "proof children nodes seconds")
Answer.__doc__ = """The result of a job, and the work that it took.

proof       of the position
children    the proofs of the positions after each of its moves(), in that order; () if the position is decided
nodes       positions expanded
seconds     that this process took

As data (JSON, msgpack) it is [proof, [child, ...], nodes, seconds], and a proof is [value, plies, move, phi, delta].
"""

DECIDED = (1, 0, INFINITE_NUMBER), (-1, INFINITE_NUMBER, 0)  # value, phi and delta of a Proof
FASTEST = 1e10  # positions a second, more than any machine expands
OVERSHOOT = 100_000  # positions that a job may expand beyond twice its budget, since it examines each move too

_lock = threading.Lock()  # a Prover does one thing at a time
_kept = None, None  # a setup and its Prover


def digest(folder, *kinds):
    """A digest of the Python files below a folder, and of its files that match the patterns `kinds`, such as "*.network"."""
    found = hashlib.sha256()
    for path in sorted(path for kind in ("*.py", *kinds) for path in folder.rglob(kind)):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()[:16]


VERSION = digest(Path(__file__).parents[1], "*.network", "*.ntuple", "*.solver")
"""The digest of the sources and of the evaluation, which must be the same in all processes that share a proof.

It is taken when this module is loaded, since the files may change while a process runs.
"""


def prepare(setup):
    """Make this process ready for the jobs of a setup; returns VERSION. Raises MemoryError, core.build.BuildError."""
    with _lock:
        native.core()
        _prover(setup)
    return VERSION


def solve(setup, own, opp, ep, nodes):
    """The Answer about a position, found by expanding about `nodes` positions at most."""
    with _lock:
        prover = _prover(setup)
        prover.clear_stop()
        return solve_board(prover, Board(get_rules(setup[0]), own, opp, ep, False), nodes)


def solve_board(prover, board, nodes):
    """A prover's Answer about a board, found by expanding about `nodes` positions at most."""
    start, children = time.monotonic(), []
    proof, spent = prover.prove(board, nodes), prover.nodes
    if not proof.value:
        for move in board.moves():
            child = board.push(move)
            known = prover.probe(child)
            if known.phi is None:  # never expanded, or no longer in the table
                known = prover.prove(child, prover.threads)
                spent += prover.nodes
            children.append(known)
    return Answer(proof, tuple(children), spent, time.monotonic() - start)


def parse_answer(data, board, nodes):
    """The Answer about a board, from the data of another process.

    Raises ValueError if the data cannot be the answer to a job with this budget of nodes. Whether the answer is true is
    not checked.
    """
    if not (isinstance(data, list) and len(data) == 4 and isinstance(data[1], list)):
        raise ValueError("expected a list of proof, children, nodes and seconds")
    proof, children, spent, seconds = _proof(data[0]), tuple(map(_proof, data[1])), *data[2:]
    expected = 0 if proof.value else len(board.moves())
    if len(children) != expected:
        raise ValueError(f"{len(children)} proofs of positions after a move, expected {expected}")
    if not (type(spent) is int and 0 <= spent <= 2 * nodes + OVERSHOOT):
        raise ValueError(f"{spent!r:.40} positions expanded, expected at most about {nodes}")
    if not (type(seconds) in (int, float) and spent / FASTEST <= seconds < float("inf")):
        raise ValueError(f"{seconds!r:.40} seconds for {spent} positions, expected a possible time")
    return Answer(proof, children, spent, seconds)


def _proof(data):
    """The Proof in a list of its fields. Raises ValueError."""
    if isinstance(data, list) and len(data) == len(Proof._fields):
        found = Proof(*data)
        value, plies, move, phi, delta = found
        numbers = all(type(number) is int and 0 <= number <= INFINITE_NUMBER for number in (phi, delta))
        undecided = value == 0 and plies is None and (phi is delta is None or numbers and phi and delta)
        decided = type(plies) is int and 0 <= plies <= MAX_PROOF_PLIES and numbers and (value, phi, delta) in DECIDED
        named = move is None or type(move) is int and 0 <= move <= MOVE
        if type(value) is int and named and (undecided or decided):
            return found
    raise ValueError(f"{data!r:.80} is not a proof")


def stop():
    """End the running job soon. Its answer is what it has found so far. Called from another thread."""
    if _kept[1]:
        _kept[1].stop()


def _prover(setup):
    """The Prover of a setup: the one that is kept, if it has the same setup, or a new one."""
    global _kept
    if _kept[0] != setup:
        _kept = None, None  # frees the old table before the new one is allocated
        _, mebibytes, threads = setup
        _kept = setup, Prover(mebibytes, threads, endings=True)
    return _kept[1]
