"""scripts/solve.py as its users run it: what it prints and proves, and which words it refuses."""

import pytest
from second_checker import Checker
from solve_runs import here, solve, told

from pawnstorm.games.notation import move_text, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.programs import verify

pytestmark = pytest.mark.compiled


def test_start_is_told_with_winner_bound_and_forced_line():
    facts, _ = told(solve("--variant", "breakthrough4x4"))
    assert facts["position"] == "pppp/pppp/PPPP/PPPP w - - 0 1"
    assert facts["winner"].startswith("Black, in at most ") and facts["length"].startswith("a bound, by the proof")
    board = Board.start(get_rules("breakthrough4x4"))
    for text in facts["line"].split():
        board = board.push(parse_move(board, text))
    assert (
        board.is_game_over()
        and not board.black_to_move
        and len(facts["line"].split()) <= int(facts["winner"].split()[-2])
    )


def test_position_is_told_and_each_of_its_moves():
    facts, moves = told(solve("--fen", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1", "--moves"))
    colour, plies = facts["winner"].split(", in at most ")
    assert colour == "Black" and int(plies.split()[0]) in range(5, 40, 2)  # mate in 3 is the truth
    assert sorted(line.split(" wins")[0] for line in moves) == ["f6f5: Black", "h6h5: White"]


def test_exact_length_is_told_with_a_line_of_it():
    facts, _ = told(solve("--variant", "breakthrough5x4", "--exact"))
    assert facts["winner"] == "Black, in 16 plies" and len(facts["line"].split()) == 16
    assert facts["length"] == "exact: the shortest win, against the longest resistance"
    facts, moves = told(solve("--fen", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1", "--exact"))
    assert facts["winner"] == "Black, in 5 plies" and facts["line"].startswith("f6f5") and moves == []


def test_exact_length_is_told_for_each_move():
    facts, moves = told(solve("--fen", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1", "--exact", "--moves"))
    assert facts["winner"] == "Black, in 5 plies" and "f6f5: Black wins, in 5 plies" in moves and len(moves) == 2


def test_replies_to_an_expected_move_are_proven_one_by_one():
    board = Board.start(get_rules("breakthrough3x6"))
    done = solve("--variant", "breakthrough3x6", "--expect", "a2b3")
    facts, _ = told(done)
    assert facts["winner"].startswith("White") and facts["line"][:4] in ("a2b3", "c2b3")
    child = board.push(parse_move(board, "a2b3"))
    for move in child.moves():
        assert f"a2b3 {move_text(child, move)}: " in done.stderr
    assert all(row.strip()[:1] != ":" for row in done.stderr.replace("\r", "\n").splitlines())  # each row has a name
    start = done.stderr.rsplit("breakthrough3x6: ", 1)[1]  # the last row: the start position itself
    assert "proven" in start


def test_wrong_expectation_only_costs_time(tmp_path):
    position = ("--fen", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    plain, _ = told(solve(*position))
    for words in (("--expect", "h6h5"), ("--expect", "h6h5", "--save", str(tmp_path / "table"))):
        facts, _ = told(solve(*position, *words))
        assert {**facts, "expanded": None} == {**plain, "expanded": None}
    facts, _ = told(solve("--variant", "breakthrough4x4", "--expect", "a2b3"))
    assert facts["winner"].startswith("Black")


def test_expected_move_that_is_refuted_at_once_or_not_needed_costs_nothing():
    refuted = "1pppp/ppppp/5/5/pPPPP/1PPPP w - - 0 1"  # after e2e3, the first reply that is looked at wins
    done = solve("--variant", "breakthrough5x6", "--fen", refuted, "--expect", "e2e3")
    facts, _ = told(done)
    assert facts["winner"].startswith("Black") and "e2e3" not in done.stderr
    assert int(facts["expanded"].split()[0].replace(",", "")) < 120_000
    decided = "ppppp1/pppppP/6/6/6/pPPPPP/1PPPPP w - - 0 1"  # White wins at once, but b2b3 loses
    facts, _ = told(solve("--variant", "breakthrough6x7", "--fen", decided, "--expect", "b2b3"))
    assert facts["winner"] == "White, in at most 1 ply" and facts["expanded"].startswith("0 positions")


def test_run_with_an_expected_move_does_not_trust_its_file(tmp_path):
    words = ("--variant", "breakthrough3x6", "--expect", "a2b3", "--save", str(tmp_path / "table"))
    first, _ = told(solve(*words))
    done = solve(*words)
    again, _ = told(done)
    assert "proven again" in done.stderr and again["winner"].startswith("White")
    assert done.stderr.index("breakthrough3x6: ") < done.stderr.index("breakthrough3x6, proven again: ")
    count = [int(facts["expanded"].split()[0].replace(",", "")) for facts in (first, again)]
    assert count[0] < count[1] < 2 * count[0]


def test_finished_game_has_a_winner_and_no_line():
    facts, moves = told(solve("--variant", "breakthrough", "--fen", "8/8/8/8/8/8/8/p6P w - - 0 1", "--moves"))
    assert facts["winner"] == "Black, in at most 0 plies" and facts["line"] == "the game is over" and moves == []
    assert "length" not in facts


@pytest.mark.parametrize(
    "words, named",
    [
        (["--exact", "--cluster", "local:2"], "--exact"),
        (["--hash", "99999999"], "99999999"),
        (["--proof", "/no/such/folder/file", "--variant", "hexapawn"], "/no/such/folder"),
        (["--save", "/dev/full"], "/dev/full is not a regular file"),
        (["--proof", "/dev/null"], "/dev/null is not a regular file"),
        (["--hash", "0"], "--hash: '0'"),
        (["--threads", "0"], "--threads: '0'"),
        (["--every", "nan"], "--every: 'nan'"),
        (["--keep", "5"], "--keep: needs --save FILE"),
        (["--expect", "a2b3", "--cluster", "local:2"], "--expect: not with --cluster"),
        (["--expect", "a2b3"], "illegal move 'a2b3'"),
        (["--expect", "a2"], "'a2' is not a move"),
        (["--expect", ""], "'' is not a move"),
        (["--fen", ""], "''"),
        (["--save", "/tmp/one", "--proof", "/tmp/../tmp/one"], "expected another file"),
    ],
)
def test_bad_input_is_named(words, named):
    done = solve(*words)
    assert done.returncode == 2 and named in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr
    assert done.stdout == ""  # told before anything is proven


@pytest.mark.parametrize(
    "words, named", [((), "proof.part"), (("--variant", "twoflags-noep"), "no proofs of twoflags-noep")]
)
def test_proof_that_cannot_be_written_is_told_before_anything_is_proven(words, named, tmp_path):
    (tmp_path / "proof.part").mkdir()
    done = solve(*words, "--proof", str(tmp_path / "proof"))
    assert done.returncode == 2 and named in done.stderr.splitlines()[-1] and done.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ("--variant", "twoflags6x6"),
        ("--variant", "breakthrough4x4"),
        ("--variant", "hexapawn5x5"),
        ("--variant", "hexapawn"),
        ("--variant", "twoflags5x6", "--fen", "5/5/1p3/1Pp2/5/5 w - c4 0 1"),
        ("--variant", "breakthrough3x7"),
        ("--variant", "pawnsonly", "--fen", "8/5p2/5p1p/8/5PP1/8/8/8 w - - 0 1"),
        ("--fen", "8/8/8/8/8/8/8/p6P w - - 0 1"),
    ],
)
def test_proof_is_verified_by_the_independent_checker(words, tmp_path):
    path = tmp_path / "proof"
    facts, _ = told(solve(*words, "--proof", str(path)))
    done = here(verify, path)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "verified", done.stdout + done.stderr
    checked = dict(line.split(maxsplit=1) for line in done.stdout.splitlines()[:-1])
    colour, plies = facts["winner"].split(", in at most ")
    assert checked["winner"] == colour and int(checked["longest"].split()[0]) <= int(plies.split()[0])
    if path.stat().st_size < 20_000:  # the second checker takes seconds for larger ones
        assert Checker(path).proves()


def test_ctrl_c_ends_whatever_a_prover_works_at():
    prover, calls = Prover(1), []

    def work():
        calls.append(prover.prove(Board.start(get_rules("twoflags"))))  # would take minutes

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interruptible.run(prover, work, interrupted)
    assert [proof.value for proof in calls] == [0]
    assert interruptible.run(prover, lambda: 3) == 3


def test_one_ply_is_no_plies():
    facts, moves = told(solve("--variant", "breakthrough", "--fen", "8/P7/8/8/8/8/7p/8 w - - 0 1", "--moves"))
    assert facts["winner"] == "White, in at most 1 ply" and "a7a8: White wins, in at most 1 ply" in moves
