"""The page's known results of positions and moves are true, and outrank the search's scores; under node."""

import json
import random
import time

import client
import pytest
import strategy
from pages import page_engine, page_reader, worker  # noqa: F401  fixtures

from pawnstorm.core.state import WIN
from pawnstorm.games.notation import fen, move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import book
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common.random_openings import levels
from pawnstorm_tools.playing_page import opening, page

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(600)]
TWOFLAGS = get_rules("twoflags")
POSITIONS = client.ROOT / "scripts" / "positions" / "twoflags.jsonl"


@pytest.fixture
def asked(page_reader):
    """asked(name, *arguments): the answer of a function of page_reader.mjs."""

    def ask(*words):
        (answer,) = page_reader(*words).items()
        assert answer[0] == "answer", answer
        return answer[1]

    return ask


def engine_plies(board):
    """The upper bound on the plies to the end, from the engine's book and opening; None if neither knows the winner."""
    entries = [book.for_game(TWOFLAGS, kind).probe(board) for kind in ("book", "opening")]
    known = [entry.plies for entry in entries if entry]
    return min([*known, *book.for_game(TWOFLAGS, "opening").winning_moves(board).values()], default=None)


# The opening.


def test_every_position_of_the_opening_is_known_as_the_engine_knows_it(asked):
    shipped = book.for_game(TWOFLAGS, "opening")
    found = asked("openingBytes", "twoflags")
    positions = [tuple(map(int, words)) for *words, _ in found]
    assert positions == opening.positions(TWOFLAGS) and len(positions) == len(set(positions)) == 256_292
    lost = 0
    for position, (*_, half) in zip(positions, found):
        entry = shipped.probe(Board(TWOFLAGS, *position, False))
        assert half == (entry.plies // 2 if entry else 0), position
        lost += bool(entry)
    assert lost == shipped.count


def test_opening_is_looked_up_as_the_engine_does(asked):
    """In both mirror images and for both colours; positions beyond the opening are unknown."""
    shipped, chance, kinds = book.for_game(TWOFLAGS, "opening"), random.Random(3), set()
    for level in [*levels(TWOFLAGS, 5), levels(TWOFLAGS, 6)[-1]]:
        for board in chance.sample(level, min(len(level), 60)):
            image = chance.choice((board, board.mirrored()))
            text = fen(image)
            entry, wins = shipped.probe(image), shipped.winning_moves(image)
            plies = entry.plies if entry else min(wins.values(), default=None)
            assert asked("openingLook", "twoflags", text) == {"value": -1 if entry else 1, "plies": plies}, text
            kinds.add((entry is None, plies is None))
    assert kinds == {(True, True), (True, False), (False, False)}
    assert asked("openingLook", "twoflags", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1") is None


# Marks of moves.


def marked(asked, page_engine, board, seconds):
    """(value of the board, {move: mark}), as the page shows them after this number of seconds."""
    facts = page_engine.explore(board, seconds)
    told = asked("marks", board.rules.name, fen(board), facts)
    return (told["own"] or {}).get("value"), {mark["move"]: mark for mark in told["marks"]}


@pytest.fixture(scope="module")
def first_marks(page_reader, page_engine):
    """[(board, value, {move: mark})] of all positions of Two Flags after 0 to 3 plies, mirror images once, as the page shows
    them in the end.
    """

    def ask(*words):
        return page_reader(*words)["answer"]

    boards = [board for level in levels(TWOFLAGS, 3) for board in level]
    assert len(boards) == 1 + 8 + 128 + 1027
    page_engine.explore(boards[0])  # lays out the opening, once
    found, slowest = [], 0
    for board in boards:
        start = time.monotonic()
        found.append((board, *marked(ask, page_engine, board, 60)))
        slowest = max(slowest, time.monotonic() - start)
    print(
        f"all moves of {len(boards)} positions and all replies to losing moves are known after {slowest:.2f} s at most"
    )
    return found


def test_first_three_plies_of_two_flags_are_known_as_the_engine_knows_them(first_marks):
    shipped, moves = book.for_game(TWOFLAGS, "opening"), 0
    for board, value, marks in first_marks:
        wins = shipped.winning_moves(board)
        assert value == (1 if wins else -1) and list(marks) == board.moves()
        for move, mark in marks.items():
            child, won = board.push(move), move in wins
            replies = shipped.winning_moves(child)
            assert mark["value"] == (1 if won else -1), (fen(board), move_text(board, move))
            assert mark["plies"] == engine_plies(child) + 1 and mark["how"] in ("book", "opening"), (fen(board), mark)
            assert mark["replies"] == {"count": len(child.moves()), "winning": len(replies), "open": 0}, (
                fen(board),
                mark,
            )
            assert won == (not replies)
            moves += 1
    assert moves == 17_457


@pytest.mark.timeout(1800)
def test_a_hundred_moves_of_the_first_four_plies_are_proven_again(first_marks):
    """By the solver, which begins with an empty table, and knows neither book nor opening."""
    moves = [(board.push(move), mark) for board, _, marks in first_marks for move, mark in marks.items()]
    prover = Prover(512)
    for child, mark in random.Random(7).sample(moves, 100):
        assert prover.prove(child).value == -mark["value"], (fen(child), mark)


def test_marks_agree_with_positions_of_known_value(asked, page_engine):
    rows = [row for row in map(json.loads, POSITIONS.read_text().splitlines()[1:]) if "winning" in row]
    moves, unknown, uncounted, sources = 0, 0, 0, set()
    for row in random.Random(5).sample(rows, 200):
        board = parse_fen(TWOFLAGS, row["fen"])
        page_engine.new_game()
        value, marks = marked(asked, page_engine, board, 1)
        assert value in (None, row["value"]), row
        for move, mark in marks.items():
            truth = 1 if move_text(board, move) in row["winning"] else -1
            assert mark["value"] in (0, truth), (row["fen"], mark)
            if mark["plies"] is not None:
                assert mark["plies"] % 2 == (mark["value"] > 0), (row["fen"], mark)
            sources.add(mark["how"])
            unknown += not mark["value"]
            uncounted += bool(mark["replies"] and mark["replies"]["open"])
            moves += 1
    print(
        f"{unknown} of {moves} moves of 200 positions are open after a second, and the replies to {uncounted} losing ones"
    )
    assert moves > 2000 and unknown < moves / 2 and {"solver", "opening"} <= sources


@pytest.mark.parametrize("name", ["breakthrough5x4", "twoflags5x5", "hexapawn4x5"])
def test_every_move_of_a_small_game_is_proven(name, asked, page_engine):
    board = Board.start(get_rules(name))
    value, marks = marked(asked, page_engine, board, 60)
    assert value == page_engine.prove(board)["value"]
    for move, mark in marks.items():
        child = board.push(move)
        assert mark["value"] == -page_engine.prove(child)["value"]
        winning = [reply for reply in child.moves() if page_engine.prove(child.push(reply))["value"] < 0]
        assert mark["replies"] == {"count": len(child.moves()), "winning": len(winning), "open": 0}


def test_book_of_another_game_is_used_likewise(tmp_path, monkeypatch, asked):
    rules = get_rules("breakthrough4x4")
    path = tmp_path / "made"
    assert strategy.main(["make", str(path), "--variant", rules.name, "--leaf", "20", "--hash", "16"]) == 0
    numbers, parts = page.contents()
    games = [{**row, "book": "made.book"} if row["name"] == rules.name else row for row in numbers["games"]]
    made = {**numbers, "games": games}, {**parts, "made.book": page.part(path.read_bytes())}
    monkeypatch.setattr(page, "contents", lambda: made)
    board = Board.start(rules)
    with worker(tmp_path) as engine:
        facts = engine.explore(board)
    plies = book.Book(path).probe(board).plies
    told = asked("marks", rules.name, fen(board), facts)
    assert told["own"] == {"value": -1, "plies": plies, "how": "book"}
    assert len(told["marks"]) == 6 and {(mark["value"], mark["replies"]["open"]) for mark in told["marks"]} == {(-1, 0)}
    assert {len(fact["moves"]) for fact in facts if fact["how"] == "book"} == {0, 1, 2}


def test_replies_that_win_are_counted_once_all_are_proven(asked, page_engine):
    rows = [row for row in map(json.loads, POSITIONS.read_text().splitlines()[1:]) if row.get("nodes", 10**9) < 20_000]
    prover, counts = Prover(64), set()
    for row in random.Random(9).sample(rows, 12):
        board = parse_fen(TWOFLAGS, row["fen"])
        page_engine.new_game()
        _, marks = marked(asked, page_engine, board, 60)
        for move, mark in marks.items():
            children = list(map(board.push(move).push, board.push(move).moves()))
            winning = sum(prover.prove(child).value < 0 for child in children)
            assert mark["value"] == (-1 if winning else 1), (row["fen"], mark)
            expected = {"count": len(children), "winning": winning, "open": 0} if children else None
            assert mark["replies"] == expected, (row["fen"], mark)
            counts.add(0 if not winning else 1 if winning < len(children) else 2)
    assert counts == {0, 1, 2}


def test_replies_come_after_the_moves_that_need_no_proof(page_engine):
    board = parse_fen(TWOFLAGS, "8/1p1pp2p/2p5/p4pp1/PP3P2/3P4/2P1P1PP/8 w - - 0 6")
    for start in (Board.start(TWOFLAGS), board):
        page_engine.new_game()
        lengths = [len(fact["moves"]) for fact in page_engine.explore(start, 60)]
        assert 1 in lengths and lengths.index(2) > lengths.index(1)
        if start is not board:
            assert lengths == sorted(lengths, key=lambda length: length == 2)


def test_replies_are_counted_as_they_become_known(asked):
    board = parse_fen(TWOFLAGS, "8/1p1pp2p/2p5/p4pp1/PP3P2/3P4/2P1P1PP/8 w - - 0 6")
    move = board.moves()[0]
    child = board.push(move)
    replies = child.moves()

    def counted(value, *results):
        """The count of the replies to a move of this value, if the results of the positions after the first replies are known."""
        rows = [([move], -value), *(([move, reply], result) for reply, result in zip(replies, results))]
        facts = [{"moves": moves, "value": value, "plies": None, "how": "solver"} for moves, value in rows]
        marks = asked("marks", "twoflags", fen(board), facts)["marks"]
        found = next(mark["replies"] for mark in marks if mark["move"] == move)
        assert found["count"] == len(replies)
        return found["winning"], found["open"]

    count = len(replies)
    assert counted(1) == (0, 0)
    assert counted(-1) == (1, count)
    assert counted(-1, 1) == (1, count - 1)
    assert counted(-1, 1, -1, -1) == (2, count - 3)
    assert counted(-1, *[1] * (count - 1)) == (1, 0)
    assert counted(-1, *[-1] * count) == (count, 0)
    assert asked("marks", "twoflags", fen(board), [])["marks"][0]["replies"] is None


def test_replies_that_end_the_game_count_before_anything_is_known_of_them(asked):
    board = parse_fen(TWOFLAGS, "8/7p/8/P7/8/8/1p1p3P/8 w - - 0 1")  # b1 and d1 win, h6 and h5 do not end the game
    facts = [{"moves": [], "value": -1, "plies": 2, "how": "solver"}]
    replies = [mark["replies"] for mark in asked("marks", "twoflags", fen(board), facts)["marks"]]
    assert replies == [{"count": 4, "winning": 2, "open": 2}] * 3


def test_knowledge_of_moves_gives_that_of_the_position(asked):
    board = parse_fen(TWOFLAGS, "8/1p1pp2p/2p5/p4pp1/PP3P2/3P4/2P1P1PP/8 w - - 0 6")  # no two moves are mirror images
    moves = board.moves()

    def told(*rows):
        facts = [
            {"moves": [] if move is None else [move], "value": value, "plies": plies, "how": "solver"}
            for move, value, plies in rows
        ]
        return asked("marks", "twoflags", fen(board), facts)

    def own(*rows):
        return told(*rows)["own"]

    assert own((moves[0], 1, 7)) is None
    assert own((moves[0], 1, 7), (moves[1], -1, 12), (moves[2], -1, 4)) == {"value": 1, "plies": 5, "how": "solver"}
    assert own(*((move, 1, 7 + 2 * index) for index, move in enumerate(moves)))["plies"] == 6 + 2 * len(moves)
    assert own(*((move, 1, None) for move in moves)) == {"value": -1, "plies": None, "how": "solver"}
    marks = told((None, -1, 8))["marks"]
    assert {(mark["value"], mark["plies"]) for mark in marks} == {(-1, 8)}
    tighter = told((moves[0], -1, 18), (moves[0], -1, 20))
    assert tighter["own"]["plies"] == tighter["marks"][0]["plies"] == 19


def test_the_oldest_results_are_forgotten_when_there_are_too_many(asked):
    board = parse_fen(TWOFLAGS, "8/1p1pp2p/2p5/p4pp1/PP3P2/3P4/2P1P1PP/8 w - - 0 6")
    facts = [{"moves": [move], "value": 1, "plies": 9, "how": "solver"} for move in board.moves()[:5]]
    assert asked("kept", "twoflags", fen(board), facts, 5) == [True] * 5
    assert asked("kept", "twoflags", fen(board), facts, 3) == [False] * 2 + [True] * 3


# The faults that a review finds.

OPEN = "8/1p1pp2p/2p5/p4pp1/PP3P2/3P4/2P1P1PP/8 {} - - 0 6"
"""A position of Two Flags; nobody tells the page who wins."""


@pytest.mark.parametrize("colour", ["w", "b"])
@pytest.mark.parametrize(
    ("had", "has", "scores", "kind"),
    [
        # Proven before and after.
        (1, -1, (0, 0), "gave-away"),
        (1, 1, (0, 0), None),
        (-1, -1, (0, 0), None),
        # A proven win before, open after: only what is missing to even chances counts.
        (1, 0, (900, 0), None),
        (1, 0, (900, -60), None),
        (1, 0, (900, -100), "inaccuracy"),
        (1, 0, (900, -200), "mistake"),
        (1, 0, (900, -400), "blunder"),
        (1, 0, (900, 6 - WIN), "blunder"),
        # Open before, a proven loss after: all chances are lost.
        (0, -1, (0, 0), "blunder"),
        (0, -1, (-200, 0), "mistake"),
        (0, -1, (-400, 0), "inaccuracy"),
        (0, -1, (-500, 0), None),
        # A proven loss before: nothing is left to lose.
        (-1, 0, (900, -900), None),
        # Open before and after.
        (0, 0, (0, -60), None),
        (0, 0, (0, -100), "inaccuracy"),
        (0, 0, (0, -200), "mistake"),
        (0, 0, (0, -400), "blunder"),
        (0, 0, (-100, 100), None),
    ],
)
def test_faults_are_proven_or_lose_chances(had, has, scores, kind, colour, asked):
    board = parse_fen(TWOFLAGS, OPEN.format(colour))
    move, best = board.moves()[:2]
    facts = [([best], -1)] if had > 0 else [([], -1)] * -had
    facts += [([move], -has)] if has else []
    assert fault_of(asked, board, scores, *facts) == kind


def fault_of(asked, board, scores, *facts):
    """The fault of a position's first move, if the search prefers the second; scores: for the mover; facts: (moves, value)."""
    told = [{"moves": moves, "value": value, "plies": None, "how": "solver"} for moves, value in facts]
    for_white = [-score if board.black_to_move else score for score in scores]
    return asked("fault", "twoflags", fen(board), *board.moves()[:2], for_white, told)


def test_a_losing_move_is_no_fault_if_the_move_that_the_search_prefers_loses_too(asked):
    board = parse_fen(TWOFLAGS, OPEN.format("w"))
    move, best = board.moves()[:2]
    assert fault_of(asked, board, (400, -400), ([move], 1)) == "blunder"
    assert fault_of(asked, board, (400, -400), ([move], 1), ([best], 1)) is None


# The order of moves and lines.


def mark(move, value, plies=None):
    return {"move": move, "value": value, "plies": plies, "how": "solver" if value else None}


def moves_of(marks):
    return [mark["move"] for mark in marks]


def test_known_results_stand_above_scores(asked):
    marks = [
        mark(1, -1, 20),
        mark(2, 0),
        mark(3, 1, 31),
        mark(4, 0),
        mark(5, 1, 29),
        mark(6, -1, 24),
        mark(7, 0),
        mark(8, -1),
    ]
    lines = [[300, [1, 9]], [55, [4]], [17, [2]], [-WIN + 20, [7]]]
    ordered = asked("ranked", marks, lines)
    assert moves_of(ordered) == [5, 3, 4, 2, 7, 6, 1, 8]
    assert ordered[2]["score"] == 55 and ordered[6]["line"] == [1, 9]
    # A winning move is listed even if the search has no line for it.
    assert moves_of(asked("rankedLines", ordered, 5)) == [5, 3, 4, 2, 7]
    assert moves_of(asked("rankedLines", asked("ranked", [mark(1, -1, 20), mark(2, 0), mark(3, 0)], lines), 5)) == [2, 1]  # fmt: skip


def test_proven_line_stands_before_lines_of_the_same_length(asked):
    marks = [mark(1, 1, 45), mark(2, 1, 45), mark(3, 1, 47)]
    ordered = asked("ranked", marks, [[80, [1, 9]], [60, [3]]], [2, 8])
    assert moves_of(ordered) == [2, 1, 3] and ordered[0]["line"] == [2, 8]


def test_search_that_proves_a_result_ranks_among_open_moves_only(asked):
    marks = [mark(1, 0), mark(2, 0), mark(3, 1, 60), mark(4, -1, 80)]
    lines = [[WIN - 5, [1]], [-WIN + 6, [2]], [900, [4]]]
    assert moves_of(asked("ranked", marks, lines)) == [3, 1, 2, 4]


def test_search_is_kept_from_losing_moves_while_others_have_no_line(asked):
    marks, line = [mark(1, -1), mark(2, 0), mark(3, 1)], [10, [1]]
    assert asked("worthSearching", asked("ranked", marks, [line])) == [3, 2]
    assert asked("worthSearching", asked("ranked", marks, [line, [5, [2]]])) == [3, 2]
    assert asked("worthSearching", asked("ranked", marks, [line, [5, [2]], [1, [3]]])) is None
    assert asked("worthSearching", asked("ranked", marks, [[5, [2]]])) is None
    assert asked("worthSearching", asked("ranked", marks[:1], [line])) is None


def test_arrows_avoid_losing_moves_unless_all_lose(asked):
    lost, mixed = [mark(1, -1), mark(2, -1)], [mark(3, 1), mark(1, -1)]
    assert asked("advised", lost, lost) == lost
    assert asked("advised", mixed, mixed) == mixed[:1]
    assert asked("advised", lost, [mark(5, 0), *lost]) == []
