"""Each program of scripts/ without a module of its own here, on the least that has it do its real work: what it prints
or writes is looked at, not only its status.
"""

import json
import os
import re
import subprocess
import sys

import pytest
from matches import FAIRY, ROOT, fake

from pawnstorm.core import native
from pawnstorm.evaluation import networks
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.referee import opening_book

SCRIPTS = ROOT / "scripts"
DEADLINE = 100  # seconds, for a machine that is busy with other things; each takes a few
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # where compiling would take longer than the work
pytestmark = pytest.mark.compiled


def run(program, *words, env=None):
    """stdout of a program that ends with status 0."""
    done = subprocess.run(
        [sys.executable, SCRIPTS / f"{program}.py", *map(str, words)],
        env=os.environ | (env or {}),
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bench_batches(folder):
    """It fails where two ways disagree."""
    few = ("--runs", 1, "--positions", 300, "--different", 20, "--late", 5, "--nodes", 10, "--limit", 100)
    out = run("bench_batches", *few, "--game", "breakthrough5x5", "--game", "breakthrough5x6")
    lines = re.findall(r"^  .* +[\d,]+ positions/s +\d+\.\d\d times$", out, re.M)
    assert (
        len(lines) == 2 * (7 + 4) + out.count("numpy, the same network")
        and out.count("not proven by 100 expansions") == 2
    )
    assert "breakthrough5x6: scores of 300 positions, 20 of them different" in out and "numpy, the same network" in out


def bench_environments(folder):
    """What is not installed is left out, and said to be."""
    out = run("bench_environments", "--variant", "breakthrough6", "--games", 1, "--runs", 1)
    assert re.search(r"^planes, all games at once +[\d,]+ +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d$", out, re.M)
    for name in ("env()", "raw_env()", "OpenSpiel in PettingZoo (Shimmy)", "PettingZoo's chess"):
        assert re.search(rf"^{re.escape(name)} +(left out: .*|[\d,]+ .*)$", out, re.M)


def bench_solver(folder):
    """A game that is proven several times takes the same each time; one that is given up has no winner."""
    out = run("bench_solver", "--variant", "hexapawn4x4", "--hash", 1, "--runs", 2)
    assert re.match(r"hexapawn4x4 +won, [\d,]+ expanded, [\d,]+ entries, \d+\.\d s\n$", out)
    out = run("bench_solver", "--variant", "twoflags", "--hash", 1, "--most", 100)
    assert out.startswith("twoflags                 ?, 100 expanded, ")
    (folder / "game.pgn").write_text('[Variant "Hexapawn4x4"]\n\n1. b2 c3 2. bxc3 dxc3 *\n')
    games = "bench_solver", "--games", folder / "game.pgn", "--plies", 0, 3, "--hash", 1
    out = run(*games, "--variant", "hexapawn4x4", "--count", 3)
    assert re.match(r"hexapawn4x4, games +3 positions, 3 proven, geometric mean, [\d,]+ expanded, ", out)


def bench_speed(folder):
    """It fails where its counts of nodes differ."""
    kinds = [*(["perft", "depth"] if FAIRY else []), "threads", "kernel"]
    out = run("bench_speed", *kinds, *"--runs 1 --shallower 5 --seconds 0.02 --openings 1".split())
    for depth in ("breakthrough depth 2", "twoflags depth 3"):
        assert re.search(rf"{depth} .* ratio +\d+\.\d\d", out)
    assert "two threads, one thread" in out and (not FAIRY or "branching factor" in out)


def bench_uci(folder):
    out = run("bench_uci", "--source", "--starts", 1, "--stops", 2, "--attempts", 1)
    size, resident, uciok, readyok, bestmove = map(float, re.search(r"^source( +[\d.]+){5}$", out, re.M)[0].split()[1:])
    assert 0 < uciok < readyok < bestmove and resident > 5
    assert len(re.findall(r"\d threads?: median [\d.]+!?, 99 % [\d.]+, worst of 2 [\d.]+", out)) == 2


def openings(folder):
    few = ("--count", 2, "--plies", 1, 2, "--nodes", 10)
    run("openings", "hexapawn", folder / "some.epd", *few, "--engine", fake("good"))
    assert len(set(opening_book.read_epd(folder / "some.epd", get_rules("hexapawn")))) == 2


def openspiel_match(folder):
    """In three runs, the last of which plays on where a kill has cut a line, and plays the same game again."""
    pytest.importorskip("pyspiel")
    words = (
        "openspiel_match",
        folder / "games",
        *"--size 2x4 --size 3x5 --simulations 20 --nodes 200".split(),
        "--games",
    )
    run(*words, 1)
    table = run(*words, 2)
    whole = (folder / "games").read_text()
    (folder / "games").write_text(whole[:-10])
    assert run(*words, 2) == run(*words, 2, "--table") == table and (folder / "games").read_text() == whole
    records = [json.loads(line) for line in whole.splitlines()[1:]]
    assert {record["size"]: record["winner"] for record in records if "winner" in record} == {"2x4": 1, "3x5": 0}
    games = [record for record in records if "actions" in record]
    won = {(game["size"], game["player"]): game["won"] for game in games}
    assert len(won) == len(games) == 4
    assert all((len(game["actions"]) % 2 == 0) == (game["won"] == game["player"]) for game in games)
    for size, value in (("2x4", 1), ("3x5", 0)):
        assert f"| {size} | player {value} | {won[size, 0]:d} of 1 | {won[size, 1]:d} of 1 |\n" in table
    assert f"20 simulations: {sum(won.values())} of 4 games won\nIllegal actions: 0\n" in table


def spsa(folder):
    """Three iterations, in two runs."""
    few = ("--openings", 1, "--nodes", 2, "--processes", 1, "--iterations", 2)
    words = "spsa", "tune", "breakthrough4x4", folder / "journal", "RFP_MARGIN", "LMR_DIVISOR", *few
    assert re.fullmatch(r"RFP_MARGIN \d+ \d+\.\d\d\nLMR_DIVISOR \d+ \d+\.\d\d\n", run(*words, env=PLAIN))
    whole = (folder / "journal").read_text()
    (folder / "journal").write_text("".join(whole.splitlines(keepends=True)[:-1]))
    assert run(*words, env=PLAIN) and (folder / "journal").read_text() == whole
    words = "spsa", "compare", "breakthrough4x4", folder / "test", "RFP_MARGIN=20", *few
    assert run(*words, env=PLAIN).startswith("RFP_MARGIN=20: 4 games, all pairs ended alike\n")


def train(folder):
    """All stages of two generations; what was done in the first run is not done again."""
    few = ("--games", 20, "--nodes", 2, "--passes", 1, "--match", 1, "--match-nodes", 2, "--processes", 1)
    words = "train", "breakthrough3x5", folder / "new", *few, "--plies", 1, 4, "--generations"
    assert run(*words, 1, env=PLAIN).count("generation 1 ") == 3
    again = run(*words, 2, env=PLAIN)
    assert again.count("generation 2 ") == 3 and "generation 1 " not in again
    log = [json.loads(line) for line in (folder / "new" / "generations.jsonl").read_text().splitlines()[1:]]
    assert [record["stage"] for record in log] == [
        f"{n} {name}" for n in (1, 2) for name in ("play", "learn", "compare")
    ]
    networks.load_network(folder / "new" / "2.network", "breakthrough3x5")


RUNS = {
    run.__name__: run
    for run in (
        bench_batches,
        bench_environments,
        bench_solver,
        bench_speed,
        bench_uci,
        openings,
        openspiel_match,
        spsa,
        train,
    )
}
# Their modules have test_*.py of their own, page has test_page_*.py.
ELSEWHERE = "datagen dataset diagram figures learn match opening_book page players positions puzzles release report solve strategy tune verify".split()


def test_every_program_has_a_run():
    assert sorted([*RUNS, *ELSEWHERE]) == sorted(path.stem for path in SCRIPTS.glob("*.py"))


@pytest.mark.parametrize("name", RUNS)
def test_program_does_its_work(name, tmp_path):
    native.core()
    RUNS[name](tmp_path)
