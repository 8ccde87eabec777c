"""Speed against named references in the same run: `python scripts/bench_speed.py [perft] [search] [threads] [kernel] [depth]`.

Without a word it does all of them.

perft     `go perft` from the start, one thread, against Fairy-Stockfish
search    nodes a second of a timed search of undecided positions, Hash 64, one thread, against Fairy-Stockfish
threads   nodes a second of two threads against one, on the same positions
kernel    `go perft` against scripts/perft.c, the same algorithm in C, compiled here with gcc -O3 -march=native
depth     of openings, evenly from a game's file, against Fairy-Stockfish: depth reached, time to a depth that both reached, nodes a
          second, effective branching factor (by how much a ply more multiplies the nodes, from depth 6 on). Each engine counts
          depth its own way

Both sides take turns, A B A B, and every figure is the median of the ratios of such pairs, so that a machine that slows down slows both.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_uci import ROOT, Engine, fairy_stockfish
from proving import arguments
from referee import openings

from engine import rules

PERFT = {"breakthrough": 7, "twoflags": 8}
HASH = 64
# Undecided: random plies from the start; in Breakthrough kept where Fairy-Stockfish saw no pawn between the sides after 1.5 s, in Two
# Flags where two threads of ours proved nothing in 11 s, which is rare.
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
SHALLOW = 6     # depth below which iterations say little
PATIENCE = 3600


class Unfit(RuntimeError):
    """An engine that does not do what is measured."""


def ours(words):
    """Our engine, ready; from source unless --engine says otherwise."""
    engine = Engine(shlex.split(words.engine) if words.engine else [sys.executable, "-m", "protocol"], PATIENCE, cwd=ROOT)
    engine.ready()
    return engine


def fairy():
    """Fairy-Stockfish, ready, with the project's variants."""
    engine = Engine([fairy_stockfish()], PATIENCE)
    engine.ready("uci", f"setoption name VariantPath value {ROOT / 'scripts' / 'variants.ini'}")
    return engine


def choose(engine, game):
    """Set the game; fails on an engine that does not know it. Fairy-Stockfish keeps its old board until the next position."""
    engine.send(f"setoption name UCI_Variant value {game}", "isready")
    lines = engine.until("readyok")
    if not any(line.startswith(f"info string variant {game} ") for line in lines):
        raise Unfit(f"{shlex.join(engine.process.args)} does not know {game}")
    engine.ready("position startpos")


def perft(engine, depth):
    """(nodes, seconds) of `go perft`."""
    begun = time.perf_counter()
    engine.send(f"go perft {depth}")
    nodes = int(engine.until("Nodes searched")[-1].split(":")[1])
    return nodes, time.perf_counter() - begun


def search(engine, fen, seconds):
    """Nodes a second at the last info line of a timed search; None when it found the game decided, since then it counts little."""
    engine.ready("ucinewgame", f"position fen {fen}")
    engine.send(f"go movetime {round(seconds * 1000)}")
    lines = [line.split() for line in engine.until("bestmove")]
    last = [line for line in lines if "nodes" in line and "time" in line][-1]
    if "mate" in last:
        return None
    field = {name: int(last[last.index(name) + 1]) for name in ("nodes", "time")}
    return max(1, field["nodes"]) * 1000 / max(1, field["time"])


def show(title, pairs):
    """Print the medians of pairs (a, b) of nodes a second, the median of their ratios, and its range."""
    ratios = sorted(a / b for a, b in pairs)
    a, b = (statistics.median(column) for column in zip(*pairs))
    spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}, n = {len(ratios)}"
    print(f"{title:24} {a:16,.0f} {b:16,.0f} nodes/s   ratio {statistics.median(ratios):8.2f}   ({spread})", flush=True)


def bench_perft(words):
    with ours(words) as us, fairy() as them:
        print("go perft: ours, Fairy-Stockfish")
        for game, depth in PERFT.items():
            depth -= words.shallower
            choose(us, game)
            choose(them, game)
            perft(us, max(1, depth - 2)), perft(them, max(1, depth - 3))
            pairs = []
            for _ in range(words.runs):
                (our_nodes, our_seconds), (nodes, seconds) = perft(us, depth), perft(them, depth)
                if our_nodes != nodes:
                    raise Unfit(f"{game} {depth}: {our_nodes} nodes, Fairy-Stockfish counts {nodes}")
                pairs.append((our_nodes / our_seconds, nodes / seconds))
            show(f"{game} depth {depth}", pairs)


def bench_search(words):
    with ours(words) as us, fairy() as them:
        print(f"search, {words.seconds} s each, Hash {HASH}, one thread: ours, Fairy-Stockfish")
        for engine in us, them:
            engine.ready(f"setoption name Hash value {HASH}", "setoption name Threads value 1")
        timed_pairs(words, us, them)


def bench_threads(words):
    with ours(words) as two, ours(words) as one:
        print(f"search, {words.seconds} s each, Hash {HASH}: two threads, one thread")
        for engine, threads in (two, 2), (one, 1):
            engine.ready(f"setoption name Hash value {HASH}", f"setoption name Threads value {threads}")
        timed_pairs(words, two, one)


def timed_pairs(words, first, second):
    """Search each game's positions with both engines in turn."""
    for game, fens in POSITIONS.items():
        choose(first, game)
        choose(second, game)
        pairs = [(search(first, fen, words.seconds), search(second, fen, words.seconds)) for fen in fens]
        undecided = [pair for pair in pairs if None not in pair]
        if len(undecided) < len(pairs):
            print(f"{game}: {len(pairs) - len(undecided)} positions were decided and are left out")
        if undecided:
            show(game, undecided)


