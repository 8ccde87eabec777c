"""solve(): proves who wins with best play."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

from pawnstorm.board import Board, Side, position_of, side
from pawnstorm.core import native
from pawnstorm.games.notation import line_text
from pawnstorm.numbers import MAX_LIMIT, check_number
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import UNLIMITED, Prover
from pawnstorm.search.settings import HASH, THREADS

TICK = 0.02  # seconds by which a proof may exceed its time limit


@dataclass(frozen=True)
class Solution:
    """What is proven about a position.

    Attributes:
        winner: The side that wins with best play.
        plies: The winner can win within this number of plies, whatever the other side plays. Often a shorter win exists.
        line: The quickest known win against the longest known resistance. It goes on to the end of the game, unless a
            limit of `solve()` cut it off.
        nodes: Positions that the solver expanded for the proof. To expand a position is to generate its moves.
    """

    winner: Side
    plies: int
    line: tuple[str, ...]
    nodes: int


def solve(
    board: Board, *, hash: int = 256, threads: int = 1, nodes: int | None = None, time: float | None = None
) -> Solution | None:
    """Prove who wins a position with best play.

    Without `nodes` and `time` the solver runs until it has a proof. From the start of a large game, such as Breakthrough
    on 8x8, it may never find one.

    Args:
        board: A game that is not over. It is not changed.
        hash: MiB of memory for the proof, at most three quarters of the machine's memory.
        threads: Threads that share the work, 1 to 256.
        nodes: About how many positions to expand at most.
        time: About how many seconds to spend at most.

    Returns:
        The result. None if a limit was reached before a proof was found, or if the proof has lines too long for the solver.

    Raises:
        ValueError: The game is over, or a value is out of bounds.
        TypeError: An argument has the wrong type.
        MemoryError: The memory cannot be allocated.
        RuntimeError: The core cannot be compiled.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    position = position_of(board)
    if nodes is not None:
        check_number("nodes", nodes, whole=True)
    if time is not None:
        check_number("time", time, whole=False)
    native.core()
    prover = Prover(HASH.parse(hash), THREADS.parse(threads))
    until = None if time is None else clock.monotonic() + min(time, MAX_LIMIT)

    def on_tick() -> None:
        if until is not None and clock.monotonic() > until:
            raise TimeoutError

    try:
        proof = interruptible.run(
            prover, lambda: prover.prove(position, min(nodes or UNLIMITED, UNLIMITED)), on_tick, TICK
        )
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
        plies=max(proof.plies, len(line)),  # proving positions again for the line may give a longer one
        line=tuple(line_text(position, line).split()),
        nodes=expanded,
    )
