"""The books of solved games as the engine reads them: what they answer, for which games, and what becomes of a damaged
one.
"""

import json
import random

import client
import position_tables
import pytest
from boards import walk

from pawnstorm.games import position_table
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.notation import fen, move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import Rules, get_rules
from pawnstorm.proof import book
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common.random_openings import levels

TWOFLAGS = get_rules("twoflags")
SMALL = get_rules("twoflags5x6")
D2D4 = 11 | 27 << 6


def content(entries, name="twoflags5x6", leaf=100):
    """A book of {board: (move, plies)}; a move of 0 is none."""
    rows = []
    for board, (move, plies) in entries.items():
        canonical = board.canonical()
        if move and canonical.bitboards != board.bitboards:
            move = position_table.mirror_move(board.rules, move)
        number = sum(other <= move for other in canonical.moves()) if move else 0
        rows.append((canonical, (number * 512 + plies).to_bytes(2, "little")))
    return position_tables.content("book", f"{name} leaf {leaf}", rows)


@pytest.fixture
def read(tmp_path):
    """The Book of such a file."""

    def made(data):
        (tmp_path / "test.book").write_bytes(data)
        return book.Book(tmp_path / "test.book")

    return made


def mirror(board):
    """The mirror image of a position."""
    rows, rest = fen(board).split(" ", 1)
    side, castling, passed, *counters = rest.split()
    if passed != "-":
        passed = chr(ord("a") + ord("a") + board.rules.files - 1 - ord(passed[0])) + passed[1]
    return parse_fen(
        board.rules, " ".join(["/".join(row[::-1] for row in rows.split("/")), side, castling, passed, *counters])
    )


def test_positions_are_found_with_their_move_bound_and_winner(read):
    start = Board.start(SMALL)
    one, two = (start.push(move) for move in start.moves()[:2])
    found = read(content({start: (start.moves()[0], 21), one: (one.moves()[2], 20)}))
    assert found.game == "twoflags5x6" and found.leaf_nodes == 100 and found.count == 2
    assert found.probe(start) == (start.moves()[0], 21, 1) and found.probe(one) == (one.moves()[2], 20, -1)
    assert found.probe(two) is None
    assert found.line(start) == [start.moves()[0], one.moves()[2]] and found.line(two) == []


def test_every_key_of_a_large_book_is_found_and_nothing_else(read):
    lot, boards = random.Random(5), []
    while len(boards) < 600:
        board = walk(Board.start(TWOFLAGS), lot.randrange(1, 20), lot)
        boards += [] if board.is_game_over() else [board]
    boards = list({board.canonical(): board for board in boards}.values())
    inside, outside = boards[::2], boards[1::2]
    assert len(outside) > 50
    found = read(
        content({board: (board.moves()[-1], 1 + number % 255) for number, board in enumerate(inside)}, "twoflags8x8")
    )
    for number, board in enumerate(inside):
        move = board.moves()[-1]
        assert found.probe(board)[:2] == (move, 1 + number % 255)
        assert found.probe(mirror(board)).move == position_table.mirror_move(TWOFLAGS, move)
    assert [board for board in outside if found.probe(board)] == []


@pytest.mark.parametrize("name", ["twoflags", "twoflags5x6", "breakthrough3x5", "hexapawn"])
def test_mirror_images_share_an_entry(name):
    """The key, and the move as each of the two sees it, along random games; positions with a pawn to take in passing
    are among them.
    """
    lot, rules, passing = random.Random(3), get_rules(name), 0
    for _ in range(30):
        board = Board.start(rules)
        while not board.is_game_over():
            image, move = mirror(board), lot.choice(board.moves())
            assert board.mirrored() == image and board.canonical() == image.canonical()
            assert board.canonical().bitboards in (board.bitboards, image.bitboards)
            assert image.push(position_table.mirror_move(rules, move)) == mirror(board.push(move))
            passing += bool(board.ep)
            board = board.push(move)
    assert passing or not rules.ep_squares


def test_colours_do_not_matter(read):
    """Positions are seen by the side to move: with colours exchanged the same entry holds."""
    start = Board.start(SMALL)
    other = Board(SMALL, start.own, start.opp, start.ep, True)
    found = read(content({start: (start.moves()[0], 21)}))
    assert found.probe(other) == found.probe(start)


