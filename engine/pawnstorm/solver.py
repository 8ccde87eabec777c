"""solve(): who wins with best play."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

from pawnstorm.board import Board, Side, position_of, side
from pawnstorm.core import native
from pawnstorm.games.notation import line_text
from pawnstorm.numbers import check_number
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import UNLIMITED, Prover
from pawnstorm.search.settings import HASH, THREADS

TICK = 0.02  # seconds by which the limit of time may be overstepped


@dataclass(frozen=True)
class Solution:
    """What is proven about a position.

    winner    who wins with best play
    plies     within which the winner can end the game, whatever the other side plays; often not the least number
    line      the winner's quickest known moves against the longest known resistance: to the end of the game, or as far
              as it was known when a limit was reached
    nodes     positions expanded for the proof
    """

    winner: Side
    plies: int
    line: tuple[str, ...]
    nodes: int


def solve(
    board: Board, *, hash: int = 256, threads: int = 1, nodes: int | None = None, time: float | None = None
) -> Solution | None:
    """Prove who wins from a position; None if a limit is reached before, or lines get too long for the solver.

    hash     MiB of memory for the proof
    threads  threads that share the work
    nodes    positions to expand at most, about
    time     seconds to spend at most, about

    Without a limit it runs until it is done, which for the start of a large game may be never. Ctrl-C ends it, and
    raises KeyboardInterrupt. Raises TypeError and ValueError for values that cannot be, a finished game among them,
    MemoryError if there is no such memory, and RuntimeError if the core cannot be compiled.
    """
    position = position_of(board)
    if nodes is not None:
        check_number("nodes", nodes, whole=True)
    if time is not None:
        check_number("time", time, whole=False)
    native.core()
    prover = Prover(HASH.parse(hash), THREADS.parse(threads))
    until = None if time is None else clock.monotonic() + time

    def on_tick() -> None:
        if until is not None and clock.monotonic() > until:
            raise TimeoutError

    try:
        proof = interruptible.run(prover, lambda: prover.prove(position, nodes or UNLIMITED), on_tick, TICK)
    except TimeoutError:
        proof = prover.probe(position)
    if not proof.value:
        return None
    expanded = prover.nodes
    try:
        line = interruptible.run(prover, lambda: prover.line(position, proving=nodes is None), on_tick, TICK)
    except TimeoutError:
        line = prover.line(position, proving=False)
    return Solution(
        winner=side(position.black_to_move ^ (proof.value < 0)),
        plies=max(proof.plies, len(line)),  # what had to be proven again for the line may take longer
        line=tuple(line_text(position, line).split()),
        nodes=expanded,
    )
