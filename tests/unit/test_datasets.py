"""Datasets: rows of games played and read, in this process, and how duplicates, splits and scores are told."""

import random

import datasets_checks
import pytest

from pawnstorm import pgn
from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.games.notation import fen
from pawnstorm.games.rules import get_rules
from pawnstorm.pgn import comment
from pawnstorm_tools.checking import naive
from pawnstorm_tools.common.random_openings import random_board
from pawnstorm_tools.datasets import counts, own_games, pgn_games
from pawnstorm_tools.datasets.columns import COLUMNS, NAMES, check_row
from pawnstorm_tools.datasets.run import split_of
from pawnstorm_tools.datasets.seen import FIRST, Seen, key

pytestmark = pytest.mark.compiled


def as_dicts(record):
    for row in record["rows"]:
        check_row(row)
    return [dict(zip(NAMES, row)) for row in record["rows"]]


def own(name, numbers, nodes=300, expansions=300, plies=(0, 3), random_share=0.0):
    """The rows of the engine's games of these numbers, a list for each."""
    source = own_games.Source(name, nodes, expansions, 1, 1, plies, random_share)
    return [as_dicts(source.records(number)) for number in numbers]


@pytest.mark.parametrize("name", ["breakthrough5x4", "twoflags4x6", "hexapawn4x4"])
def test_game_follows_its_moves_to_the_end_by_the_naive_rules(name):
    game = naive.GAMES[name]
    for rows in filter(None, own(name, range(8))):
        datasets_checks.check_legal(game, rows)
        datasets_checks.check_whole_game(game, rows)
        assert {(row["move_by"], row["score_by"], row["result_by"]) for row in rows} == {("search", "search", "rules")}
        assert all(row["move"] == row["best_move"] for row in rows)


@pytest.mark.parametrize("name", ["breakthrough3x4", "twoflags3x5", "hexapawn4x4"])
def test_proven_values_and_lengths_hold_by_exhaustive_play(name):
    rows = sum(own(name, range(10), nodes=20, plies=(0, 4), random_share=0.3), [])
    proofs = datasets_checks.check_proofs(naive.GAMES[name], rows)
    assert proofs > len(rows) / 2 and {row["proven"] for row in rows} >= {1, -1}


def test_solver_proves_more_than_the_search_and_says_so():
    searched, solved = (sum(own("breakthrough4x5", range(6), 100, number), []) for number in (0, 3000))
    assert {row["proven_by"] for row in searched} == {None, "search"}
    assert "solver" in {row["proven_by"] for row in solved}
    assert sum(row["proven"] is not None for row in solved) > sum(row["proven"] is not None for row in searched)
    same = [{name: row[name] for name in NAMES if not name.startswith("proven")} for row in searched]
    assert same == [{name: row[name] for name in NAMES if not name.startswith("proven")} for row in solved]


def test_score_beyond_the_least_win_is_proven_with_its_length():
    rows = [row for row in sum(own("twoflags5x6", range(6)), []) if abs(row["score"]) > MIN_WIN_SCORE]
    assert len(rows) > 10
    for row in rows:
        assert row["proven"] == (1 if row["score"] > 0 else -1)
        assert row["proven_plies"] <= WIN - abs(row["score"])


def test_search_keeps_to_its_nodes():
    rows = sum(own("breakthrough6x6", range(2), nodes=2000), [])
    assert max(row["nodes"] for row in rows) <= 2100 and min(row["depth"] for row in rows) >= 1


def test_game_follows_from_its_number_alone():
    source = own_games.Source("breakthrough5x5", 200, 200, 1, 7, (2, 5), 0.1)
    forward = [source.records(number) for number in range(4)]
    assert [source.records(number) for number in reversed(range(4))][::-1] == forward
    assert own_games.Source("breakthrough5x5", 200, 200, 1, 8, (2, 5), 0.1).records(0) != forward[0]


def test_random_moves_are_marked_and_the_search_keeps_its_opinion():
    rows = sum(own("breakthrough6x6", range(4), random_share=0.5), [])
    chosen = [row for row in rows if row["move_by"] == "random"]
    assert 0.3 < len(chosen) / len(rows) < 0.7
    assert any(row["move"] != row["best_move"] for row in chosen)
    assert all(row["move"] == row["best_move"] for row in rows if row["move_by"] == "search")