def test_move_that_is_not_legal_is_no_answer(read):
    """The number of a move is beyond the moves of the position, which then is another one with the same key."""
    start = Board.start(SMALL)
    count = len(start.moves())
    for number, known in ((count, True), (count + 1, False)):
        data = position_tables.content(
            "book", "twoflags5x6 leaf 100", [(start.canonical(), (number * 512 + 21).to_bytes(2, "little"))]
        )
        assert (read(data).probe(start) is not None) == known


def test_table_of_any_size_has_each_of_its_positions_and_no_other(read):
    """Around the sizes at which a table gets twice as many buckets."""
    lot, boards = random.Random(8), {}
    while len(boards) < 70:
        board = walk(Board.start(TWOFLAGS), lot.randrange(1, 12), lot)
        if not board.is_game_over():
            boards.setdefault(board.canonical(), board)
    boards = list(boards)
    for size in (0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65):
        found = read(content({board: (0, 2 * number) for number, board in enumerate(boards[:size])}, "twoflags8x8"))
        assert [entry and entry.plies for entry in map(found.probe, boards)] == [
            2 * number if number < size else None for number in range(70)
        ]


def without_doubles():
    """Two Flags without double steps."""
    rules = object.__new__(Rules)  # copy.copy() returns the same Rules
    vars(rules).update(vars(TWOFLAGS))
    rules.double_step_squares = 0
    return rules


def test_only_positions_of_the_same_game_are_answered(read):
    start = Board.start(TWOFLAGS)
    found = read(content({start: (D2D4, 45)}, "twoflags8x8"))

    def known(rules):
        return found.probe(Board(rules, start.own, start.opp, 0, False)) is not None

    assert known(TWOFLAGS) and known(get_rules("pawnsonly"))
    assert not any(
        map(
            known,
            [get_rules("twoflags-ghost"), get_rules("twoflags-noep"), get_rules("breakthrough"), without_doubles()],
        )
    )


GOOD = content({Board.start(SMALL): (Board.start(SMALL).moves()[0], 21)})


@pytest.mark.parametrize(
    "data, named",
    [
        (b"", "not a valid book"),
        (GOOD.replace(b"book 2", b"book 1"), "not a valid book"),
        (GOOD.replace(b"twoflags5x6", b"chess"), "'chess'"),
        (GOOD.replace(b"leaf 100", b"leaf -1"), "not a valid book"),
        (GOOD[:-1], "damaged"),
        (GOOD + b"\0", "too large"),
        (GOOD.replace(b"entries 1", b"entries 2"), "damaged"),
        (GOOD[:-3] + bytes([GOOD[-3] ^ 1]) + GOOD[-2:], "damaged"),
    ],
)
def test_damaged_file_is_refused_by_name(read, tmp_path, data, named):
    with pytest.raises(BadFile, match="expected") as refused:
        read(data)
    assert named in str(refused.value) and str(tmp_path) in str(refused.value)


def test_game_without_a_file_has_no_book_and_a_damaged_one_is_told_each_time(tmp_path, monkeypatch):
    assert all(book.for_game(get_rules(name)) is None for name in ("breakthrough", "twoflags7x7", "hexapawn"))
    monkeypatch.setattr(book, "FOLDER", str(tmp_path))
    assert book.for_game(TWOFLAGS) is None
    position_table.opened.cache_clear()
    (tmp_path / "twoflags8x8.book").write_bytes(b"nothing")
    for _ in range(2):
        with pytest.raises(BadFile):
            book.for_game(TWOFLAGS)


def test_opening_tells_lost_positions_and_the_moves_to_them(read):
    start = Board.start(SMALL)
    one, two, three, *_ = start.moves()
    a, b, c = map(start.push, (one, two, three))
    found = read(content({a: (0, 20), b: (0, 18), c: (0, 22)}))
    assert found.probe(a) == (None, 20, -1) and found.line(a) == [] and found.winning_moves(a) == {}
    assert found.probe(mirror(b)) == (None, 18, -1)
    wins = found.winning_moves(start)
    assert found.probe(start) is None and (wins[one], wins[two], wins[three]) == (21, 19, 23)
    known = [board.canonical() for board in (a, b, c)]
    assert list(wins) == [move for move in start.moves() if start.push(move).canonical() in known]
    assert len(wins) < len(start.moves())


