"""evaluate_many() and solve_many(): evaluate or prove thousands of positions at once.

No Python code runs for each position of an array. numpy is an extra: `pip install 'pawnstorm[numpy]'`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union, cast

from pawnstorm.board import Board
from pawnstorm.core import native
from pawnstorm.core.batch import Batch
from pawnstorm.core.state import CODE_MASK, MAX_PROOF_PLIES, UNLIMITED, State
from pawnstorm.evaluation import weights
from pawnstorm.games.rules import Rules, get_rules
from pawnstorm.numbers import check_number
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import Prover
from pawnstorm.search.settings import HASH, THREADS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Positions = Union[Iterable[Board], "ArrayLike"]
LEAST, MOST = 1024, 16384  # positions that one call of the core evaluates, which takes some milliseconds at most
PART = 16384  # positions of an array that are converted at once
TICK = 0.02  # seconds between two checks for Ctrl-C


@dataclass(frozen=True, eq=False)
class Solutions:
    """What is proven about each position of a batch: three arrays with an element for each position.

    Attributes:
        value: int8: 1 if the side to move wins with best play, -1 if it loses, 0 if neither is proven.
        plies: int16: the winner can win within this number of plies, whatever the other side plays. Often a shorter win
            exists. 0 if nothing is proven, or if the game is over.
        nodes: int64: positions that the solver expanded. 0 if it needed no search, or had already proven the position.
    """

    value: NDArray[np.int8]
    plies: NDArray[np.int16]
    nodes: NDArray[np.int64]


def evaluate_many(positions: Positions, game: str | None = None, *, threads: int = 1) -> NDArray[np.int32]:
    """The static score of each position, as `evaluate()` gives it: an int32 array (n,), in centipawns for the side to move.

    If a game is over, the side to move has lost, and its score is -30,000.

    Args:
        positions: Boards of one game, or an array (n, 4, ranks, files) of the arrays that `Board.to_array()` returns
            (`pawnstorm.planes` describes them). They are not changed.
        game: The name of the game, as in `Board()`. It is required with an array.
        threads: Threads that share the work, 1 to 256.

    Raises:
        UnknownGame: No game has this name.
        ParseError: A position of the array is wrong. The message says which one, counted from 0.
        ValueError: The boards are not all of one game, or not of `game`; an array has the wrong shape or comes without
            `game`; or a value is out of bounds.
        TypeError: An argument, or one of the boards, has the wrong type.
        ImportError: numpy is not installed.
        MemoryError: The memory cannot be allocated.
        RuntimeError: The core cannot be compiled.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    from pawnstorm.planes import np

    count = THREADS.parse(threads)
    rules, rows = _rows(positions, game)
    if rules is not None and len(rows):
        states = [State() for _ in range(max(1, min(count, len(rows) // LEAST)))]
        for state in states:
            state.set_game(rules)
            weights.set_weights(state, rules)
        Batch(native.core().evaluate_many, rows, states, LEAST, MOST).run()
    return rows[:, 0].view(np.int64).astype(np.int32)


def solve_many(
    positions: Positions, game: str | None = None, *, nodes: int | None = 100_000, hash: int = 64, threads: int = 1
) -> Solutions:
    """Prove who wins each position with best play.

    Each thread proves one position at a time. All threads share one table, so each proof helps with later positions. It is
    therefore best to pass all positions of a played game together. The `plies` and `nodes` of the result depend on the
    order of the positions. With several threads they also vary from run to run. A position that needs about as many nodes
    as the limit may then be proven in one run and not in another, but it is never won in one and lost in another. Raises
    the errors of `evaluate_many()`, and TypeError if `nodes` is not an int.

    Args:
        positions: As for `evaluate_many()`. If a game is over, its `value` is -1 and its `plies` is 0.
        game: As for `evaluate_many()`.
        nodes: Positions that the solver may expand for each position. None means no limit: a position that is too hard then
            keeps the solver busy until Ctrl-C.
        hash: MiB of memory for the proofs, at most three quarters of the machine's memory.
        threads: Threads that share the work, 1 to 256.
    """
    if nodes is not None:
        check_number("nodes", nodes, whole=True)
    count, mebibytes = THREADS.parse(threads), HASH.parse(hash)
    rules, rows = _rows(positions, game)
    if rules is not None and len(rows):
        native.core()
        prover = Prover(mebibytes, min(count, len(rows)))
        interruptible.run(prover, lambda: prover.prove_many(rules, rows, min(nodes or UNLIMITED, UNLIMITED)), tick=TICK)
    return _solutions(rows[:, 0], rows[:, 1])


def _solutions(words: NDArray[np.uint64], nodes: NDArray[np.uint64]) -> Solutions:
    """The Solutions of a batch. words: the word of each proof (engine/pawnstorm/kernels/pn_table.py); nodes: the expansions."""
    from pawnstorm.planes import np

    phi, delta = words >> np.uint64(40), words >> np.uint64(16) & np.uint64(CODE_MASK)
    won, lost = (phi == 0) & (delta != 0), (delta == 0) & (phi != 0)
    plies = np.where(won | lost, (phi | delta) & np.uint64(MAX_PROOF_PLIES), np.uint64(0))
    return Solutions(won.astype(np.int8) - lost.astype(np.int8), plies.astype(np.int16), nodes.astype(np.int64))


def _rows(positions: Positions, game: str | None) -> tuple[Rules | None, NDArray[np.uint64]]:
    """The game, and the positions as bitboards (n, 3), which the caller may overwrite. The game may be None if n is 0."""
    from pawnstorm.planes import np

    if game is not None and not isinstance(game, str):
        raise TypeError(f"game must be a str, not {type(game).__name__}")
    rules = None if game is None else get_rules(game)
    if hasattr(positions, "__array__"):
        if rules is None:
            raise ValueError(
                "an array does not name its game: expected the game too, as in evaluate_many(array, 'breakthrough')"
            )
        return rules, _bitboards(rules, np.asarray(cast("ArrayLike", positions)))
    if isinstance(positions, Board) or not isinstance(positions, Iterable):
        raise TypeError(f"positions must be Boards or an array of their planes, not {type(positions).__name__}")
    bitboards = []
    for index, board in enumerate(positions):
        if not isinstance(board, Board):
            raise TypeError(f"position {index} must be a pawnstorm.Board, not {type(board).__name__}")
        position = board._position
        if rules is None:
            rules = position.rules
        elif position.rules is not rules:
            raise ValueError(f"position {index} is a board of {position.rules.name}: expected {rules.name}")
        bitboards.append(position.bitboards)
    return rules, np.array(bitboards, np.uint64).reshape(-1, 3)


def _bitboards(rules: Rules, planes: NDArray[np.generic]) -> NDArray[np.uint64]:
    """The bitboards (n, 3) of planes (n, 4, ranks, files), converted in parts that fit in the processor's cache."""
    from pawnstorm.planes import from_planes, np

    if planes.ndim == 4 and len(planes) > PART:
        try:
            parts = (planes[first : first + PART] for first in range(0, len(planes), PART))
            return np.concatenate([from_planes(rules, part)[0] for part in parts])
        except ValueError:
            pass  # this error counts positions within a part; the call below counts them from the start
    return from_planes(rules, planes)[0]
