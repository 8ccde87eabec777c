"""Ten thousand random turns: whatever is said during a search, each go has one best move, and a stop is heard at once."""

import math
import random
import time

import pytest
from client import SOURCE, Client
from uci_audit import root

GAMES = (
    "twoflags pawnsonly twoflags7x7 twoflags5x5 breakthrough breakthrough7 breakthrough6 breakthrough5 minibreakthrough "
    "breakthrough4x5 hexapawn hexapawn6x6"
).split()
TURNS = 10_000  # of all cases together
pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(3600)]

ENDLESS = (
    "infinite",
    "",
    "ponder wtime 60000 btime 60000",
    "ponder movetime 20",
    "ponder depth 3",
    "mate infinite infinite",
)
LIMITED = (
    "movetime 3",
    "depth 4",
    "nodes 700",
    "wtime 60 btime 60",
    "wtime 0 btime 0",
    "mate 2 nodes 3000",
    "movetime 0",
)
LONG = "mate infinite", "movetime 60000", "wtime 3600000 btime 3600000", "depth 150", "mate 60"
SETTINGS = (
    "Hash value 1", "Hash value 16", "Threads value 1", "Threads value 2", "MultiPV value 1", "MultiPV value 3",
    "UCI_LimitStrength value true", "UCI_LimitStrength value false", "UCI_Elo value 1500", "OwnBook value false",
    "OwnBook value true", "Move Overhead value 0", "Clear Hash", "Nonsense value 3",
)  # fmt: skip


def line_of_play(source, game):
    """(moves, the Root that they lead to), not beyond the end of the game."""
    where, moves = root(game), []
    for _ in range(source.randrange(30)):
        if where.over():
            break
        moves.append(source.choice(where.moves()))
        where = where.play(moves[-1])
    return moves, where


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_every_go_of_many_random_turns_has_one_best_move(game, threads):
    source, late = random.Random(f"{game} {threads}"), []
    with Client(SOURCE) as engine:
        engine.ask(f"setoption name UCI_Variant value {game}", f"setoption name Threads value {threads}")
        for _ in range(math.ceil(TURNS / (2 * len(GAMES)))):
            moves, where = line_of_play(source, game)
            engine.send(" ".join(["position startpos moves", *moves]))
            limits = source.choice(source.choice([ENDLESS, LIMITED, LONG]))
            engine.send(f"go {limits}".strip())
            for _ in range(source.randrange(4)):
                time.sleep(source.choice([0, 0, 0, 0.0002, 0.001, 0.005, 0.03]))
                engine.send(source.choice(["isready", "ponderhit", "d", f"setoption name {source.choice(SETTINGS)}"]))
            time.sleep(source.choice([0, 0, 0.0005, 0.002, 0.01, 0.1]))
            start = time.perf_counter()
            lines = engine.stop()
            late.append(time.perf_counter() - start)
            best = lines[-1].split()[1]
            assert best in where.moves() if where.moves() else best == "(none)", (best, where.fen())
            assert not any(line.startswith("bestmove") for line in engine.sync())
            engine.ask(f"setoption name UCI_Variant value {game}", f"setoption name Threads value {threads}")
            engine.check()
    late.sort()
    print(
        f"{game}, {threads} threads: {len(late)} stops, median {1000 * late[len(late) // 2]:.2f} ms, longest {1000 * late[-1]:.1f} ms"
    )
