"""Compares batches of positions with one position at a time: scores and proofs a second.

All methods take turns. The speeds of two methods are compared within each round, so a machine that slows down later does not
change the ratio. The printed ratio is the median over the rounds.
"""

import random
import statistics
import sys
import time

import numpy as np

import pawnstorm
from pawnstorm.batches import LEAST, MOST
from pawnstorm.batches import _bitboards as bitboards_of
from pawnstorm.core import native
from pawnstorm.core.batch import Batch
from pawnstorm.core.state import (
    BIAS_ROW,
    HIDDEN_WIDTH,
    INPUTS,
    MAX_ACTIVATION,
    OUTPUT_BUCKETS,
    OUTPUT_ROW,
    OUTPUT_SCALE,
    PAWN_KINDS,
    State,
)
from pawnstorm.evaluation import networks, weights
from pawnstorm.games.notation import fen
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.random_openings import random_board

FEW = 2000  # positions for a method that takes one at a time
CHUNK = 2048  # positions that the numpy network takes at once, so that its layers fit in the cache
HASH = 16  # MiB of the solvers
PER_GAME = 4  # late positions drawn from each game
OPENING = (4, 8)  # random plies before a game of the engine against itself


class BenchmarkError(RuntimeError):
    """Two methods disagree."""


def random_boards(name, count, rng):
    """`count` Boards, each after 0 to ranks * files random moves. Their games are not over."""
    rules, found = get_rules(name), []
    longest = 4 * rules.ranks * rules.files
    while len(found) < count:
        board = random_board(rules, (0, longest // 4), rng)
        if not board.is_game_over():
            found.append(pawnstorm.Board(name, fen(board)))
    return found


def late_boards(name, count, plies, nodes, seed):
    """`count` different Boards, at most PER_GAME from each game. plies: (least, most) from a Board to the end of its game.

    The engine plays the games against itself, with `nodes` nodes a move, after some random moves.
    """
    rng, found = random.Random(f"{name} {seed}"), {}
    with pawnstorm.Engine(hash=1) as engine, tqdm(total=count, desc=name, file=sys.stderr, leave=False) as bar:
        while len(found) < count:
            opening = random_board(get_rules(name), OPENING, rng)
            if opening.is_game_over():
                continue
            boards = [pawnstorm.Board(name, fen(opening))]
            engine.new_game()
            while not boards[-1].winner:
                boards.append(boards[-1].copy())
                boards[-1].push(engine.play(boards[-1], pawnstorm.Limit(nodes=nodes)).move)
            least, most = plies
            late = boards[max(0, len(boards) - 1 - most) : max(0, len(boards) - least)]
            found.update((board.fen, board) for board in rng.sample(late, min(PER_GAME, len(late))))
            bar.update(len(found) - bar.n)
    return list(found.values())[:count]


def by_kind(view):
    """The network's inputs: the planes, split by kind of pawn. The first plane's pawns move up.

    view: the planes (n, 2, ranks, files). Returns (n, 2, PAWN_KINDS, ranks, files). Both are bool.
    """
    padded = np.pad(view, ((0, 0), (0, 0), (1, 1), (1, 1)))
    behind = np.stack([padded[:, 0, :-2], padded[:, 1, 2:]], 1)  # the ranks from which pawns are protected
    ahead = np.stack([padded[:, 1, 2:], padded[:, 0, :-2]], 1)  # the other colour, on the ranks from which it attacks
    traits = behind[..., :-2], behind[..., 2:], ahead[..., :-2] | ahead[..., 2:], ahead[..., 1:-1]
    kind = sum(trait.astype(np.int8) << number for number, trait in enumerate(traits))
    return np.stack([view & (kind == number) for number in range(PAWN_KINDS)], 2)


class NumpyNetwork:
    """The neural network of a game (engine/pawnstorm/kernels/network.py) in float32, for positions as planes."""

    def __init__(self, rules, data):
        from pawnstorm_tools.training import network_model

        rows, self._added, scale = network_model.split(data)
        inputs = rows[:INPUTS].reshape(2, PAWN_KINDS, 8, 8, HIDDEN_WIDTH)[:, :, : rules.ranks, : rules.files]
        self._weights, self._bias = inputs.reshape(-1, HIDDEN_WIDTH), rows[BIAS_ROW]
        self._outputs = rows[OUTPUT_ROW:].reshape(OUTPUT_BUCKETS, 2, HIDDEN_WIDTH)
        self._unit = scale[0] / (MAX_ACTIVATION * MAX_ACTIVATION * OUTPUT_SCALE)

    def scores(self, planes):
        """The static scores, an int32 array of centipawns, of n positions as planes (n, 4, ranks, files)."""
        found = np.empty(len(planes), np.int32)
        for first in range(0, len(planes), CHUNK):
            part = planes[first : first + CHUNK]
            black = part[:, 3, 0, 0].reshape(-1, 1, 1, 1) != 0
            white_view, black_view = part[:, :2], part[:, 1::-1, ::-1]
            views = np.where(black, black_view, white_view), np.where(black, white_view, black_view)
            total = np.zeros(len(part), np.float32)
            bucket = np.minimum((white_view.sum((1, 2, 3), dtype=np.int32) - 1) // 4, OUTPUT_BUCKETS - 1)
            for number, view in enumerate(views):
                layer = by_kind(view != 0).reshape(len(part), -1).astype(np.float32) @ self._weights
                layer += self._bias
                np.clip(layer, 0, MAX_ACTIVATION, out=layer)
                layer *= layer
                total += np.einsum("ij,ij->i", layer, self._outputs[bucket, number])
            found[first : first + CHUNK] = np.floor(total * self._unit) + self._added[bucket]
        return found


def timed(work, count):
    """(the result of work(), positions a second), for work() on `count` positions."""
    start = time.perf_counter()
    result = work()
    return result, count / (time.perf_counter() - start)


def compare(title, ways, runs):
    """Run the methods {name: (work, positions)} in turns. Print two medians for each method: its positions a second, and its
    ratio to the first method. Returns {name: last result}.
    """
    rates, results = {name: [] for name in ways}, {}
    for _ in range(runs):
        for name, (work, count) in ways.items():
            results[name], rate = timed(work, count)
            rates[name].append(rate)
    print(title)
    base = next(iter(rates.values()))
    for name, column in rates.items():
        ratio = statistics.median(rate / first for rate, first in zip(column, base))
        print(f"  {name:36} {statistics.median(column):14,.0f} positions/s {ratio:10.2f} times", flush=True)
    return results


def score_rows(rules, rows, threads):
    """The scores of bitboards (n, 3), by the core without any conversion. Overwrites rows: the result is their first column."""
    states = [State() for _ in range(threads)]
    for state in states:
        state.set_game(rules)
        weights.set_weights(state, rules)
    Batch(native.core().evaluate_many, rows, states, LEAST, MOST).run()
    return rows[:, 0].view(np.int64)


def bench_evaluate(args):
    for name in args.games:
        compare_scores(name, args)


def compare_scores(name, args):
    rules, rng = get_rules(name), random.Random(1)
    boards = random_boards(name, args.different, rng)
    order = np.random.default_rng(1).permutation(np.resize(np.arange(len(boards)), args.positions))
    planes, repeated = np.stack([board.to_array() for board in boards])[order], [boards[index] for index in order]
    rows, few, count = bitboards_of(rules, planes), boards[:FEW], len(planes)
    ways = {
        "evaluate(), one at a time": (lambda: [pawnstorm.evaluate(board) for board in few], len(few)),
        "evaluate_many(), boards": (lambda: pawnstorm.evaluate_many(repeated), count),
        "evaluate_many(), planes": (lambda: pawnstorm.evaluate_many(planes, name), count),
        "  two threads": (lambda: pawnstorm.evaluate_many(planes, name, threads=2), count),
        "  planes to bitboards": (lambda: bitboards_of(rules, planes), count),
        "  bitboards to scores": (lambda: score_rows(rules, rows.copy(), 1), count),
        "  two threads, bitboards to scores": (lambda: score_rows(rules, rows.copy(), 2), count),
    }
    kind, data = next(iter(networks.numbers_of(rules).items()), (None, None))
    if kind == "network":
        network = NumpyNetwork(rules, data)
        ways["numpy, the same network in float32"] = lambda: network.scores(planes), count
    found = compare(f"{name}: scores of {count:,} positions, {len(boards):,} of them different", ways, args.runs)
    one = np.array([pawnstorm.evaluate(board) for board in boards])[order]
    for way, scores in found.items():
        if len(scores) == count and "to bitboards" not in way:
            difference = abs(scores - one).max()
            if difference > (1 if way.startswith("numpy") else 0):
                raise BenchmarkError(f"{name}: scores of {way.strip()} differ by {difference}")


def bench_solve(args):
    for name in args.games:
        compare_proofs(name, args)


def compare_proofs(name, args):
    boards, limit = late_boards(name, args.late, args.plies, args.nodes, 1), args.limit
    count = len(boards)

    def one_at_a_time():
        found = [pawnstorm.solve(board, hash=HASH, nodes=limit) for board in boards]
        return np.array(
            [0 if one is None else 1 if one.winner == board.turn else -1 for one, board in zip(found, boards)]
        )

    def one_solver():
        prover = Prover(HASH)
        return np.array([prover.prove(board._position, limit).value for board in boards])

    def batch(threads):
        return pawnstorm.solve_many(boards, nodes=limit, hash=HASH, threads=threads)

    ways = {
        "solve(), one at a time": (one_at_a_time, count),
        "one solver, one at a time": (one_solver, count),
        "solve_many()": (lambda: batch(1), count),
        "  two threads": (lambda: batch(2), count),
    }
    plies = f"{args.plies[0]} to {args.plies[1]} plies before the end"
    found = compare(
        f"{name}: proofs of {count:,} positions, {plies} of games with {args.nodes} nodes a move", ways, args.runs
    )
    values, nodes = found["solve_many()"].value, found["solve_many()"].nodes
    others = found["solve(), one at a time"], found["one solver, one at a time"], found["  two threads"].value
    if any((values * other < 0).any() for other in others):
        raise BenchmarkError(f"{name}: a position is won by one way and lost by another")
    print(
        f"  won {(values > 0).sum()}, lost {(values < 0).sum()}, not proven by {limit:,} expansions {(values == 0).sum()}; "
        f"expanded: median {np.median(nodes):,.0f}, mean {nodes.mean():,.0f}, most {nodes.max():,}"
    )


BENCHES = {"evaluate": bench_evaluate, "solve": bench_solve}