def iterations(engine, fen, seconds):
    """{depth: (nodes, milliseconds)} of the finished iterations of a timed search."""
    engine.ready("ucinewgame", f"position fen {fen}")
    engine.send(f"go movetime {round(seconds * 1000)}")
    found = {}
    for line in (line.split() for line in engine.until("bestmove")):
        if "depth" in line and "nodes" in line and not {"lowerbound", "upperbound", "mate"} & set(line):
            depth, nodes, time_ = (int(line[line.index(name) + 1]) for name in ("depth", "nodes", "time"))
            found.setdefault(depth, (nodes, max(1, time_)))
    return found


def branching(found):
    """By how much a ply more multiplied the nodes, from depth SHALLOW on; None where there were fewer than four such plies."""
    depths = sorted(depth for depth in found if depth >= SHALLOW)
    if len(depths) < 4:
        return None
    return (found[depths[-1]][0] / found[depths[0]][0]) ** (1 / (depths[-1] - depths[0]))


def bench_depth(words):
    with ours(words) as us, fairy() as them:
        print(f"{words.openings} openings a game, {words.seconds} s each, Hash {HASH}, one thread: ours, Fairy-Stockfish; medians")
        for engine in us, them:
            engine.ready(f"setoption name Hash value {HASH}", "setoption name Threads value 1")
        for game in POSITIONS:
            choose(us, game), choose(them, game)
            fens = openings.read(ROOT / "scripts" / "openings" / f"{game}.epd", rules.game(game))
            pairs = [(iterations(us, fen, words.seconds), iterations(them, fen, words.seconds))
                     for fen in fens[::max(1, len(fens) // words.openings)][:words.openings]]
            ratios = []
            for found in pairs:
                common = max(set(found[0]) & set(found[1]), default=0)
                if common >= SHALLOW:
                    ratios.append(found[1][common][1] / found[0][common][1])
            for title, figure in (("depth", lambda found: max(found)),
                                  ("nodes/s", lambda found: 1000 * max(found.values())[0] / max(found.values())[1]),
                                  ("branching factor", branching)):
                columns = ([value for found in column if found and (value := figure(found))] for column in zip(*pairs))
                print(f"{game:14} {title:18}"
                      + "".join(f" {statistics.median(column):12,.2f}" if column else f" {'none':>12}" for column in columns), flush=True)
            if ratios:
                print(f"{game:14} time to the deepest common depth: {statistics.median(ratios):.2f} times faster than Fairy-Stockfish "
                      f"({min(ratios):.2f} to {max(ratios):.2f}, n = {len(ratios)})", flush=True)


def bench_kernel(words):
    source, compiler = ROOT / "scripts" / "perft.c", shutil.which("gcc")
    with tempfile.TemporaryDirectory(prefix="bench-speed-") as work, ours(words) as us:
        print("go perft: ours, C")
        program = Path(work, "perft")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        for game, depth in PERFT.items():
            depth -= words.shallower
            choose(us, game)
            perft(us, max(1, depth - 1))
            pairs = []
            for _ in range(words.runs):
                our_nodes, our_seconds = perft(us, depth)
                nodes, seconds = in_c(program, game, depth)
                if our_nodes != nodes:
                    raise Unfit(f"{game} {depth}: {our_nodes} nodes, the C program counts {nodes}")
                pairs.append((our_nodes / our_seconds, nodes / seconds))
            show(f"{game} depth {depth}", pairs)


def in_c(program, game, depth):
    """(nodes, seconds) as `perft GAME DEPTH` prints them."""
    done = subprocess.run([program, game, str(depth)], check=True, capture_output=True, text=True, timeout=PATIENCE)
    nodes, seconds = done.stdout.split()
    return int(nodes), max(1e-6, float(seconds))    # of which it prints six digits


BENCHES = {"perft": bench_perft, "search": bench_search, "threads": bench_threads, "kernel": bench_kernel, "depth": bench_depth}
AGAINST_FAIRY = {"perft", "search", "depth"}


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benches", nargs="*", metavar="bench", help=f"of {', '.join(BENCHES)}")
    parser.add_argument("--engine", help="the command that starts our engine (default: from source)")
    parser.add_argument("--runs", type=arguments.positive, default=5, help="pairs of perft (%(default)s)")
    parser.add_argument("--shallower", type=int, choices=range(6), default=0, metavar="N", help="plies less of perft, 0 to 5 (%(default)s)")
    parser.add_argument("--seconds", type=arguments.above_nought, default=10, help="of each search (%(default)s)")
    parser.add_argument("--openings", type=arguments.positive, default=20, metavar="N", help="of each game, for depth (%(default)s)")
    asked = parser.parse_args(words)
    if unknown := [name for name in asked.benches if name not in BENCHES]:
        parser.error(f"unknown bench {', '.join(unknown)}: expected {', '.join(BENCHES)}")
    asked.benches = asked.benches or list(BENCHES)
    # Said before the work, not after a part of it.
    if fairy_stockfish() is None and (needing := [name for name in asked.benches if name in AGAINST_FAIRY]):
        parser.error(f"fairy-stockfish is not on the path: expected for {', '.join(needing)}; Debian has it as a package of this name")
    if "kernel" in asked.benches and shutil.which("gcc") is None:
        parser.error("gcc is not on the path: expected for kernel")
    return asked


def main(words):
    asked = parse(words)
    try:
        for name in asked.benches:
            BENCHES[name](asked)
    except (Unfit, OSError, ValueError, subprocess.CalledProcessError) as error:    # ValueError: of a command's quotes
        print(f"bench_speed.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bench_speed.py: stopped", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
