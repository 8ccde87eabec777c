"""Measures the speed of this engine (A) and of a reference (B) in turns: A B A B. Each pair A B gives a ratio, and the median
of these ratios is printed. If the machine slows down, it slows both of a pair.
"""

import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pawnstorm.games.rules import get_rules as rules_of
from pawnstorm.numbers import pluralize
from pawnstorm_tools.common.random_openings import evenly
from pawnstorm_tools.common.timed_engine import Engine, fairy_stockfish
from pawnstorm_tools.referee import opening_book
from pawnstorm_tools.startup import ROOT

PERFT = {"breakthrough": 7, "twoflags": 8}
HASH = 64
# Undecided positions, some random plies from the start. In Breakthrough, Fairy-Stockfish saw no difference of a pawn
# between the sides after 1.5 s. In Two Flags, two threads of ours proved nothing in 11 s, which is rare.
POSITIONS = {
    "breakthrough": [
        "p1pppppp/p1pppppp/1p1p4/8/6P1/1P6/P1PP1PPP/PPPPPPPP w - - 0 1",
        "pppp1ppp/pppppp2/5p1p/7p/2P5/P3P3/PPP1P1PP/P1PPPPPP w - - 0 1",
        "ppppp1pp/p1p1p1pp/3pp1p1/1p6/8/1PP1PPP1/P2PP2P/PPP1PPPP w - - 0 1",
        "pppppppp/2ppp2p/p5p1/1p3p2/8/1PPP1P2/P1P1PPPP/PPPP2PP w - - 0 1",
        "pp1ppp1p/1ppppppp/1pp2p2/8/3P4/1P1P2PP/P1P4P/PPPPPPPP b - - 0 1",
    ],
    "twoflags": [
        "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1",
        "8/pppp2pp/5p2/4p3/8/3P2P1/PPP1PP1P/8 w - - 0 1",
        "8/ppppp2p/5p2/6p1/8/P6P/1PPPPPP1/8 w - - 0 1",
        "8/pp1pp1pp/5p2/2p5/8/P5P1/1PPPPP1P/8 w - - 0 1",
        "8/p1pppp1p/6p1/Pp6/8/8/1PPPPPPP/8 b - - 0 1",
    ],
}
SHALLOW = 6  # iterations below this depth say little
PATIENCE = 3600


class BenchmarkError(RuntimeError):
    """An engine does not know a game, or two programs count different perft nodes."""


def sample(name, count):
    """FENs of `count` openings of a game, spread evenly over its file."""
    return evenly(opening_book.read_epd(ROOT / "scripts" / "openings" / f"{name}.epd", rules_of(name)), count)


def ours(args):
    """Our engine, ready; from source unless --engine names another command."""
    command = shlex.split(args.engine) if args.engine else [sys.executable, "-m", "pawnstorm"]
    engine = Engine(command, PATIENCE, cwd=ROOT)
    engine.ready()
    return engine


def fairy():
    """Fairy-Stockfish, ready, with the project's variants."""
    engine = Engine([fairy_stockfish()], PATIENCE)
    engine.ready("uci", f"setoption name VariantPath value {ROOT / 'scripts' / 'variants.ini'}")
    return engine


def choose(engine, game):
    """Set the game and its start position: Fairy-Stockfish keeps its old board until the next `position`. Raises
    BenchmarkError if the engine does not know the game.
    """
    engine.send(f"setoption name UCI_Variant value {game}", "isready")
    lines = engine.until("readyok")
    if not any(line.startswith(f"info string variant {game} ") for line in lines):
        raise BenchmarkError(f"{shlex.join(engine.process.args)} does not know {game}")
    engine.ready("position startpos")


def perft(engine, depth):
    """(nodes, seconds) of `go perft`."""
    start = time.perf_counter()
    engine.send(f"go perft {depth}")
    nodes = int(engine.until("Nodes searched")[-1].split(":")[1])
    return nodes, time.perf_counter() - start


def timed_search(engine, fen, seconds):
    """The words of each line that a timed search from an empty table prints."""
    engine.ready("ucinewgame", f"position fen {fen}")
    engine.send(f"go movetime {round(seconds * 1000)}")
    return [line.split() for line in engine.until("bestmove")]


def numbers(line, *names):
    """The numbers after these words of an info line."""
    return [int(line[line.index(name) + 1]) for name in names]


def nodes_per_second(engine, fen, seconds):
    """Nodes a second, from the last info line of a timed search. None if it has a mate: the speed then says little."""
    last = [line for line in timed_search(engine, fen, seconds) if "nodes" in line and "time" in line][-1]
    if "mate" in last:
        return None
    nodes, milliseconds = numbers(last, "nodes", "time")
    return max(1, nodes) * 1000 / max(1, milliseconds)


def show(title, pairs):
    """Print the medians of pairs (a, b) of nodes a second, and the median and the range of their ratios."""
    ratios = sorted(a / b for a, b in pairs)
    a, b = (statistics.median(column) for column in zip(*pairs))
    spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}, n = {len(ratios)}"
    print(f"{title:24} {a:16,.0f} {b:16,.0f} nodes/s   ratio {statistics.median(ratios):8.2f}   ({spread})", flush=True)


def set_up(engine, threads=1):
    """Set the size of an engine's table and its number of threads for the timed searches."""
    engine.ready(f"setoption name Hash value {HASH}", f"setoption name Threads value {threads}")


