"""Every program of scripts/ once, on the least that has it do its real work: what it prints or writes is looked at, not only its status."""

import ast
import importlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

import naive
import proofs
from matches import FAIRY, ROOT, fake

from bench_uci import Engine as UciProcess

from engine import native
from engine.engine import Engine, Limits
from engine.notation import parse_fen
from engine.rules import game
from proving import prooffile
from referee import openings

SCRIPTS = ROOT / "scripts"
DEADLINE = 100      # seconds, for a machine that is busy with other things; each takes a few
PLAIN = {"NUMBA_DISABLE_JIT": "1"}      # where compiling would take longer than the work
pytestmark = pytest.mark.compiled


def run(program, *words, env=None, text=""):
    """stdout of a program that ends with status 0."""
    done = subprocess.run([sys.executable, SCRIPTS / f"{program}.py", *map(str, words)], env=os.environ | (env or {}), input=text,
                          capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bench_race(folder):
    """Counting changes no node count; where pawns are far apart, no race decides anything."""
    out = run("bench_race", "--depth", 2, "--openings", 1, env=PLAIN)
    for name, line in zip(("breakthrough", "twoflags"), out.splitlines(), strict=True):
        rules, engine = game(name), Engine()
        engine.go(parse_fen(rules, openings.read(SCRIPTS / "openings" / f"{name}.epd", rules)[0]), Limits(depth=2))
        engine.wait()
        assert line.startswith(f"{name} to depth 2, 1 openings, {engine.nodes:,} nodes; medians: races decide ")
        assert re.search(r"races decide \d+\.\d % of the nodes; without them \d\.\d\d times", line)


def bench_speed(folder):
    """It fails where its counts of nodes differ."""
    out = run("bench_speed", *(["perft", "depth"] if FAIRY else []), "threads", "kernel",
              "--runs", 1, "--shallower", 5, "--seconds", 0.02, "--openings", 1)
    assert re.search(r"breakthrough depth 2 .* ratio +\d+\.\d\d", out) and re.search(r"twoflags depth 3 .* ratio +\d+\.\d\d", out)
    assert "two threads, one thread" in out and (not FAIRY or "branching factor" in out)


def bench_uci(folder):
    out = run("bench_uci", "--source", "--starts", 1, "--stops", 2, "--attempts", 1)
    size, resident, uciok, readyok, bestmove = map(float, re.search(r"^source( +[\d.]+){5}$", out, re.M)[0].split()[1:])
    assert 0 < uciok < readyok < bestmove and resident > 5
    assert len(re.findall(r"\d threads?: median [\d.]+!?, 99 % [\d.]+, worst of 2 [\d.]+", out)) == 2


def board(folder):
    run("board", "ppp/3/PPP w - -", "--variant", "hexapawn", "--line", "b1b2 a3b2", "-o", folder / "board.svg")
    drawn = xml.parse(folder / "board.svg").getroot()
    assert len([path for path in drawn.iter("{http://www.w3.org/2000/svg}path") if "transform" in path.attrib]) == 6
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polygon"))) == 2


def datagen(folder):
    from learning import games
    run("datagen", "breakthrough4x4", folder / "games", "--games", 3, "--nodes", 50, "--processes", 1, "--plies", 0, 1)
    assert set(games.read(folder / "games", game("breakthrough4x4"))["game"]) <= {0, 1, 2}
    assert (folder / "games").stat().st_size > 0


def learn(folder):
    """`fit` is not quick on any input, as it knows 8x8 only: here its refusal, the rest in tests/programs/test_learn.py."""
    (folder / "positions").write_bytes(b"")
    done = subprocess.run([sys.executable, SCRIPTS / "learn.py", "fit", folder / "positions", "-o", folder / "network"],
                          capture_output=True, text=True, timeout=DEADLINE, env=os.environ | PLAIN)
    assert done.returncode == 2 and "holds positions of 0 roots: expected two or more" in done.stderr
    run("learn", "positions", folder / "positions", "--roots", 1, "--nodes", 30, "--processes", 1, "--hash", 1, env=PLAIN)
    from learning import positions
    assert set(positions.read(folder / "positions")["root"]) == {0}


def match(folder):
    out = run("match", "-engine", f"cmd={fake('good')}", "name=one", "-engine", f"cmd={fake('good')}", "name=two", "-each", "tc=10",
              "-variant", "hexapawn", "-rounds", 1, "-pgnout", folder / "games.pgn")
    assert "one against two: 2 games" in out and (folder / "games.pgn").read_text().count('[White "one"]') == 1


def openings_(folder):
    run("openings", "hexapawn", folder / "some.epd", "--count", 2, "--plies", 1, 2, "--nodes", 10, "--engine", fake("good"))
    assert len(set(openings.read(folder / "some.epd", game("hexapawn")))) == 2


def players(folder):
    with UciProcess([sys.executable, SCRIPTS / "players.py", "--player", "greedy"], DEADLINE) as player:
        player.ready("uci", "setoption name UCI_Variant value hexapawn", "position startpos")
        player.send("go")
        assert re.fullmatch("bestmove [abc]1[abc]2", player.until("bestmove")[-1])
    assert player.process.returncode == 0


def positions(folder):
    run("positions", "make", folder / "some", "--variant", "hexapawn", "--plies", 1, 2, "--count", 3, "--hash", 1)
    for line in (folder / "some").read_text().splitlines()[1:]:
        record = json.loads(line)
        position = naive.parse_fen(naive.GAMES["hexapawn3x3"], record["fen"])
        assert record["value"] == (1 if proofs.wins(position) else -1)


def report(folder):
    (folder / "games.pgn").write_text('[White "one"]\n[Black "two"]\n[Result "1-0"]\n[Variant "twoflags"]\n\n1. e4 d5 2. exd5 1-0\n')
    run("report", folder / "games.pgn", "-o", folder / "page.html")
    assert "exd5" in (page := (folder / "page.html").read_text()) and page.rstrip().endswith("</html>")


def solve(folder):
    out = run("solve", "--variant", "hexapawn", "--hash", 1, "--exact", "--moves", "--save", folder / "table")
    assert "\nwinner     Black, in 6 plies\n" in out and out.count("\nmove ") == 3 and (folder / "table").stat().st_size > 0


def strategy(folder):
    """The shipped program that makes what the engine ships; its proofs are in test_strategy.py, where the compiler is started once."""
    run("strategy", "make", folder / "book", "--variant", "hexapawn1x5", "--leaf", 1, "--hash", 1, env=PLAIN)
    out = run("strategy", "walk", folder / "book", "--engine", fake("good"), "--replies", 1)
    assert "White won 1 of 1 games" in out


def tune(folder):
    """On the positions of a hand-made file: one pawn against one, won where it is nearer home."""
    import numpy as np
    from learning import games
    records = np.zeros(40, games.RECORD)
    for number in range(40):
        records[number] = (1 << 8 * (1 + number % 2), 1 << 8 * 2 + 3, number, 0, 0, number % 2)
    records.tofile(folder / "games")
    run("tune", "breakthrough4x4", folder / "games", "--iterations", 2, "-o", folder / "weights.py", env=PLAIN)
    weights = {}
    exec((folder / "weights.py").read_text(), weights)
    assert np.array(weights["CLASSES"]).shape == (2, 2, 256) and np.array(weights["CLASSES"]).any()


def verify(folder):
    root = naive.start(naive.GAMES["hexapawn3x3"])
    prooffile.write(folder / "proof", proofs.proof(root, proofs.prove(root)))
    out = run("verify", folder / "proof", env=PLAIN)
    assert "\nwinner     Black\n" in out and out.endswith("\nverified\n")


RUNS = {function.__name__.rstrip("_"): function for function in (
    bench_race, bench_speed, bench_uci, board, datagen, learn, match, openings_, players, positions, report, solve, strategy, tune, verify)}
PROGRAMS = sorted(path.stem for path in SCRIPTS.glob("*.py"))


def test_every_program_has_a_run():
    assert PROGRAMS == sorted(RUNS)


@pytest.mark.parametrize("name", RUNS)
def test_program_does_its_work(name, tmp_path):
    native.core()
    RUNS[name](tmp_path)


# What compiles, and what takes as long to import: a program reads its words before.
SLOW = {"numba", "llvmlite", "scipy", "distributed", "vl_convert", "jinja2"}
CALLS = (["-h"], ["--no-such-flag"], [])
# Calls a program with one list of words after the other; one process for all, as what is imported stays imported.
CALLED = """
import contextlib, io, json, runpy, sys

sys.path.insert(0, sys.argv[1])
program, calls, told = sys.argv[2], json.loads(sys.argv[3]), []
for words in calls:
    sys.argv = [program, *words]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path(program, run_name="__main__")
        except SystemExit as end:
            told.append([end.code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode(), list(sys.modules)])
print(json.dumps(told))
"""


def called(name, calls, folder):
    """[(status, stdout, stderr, modules imported until then)] of a program's calls with lists of words."""
    done = subprocess.run([sys.executable, "-c", CALLED, SCRIPTS, SCRIPTS / f"{name}.py", json.dumps(calls)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=DEADLINE, cwd=folder)
    assert done.returncode == 0, done.stderr
    return [(status, out, err, set(modules)) for status, out, err, modules in json.loads(done.stdout)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_words_are_read_before_anything_is_compiled_or_written(name, tmp_path):
    """Help is for those who ask for it; without the words that it needs a program tells that."""
    help_, wrong, *none = called(name, CALLS if name in NEEDS_WORDS else CALLS[:2], tmp_path)
    status, out, err, _ = help_
    assert status == 0 and f"{name}.py" in out and err == ""
    for (status, out, err, modules), words in zip([wrong, *none], CALLS[1:]):
        assert status == 2 and out == "" and "Traceback" not in err
        # argparse tells first what is missing.
        assert "required" in err.splitlines()[-1] or words and words[0] in err
        assert not modules & SLOW and list(tmp_path.iterdir()) == []


NEEDS_WORDS = ("board", "datagen", "learn", "openings", "players", "positions", "report", "strategy", "tune", "verify")
LATE = [f"proving.{name}" for name in ("bookmaking", "checking", "conversion", "measure", "met", "spotcheck", "tree")] + [
    f"learning.{name}" for name in ("fitting", "harvest", "linear", "ntuple")]


@pytest.mark.parametrize("name, words, named", [
    ("bench_speed", ["kernel", "--engine", "none/engine"], "none/engine"), ("bench_uci", ["--dist", "none"], "none/pawnstorm"),
    ("board", ["8/8 w"], "2 ranks"), ("board", ["ppp/3/PPP w - -", "--variant", "hexapawn", "-o", "none/x.svg"], "none/x.svg"),
    ("datagen", ["chess", "games"], "'chess'"), ("datagen", ["breakthrough", "none/games"], "none/games"),
    ("datagen", ["breakthrough", "."], "."), ("datagen", ["breakthrough", str(ROOT / "README.md")], "holds no positions of breakthrough"),
    ("learn", ["positions", "none/positions"], "none/positions"), ("learn", ["positions", "."], "."),
    ("learn", ["fit", "none"], "'none'"), ("learn", ["fit", "."], "."), ("learn", ["fit", "none", "-o", "none/network"], "none/network"),
    ("openings", ["chess", "some.epd"], "'chess'"), ("openings", ["hexapawn", "none/some.epd"], "none/some.epd"),
    ("openings", ["hexapawn", "."], "."),
    ("positions", ["make", "none/x/some", "--variant", "chess"], "'chess'"), ("positions", ["make", "."], "'.'"),
    ("positions", ["value", "none", "some"], "none"), ("positions", ["epd", "none"], "none"), ("positions", ["check", "."], "'.'"),
    ("positions", ["measure", "none"], "none"), ("positions", ["conversion", "none", "none"], "none"),
    ("solve", ["--variant", "chess"], "'chess'"), ("solve", ["--fen", "8/8 w - -"], "2 ranks"),
    ("solve", ["--save", "none/table"], "none/table"), ("solve", ["--proof", "."], "."),
    ("strategy", ["make", "none/book"], "none/book"), ("strategy", ["prove", "none", "--proof", "proof"], "'none'"),
    ("strategy", ["prove", "none", "--proof", "none/proof"], "none/proof"), ("strategy", ["walk", ".", "--engine", "x"], "'.'"),
    ("tune", ["chess", "none"], "'chess'"), ("tune", ["breakthrough", "none"], "'none'"), ("tune", ["breakthrough", "."], "."),
    ("tune", ["breakthrough", "none", "-o", "none/weights.py"], "none/weights.py"),
    ("verify", ["none"], "'none'"), ("verify", ["."], "'.'"),
], ids=lambda value: value if isinstance(value, str) else None)
def test_bad_file_is_told_in_one_line_before_the_work(name, words, named, tmp_path, capsys, monkeypatch):
    """Whatever is imported to do the work, and compiled meanwhile, cannot be."""
    for module in LATE:
        monkeypatch.setitem(sys.modules, module, None)
        package, _, inner = module.partition(".")
        monkeypatch.delattr(importlib.import_module(package), inner, raising=False)
    monkeypatch.chdir(tmp_path)
    assert importlib.import_module(name).main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"{name}.py: ") and err.count("\n") == 1 and named in err
    assert list(tmp_path.iterdir()) == []


INTERRUPTED = """
import importlib.abc, os, runpy, signal, sys

class Interrupt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "argparse":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
sys.path.insert(0, sys.argv[1])
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_ctrl_c_while_a_program_is_imported_is_quiet():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, SCRIPTS, SCRIPTS / "solve.py", "-h"], capture_output=True, text=True,
                          timeout=DEADLINE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - {"match", "report"}))
def test_program_imports_first_what_makes_ctrl_c_quiet(name):
    tree = ast.parse((SCRIPTS / f"{name}.py").read_text())
    first = next(node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    assert isinstance(first, ast.Import) and [alias.name for alias in first.names] == ["ctrl_c"]