def test_game_that_the_random_moves_end_has_no_rows():
    assert own("breakthrough2x4", range(1), plies=(99, 99)) == [[]]


# Games from PGN.

PLAYED = """[Variant "breakthrough5"]
[Result "1-0"]

1. b2b3 {+0.25/12 0.051s n=20030} d4d3 {-1.20/3} 2. c2d3 {book} e4d3 {-M2/5} 3. e2d3 {+M3/9} {Black resigns} 1-0
"""


def read(text, name="breakthrough5", nodes=0, expansions=0):
    source = pgn_games.Source(name, nodes, expansions, 1)
    return [source.records(item) for item in enumerate(pgn.games(text))]


def test_pgn_gives_moves_results_and_the_scores_of_the_mover():
    (record,) = read(PLAYED)
    rows = as_dicts(record)
    assert [row["move"] for row in rows] == ["b2b3", "d4d3", "c2d3", "e4d3", "e2d3"]
    assert [row["score"] for row in rows] == [25, -120, None, 4 - WIN, WIN - 5]
    assert [row["depth"] for row in rows] == [12, 3, None, 5, 9] and rows[0]["nodes"] == 20030
    assert [row["score_by"] for row in rows] == ["pgn", "pgn", None, "pgn", "pgn"]
    assert [row["result"] for row in rows] == [1, -1, 1, -1, 1] and {row["result_by"] for row in rows} == {"pgn"}
    assert [row["ply"] for row in rows] == [0, 1, 2, 3, 4] and {row["proven"] for row in rows} == {None}
    datasets_checks.check_legal(naive.GAMES["breakthrough5x5"], rows)


def test_mate_in_a_pgn_is_a_claim_that_only_search_or_solver_prove():
    searched = as_dicts(*read(PLAYED, nodes=500))
    assert {row["score_by"] for row in searched} == {"search"} and None not in {row["best_move"] for row in searched}
    assert {row["proven_by"] for row in searched} <= {None, "search"}
    claimed = "1. b1b2 {+M3/9} a3b2 {-M4/9} 2. a1b2 {+0.10/9} c3c2 {+M1/9} 0-1"
    solved = as_dicts(*read(claimed, "hexapawn", expansions=1000))
    assert {row["score_by"] for row in solved} == {"pgn"} and {row["proven_by"] for row in solved} == {"solver"}
    assert [row["score"] > 0 for row in solved] == [True, False, True, True]
    assert [row["proven"] for row in solved] == [-1, 1, -1, 1]
    assert datasets_checks.check_proofs(naive.GAMES["hexapawn3x3"], solved) == 4


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("d4d3", "d4c2", "illegal move 'd4c2'"),
        ("d4d3", "Nf3", "'Nf3' is not a move"),
        ('"breakthrough5"', '"twoflags"', '[Variant "twoflags"]: expected breakthrough5'),
        ('"breakthrough5"', '"chess960"', '[Variant "chess960"]: expected breakthrough5'),
        ("[Result", '[FEN "5/5 w"]\n[Result', "found 2"),
    ],
)
def test_game_that_cannot_be_replayed_has_a_fault_and_no_rows(old, new, told):
    broken, whole = read(PLAYED.replace(old, new, 1) + "\n" + PLAYED)
    assert broken["rows"] == [] and told in broken["fault"]
    assert len(whole["rows"]) == 5 and "fault" not in whole


def test_result_is_that_of_the_rules_where_the_game_is_over():
    won = "1. b1b2 a3b2 2. a1b2 c3c2"
    (fitting,), (open_,), (wrong,) = (read(f"{won} {result}\n", "hexapawn") for result in ("0-1", "*", "1-0"))
    for record in (fitting, open_):
        rows = as_dicts(record)
        assert {row["result_by"] for row in rows} == {"rules"} and [row["result"] for row in rows] == [-1, 1, -1, 1]
    assert wrong["fault"] == "result '1-0' contradicts the last position: expected '0-1'"


def test_undecided_game_has_no_result():
    rows = as_dicts(*read(PLAYED.replace("1-0", "*")))
    assert {(row["result"], row["result_by"]) for row in rows} == {(None, None)}