# The book of Two Flags 8x8 that the engine carries, and its opening.


def descend(shipped, lot):
    """A line of the strategy with the loser's replies by lot: its positions that have an entry."""
    board, line = Board.start(TWOFLAGS), []
    while entry := shipped.probe(board):
        line.append((board, entry))
        board = board.push(entry.move if entry.value > 0 else lot.choice(board.moves()))
    return line


def test_one_book_serves_the_game_under_all_its_names():
    shipped = book.for_game(TWOFLAGS)
    assert shipped and shipped.game == "twoflags8x8" and book.for_game(get_rules("pawnsonly")) is shipped
    start = shipped.probe(Board.start(TWOFLAGS))
    assert start.value == 1 and start.plies & 1 and len(shipped.line(Board.start(TWOFLAGS))) > 5


@pytest.mark.compiled
def test_sampled_lines_are_won_as_the_book_says():
    """Every reply on them has an answer, or is won by the solver with few expansions; bounds shrink; each line's last
    entry is proven.
    """
    shipped, lot, prover, small = book.for_game(TWOFLAGS), random.Random(11), Prover(64), Prover(1)
    last = {}
    for _ in range(3):
        line = descend(shipped, lot)
        for (board, entry), (_, following) in zip(line, line[1:]):
            assert following.value == -entry.value and following.plies < entry.plies
        board, entry = line[-1]
        last[board] = entry
        for board, entry in line:
            bound = entry.plies
            if entry.value > 0:
                board, bound = board.push(entry.move), bound - 1
                if lost := shipped.probe(board):
                    assert lost.value == -1
                    continue
            for reply in map(board.push, board.moves()):
                known = shipped.probe(reply)
                if not known:
                    small.clear()
                    # twice as many as told: weights that change a little shall not ask for another book at once
                    assert small.prove(reply, 2 * shipped.leaf_nodes).value == 1
                else:
                    assert known.value == 1 and known.plies < bound
    assert len(last) > 1
    for board, entry in last.items():
        assert prover.prove(board).value == entry.value


def test_opening_decides_every_position_of_five_plies():
    """A position is lost where no move leads to one that is lost."""
    opening, lot, values = book.for_game(TWOFLAGS, "opening"), random.Random(7), []
    for _ in range(60):
        board = walk(Board.start(TWOFLAGS), lot.randrange(6), lot)
        entry, wins = opening.probe(board), opening.winning_moves(board)
        values.append(1 if wins else -1)
        assert (entry is None) == bool(wins)
        for child in map(board.push, board.moves() if entry else []):
            assert opening.probe(child) is None
    assert values.count(-1) > 5 and values.count(1) > 5


def test_opening_agrees_with_the_positions_of_known_value():
    """Those of scripts/positions/, with their winning moves, which were found without it."""
    opening, found = book.for_game(TWOFLAGS, "opening"), []
    for line in (client.ROOT / "scripts" / "positions" / "twoflags.jsonl").read_text().splitlines()[1:]:
        record = json.loads(line)
        if "rejected" in record:
            continue
        board = parse_fen(TWOFLAGS, record["fen"])
        lost, winning = opening.probe(board), sorted(move_text(board, move) for move in opening.winning_moves(board))
        if lost or winning:
            assert record["value"] == (-1 if lost else 1) and set(winning) <= set(record["winning"])
            found.append(record["ply"])
        if record["ply"] <= 5:
            assert (lost is not None) == (record["value"] < 0) and winning == sorted([] if lost else record["winning"])
    assert found.count(4) > 30 and found.count(5) > 30 and found.count(6) > 20


def test_book_and_opening_agree():
    strategy, opening, both = book.for_game(TWOFLAGS), book.for_game(TWOFLAGS, "opening"), 0
    for board in levels(TWOFLAGS, 3)[-1] + levels(TWOFLAGS, 2)[-1]:
        if entry := strategy.probe(board):
            assert (opening.probe(board) is None) == bool(opening.winning_moves(board)) == (entry.value > 0)
            both += 1
    assert both > 20
