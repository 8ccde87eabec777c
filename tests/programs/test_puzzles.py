"""scripts/puzzles.py: one move wins and all others lose, by a solver anew, by naive play and by checked proofs; no two puzzles
are alike; one and the same file however the run is interrupted.
"""

import json
import random
from functools import cache
from itertools import combinations
from types import SimpleNamespace

import proofs
import puzzles as program  # scripts/puzzles.py
import pytest
from matches import ROOT

from pawnstorm.games.notation import COLOURS, move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.checking import naive
from pawnstorm_tools.common.random_openings import evenly
from pawnstorm_tools.measuring import difficulty, proof_check, puzzle_maker, puzzles

pytestmark = pytest.mark.compiled
FILE = ROOT / "scripts" / "positions" / "puzzles.jsonl"
GAME = "hexapawn5x5"
WORDS = ("--variant", GAME, "--count", "3")
EXPANDED = 300_000
"""Positions that a solver may expand to prove all of a puzzle: the page's takes a second."""


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def make(path, *words):
    assert program.main(["make", str(path), *WORDS, *words]) == 0
    return records(path)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "puzzles.jsonl"
    make(path)
    return path


@cache
def committed():
    return puzzles.read(FILE)


def naive_position(record):
    return naive.parse_fen(naive.GAMES[get_rules(record["game"]).full_name], record["fen"])


def pawns(position):
    """The squares of both sides' pawns, seen by the side to move."""
    board = position.board if position.side == "w" else [row.swapcase() for row in reversed(position.board)]
    return "".join(board)


def test_committed_puzzles_are_legal_and_have_a_choice():
    assert {record["game"] for record in committed()} >= {"twoflags", "breakthrough"}
    for record in committed():
        position = naive_position(record)
        assert record["move"] in naive.moves(position) and len(naive.moves(position)) >= 3
        replies = [naive.play(position, move) for move in naive.moves(position)]
        assert sum(not proofs.runs_home(reply) for reply in replies) >= 3  # moves that do not lose at once
        assert 3 <= record["within"] <= 25 and not proofs.runs_home(position)


def test_no_two_committed_puzzles_are_alike():
    for game in {record["game"] for record in committed()}:
        found = [naive_position(record) for record in committed() if record["game"] == game]
        boards = [(pawns(position), pawns(naive.mirror(position))) for position in found]
        for (one, _), (two, mirrored) in combinations(boards, 2):
            assert min(sum(a != b for a, b in zip(one, other)) for other in (two, mirrored)) >= 9


def test_committed_grades_follow_from_the_misses():
    for record in committed():
        assert record["grade"] == difficulty.grade(record["fails"]) and record["fails"][0] > 0


def assert_only_move(record, prover):
    """The move wins within the plies told, and every other move loses, proven in few expansions."""
    board, expanded = parse_fen(get_rules(record["game"]), record["fen"]), 0
    prover.clear()
    for move in board.moves():
        proof = prover.prove(board.push(move), EXPANDED)
        expanded += prover.nodes
        assert proof.value == (-1 if move_text(board, move) == record["move"] else 1), (record, move_text(board, move))
    assert expanded <= EXPANDED
    assert prover.prove(board, ply_limit=record["within"]).value == 1


def test_one_move_wins_and_all_others_lose_in_some_committed_puzzles():
    prover = Prover(32)
    for game in "twoflags", "breakthrough":
        for record in evenly([record for record in committed() if record["game"] == game], 15):
            assert_only_move(record, prover)


@pytest.mark.slow
def test_one_move_wins_and_all_others_lose_in_every_committed_puzzle():
    prover = Prover(32)
    for record in committed():
        assert_only_move(record, prover)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_what_every_move_of_some_puzzles_leads_to_holds_for_the_checker_of_proofs(tmp_path):
    prover = Prover(64)
    for record in evenly(sorted(committed(), key=lambda record: record["grade"]), 20):
        board = parse_fen(get_rules(record["game"]), record["fen"])
        for move in board.moves():
            child, right = board.push(move), move_text(board, move) == record["move"]
            claim = SimpleNamespace(
                board=child, fen=puzzle_maker.fen(child), winner=COLOURS[child.black_to_move ^ right]
            )
            checked = proof_check.check_value(claim, prover, lambda: None, tmp_path / "proof")
            assert checked["verified"], checked


