"""scripts/verify.py: its rules are those of naive play, files that are no proofs are refused, and it needs no engine."""

import ast
import os
import random
import signal
import subprocess
import sys

import numpy as np
import proofs
import pytest
from proof_checks import MADE_OF, PROGRAM, SCRIPT, at, check, plans_of, start  # noqa: F401  fixtures
from proofs import MISSING, proof

from pawnstorm_tools.checking import agreement, checker, naive, pawnrules, prooffile, verdict
from pawnstorm_tools.programs import verify


def random_positions(name, games, seed=1):
    """The positions of random games."""
    lot = random.Random(f"{seed} {name}")
    for _ in range(games):
        position = start(name)
        yield position
        while not naive.over(position):
            position = naive.play(position, lot.choice(naive.moves(position)))
            yield position


@pytest.mark.parametrize(
    "name, games",
    (
        ("twoflags8x8", 15),
        ("twoflags3x5", 30),
        ("twoflags5x6", 30),
        ("breakthrough8x8", 3),
        ("breakthrough2x4", 20),
        ("hexapawn1x3", 1),
        ("hexapawn8x7", 5),
    ),
)
def test_compiled_rules_are_naive_play_s(name, games):
    rules, en_passant = pawnrules.make(naive.GAMES[name]), 0
    for position in random_positions(name, games):
        agreement.compare(position, rules)
        *sets, up = agreement.to_words(position)
        assert agreement.position(position.game, *sets, up) == position
        image = [pawnrules.mirror(squares, rules.files) for squares in sets]
        assert agreement.position(position.game, *image, up) == naive.mirror(position)
        en_passant += position.ep != "-"
    assert en_passant > 3 or "twoflags" not in name


EMPTY, ALL = np.uint64(0), np.uint64((1 << 64) - 1)


@pytest.mark.parametrize(
    "name, wrong",
    (
        ("twoflags5x6", {"second": EMPTY}),
        ("twoflags5x6", {"seventh": EMPTY}),
        ("twoflags5x6", {"ep_squares": EMPTY}),
        ("twoflags5x6", {"quiet_diagonals": ALL}),
        ("twoflags5x6", {"top": EMPTY}),
        ("twoflags5x6", {"bottom": EMPTY}),
        ("twoflags5x6", {"board": np.uint64(0xF0F0F0F0F0F)}),
        ("breakthrough5x6", {"quiet_diagonals": EMPTY}),
        ("hexapawn5x5", {"second": np.uint64(0x1F)}),
    ),
)
def test_comparison_sees_wrong_rules(name, wrong):
    rules = pawnrules.make(naive.GAMES[name])._replace(**wrong)
    with pytest.raises(agreement.RulesDiffer):
        for position in random_positions(name, 50):
            agreement.compare(position, rules)


def test_difference_in_the_rules_is_a_fault_that_names_the_position(check, monkeypatch):
    """Without the loser's right to take en passant, whether the walk then ends well or not."""
    root = at("twoflags8x8", "8/7P/8/8/1p6/8/P7/8 w - -")
    plans = {root: ("a2", "a4"), at("twoflags8x8", "8/7P/8/8/P7/1p6/8/8 w - -"): ("h7", "h8")}
    right = pawnrules.make
    monkeypatch.setattr(pawnrules, "make", lambda game: right(game)._replace(ep_squares=EMPTY))
    for listed in (plans, {root: plans[root]}):
        status, said = check(proof(root, listed))
        assert status == 1 and "disagree about what the moves lead to in 8/7P/8/8/1p6/8/P7/8 w - -" in said["verdict"]


def test_sample_is_every_so_many_th_position():
    made = proof(start("twoflags4x6"), plans_of("twoflags4x6"))
    made = made._replace(records=np.array(made.records, np.uint64))

    def sample(count):
        check = verdict.Check(made, start("twoflags4x6"), count)
        assert check.run()
        return check.walk.samples[: check.walk.numbers[checker.SAMPLED]].tolist(), check.positions()

    everything, met = sample(10_000)
    assert len(everything) == met
    root = agreement.to_words(check_root := start("twoflags4x6"))
    assert check_root.side == "w" and tuple(everything[0]) == tuple(map(int, root))
    for count in (1, 7, 50):
        some, _ = sample(count)
        stride = next(1 << power for power in range(20) if met <= 2 * count << power)
        assert some == everything[::stride] and count <= len(some) <= 2 * count


