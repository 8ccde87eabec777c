"""What the race rules are worth to the search: `python scripts/bench_race.py [--deeper N]`.

Builds two variants of the engine beside it, one that knows no races and one that counts them, and searches the same openings to the same
depth with each from an empty table: nodes with and without, and the share of the nodes of the search that a race decides.
"""
import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from referee import ROOT, openings

from engine import rules

GAMES = {"breakthrough": 12, "twoflags": 16}   # depth of each
COUNT = 20                                     # openings, evenly from the file
BLIND = '''
@kernel(i32(u64, u64, STATE))
def runs(own, opp, state):
    return i32(0)


@kernel(i32(u64, u64, u64, STATE))
def outrun(own, opp, ep, state):
    return i32(0)
'''
COUNTING = '''
_runs, _outrun = runs, outrun


@kernel(i32(u64, u64, STATE))
def runs(own, opp, state):
    plies = _runs(own, opp, state)
    state.pad = i32(state.pad + (1 if plies else 0))
    return plies


@kernel(i32(u64, u64, u64, STATE))
def outrun(own, opp, ep, state):
    plies = _outrun(own, opp, ep, state)
    state.pad = i32(state.pad + (1 if plies else 0))
    return plies
'''
DRIVER = '''
import sys
from engine.engine import Engine, Limits
from engine.notation import parse_fen
from engine.rules import game

engine, rules = Engine(), game(sys.argv[1])
engine.set_hash(64)
for fen in sys.stdin.read().splitlines():
    engine.new_game()
    engine.go(parse_fen(rules, fen), Limits(depth=int(sys.argv[2])))
    engine.wait()
    print(engine.nodes, engine._states[0].pad, flush=True)
'''


def variant(folder, code):
    """A copy of the engine whose race.py ends in `code`."""
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    with open(folder / "engine" / "race.py", "a") as file:
        file.write("\n" + code)
    return folder


def run(folder, name, depth, fens):
    """[(nodes, races decided)] of the openings, by the engine in a folder."""
    done = subprocess.run([sys.executable, "-c", DRIVER, name, str(depth)], cwd=folder, input="\n".join(fens), text=True, check=True,
                          stdout=subprocess.PIPE)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deeper", type=int, default=0, help="plies beyond " + ", ".join(f"{d} ({g})" for g, d in GAMES.items()))
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-race-") as work:
        blind, counting = (variant(Path(work, name), code) for name, code in (("blind", BLIND), ("counting", COUNTING)))
        for name, depth in GAMES.items():
            fens = openings.read(ROOT / "scripts" / "openings" / f"{name}.epd", rules.game(name))
            fens = fens[::len(fens) // COUNT][:COUNT]
            with_races, without = (run(folder, name, depth + words.deeper, fens) for folder in (counting, blind))
            shares = [decided / nodes for nodes, decided in with_races]
            ratios = [blind_nodes / nodes for (nodes, _), (blind_nodes, _) in zip(with_races, without)]
            print(f"{name} to depth {depth + words.deeper}, {len(fens)} openings, medians: "
                  f"races decide {100 * statistics.median(shares):.1f} % of the nodes; "
                  f"without them {statistics.median(ratios):.2f} times the nodes ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)


if __name__ == "__main__":
    main()
