"""What a report reads from PGN, and what it counts."""

import random

import pytest
from reports import followed, match

from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.pgn import comment, parse_comment, parse_san
from pawnstorm_tools.referee import stats
from pawnstorm_tools.reporting import ReportError, match_statistics, reading


@pytest.mark.parametrize(
    "comment, black, expected",
    [
        ("+0.25/12 0.051s n=20030 [%clk 0:00:00.959]", False, (25, 12, 51, 959, 20030)),
        ("-M3/5 0.001s", True, ("-M3", 5, 1, None, None)),
        ("0.051s", False, (None, None, 51, None, None)),
        ("d=12 0.051s n=7", False, (None, 12, 51, None, 7)),
        ("+0.10/3 d=12 1s", False, (10, 3, 1000, None, None)),
        ("-1.50 2s n=7", True, (-150, None, 2000, None, 7)),
        ("+M1/80 0.003s, White mates", False, ("M1", 80, 3, None, None)),  # cutechess-cli
        ("+0.31/16 1.204s, latency=0.002s, n=1234, nps=1000", False, (31, 16, 1204, None, 1234)),  # fastchess
        ("(e4 e5) +0.10/7 1s", False, (10, 7, 1000, None, None)),
        ("[%eval 0.25,12] [%clk 0:01:02.5]", False, (25, 12, None, 62500, None)),  # python-chess
        ("[%eval 0.25] [%emt 0:00:01]", True, (-25, None, 1000, None, None)),
        ("[%eval #-3]", False, ("-M3", None, None, None, None)),
        ("[%eval #-3,9]", True, ("M3", 9, None, None, None)),
        ("[%eval #4]", True, ("-M4", None, None, None, None)),
        ("book", False, (None,) * 5),
        ("", True, (None,) * 5),
        ("a fine move 1/2", False, (None,) * 5),
        ("2 pawns up", False, (None,) * 5),
        ("2/5 1s", False, (200, 5, 1000, None, None)),
        ("-0.35/11 2.8", True, (-35, 11, 2800, None, None)),
        ("+0.23 12/0 234 520610", False, (23, None, None, None, None)),
    ],
)
def test_comments_of_several_programs(comment, black, expected):
    found = parse_comment(comment, black)
    assert (found.score, found.depth, found.elapsed, found.clock_left, found.nodes) == expected


def test_what_a_match_writes_is_read_back():
    moves = [
        ["e2e4", 51.0, 959.0, 25, 12, 20030, 50],
        ["d7d5", 3.0, None, "-M4", 7, None, None],
        ["a2a3", 3.0, None, None, 7, 9, None],
    ]
    for index, (_, taken, left, score, depth, nodes, _) in enumerate(moves):
        found = parse_comment(comment(*moves[index][1:]), index == 1)
        assert (found.elapsed, found.clock_left, found.score, found.depth, found.nodes) == (
            taken,
            left,
            score,
            depth,
            nodes,
        )


@pytest.mark.parametrize(
    "name, opening",
    [
        ("twoflags", None),
        ("breakthrough", None),
        ("hexapawn", None),
        ("twoflags5x6", None),
        ("twoflags", "8/5p2/8/8/pPp5/8/8/8 b - b3 0 5"),
    ],
)
def test_steps_lead_through_the_positions_of_the_game(name, opening):
    games = reading.parse(match(6, name, seed=2, opening=opening), "test")
    assert len(games.records) == 6 and not games.faults
    for record in games.records:
        board = parse_fen(get_rules(name), record["opening"])
        boards = [board]
        for move in record["texts"]:
            boards.append(boards[-1].push(parse_san(boards[-1], move)))
        placements = list(followed(record))
        assert len(placements) == len(boards)
        for board, pawns in zip(boards, placements):
            squares = {"P": 0, "p": 0}
            for square, letter in pawns.items():
                squares[letter] |= 1 << "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
            assert (squares["P"], squares["p"]) == (board.white_pawns, board.black_pawns)


def test_en_passant_names_the_pawn_that_it_takes():
    (record,) = reading.parse('[FEN "8/8/8/8/pP6/8/8/8 b - b3 0 5"]\n\n5... axb3 *', "test").records
    assert record["steps"] == ["a4b3xb4"]