def test_made_puzzles_agree_with_naive_play(made):
    assert len(records(made)) == 3
    for record in records(made):
        position = naive_position(record)
        assert [move for move in naive.moves(position) if not proofs.wins(naive.play(position, move))] == [
            record["move"]
        ]
        assert naive.Solver().wins(position, record["within"])


def test_same_seed_makes_the_same_puzzles_and_another_seed_others(made, tmp_path):
    assert make(tmp_path / "again.jsonl") == records(made)
    assert make(tmp_path / "other.jsonl", "--seed", "2", "--count", "1") != records(made)[:1]


@pytest.mark.parametrize("lines, left", [(1, 0), (2, 20), (3, -2)])
def test_file_that_was_cut_off_is_completed_to_the_same_one(lines, left, made, tmp_path):
    path, whole = tmp_path / "puzzles.jsonl", made.read_text().splitlines(keepends=True)
    path.write_text("".join(whole[:lines]) + whole[lines][:left])
    make(path)
    assert path.read_text() == made.read_text()


def test_run_that_is_interrupted_says_so_and_keeps_what_it_has(made, tmp_path, monkeypatch, capsys):
    path, play = tmp_path / "puzzles.jsonl", puzzle_maker.play

    def interrupted(*words):
        if len(path.read_text().splitlines()) == 3:
            raise KeyboardInterrupt
        return play(*words)

    monkeypatch.setattr(puzzle_maker, "play", interrupted)
    assert program.main(["make", str(path), *WORDS]) == 130
    printed = capsys.readouterr()
    assert "the same command goes on" in printed.err and f"| {GAME} | 2 |" in printed.out
    assert records(path) == records(made)[:2]


def test_file_of_another_seed_is_refused_and_stays(made, capsys):
    before = made.read_bytes()
    assert program.main(["make", str(made), *WORDS, "--seed", "5"]) == 2
    assert "'seed' was 1, now 5" in capsys.readouterr().err and made.read_bytes() == before


def test_table_counts_tries_that_miss(made, capsys):
    assert program.main(["table", str(made)]) == 0
    head, _, row = capsys.readouterr().out.splitlines()
    assert head.startswith("| game | puzzles | 800 | 1200 |")
    missed = sum(record["fails"][0] for record in records(made))
    assert row.startswith(f"| {GAME} | 3 | {100 * missed / 60:.0f} % |")


def test_game_with_too_few_positions_is_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(puzzle_maker, "BARREN", 3)
    assert program.main(["make", str(tmp_path / "f"), "--variant", "hexapawn"]) == 2
    assert "--count 200: only 0 puzzles of hexapawn found" in capsys.readouterr().err


@pytest.mark.parametrize("words, named", [(["make", "f", "--count", "0"], "--count: '0'"), (["table"], "file")])
def test_wrong_words_are_named(words, named, capsys):
    with pytest.raises(SystemExit) as error:
        program.main(words)
    assert error.value.code == 2 and named in capsys.readouterr().err


def test_unknown_game_is_named_before_anything_is_written(tmp_path, capsys):
    assert program.main(["make", str(tmp_path / "f"), "--variant", "chess"]) == 2
    assert "unknown game 'chess'" in capsys.readouterr().err and not (tmp_path / "f").exists()


@pytest.mark.parametrize(
    "changed, named",
    [
        ({"fen": "9/9 w"}, "9/9"),
        ({"game": "chess"}, "'chess'"),
        ({"id": "twoflags-x"}, "'id'"),
        ({"move": "e1e2"}, "e1e2"),
        ({"within": 4}, "'within'"),
        ({"fails": [1, 2]}, "'fails'"),
        ({"fails": "many"}, "'fails'"),
        ({"grade": -1}, "'grade'"),
    ],
)
def test_bad_record_is_named(changed, named, made, tmp_path, capsys):
    path = tmp_path / "bad.jsonl"
    head, first, *_ = made.read_text().splitlines()
    path.write_text(f"{head}\n{json.dumps(json.loads(first) | changed)}\n")
    for words in ["table", str(path)], ["make", str(path), *WORDS]:
        assert program.main(words) == 2
        assert named in capsys.readouterr().err