def test_memory_stays_within_sixty_bytes_a_record():
    for records in (100_000, 87_382, 174_763):
        walk = checker.new_walk(
            pawnrules.make(naive.GAMES["twoflags8x8"]), True, 8, 2, np.zeros((records, 3), np.uint64), 1
        )
        beside = sum(part.nbytes for part in (walk.table, walk.parent, walk.link, walk.depth))
        assert beside <= 60 * records
        assert len(walk.table) > 1.4 * records


@pytest.mark.parametrize("name", ("hexapawn3x5", "breakthrough3x5"))
def test_game_without_en_passant_has_no_such_square_in_its_root(tmp_path, capsys, name):
    """By it White would take the pawn that Black wins with."""
    records = [proofs.record(at(name, "3/3/3/pP1/3 w - -"), ("b2", "a3"))]
    records[0][2] |= 1 << 4
    prooffile.write(tmp_path / "proof", prooffile.Proof(name, "3/3/3/pP1/3 w - a3 0 1", "w", records))
    assert verify.main([str(tmp_path / "proof")]) == 2
    assert "en passant" in capsys.readouterr().err


@pytest.mark.parametrize("name", ("hexapawn3x5", "breakthrough3x5"))
def test_compiled_rules_have_en_passant_only_where_the_game_does(name):
    """A set that says otherwise changes no move and removes no pawn."""
    root = at(name, "3/3/3/pP1/3 w - -")
    rules, passed = pawnrules.make(root.game), np.uint64(1 << proofs.number("a3"))
    white, black, ep, up = agreement.to_words(root)
    rows, without = (np.zeros((pawnrules.MAX_MOVES, 3), np.uint64) for _ in range(2))
    count = pawnrules.successors(white, black, passed, up, rules, rows)
    assert count == pawnrules.successors(white, black, ep, up, rules, without) == len(naive.moves(root))
    assert (rows == without).all()


def header(game="hexapawn3x3", fen="ppp/3/PPP w - -", winner="b", **changed):
    """A first line without its end."""
    return prooffile.header(game, fen, winner, **changed).removesuffix(b"\n")


@pytest.mark.parametrize(
    "content, word",
    (
        pytest.param(b"", "is not a proof file", id="empty"),
        pytest.param(os.urandom(3000), "is not a proof file", id="noise"),
        pytest.param(header(file="pawnstorm proof 1") + b"\n", "is not a proof file", id="another version"),
        pytest.param(header(winner="x") + b"\n", "winner (w or b)", id="no side"),
        pytest.param(header(fen=7) + b"\n", "game, fen and winner", id="no text"),
        pytest.param(header(), "first line", id="no end of line"),
        pytest.param(header(within=True) + b"\n", '"within" is true, expected 2 to 4', id="no number"),
        pytest.param(header(within=1) + b"\n", '"within" is 1, expected 2 to 4', id="too near"),
        pytest.param(header(within=5) + b"\n", '"within" is 5, expected 2 to 4', id="too far"),
        pytest.param(header(within=3) + b"\n", '"within" is 3: expected none, or 2, in hexapawn3x3', id="not there"),
        pytest.param(header() + b" \n", "filled up to a multiple of 8 bytes", id="not filled up"),
        pytest.param(header(game="chess") + b"\n", "unknown game 'chess'", id="unknown game"),
        pytest.param(header(game="twoflags") + b"\n", "unknown game 'twoflags'", id="short name"),
        pytest.param(header() + b"\n" + bytes(24 * 5 + 11), "cut short: 11 bytes", id="cut short"),
        pytest.param(header(game="a\nb") + b"\n", r"unknown game 'a\nb'", id="two lines"),
        *(
            pytest.param(header(fen=fen) + b"\n", f"bad position '{fen}", id=fen)
            for fen in (
                "",
                "ppp/3/PPP w",
                "ppp/3/PPP x - -",
                "ppp/3/PPP w KQ -",
                "ppp/4/PPP w - -",
                "ppp/PPP w - -",
                "ppp/3/3/PPP w - -",
                "pkp/3/PPP w - -",
                "Ppp/3/PPP w - -",
                "ppp/3/PpP b - -",
            )
        ),
        *(
            pytest.param(header(game="twoflags4x6", fen=fen) + b"\n", f"bad position '{fen}", id=fen)
            for fen in (
                "4/4/4/1p2/P3/4 w - b3",
                "4/4/1p2/Pp2/4/4 w - 4",
                "4/1p2/4/Pp2/4/4 w - b4",
                "4/4/1p2/Pp2/4/4 w - b4",
                "4/4/Pp2/4/4/4 w - b5",
            )
        ),
    ),
)
def test_bad_file_is_told_in_one_line(tmp_path, capsys, content, word):
    path = tmp_path / "bad.proof"
    path.write_bytes(content)
    assert verify.main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("verify.py: ") and word in err