def test_games_that_cannot_be_read_are_counted_and_named():
    bad = (
        ('[Variant "chess"]', "e4 1-0"),
        ('[White "x"]', "e2e4 e2e4 1-0"),
        ('[FEN "nonsense"]', "*"),
        ("", "e2e4 {cut"),
    )
    unknown, illegal, *others = (f'[Event "x"]\n{tag}\n\n1. {moves}\n\n' for tag, moves in bad)
    games = reading.parse("".join([match(1), unknown, illegal, match(1), *others]), "test")
    assert [record["game"] for record in games.records] == [1, 4]
    assert [fault.split(":")[0] for fault in games.faults] == ["game 2", "game 3", "game 5", "game 6"]
    for fault, part in zip(games.faults, ("unknown game 'chess'", "'e2e4'", "nonsense", "cut off"), strict=True):
        assert part in fault


def test_a_result_that_contradicts_the_board_is_a_fault():
    text = match(1)
    won = "1-0" if '[Result "1-0"]' in text else "0-1"
    for result, termination, counted in (
        ("1-0", "normal", won == "1-0"),
        ("0-1", "normal", won == "0-1"),
        ("1/2-1/2", "normal", False),
        ("1-0", "Adjudication", won == "1-0"),
        ("*", "normal", True),
        ("1-0", "time forfeit", True),
        ("0-1", "time forfeit", True),
    ):
        changed = (
            text.replace(f"}} {won}", f"}} {result}").replace(f'"{won}"', f'"{result}"').replace("normal", termination)
        )
        games = reading.parse(changed + match(1), "test")
        assert [record["game"] for record in games.records] == [1, 2][not counted :], (result, termination)
        fault = f"game 1: result '{result}' contradicts the last position: expected '{won}'"
        assert games.faults == ([] if counted else [fault])


def identified(numbers, games_a_round=2):
    """The PGN of a match with these games, in this order, as match.py numbers them."""
    return "".join(
        f'[GameId "abc.{number}"]\n'
        + one.replace('Round "0"', f'Round "{-(-number // games_a_round)}.{number % 2 or 2}"')
        for number in numbers
        for one in [match(1, seed=number, players=("ab", "ba")[number % 2])]
    )


def test_games_have_the_numbers_of_their_match():
    text = identified([3, 1, 12, 2])
    games = reading.parse(text, "test")
    assert [record["game"] for record in games.records] == [1, 2, 3, 12] and games.pairs
    assert [record["round"] for record in games.records] == ["1.1", "1.2", "2.1", "6.2"]
    broken = reading.parse(text.replace("\n1. ", "\n1. a1a8 ", 1), "test")
    assert [fault.split(":")[0] for fault in broken.faults] == ["game 3"]
    for other in (text + text, text + match(1), text.replace("abc.12", "abd.12"), text.replace("abc.12", "x")):
        games = reading.parse(other, "test")
        assert [record["game"] for record in games.records] == list(
            range(1, len(games.records) + 1)
        ) and games.pairs is None


def test_missing_tags_and_equal_names():
    text = '1. e4 {book} e5 {book} 2. d4 {+0.10/3 1s} exd4 0-1\n\n[White "me"]\n[Black "me"]\n\n1. e4 1/2-1/2'
    record, other = reading.parse(text, "test").records
    assert (record["white"], record["black"]) == ("? (White)", "? (Black)")
    assert record["rules"].name == "twoflags" and record["book"].startswith("8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8 w")
    assert (other["white"], other["black"]) == ("me (White)", "me (Black)") and reading.decided_games(
        [record, other]
    ) == [record]


@pytest.mark.parametrize("text", ["", "no PGN at all", '[White "x"]\n'])
def test_a_file_without_games_is_an_error_that_names_it(text):
    with pytest.raises(ReportError, match="^here.pgn holds no game that can be read: .*expected"):
        reading.parse(text, "here.pgn")


def record(number, white, black, result, scores=(), opening="o w", reason="normal", book=None):
    return {
        "game": number,
        "white": white,
        "black": black,
        "result": result,
        "reason": reason,
        "opening": opening,
        "book": book or opening,
        "moves": [["e2e4", 1000.0, None, score, 5, None, None] for score in scores],
        "legal": [20] * len(scores),
    }


def test_pairs_are_found_by_opening_and_colours():
    records = [
        record(1, "a", "b", "1-0", book="x"),
        record(2, "a", "b", "1-0", book="y"),
        record(3, "b", "a", "1-0", book="x"),
        record(4, "b", "a", "0-1", book="y"),
        record(5, "a", "b", "1-0", book="x"),
    ]
    assert [number for number, _ in match_statistics.pair_games(records)] == [1, 3, 2, 4, 5]
    assert match_statistics.pair_ends(records) == {"white": 1, "engine": 1}