def compare_perfts(args, engine, other, name):
    """Run perft by an engine and by other(game, depth) in turns. Raises BenchmarkError if their counts differ."""
    for game, depth in PERFT.items():
        depth -= args.shallower
        choose(engine, game)
        perft(engine, max(1, depth - 2))
        pairs = []
        for _ in range(args.runs):
            (our_nodes, our_seconds), (nodes, seconds) = perft(engine, depth), other(game, depth)
            if our_nodes != nodes:
                raise BenchmarkError(f"{game} {depth}: {our_nodes} nodes, {name} counts {nodes}")
            pairs.append((our_nodes / our_seconds, nodes / seconds))
        show(f"{game} depth {depth}", pairs)


def bench_perft(args):
    with ours(args) as us, fairy() as them:
        print("go perft: ours, Fairy-Stockfish")
        for game, depth in PERFT.items():
            choose(them, game)
            perft(them, max(1, depth - args.shallower - 3))

        def by_fairy(game, depth):
            choose(them, game)
            return perft(them, depth)

        compare_perfts(args, us, by_fairy, "Fairy-Stockfish")


def bench_search(args):
    with ours(args) as us, fairy() as them:
        print(f"search, {args.seconds} s each, Hash {HASH}, one thread: ours, Fairy-Stockfish")
        set_up(us)
        set_up(them)
        timed_pairs(args, us, them)


def bench_threads(args):
    with ours(args) as two, ours(args) as one:
        print(f"search, {args.seconds} s each, Hash {HASH}: two threads, one thread")
        set_up(two, threads=2)
        set_up(one)
        timed_pairs(args, two, one)


def timed_pairs(args, first, second):
    """Search each game's positions with both engines in turn."""
    for game, fens in POSITIONS.items():
        choose(first, game)
        choose(second, game)
        pairs = [tuple(nodes_per_second(engine, fen, args.seconds) for engine in (first, second)) for fen in fens]
        undecided = [pair for pair in pairs if None not in pair]
        if len(undecided) < len(pairs):
            print(f"{game}: {pluralize(len(pairs) - len(undecided), 'decided position')} left out")
        if undecided:
            show(game, undecided)


def iterations(engine, fen, seconds):
    """{depth: (nodes, milliseconds)} of the finished iterations of a timed search."""
    found = {}
    for line in timed_search(engine, fen, seconds):
        if "depth" in line and "nodes" in line and not {"lowerbound", "upperbound", "mate"} & set(line):
            depth, nodes, milliseconds = numbers(line, "depth", "nodes", "time")
            found.setdefault(depth, (nodes, max(1, milliseconds)))
    return found


def branching(found):
    """The mean factor by which one more ply of depth multiplies the nodes. None if it cannot be measured well.

    found: as iterations() returns it. Only the depths from SHALLOW on are used, and there must be at least four of them.
    """
    depths = sorted(depth for depth in found if depth >= SHALLOW)
    if len(depths) < 4:
        return None
    return (found[depths[-1]][0] / found[depths[0]][0]) ** (1 / (depths[-1] - depths[0]))


def bench_depth(args):
    with ours(args) as us, fairy() as them:
        conditions = f"{pluralize(args.openings, 'opening')} a game, {args.seconds} s each, Hash {HASH}, one thread"
        print(f"{conditions}: ours, Fairy-Stockfish; medians")
        set_up(us)
        set_up(them)
        for game in POSITIONS:
            choose(us, game)
            choose(them, game)
            show_depths(
                game,
                [
                    (iterations(us, fen, args.seconds), iterations(them, fen, args.seconds))
                    for fen in sample(game, args.openings)
                ],
            )


def show_depths(game, pairs):
    """Print medians of depth, speed and branching factor of two engines, from their iterations in the same positions."""
    for title, figure in (
        ("depth", max),
        ("nodes/s", lambda found: 1000 * max(found.values())[0] / max(found.values())[1]),
        ("branching factor", branching),
    ):
        columns = ([value for found in column if found and (value := figure(found))] for column in zip(*pairs))
        medians = [f"{statistics.median(column):,.2f}" if column else "none" for column in columns]
        print(f"{game:14} {title:18}" + "".join(f" {median:>12}" for median in medians), flush=True)
    ratios = []
    for our_iterations, iterations_of_other in pairs:
        common = max(set(our_iterations) & set(iterations_of_other), default=0)
        if common >= SHALLOW:
            ratios.append(iterations_of_other[common][1] / our_iterations[common][1])
    if ratios:
        print(
            f"{game:14} time to the deepest common depth: {statistics.median(ratios):.2f} times faster "
            f"than Fairy-Stockfish ({min(ratios):.2f} to {max(ratios):.2f}, n = {len(ratios)})",
            flush=True,
        )


def bench_kernel(args):
    source, compiler = Path(__file__).with_name("perft.c"), shutil.which("gcc")
    with tempfile.TemporaryDirectory(prefix="bench-speed-") as work, ours(args) as us:
        print("go perft: ours, C")
        program = Path(work, "perft")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        compare_perfts(args, us, lambda game, depth: in_c(program, game, depth), "the C program")


def in_c(program, game, depth):
    """(nodes, seconds) as `perft GAME DEPTH` prints them."""
    done = subprocess.run([program, game, str(depth)], check=True, capture_output=True, text=True, timeout=PATIENCE)
    nodes, seconds = done.stdout.split()
    return int(nodes), max(1e-6, float(seconds))  # it prints six digits after the point


BENCHES = {
    "perft": bench_perft,
    "search": bench_search,
    "threads": bench_threads,
    "kernel": bench_kernel,
    "depth": bench_depth,
}
AGAINST_FAIRY = {"perft", "search", "depth"}
