"""Every program of scripts/ once, on the least that has it do its real work: what it prints or writes is looked at, not
only its status."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import proofs
import pytest
from matches import FAIRY, ROOT, fake

from pawnstorm.core import native
from pawnstorm.evaluation import networks
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import game
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm_tools.benchmarks.timed_engine import Engine as UciProcess
from pawnstorm_tools.checking import naive, prooffile
from pawnstorm_tools.referee import opening_book

SCRIPTS = ROOT / "scripts"
DEADLINE = 100  # seconds, for a machine that is busy with other things; each takes a few
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # where compiling would take longer than the work
pytestmark = pytest.mark.compiled


def run(program, *words, env=None, text=""):
    """stdout of a program that ends with status 0."""
    done = subprocess.run(
        [sys.executable, SCRIPTS / f"{program}.py", *map(str, words)],
        env=os.environ | (env or {}),
        input=text,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bench_cluster(folder):
    """Two workers do jobs, of a proof and of a match whose moves took no time."""
    few, told = ("--workers", 2, "--seconds", 0.5), r"2 workers: [\d,.]+ jobs a second, a job .* \d+\.\d % idle; master"
    out = run("bench_cluster", "proof", "--variant", "breakthrough5x5", "--speed", 10**6, *few)
    assert re.search(told, out) and ": 0.0 jobs" not in out
    engines = [word for name in ("one", "two") for word in ("-engine", f"cmd={fake('good')}", f"name={name}")]
    run("match", *engines, "-each", "tc=10", "-variant", "hexapawn", "-resume", folder / "results")
    head, *records = map(json.loads, (folder / "results").read_text().splitlines())
    for record in records:
        record["moves"] = [[move, 0, *rest] for move, _, *rest in record["moves"]]
    (folder / "results").write_text("".join(json.dumps(line) + "\n" for line in (head, *records)))
    out = run("bench_cluster", "match", folder / "results", *few)
    assert re.search(told, out) and ": 0.0 jobs" not in out


def bench_race(folder):
    """Counting changes no node count; where pawns are far apart, no race decides anything."""
    out = run("bench_race", "--depth", 2, "--openings", 1, env=PLAIN)
    for name, line in zip(("breakthrough", "twoflags"), out.splitlines(), strict=True):
        rules, engine = game(name), Engine()
        fens = opening_book.read(SCRIPTS / "openings" / f"{name}.epd", rules)
        engine.go(parse_fen(rules, fens[len(fens) // 2]), Limits(depth=2))
        engine.wait()
        assert line.startswith(f"{name} to depth 2, 1 opening, {engine.nodes:,} nodes; medians: races decide ")
        assert re.search(r"races decide \d+\.\d % of the nodes; without them \d\.\d\d times", line)


def bench_solver(folder):
    """A game that is proven several times takes the same each time; one that is given up has no winner."""
    out = run("bench_solver", "--variant", "hexapawn4x4", "--hash", 1, "--runs", 2)
    assert re.match(r"hexapawn4x4 +won, [\d,]+ expanded, [\d,]+ entries, \d+\.\d s\n$", out)
    out = run("bench_solver", "--variant", "twoflags", "--hash", 1, "--most", 100)
    assert out.startswith("twoflags                 ?, 100 expanded, ")


def bench_speed(folder):
    """It fails where its counts of nodes differ."""
    out = run(
        "bench_speed",
        *(["perft", "depth"] if FAIRY else []),
        "threads",
        "kernel",
        "--runs",
        1,
        "--shallower",
        5,
        "--seconds",
        0.02,
        "--openings",
        1,
    )
    assert re.search(r"breakthrough depth 2 .* ratio +\d+\.\d\d", out) and re.search(
        r"twoflags depth 3 .* ratio +\d+\.\d\d", out
    )
    assert "two threads, one thread" in out and (not FAIRY or "branching factor" in out)


def bench_uci(folder):
    out = run("bench_uci", "--source", "--starts", 1, "--stops", 2, "--attempts", 1)
    size, resident, uciok, readyok, bestmove = map(float, re.search(r"^source( +[\d.]+){5}$", out, re.M)[0].split()[1:])
    assert 0 < uciok < readyok < bestmove and resident > 5
    assert len(re.findall(r"\d threads?: median [\d.]+!?, 99 % [\d.]+, worst of 2 [\d.]+", out)) == 2


def diagram(folder):
    run("diagram", "ppp/3/PPP w - -", "--variant", "hexapawn", "--line", "b1b2 a3b2", "-o", folder / "diagram.svg")
    drawn = xml.parse(folder / "diagram.svg").getroot()
    assert len([path for path in drawn.iter("{http://www.w3.org/2000/svg}path") if "transform" in path.attrib]) == 6
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polygon"))) == 2


def datagen(folder):
    from pawnstorm_tools.training import game_positions

    run("datagen", "breakthrough6x6", folder / "games", "--games", 3, "--nodes", 50, "--processes", 1, "--plies", 0, 1)
    assert set(game_positions.read(folder / "games", game("breakthrough6x6"))["game"]) <= {0, 1, 2}
    assert (folder / "games").stat().st_size > 0


def learn(folder):
    """`fit` is not quick on any input, as it knows 8x8 only: here its refusal, the rest in
    tests/programs/test_learn.py.
    """
    (folder / "positions").write_bytes(b"")
    done = subprocess.run(
        [sys.executable, SCRIPTS / "learn.py", "fit", folder / "positions", "-o", folder / "network"],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        env=os.environ | PLAIN,
    )
    assert done.returncode == 2 and "holds positions of 0 roots: expected two or more" in done.stderr
    run(
        "learn",
        "positions",
        folder / "positions",
        "--roots",
        1,
        "--nodes",
        30,
        "--processes",
        1,
        "--hash",
        1,
        env=PLAIN,
    )
    from pawnstorm_tools.training import solver_positions

    assert set(solver_positions.read(folder / "positions")["root"]) == {0}


def match(folder):
    out = run(
        "match",
        "-engine",
        f"cmd={fake('good')}",
        "name=one",
        "-engine",
        f"cmd={fake('good')}",
        "name=two",
        "-each",
        "tc=10",
        "-variant",
        "hexapawn",
        "-rounds",
        1,
        "-pgnout",
        folder / "games.pgn",
    )
    assert "one against two: 2 games" in out and (folder / "games.pgn").read_text().count('[White "one"]') == 1


def openings_(folder):
    run(
        "openings",
        "hexapawn",
        folder / "some.epd",
        "--count",
        2,
        "--plies",
        1,
        2,
        "--nodes",
        10,
        "--engine",
        fake("good"),
    )
    assert len(set(opening_book.read(folder / "some.epd", game("hexapawn")))) == 2


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
    (folder / "games.pgn").write_text(
        '[White "one"]\n[Black "two"]\n[Result "1-0"]\n[Variant "twoflags"]\n\n1. e4 d5 2. exd5 1-0\n'
    )
    run("report", folder / "games.pgn", "-o", folder / "page.html")
    assert "exd5" in (page := (folder / "page.html").read_text()) and page.rstrip().endswith("</html>")


def solve(folder):
    out = run("solve", "--variant", "hexapawn", "--hash", 1, "--exact", "--moves", "--save", folder / "table")
    assert (
        "\nwinner     Black, in 6 plies\n" in out
        and out.count("\nmove ") == 3
        and (folder / "table").stat().st_size > 0
    )


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


def strategy(folder):
    """The shipped program that makes what the engine ships; its proofs are in test_strategy.py, where the compiler is
    started once.
    """
    run("strategy", "make", folder / "book", "--variant", "hexapawn1x5", "--leaf", 1, "--hash", 1, env=PLAIN)
    out = run("strategy", "walk", folder / "book", "--engine", fake("good"), "--replies", 1)
    assert "White won 1 of 1 game " in out


def train(folder):
    """All stages of two generations, and no work where all is done."""
    few = ("--games", 20, "--nodes", 2, "--passes", 1, "--match", 1, "--match-nodes", 2, "--processes", 1)
    words = "train", "breakthrough5x5", folder / "new", *few, "--plies", 2, 6, "--generations"
    assert run(*words, 1, env=PLAIN).count("generation 1 ") == 3
    assert run(*words, 2, env=PLAIN).count("generation 2 ") == 3 and run(*words, 2) == ""
    log = [json.loads(line) for line in (folder / "new" / "generations.jsonl").read_text().splitlines()[1:]]
    assert [record["stage"] for record in log] == [
        f"{n} {name}" for n in (1, 2) for name in ("play", "learn", "compare")
    ]
    networks.load_network(folder / "new" / "2.network", "breakthrough5x5")


def tune(folder):
    """On the positions of a hand-made file: one pawn against one, won where it is nearer home."""
    import numpy as np

    from pawnstorm_tools.training import game_positions

    records = np.zeros(40, game_positions.RECORD)
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


RUNS = {
    function.__name__.rstrip("_"): function
    for function in (
        bench_cluster,
        bench_race,
        bench_solver,
        bench_speed,
        bench_uci,
        diagram,
        datagen,
        learn,
        match,
        openings_,
        players,
        positions,
        report,
        solve,
        spsa,
        strategy,
        train,
        tune,
        verify,
    )
}

PROGRAMS = sorted(path.stem for path in SCRIPTS.glob("*.py"))


def test_every_program_has_a_run():
    # Those two have modules of their own: test_page_*.py, tests/slow/test_release.py.
    assert PROGRAMS == sorted([*RUNS, "page", "release"])


@pytest.mark.parametrize("name", RUNS)
def test_program_does_its_work(name, tmp_path):
    native.core()
    RUNS[name](tmp_path)