def test_comparison_is_that_of_the_match():
    chance = random.Random(3)
    records = []
    for pair in range(30):
        for first in ("white", "black"):
            names = ("a", "b") if first == "white" else ("b", "a")
            records.append(
                record(len(records) + 1, *names, chance.choice(["1-0", "0-1"]), book=f"{pair} w") | {"first": first}
            )
    found = match_statistics.compare(records, "a")
    counted = stats.tally(records, pairs=True)
    assert (
        found.pairs and found.estimate == stats.estimate(counted.counts) and found.won == sum(counted.points.values())
    )
    assert len(found.growth) == 60 and found.growth[-1]["score"] == pytest.approx(100 * found.won / 60)
    assert found.growth[0]["low"] is None and found.growth[-1]["low"] == pytest.approx(100 * found.estimate.score_low)
    alone = match_statistics.compare(records[::2], "a")
    assert not alone.pairs and alone.estimate == stats.estimate(stats.tally(records[::2], pairs=False).counts)


def test_games_from_one_opening_are_no_pairs_if_the_match_had_none():
    played = reading.parse(identified(range(1, 9), games_a_round=1), "test")
    assert played.pairs is False
    found = match_statistics.compare(played.records, "a", played.pairs)
    points = [int(match_statistics.winner(record) == "a") for record in played.records]
    assert found.estimate == stats.try_estimate([points.count(0), 0, points.count(1)]) is not None and not found.pairs
    paired = reading.parse(identified([1, 2, 3, 5]), "test")  # half of the games wait for their partners
    assert match_statistics.compare(paired.records, "a", paired.pairs).pairs
    assert not match_statistics.compare(paired.records, "a").pairs


def test_long_lines_are_thinned_to_their_end():
    points = list(range(1, 1234))
    thin = match_statistics.thin(points)
    assert (
        len(thin) <= match_statistics.POINTS
        and thin[-1] == 1233
        and match_statistics.thin(points[:400]) == points[:400]
    )


@pytest.mark.parametrize(
    "scores, opening, result, expected",
    [
        ((10, -10, 20), "x w", "1-0", []),
        ((10, -10, "M2", "-M1", "M1"), "x w", "1-0", [(3, "white")]),
        ((10, "-M3", "M3"), "x w", "1-0", [(2, "white")]),
        ((10, "-M3", 10, "M2", "-M1", "M1"), "x w", "0-1", [(2, "white"), (4, "black")]),
        (("-M3", 10, "M2"), "x b", "0-1", [(1, "white"), (3, "black")]),
        (("M3", 10), "x w", "0-1", [(1, "white"), (2, "black")]),  # thrown away, as nobody noticed
        (("M3", 10), "x w", "*", [(1, "white")]),
    ],
)
def test_where_the_known_value_changes_hands(scores, opening, result, expected):
    assert match_statistics.winner_changes(record(1, "a", "b", result, scores, opening)) == expected


def test_a_loss_on_time_proves_nothing():
    assert match_statistics.winner_changes(record(1, "a", "b", "0-1", ("M3",), reason="time forfeit")) == [(1, "white")]


def test_means_by_move():
    long, short = record(1, "a", "b", "1-0", (10, 10, 10, 10, "M1")), record(2, "b", "a", "1-0", (10, 20, "M1"))
    rows = {(row["engine"], row["move"]): row for row in match_statistics.by_move([long, short], ["a", "b"])}
    assert rows["a", 1]["games"] == 2 and rows["a", 1]["seconds"] == 1 and rows["a", 1]["depth"] == 5
    assert rows["a", 3]["games"] == 1 and rows["a", 3]["depth"] is None and ("b", 3) not in rows


def test_results_by_colour_and_opening():
    records = [
        record(1, "a", "b", "1-0", book="x"),
        record(2, "b", "a", "1-0", book="x"),
        record(3, "a", "b", "0-1", book="y"),
    ]
    for one in records:
        one["rules"] = get_rules("twoflags")
    assert match_statistics.by_colour(records, ["a", "b"]) == [
        {"engine": "a", "white": (1, 2), "black": (0, 1)},
        {"engine": "b", "white": (1, 1), "black": (1, 2)},
    ]
    assert [(row["fen"], row["white"], row["black"]) for row in match_statistics.by_opening(records)] == [
        ("x", 2, 0),
        ("y", 0, 1),
    ]
