"""How every program of scripts/ takes its words: before anything is compiled or written, and wrong ones in one line."""

import ast
import importlib
import json
import os
import subprocess
import sys

import pytest
from matches import ROOT

from pawnstorm_protocol.main import TOOLS

SCRIPTS = ROOT / "scripts"
DEADLINE = 100  # seconds, for a machine that is busy with other things; each takes a few
pytestmark = pytest.mark.compiled
PROGRAMS = sorted(path.stem for path in SCRIPTS.glob("*.py"))

# What compiles, and what takes as long to import: a program reads its words before.
SLOW = {"numba", "llvmlite", "scipy", "distributed", "vl_convert", "jinja2"}
CALLS = (["-h"], ["--no-such-flag"], [])
COLUMNS = 70  # of the terminal that is pretended

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
    done = subprocess.run(
        [sys.executable, "-c", CALLED, SCRIPTS, SCRIPTS / f"{name}.py", json.dumps(calls)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=DEADLINE,
        cwd=folder,
        env=os.environ | {"COLUMNS": str(COLUMNS)},
    )
    assert done.returncode == 0, done.stderr
    return [(status, out, err, set(modules)) for status, out, err, modules in json.loads(done.stdout)]


def program(name):
    """The module with the main() of a program, which lies with the tools if it is a command too."""
    return importlib.import_module(f"pawnstorm_tools.programs.{name}" if name in TOOLS else name)


@pytest.mark.parametrize("name", PROGRAMS)
def test_words_are_read_before_anything_is_compiled_or_written(name, tmp_path):
    """Help is for those who ask for it; without the words that it needs a program tells that."""
    help_, wrong, *none = called(name, CALLS if name in NEEDS_WORDS else CALLS[:2], tmp_path)
    status, out, err, _ = help_
    assert status == 0 and f"{name}.py" in out and err == ""
    # No terminal breaks a line; what has no space, such as a list of choices, cannot be broken here either.
    assert [line for line in out.splitlines() if len(line) >= COLUMNS - 1 and " " in line.strip()] == []
    for (status, out, err, modules), words in zip([wrong, *none], CALLS[1:]):
        assert status == 2 and out == "" and "Traceback" not in err
        assert words[0] in err if words else "required" in err
        assert not modules & SLOW and list(tmp_path.iterdir()) == []


NEEDS_WORDS = (
    "diagram",
    "datagen",
    "dataset",
    "figures",
    "learn",
    "opening_book",
    "openings",
    "openspiel_match",
    "page",
    "players",
    "positions",
    "puzzles",
    "release",
    "report",
    "spsa",
    "strategy",
    "train",
    "tune",
    "verify",
)

LATE = [
    "pawnstorm_tools.solving.book_maker",
    "pawnstorm_tools.checking.verdict",
    "pawnstorm_tools.measuring.conversion",
    "pawnstorm_tools.measuring.engine_measurement",
    "pawnstorm_tools.measuring.openspiel_games",
    "pawnstorm_tools.solving.figures.counting",
    "pawnstorm_tools.solving.kernels",
    "pawnstorm_tools.measuring.proof_check",
    "pawnstorm_tools.solving.plans",
    "pawnstorm_tools.solving.winning_strategy",
    "pawnstorm_tools.training.ntuple_training",
    "pawnstorm_tools.training.network_training",
    "pawnstorm_tools.training.network_match",
    "pawnstorm_tools.training.kernels",
    "pawnstorm_tools.training.self_play",
    "pawnstorm_tools.training.harvest",
    "pawnstorm_tools.training.weights_fit",
    "pawnstorm_tools.training.ntuple_model",
    "pawnstorm_tools.training.network_model",
]


@pytest.mark.parametrize(
    "name, words, named",
    [
        ("bench_batches", ["evaluate", "--game", "chess"], "'chess'"),
        ("bench_environments", ["--variant", "chess"], "'chess'"),
        ("bench_speed", ["kernel", "--engine", "none/engine"], "none/engine"),
        ("bench_uci", ["--dist", "none"], "none/pawnstorm"),
        ("diagram", ["8/8 w"], "found 2"),
        ("diagram", ["ppp/3/PPP w - -", "--variant", "hexapawn", "-o", "none/x.svg"], "none/x.svg"),
        ("datagen", ["chess", "games"], "'chess'"),
        ("datagen", ["breakthrough", "none/games"], "none/games"),
        ("datagen", ["breakthrough", str(ROOT / "README.md")], "holds no positions of breakthrough"),
        ("dataset", ["chess", "folder"], "'chess'"),
        ("dataset", ["hexapawn", str(ROOT / "README.md")], "README.md"),
        ("dataset", ["hexapawn", "folder", "--pgn", "none.pgn"], "none.pgn"),
        ("figures", ["depths", "none"], "'none'"),
        ("figures", ["depths", "."], ". is not a regular file"),
        ("figures", ["numbers", "run", "none"], "'none'"),
        ("figures", ["draw", "--tables", "none"], "none/growth.csv"),
        ("learn", ["positions", "none/positions"], "none/positions"),
        ("learn", ["fit", "none"], "'none'"),
        ("learn", ["fit", "none", "-o", "none/network"], "none/network"),
        ("opening_book", ["grow", "tree", "--variant", "chess"], "'chess'"),
        ("opening_book", ["grow", "none/tree"], "none/tree"),
        ("opening_book", ["grow", "."], "'.'"),
        ("opening_book", ["show", "none"], "'none'"),
        ("opening_book", ["write", "none", "book"], "'none'"),
        ("opening_book", ["write", "none", "none/book"], "none/book"),
        (
            "opening_book",
            ["write", str(ROOT / "README.md"), "book"],
            "README.md is not the results file of a tree of openings",
        ),
        ("openings", ["chess", "some.epd"], "'chess'"),
        ("openings", ["hexapawn", "none/some.epd"], "none/some.epd"),
        ("openspiel_match", ["none/games"], "none/games"),
        ("openspiel_match", ["."], "'.'"),
        ("positions", ["make", "none/x/some", "--variant", "chess"], "'chess'"),
        ("positions", ["make", "."], "'.'"),
        ("positions", ["value", "none", "some"], "none"),
        ("positions", ["check", "."], ". is"),
        ("positions", ["measure", "none"], "none"),
        ("positions", ["conversion", "none", "none"], "none"),
        ("solve", ["--variant", "chess"], "'chess'"),
        ("solve", ["--fen", "8/8 w - -"], "found 2"),
        ("solve", ["--save", "none/table"], "none/table"),
        ("solve", ["--proof", "."], "."),
        ("strategy", ["make", "none/book"], "none/book"),
        ("strategy", ["prove", "none", "--proof", "proof"], "'none'"),
        ("strategy", ["prove", "none", "--proof", "none/proof"], "none/proof"),
        ("strategy", ["walk", ".", "--engine", "x"], ". is not a regular file"),
        ("tune", ["chess", "none"], "'chess'"),
        ("tune", ["breakthrough", "none"], "'none'"),
        ("tune", ["breakthrough", "."], "."),
        ("tune", ["breakthrough", "none", "-o", "none/weights.py"], "none/weights.py"),
        ("verify", ["none"], "'none'"),
        ("verify", ["."], ". is not a regular file"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_bad_file_is_told_in_one_line_before_the_work(name, words, named, tmp_path, capsys, monkeypatch):
    """Whatever is imported to do the work, and compiled meanwhile, cannot be."""
    for module in LATE:
        monkeypatch.setitem(sys.modules, module, None)
        package, _, inner = module.partition(".")
        monkeypatch.delattr(importlib.import_module(package), inner, raising=False)
    monkeypatch.chdir(tmp_path)
    assert program(name).main(words) == 2
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
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, SCRIPTS, SCRIPTS / "solve.py", "-h"],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_imports_first_what_makes_ctrl_c_quiet(name):
    tree = ast.parse((SCRIPTS / f"{name}.py").read_text())
    first = next(node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    assert ast.unparse(first) == "from pawnstorm_tools import startup"
