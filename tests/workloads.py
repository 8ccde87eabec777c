"""Work for every exported kernel, the same each time it is asked for, so that two ways of running can be compared.

Each function of WORKLOADS takes a size and returns what it found, in lists of numbers and text. The boards are of all
kinds that a FEN can bring: from random games, and set up at will, with pawns anywhere, up to full boards. The seeds
are the numbers in the code.
"""

import random
from array import array

from pawnstorm.core import native
from pawnstorm.core.batch import Batch
from pawnstorm.core.hashtable import HashTable
from pawnstorm.evaluation import weights
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import EN_PASSANT_SUFFIXES, GAMES, get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits

EVERY_GAME = [
    *GAMES,
    *(f"twoflags{size}{mode}" for size in ("3x5", "8x8") for mode in EN_PASSANT_SUFFIXES.values() if mode),
]
BIG = ["twoflags", "breakthrough", "twoflags-ghost", "twoflags7x6", "breakthrough5x6", "hexapawn8x8"]
TINY = 1 / 128  # of a mebibyte: 512 entries, which a few thousand nodes fill


def set_up(rng, rules):
    """A board with pawns anywhere, on few squares or on all, and a right to take in passing where one is possible."""
    density, mine = rng.choice((0.05, 0.2, 0.5, 0.9, 1.0)), rng.choice((0.1, 0.5, 0.9))
    own = opp = 0
    squares = [1 << square for square in range(64) if rules.board >> square & 1]
    for square in squares:
        if rng.random() < density:
            if rng.random() < mine:
                own |= square
            else:
                opp |= square
    own &= ~rules.goal
    if not opp:
        opp = rng.choice([square for square in squares if not own & square])
    taken = own | opp
    passed = [
        square
        for square in squares
        if square & rules.ep_squares and opp & square >> 8 and not taken & (square | square << 8)
    ]
    ep = rng.choice(passed) if passed else 0
    return parse_fen(rules, fen(Board(rules, own, opp, ep, rng.random() < 0.5)))


def crowded(rules):
    """A board with as many moves as there can be: every second rank full, from the first on."""
    row = rules.home
    own = sum(row << 8 * rank for rank in range(0, rules.ranks - 1, 2))
    return Board(rules, own & ~rules.goal, rules.board & ~own & 1 << 8 * (rules.ranks - 1), 0, False)


def boards(name, count, seed):
    """`count` boards of a game, from random games and set up at will in turn, and the crowded one; some are over."""
    rng, rules, found = random.Random(f"{name} {seed}"), get_rules(name), []
    while len(found) < count:
        line = [Board.start(rules)]
        while line[-1].moves():
            line.append(line[-1].push(rng.choice(line[-1].moves())))
        found += [rng.choice(line), set_up(rng, rules)]
    return [*found[:count], crowded(rules)]


def rules(count):
    """Moves, successors, race, static score and perft of `count` boards of every game, and perft of its start."""
    found = []
    for name in EVERY_GAME:
        found.append(native.perft(get_rules(name), *Board.start(get_rules(name)).bitboards, 4 if count > 4 else 3))
        for board in boards(name, count, 1):
            moves = board.moves()
            found.append(
                [
                    moves,
                    [board.push(move).bitboards for move in moves],
                    native.race(board.rules, *board.bitboards),
                    native.evaluate(board.rules, *board.bitboards),
                    native.perft(board.rules, *board.bitboards, 2),
                ]
            )
    return found


def searched(engine, board, limits):
    """[nodes, score and line of each reported move] of a search that no clock has a part in."""
    reports = {}
    engine.on_info = lambda info: info.bound or reports.update({info.multipv: [info.score, info.pv]})
    engine.go(board, limits)
    engine.wait()
    return [engine.nodes, sorted(reports.items())]


def searches(count):
    """Searches of `count` boards, to a depth, a number of nodes or a win, with one line or one for each move."""
    rng, found = random.Random(2), []
    for number in range(count):
        name = rng.choice(EVERY_GAME if number % 2 else BIG)
        board = rng.choice(boards(name, 6, number))
        engine = Engine()
        engine.multipv = rng.choice((1, 1, 3, 128))
        engine.set_hash(1)
        engine.prepare()
        if number % 3:
            engine.memory.table = HashTable(1, TINY)
        limits = rng.choice(
            (
                Limits(depth=rng.randint(1, 4)),
                Limits(nodes=400),
                Limits(depth=200, nodes=200),
                Limits(mate=2, nodes=400),
            )
        )
        found.append([name, fen(board), *searched(engine, board, limits)])
    return found


def proofs(count):
    """What the solver finds of two boards of `count` games, with and without a limit, and the lines of its proofs.

    The table is too small for them.
    """
    rng, found, prover = random.Random(3), [], Prover(1, share=TINY)
    for number in range(count):
        name = rng.choice(EVERY_GAME if number % 2 else BIG)
        for board in rng.sample(boards(name, 6, number), 2):
            proof = prover.prove(board, 300)
            within = rng.randint(1, 9)
            found.append(
                [
                    name,
                    fen(board),
                    proof,
                    prover.nodes,
                    prover.line(board, False) if proof.value else [],
                    prover.prove(board, 100, within),
                    prover.nodes,
                ]
            )
    return found


def solved(count):
    """Who wins small boards, with the lines, and 8x8 Two Flags after `count` expansions; the table is too small."""
    found, prover = [], Prover(1, share=TINY)
    for name in ("twoflags3x5", "twoflags4x5", "breakthrough3x4", "breakthrough2x6", "hexapawn4x5"):
        board = Board.start(get_rules(name))
        found.append([name, prover.prove(board), prover.nodes, prover.line(board)])
    return [*found, prover.prove(Board.start(get_rules("twoflags")), count), prover.nodes]


def shared(count):
    """Who wins small boards, by two threads; these have then also searched larger ones, `count` positions of each.

    The tables are too small. What is returned does not depend on which thread is faster.
    """
    found, prover, player = [], Prover(1, 2, TINY), Engine()
    player.set_threads(2)
    player.set_hash(1)
    player.prepare()
    player.memory.table = HashTable(1, TINY)
    for name in ("twoflags3x5", "breakthrough3x4", "hexapawn4x5"):
        found.append([name, prover.prove(Board.start(get_rules(name))).value])
    for name in ("twoflags", "breakthrough"):
        board = Board.start(get_rules(name))
        prover.prove(board, count)
        searched(player, board, Limits(nodes=count))
    return found


def batches(count):
    """Scores and proofs of `count` boards of every game, all in one call. The table is too small for the proofs."""
    found = []
    for name in EVERY_GAME:
        rules = get_rules(name)
        rows = array("Q", [word for board in boards(name, count, 4) for word in board.bitboards])
        state = native.scratch(rules, 0, 0, 0)
        weights.set_weights(state, rules)
        scores, words = rows[:], rows[:]
        Batch(native.core().evaluate_many, scores, [state], count, count + 1).run()
        Prover(1, share=TINY).prove_many(rules, words, 100)
        found.append([name, list(scores), list(words)])
    return found


WORKLOADS = {function.__name__: function for function in (rules, searches, proofs, solved, shared, batches)}