def test_file_that_was_graded_otherwise_is_refused(made, tmp_path, capsys):
    path = tmp_path / "old.jsonl"
    path.write_text(made.read_text().replace('"tries": 20', '"tries": 5'))
    assert program.main(["table", str(path)]) == 2
    assert "graded with other settings" in capsys.readouterr().err


def test_grade_is_the_elo_that_finds_half():
    tries, levels = difficulty.TRIES, len(difficulty.LEVELS)
    assert difficulty.grade([0] * levels + [0]) == difficulty.EASIEST == 400
    assert difficulty.grade([tries] * levels + [1]) == difficulty.HARDEST == 2800
    assert abs(difficulty.grade([tries, tries, tries // 2, 0, 0, 0]) - 1600) <= 1
    assert abs(difficulty.grade([18, 10, 2, 0, 0, 0]) - 1200) <= 60
    chance = random.Random(1)
    for _ in range(20):
        misses = [chance.randint(1, tries) for _ in difficulty.LEVELS]
        easier = [missed - 1 for missed in misses]
        assert difficulty.grade([*easier, 0]) <= difficulty.grade([*misses, 0])


@pytest.mark.parametrize(
    "text, decided",
    [
        ("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", False),
        ("8/8/pP6/7p/7P/8/P7/8 w - - 0 1", True),  # White's pawn runs home first
        ("8/pp4pp/8/8/8/8/Pp4PP/8 w - - 0 1", True),  # nothing stops Black's pawn
    ],
)
def test_positions_with_a_plain_answer_are_told(text, decided):
    assert puzzle_maker.is_decided(parse_fen(get_rules("twoflags"), text)) == decided


def test_move_that_takes_back_is_told_from_one_that_takes():
    rules = get_rules("twoflags")
    before = parse_fen(rules, "8/pp4pp/8/8/3p4/4P3/PP3P2/8 b - - 0 1")
    board = before.push(parse_move(before, "d4e3"))
    for text, wanted in ("f2e3", True), ("f2f3", False):
        assert puzzle_maker.retakes(puzzle_maker.OnlyMove(board, parse_move(board, text), 5), before) == wanted
    quiet = before.push(parse_move(before, "d4d3"))
    assert not puzzle_maker.retakes(puzzle_maker.OnlyMove(quiet, parse_move(quiet, "f2f3"), 5), before)


def test_difference_counts_squares_and_knows_mirror_images():
    board = Board.start(get_rules("twoflags"))
    moved = board.push(board.moves()[0])
    after = moved.push(moved.moves()[0])
    assert puzzle_maker.difference(after, after.mirrored()) == 0
    assert puzzle_maker.difference(board, after) == 4


class Stub:
    """A player that always makes one and the same move."""

    def __init__(self, answer):
        self.answer = answer

    def move(self, *words):
        return self.answer


def test_what_may_join_the_puzzles_is_unlike_them_not_too_easy_and_of_a_kind_that_is_not_full():
    rules = get_rules("twoflags")
    first, second = committed()[:2]
    found, other = (puzzle_maker.puzzle_of(rules, record) for record in (first, second))
    blind, seeing = Stub(None), Stub(found.move)
    empty = puzzle_maker.Collection(rules, 10, [])
    assert empty.choose(1, [found], blind)["fen"] == first["fen"]
    assert empty.choose(1, [found], seeing) is None
    joined = puzzle_maker.Collection(rules, 10, [first])
    alike = puzzle_maker.OnlyMove(found.board.mirrored(), 0, found.within)
    assert joined.choose(joined.next_number, [alike], blind) is None
    assert joined.choose(joined.next_number, [alike, other], blind)["fen"] == second["fen"]
    full = puzzle_maker.Collection(rules, 1, [first])
    same_kind = other._replace(within=found.within)
    assert full.choose(full.next_number, [same_kind], blind) is None
    assert full.choose(full.next_number + 10 * puzzle_maker.PATIENCE, [same_kind], blind)
