"""What the race rules are worth to the search: a variant of the engine that counts the races it decides, and can be told
to see none, searches the same openings both ways.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from pawnstorm.numbers import pluralize
from pawnstorm_tools.benchmarks.speed import sample
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.startup import ROOT

GAMES = {"breakthrough": 12, "twoflags": 16}  # depth of each
# Two fields more in the engine's record, which counts and switches, and the functions of engine/pawnstorm/kernels/race.py in
# front of themselves.
FIELD = '("nodes", "u8", ()),'
FIELDS = FIELD + ' ("races", "u8", ()), ("blind", "u8", ()),'
COUNTING = """
from pawnstorm.kernels.kernel import ONE

_race_win_plies, _race_loss_plies = race_win_plies, race_loss_plies


@kernel(i32(u64, u64, STATE))
def race_win_plies(own, opp, state):
    if state.blind:
        return i32(0)
    plies = _race_win_plies(own, opp, state)
    if plies:
        state.races += ONE
    return plies


@kernel(i32(u64, u64, u64, STATE))
def race_loss_plies(own, opp, ep, state):
    if state.blind:
        return i32(0)
    plies = _race_loss_plies(own, opp, ep, state)
    if plies:
        state.races += ONE
    return plies
"""
DRIVER = """
import sys
from pawnstorm.search.engine import Engine
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search.limits import Limits

engine, rules = Engine(), get_rules(sys.argv[1])
engine.set_hash(64)
engine.set_threads(1)
state = engine.memory.states[0]
for fen in sys.stdin.read().splitlines():
    counted = []
    for blind in 0, 1:
        engine.new_game()
        state.races, state.blind = 0, blind
        engine.go(parse_fen(rules, fen), Limits(depth=int(sys.argv[2])))
        engine.wait()
        counted += engine.nodes, state.races
    print(*counted[:3], flush=True)
"""


def variant(folder):
    """A copy of the engine that counts races."""
    package = Path(folder) / "pawnstorm"
    shutil.copytree(ROOT / "engine" / "pawnstorm", package, ignore=shutil.ignore_patterns("__pycache__"))
    record = package / "core" / "state.py"
    text = record.read_text()
    assert text.count(FIELD) == 1, f"engine/pawnstorm/core/state.py has no field {FIELD} to put others behind"
    record.write_text(text.replace(FIELD, FIELDS))
    with open(package / "kernels" / "race.py", "a") as file:
        file.write(COUNTING)


def search_openings(folder, name, depth, fens):
    """Yield (nodes, races decided, nodes without races) of each opening, searched by the engine in a folder."""
    # In a session of its own: a terminal's Ctrl-C is for this program, which then ends the other.
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER, name, str(depth)],
        cwd=folder,
        text=True,
        start_new_session=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as engine:
        try:
            engine.stdin.write("\n".join(fens))
            engine.stdin.close()
            for line in engine.stdout:
                yield tuple(map(int, line.split()))
        finally:
            engine.kill()


def measure(count, depth=None):
    """Measure on `count` openings of each game, to its own depth unless one is given, and print. Raises RuntimeError."""
    with tempfile.TemporaryDirectory(prefix="bench-race-") as folder:
        variant(Path(folder))
        for name, usual in GAMES.items():
            fens = sample(name, count)
            searches = search_openings(folder, name, depth or usual, fens)
            found = list(tqdm(searches, name, len(fens), unit=" openings", file=sys.stderr, leave=False))
            if len(found) < len(fens):
                raise RuntimeError(f"the engine ended at opening {len(found) + 1} of {name}")
            show(f"{name} to depth {depth or usual}", found)


def show(title, found):
    """Print medians of (nodes, races decided, nodes without races)."""
    shares = [races / nodes for nodes, races, _ in found]
    ratios = [blind / nodes for nodes, _, blind in found]
    print(
        f"{title}, {pluralize(len(found), 'opening')}, {pluralize(sum(nodes for nodes, _, _ in found), 'node')}; medians: "
        f"races decide {100 * statistics.median(shares):.1f} % of the nodes; "
        f"without them {statistics.median(ratios):.2f} times the nodes ({min(ratios):.2f} to {max(ratios):.2f})",
        flush=True,
    )