def test_bad_sample_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        verify.main(["x", "--sample", "0"])
    assert "--sample: '0'" in capsys.readouterr().err


def test_nothing_of_the_engine_is_imported():
    for path in MADE_OF:
        tree = ast.parse(path.read_text())
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                # Of common/ each module has to be among those looked at.
                inside = node.module in ("pawnstorm_tools.common", "pawnstorm_tools.checking")
                names |= {f"{node.module}.{alias.name}" for alias in node.names} if inside else {node.module}
        ours = {
            name
            for name in names
            if name.split(".")[0] not in sys.stdlib_module_names | {"llvmlite", "numba", "numpy", "tqdm"}
        }
        allowed = {f"pawnstorm_tools.{path.parent.name}.{path.stem}" for path in MADE_OF} | {"pawnstorm.system"}
        assert ours <= allowed | ({"pawnstorm_tools", "pawnstorm_protocol"} if path == PROGRAM else set())


PLAIN = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from pawnstorm_tools.programs import verify
from pawnstorm_tools.checking import checker
if sys.argv[2] == "same hash":
    checker.hash_words = lambda *words: np.uint64(0)
for path in sys.argv[3:]:
    print(verify.main([path]))
apart = {f"pawnstorm.{name}" for name in ("numbers", "suggestions", *(f"system{name}" for name in ("", ".cache", ".clock", ".console", ".files")))}  # to read the words
others = "pawnstorm.", "pawnstorm_tools.referee", "pawnstorm_tools.solving"
print(sorted(name for name in sys.modules if name.startswith(others) and name not in apart))
"""


@pytest.mark.parametrize("hashing", ("its own hash", "same hash"))
def test_walk_works_as_plain_python_and_whatever_the_hash_is(tmp_path, hashing):
    """Meanwhile no module of the engine that knows a game is loaded."""
    whole = proof(start("twoflags4x5"), plans_of("twoflags4x5", use_paths=False))
    root = at("twoflags8x8", "8/8/p7/Pp6/8/8/8/8 w - b6")
    path, files = ["a5", "b6", "b7", "b8"], {"whole": whole, "broken": whole._replace(records=whole.records[:-1])}
    files["without the right"] = proof(root, {root._replace(ep="-"): path}, "w")
    files["so is its image"] = proof(root, {naive.mirror(root)._replace(ep="-"): proofs.mirrored(8, path)}, "w")
    for name, made in files.items():
        prooffile.write(tmp_path / name, made)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAIN, SCRIPT.parent, hashing, *(tmp_path / name for name in files)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line.isdecimal() or "verified" in line or "[" in line]
    assert said == ["verified", "0", *[f"NOT verified: {MISSING}", "1"] * 3, "[]"]


def test_ctrl_c_ends_it_quietly(tmp_path):
    """As plain Python, which takes its time."""
    prooffile.write(tmp_path / "proof", proof(start("twoflags4x6"), plans_of("twoflags4x6", use_paths=False)))
    run = subprocess.Popen(
        [sys.executable, SCRIPT, tmp_path / "proof"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        while b"checking" not in run.stderr.read1():
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 130 and out == b"" and err.endswith(b"verify.py: stopped\n") and b"Traceback" not in err
