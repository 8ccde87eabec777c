"""What the race rules are worth to the search: `python scripts/bench_race.py`.

Builds a variant of the engine that counts the races it decides and can be told to see none, and has it search the same openings to the
same depth both ways, each from an empty table: nodes with and without races, and the share of the nodes that a race decides. Counting
changes no move and no node count.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tqdm import tqdm

from proving import arguments
from referee import ROOT, openings

from engine import rules

GAMES = {"breakthrough": 12, "twoflags": 16}   # depth of each
COUNT = 20                                     # openings, evenly from the file
# Two fields more in the engine's record, which counts and switches, and the functions of engine/race.py in front of themselves.
FIELD = '("nodes", "u8", ()), '
FIELDS = FIELD + '("races", "u8", ()), ("blind", "u8", ()), '
COUNTING = '''
from engine.kernel import ONE

_runs, _outrun = runs, outrun


@kernel(i32(u64, u64, STATE))
def runs(own, opp, state):
    if state.blind:
        return i32(0)
    plies = _runs(own, opp, state)
    if plies:
        state.races += ONE
    return plies


@kernel(i32(u64, u64, u64, STATE))
def outrun(own, opp, ep, state):
    if state.blind:
        return i32(0)
    plies = _outrun(own, opp, ep, state)
    if plies:
        state.races += ONE
    return plies
'''
DRIVER = '''
import sys
from engine.engine import Engine, Limits
from engine.notation import parse_fen
from engine.rules import game

engine, rules = Engine(), game(sys.argv[1])
engine.set_hash(64)
engine._make_records()
state = engine._states[0]
for fen in sys.stdin.read().splitlines():
    counted = []
    for blind in 0, 1:
        engine.new_game()
        state.races, state.blind = 0, blind
        engine.go(parse_fen(rules, fen), Limits(depth=int(sys.argv[2])))
        engine.wait()
        counted += engine.nodes, state.races
    print(*counted[:3], flush=True)
'''


def variant(folder):
    """A copy of the engine that counts races."""
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    record = folder / "engine" / "state.py"
    text = record.read_text()
    assert text.count(FIELD) == 1, f"engine/state.py has no field {FIELD}to put others behind"
    record.write_text(text.replace(FIELD, FIELDS))
    with open(folder / "engine" / "race.py", "a") as file:
        file.write(COUNTING)


def searched(folder, name, depth, fens):
    """Yield (nodes, races decided, nodes without races) of each opening, searched by the engine in a folder."""
    # In a session of its own: a terminal's Ctrl-C is for this program, which then ends the other.
    with subprocess.Popen([sys.executable, "-c", DRIVER, name, str(depth)], cwd=folder, text=True, start_new_session=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        try:
            engine.stdin.write("\n".join(fens))
            engine.stdin.close()
            for line in engine.stdout:
                yield tuple(map(int, line.split()))
        finally:
            engine.kill()


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=arguments.positive, help=f"({', '.join(f'{depth} in {name}' for name, depth in GAMES.items())})")
    parser.add_argument("--openings", type=arguments.positive, default=COUNT, metavar="N", help="of each game (%(default)s)")
    return parser.parse_args(words)


def main(words):
    asked = parse(words)
    try:
        with tempfile.TemporaryDirectory(prefix="bench-race-") as folder:
            variant(Path(folder))
            for name, depth in GAMES.items():
                fens = openings.read(ROOT / "scripts" / "openings" / f"{name}.epd", rules.game(name))
                fens = fens[::max(1, len(fens) // asked.openings)][:asked.openings]
                depth = asked.depth or depth
                found = list(tqdm(searched(folder, name, depth, fens), name, len(fens), unit=" openings", file=sys.stderr, leave=False))
                if len(found) < len(fens):
                    print(f"bench_race.py: the engine ended at opening {len(found) + 1} of {name}", file=sys.stderr)
                    return 1
                shares = [races / nodes for nodes, races, _ in found]
                ratios = [blind / nodes for nodes, _, blind in found]
                print(f"{name} to depth {depth}, {len(fens)} openings, {sum(nodes for nodes, _, _ in found):,} nodes; medians: "
                      f"races decide {100 * statistics.median(shares):.1f} % of the nodes; "
                      f"without them {statistics.median(ratios):.2f} times the nodes ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)
    except KeyboardInterrupt:
        print("bench_race.py: stopped", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