@pytest.mark.parametrize(
    "score, wanted",
    [(25, 25), ("M1", WIN - 1), ("M3", WIN - 5), ("-M2", 4 - WIN), ("-M0", -WIN), (10**9, MIN_WIN_SCORE), (-(10**9), -MIN_WIN_SCORE)],
)  # fmt: skip
def test_scores_of_comments_become_centipawns(score, wanted):
    assert pgn_games.centipawns(score) == wanted
    assert pgn_games.centipawns(pgn.parse_comment(comment(1, score=score), False).score) == wanted


@pytest.mark.parametrize("score", ["M999999999", "-M999999999"])
def test_mate_too_far_to_be_one_is_no_win(score):
    assert abs(pgn_games.centipawns(score)) in (MIN_WIN_SCORE, MIN_WIN_SCORE + 1)


# Duplicates, splits, counts.


@pytest.mark.parametrize("name", ["twoflags", "twoflags5x6", "breakthrough7x4", "hexapawn3x3"])
def test_keys_are_equal_just_for_a_position_and_its_mirror_image(name):
    game, chance, found = naive.GAMES[get_rules(name).full_name], random.Random(3), {}
    for _ in range(300):
        text = fen(random_board(get_rules(name), (0, 20), chance))
        here = naive.parse_fen(game, text)
        assert key(text) == key(f"{naive.fen(naive.mirror(here))} 0 77")
        found.setdefault(key(text), set()).add(min(naive.fen(here), naive.fen(naive.mirror(here))))
    assert all(len(positions) == 1 for positions in found.values()) and len(found) > 20


def test_en_passant_square_is_part_of_a_position():
    board = "8/8/8/3pP3/8/8/8/8 w -"
    assert len({key(f"{board} {square} 0 1") for square in ("-", "d6")}) == 2
    assert key(f"{board} d6 0 1") == key("8/8/8/3Pp3/8/8/8/8 w - e6 0 1")


def test_set_of_keys_is_a_set_also_when_it_grows():
    chance, seen, wanted = random.Random(5), Seen(), set()
    some = [chance.getrandbits(64) for _ in range(3 * FIRST)]
    for number in chance.choices(some, k=5 * FIRST):
        assert (number in seen) == (number in wanted)
        seen.add(number)
        wanted.add(number)
    assert all(number in seen for number in wanted)


def test_share_of_the_games_is_for_validation():
    found = [split_of(number, 1, 0.2) for number in range(5000)]
    assert 0.17 < found.count("validation") / 5000 < 0.23
    assert {split_of(number, 1, 0) for number in range(99)} == {"train"}
    assert {split_of(number, 1, 1) for number in range(99)} == {"validation"}


def test_counts_of_each_kind_are_the_rows():
    rows = [
        row
        for number in range(6)
        for row in own_games.Source("breakthrough6x6", 100, 100, 1, 1, (0, 3), 0.2).records(number)["rows"]
    ]
    found = counts.count("train", rows)
    assert found["train/rows"] == len(rows)
    for kind in counts.KINDS:
        assert sum(number["train"] for number in counts.values_of(found, kind).values()) == len(rows)
    assert set(counts.values_of(found, "score")) <= {*counts.SCORE_RANGES, "null"}


@pytest.mark.parametrize(
    "score, named",
    [(-WIN + 3, "loss"), (-MIN_WIN_SCORE, "below -500"), (-500, "-500 to -201"), (-201, "-500 to -201"), (0, "-50 to 49"),
     (49, "-50 to 49"), (50, "50 to 199"), (500, "500 and above"), (MIN_WIN_SCORE, "500 and above"), (WIN - 3, "win")],
)  # fmt: skip
def test_scores_are_counted_in_the_range_that_holds_them(score, named):
    row = own_games.Source("hexapawn", 50, 0, 1, 1, (0, 0), 0).records(0)["rows"][0]
    row[NAMES.index("score")] = score
    assert list(counts.values_of(counts.count("train", [row]), "score")) == [named]


@pytest.mark.parametrize(
    "name, value", [("ply", "3"), ("fen", None), ("score", 1 << 15), ("proven", 1.0), ("move", "é")]
)
def test_row_with_a_wrong_value_is_refused_by_the_name_of_its_column(name, value):
    row = own_games.Source("hexapawn", 50, 0, 1, 1, (0, 0), 0).records(0)["rows"][0]
    row[NAMES.index(name)] = value
    with pytest.raises(ValueError, match=f"'{name}'"):
        check_row(row)
    with pytest.raises(ValueError, match=f"expected a list of {len(COLUMNS)} values"):
        check_row(row[:-1])
