"""scripts/strategy.py: the books that it makes of small solved games, played through by other rules, and their proofs."""

import random
import re

import client
import exhaustive
import numpy as np
import positions
import pytest
import strategy
from matches import fake

from pawnstorm.core.state import NO_LIMIT
from pawnstorm.games import position_table
from pawnstorm.games.notation import fen, move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.pgn import writer
from pawnstorm.proof import book
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.checking import naive, prooffile
from pawnstorm_tools.programs import verify
from pawnstorm_tools.solving import book_maker, likely_lines, line_log

pytestmark = pytest.mark.compiled

# Game -> winner, expansions left to the solver. Both colours win; Black's books begin with the loser's move.
BOOKS = {"twoflags4x5": ("w", 1), "twoflags5x6": ("b", 30), "twoflags6x6": ("b", 100), "breakthrough4x4": ("b", 20)}
SHIPPED = str(client.ROOT / "engine/pawnstorm/proof/data/twoflags8x8.book")
SHIPPED_LINES = str(client.ROOT / "engine/pawnstorm/proof/data/breakthrough6x6.book")
EXTEND = "make", "{folder}/book", "--games", "{folder}/games.pgn", "--extend"
EXHAUSTED = ("twoflags4x5", "twoflags5x6")


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """{game: path} of the books of BOOKS."""
    folder = tmp_path_factory.mktemp("books")
    for name, (_, leaf) in BOOKS.items():
        assert strategy.main(["make", str(folder / name), "--variant", name, "--leaf", str(leaf), "--hash", "16"]) == 0
    return {name: folder / name for name in BOOKS}


@pytest.fixture
def opened(books, request):
    return book.Book(books[request.param])


def each(*names):
    return pytest.mark.parametrize("opened", names, indirect=True)


def board_of(position, rules):
    return parse_fen(rules, naive.fen(position))


def text(board, entry):
    return move_text(board, entry.move)


@each(*BOOKS)
def test_every_reply_has_an_answer_or_is_left_to_the_solver(opened):
    """By the naive rules, from the start on: the winner plays the book's move, the loser everything."""
    rules, small, (winner, leaf) = get_rules(opened.game), Prover(1), BOOKS[opened.game]
    waiting = [naive.start(naive.GAMES[opened.game])]
    met, answered, left = set(waiting), 0, 0
    assert opened.leaf_nodes == leaf
    for position in waiting:
        board = board_of(position, rules)
        entry = opened.probe(board)
        if position.side != winner:
            replies = {naive.play(position, move) for move in naive.moves(position)}
            if any(opened.probe(board_of(reply, rules)) for reply in replies):
                assert entry.value == -1 and text(board, entry) in naive.moves(position)
            else:
                assert entry is None, "the book ends here"
            fresh = replies - met
        elif entry:
            assert entry.value == 1 and text(board, entry) in naive.moves(position)
            answered += 1
            fresh = {naive.play(position, text(board, entry))} - met
        else:
            small.clear()
            assert small.prove(board, leaf).value == 1
            left += 1
            fresh = set()
        met |= fresh
        waiting += sorted(fresh)
    assert answered > 3 and left > answered


@each(*EXHAUSTED)
def test_values_and_bounds_hold_by_exhaustive_play(opened):
    """The winner's moves win and the bounds are none too small; a bound is that of the longest line after it."""
    rules = get_rules(opened.game)
    state, memory = exhaustive.record(rules), exhaustive.memory(22)
    entries = list(book_maker.walk(opened, Board.start(rules)))
    for board, entry in entries:
        plies = exhaustive.value(*map(np.uint64, board.bitboards), state, memory)
        after = board.push(entry.move)
        assert plies * entry.value > 0 and abs(plies) <= entry.plies
        assert exhaustive.value(*map(np.uint64, after.bitboards), state, memory) * entry.value <= 0
    assert len(entries) == opened.count


@each(*BOOKS)
def test_loser_chooses_the_reply_that_leaves_most_of_the_strategy(opened):
    small, known = Prover(1), {}

    def alone(board):
        small.clear()
        plies = small.prove(board).plies
        return small.nodes + 1, plies

    def left(board, losing):
        """(positions of the strategy that follow, plies at most), from the book and the solver alone."""
        board = board.canonical()
        if board not in known:
            entry = opened.probe(board)
            if not losing and not entry:
                known[board] = alone(board)
                return known[board]
            behind = [left(board.push(move), not losing) for move in (board.moves() if losing else [entry.move])]
            known[board] = sum(work for work, _ in behind) + (not losing), 1 + max(plies for _, plies in behind)
        return known[board]

    choices = 0
    for board, entry in book_maker.walk(opened, Board.start(get_rules(opened.game))):
        losing = entry.value < 0
        assert left(board, losing)[1] == entry.plies
        if losing:
            values = sorted(left(child, False) for child in map(board.push, board.moves()))
            assert left(board.push(entry.move), False) == values[-1]
            choices += values[0] < values[-1]
    assert choices > 1


@pytest.fixture
def blind(monkeypatch):
    """An estimate by small searches, by which all replies are likely."""
    monkeypatch.setattr(likely_lines, "EFFORTS", (likely_lines.Effort(float("-inf"), {1: 0.3, 2: 0.3}, 1),))
    monkeypatch.setattr(likely_lines, "LEAST", float("-inf"))
    monkeypatch.setattr(likely_lines, "LEAST_EXTENDED", float("-inf"))


def make_limited(path, name, moves, *words):
    return strategy.main(
        ["make", str(path), "--variant", name, "--leaf", "10", "--moves", str(moves), "--hash", "16", *words]
    )


def winning_entries(path):
    """{canonical board: move} of the winner's positions to which a book leads."""
    found = book.read(path)
    walked = book_maker.walk(found, Board.start(get_rules(found.game)))
    return {board: entry.move for board, entry in walked if entry.value > 0}


@pytest.mark.parametrize("name, most", [("twoflags6x6", 15), ("breakthrough4x5", 30)])
def test_limited_book_has_the_likeliest_moves_and_at_last_all(prove, tmp_path, blind, name, most):
    """Where the largest book has no move, the solver proves the win at once. What lies below a book is proven, and the proof
    is verified.
    """
    rules, table = get_rules(name), str(tmp_path / "table")
    root, large, sizes = Board.start(rules), tmp_path / "large", {}
    for moves in (3, most, 10**6):
        assert make_limited(large, name, moves, "--save", table, "--keep", "16") == 0
        sizes[moves] = winning_entries(large)
        done, checked, *_ = prove(None, large, ["--table", table] if moves == most else [])
        assert (done, checked) == (0, 0)
    small, middle, everything = sizes.values()
    assert small.items() < middle.items() < everything.items()
    opened = book.read(large)
    waiting = [root.canonical()] if Prover(1).prove(root).value > 0 else book_maker.replies(root)
    met = set(waiting)
    for board in waiting:
        entry = opened.probe(board)
        assert Prover(1).prove(board, *([] if entry else [10]), ply_limit=entry.plies if entry else NO_LIMIT).value > 0
        after = entry and board.push(entry.move)
        if entry and not after.is_game_over():
            fresh = [child for child in book_maker.replies(after) if child not in met]
            met.update(fresh)
            waiting += fresh
    assert len(met) > len(everything) > len(middle)


@pytest.mark.parametrize("name", ["twoflags6x6", "breakthrough4x5"])
def test_positions_of_games_come_first(name, tmp_path, blind, monkeypatch):
    """A position in which a game leaves the book gets a move next."""
    monkeypatch.setattr(likely_lines, "GAME_CHANCE", 1.0)
    path, games = tmp_path / "book", tmp_path / "games.pgn"
    words = "--save", str(tmp_path / "table"), "--games", str(games)
    assert make_limited(path, name, 8, *words[:2]) == 0
    ends = leave(path, games)
    data = (tmp_path / "table.lines").read_bytes()
    kinds = np.frombuffer(data[data.index(b"\n") + 1 :], line_log.RECORD)["kind"]
    assert make_limited(path, name, np.count_nonzero(kinds == line_log.MOVE) + len(ends), *words) == 0
    assert ends <= {board.bitboards for board in winning_entries(path)}


@pytest.mark.parametrize("name", ["twoflags6x6", "breakthrough4x5"])
def test_extended_book_keeps_its_moves_and_adds_those_that_games_need(name, prove, tmp_path, blind, monkeypatch):
    monkeypatch.setattr(likely_lines, "GAME_CHANCE", 1.0)
    old, path, games = tmp_path / "old", tmp_path / "book", tmp_path / "games.pgn"
    assert make_limited(old, name, 8) == 0
    ends, before = leave(old, games), winning_entries(old)
    words = "make", str(path), "--extend", str(old), "--games", str(games), "--hash", "16"
    for more in len(ends), 10**6:
        assert strategy.main([*words, "--moves", str(len(before) + more)]) == 0
        after = winning_entries(path)
        assert before.items() <= after.items() and ends <= {board.bitboards for board in after}
        assert len(after) == len(before) + more or more == 10**6
        assert prove(None, path)[:2] == (0, 0)
        within, root = book.read(path).plies, Board.start(get_rules(name))
        winner = 1 if within % 2 else -1
        assert within >= book.read(old).plies and Prover(1).prove(root, ply_limit=within).value == winner


@pytest.mark.parametrize("name", ["twoflags6x6", "breakthrough4x5"])
def test_completed_book_leaves_nothing_to_chance(name, prove, tmp_path, blind):
    """However the loser plays, the solver alone proves each position in which the book has no move."""
    old, path, again, log = (tmp_path / file for file in ("old", "book", "again", "table"))
    assert make_limited(old, name, 8) == 0
    before, root, sizes = winning_entries(old), Board.start(get_rules(name)), []
    for leaf in 4, 40, 4:  # each run goes on from the log of the run before
        words = "make", str(path), "--extend", str(old), "--leaf", str(leaf), "--hash", "16", "--save", str(log)
        assert strategy.main(words) == 0
        moves, found = winning_entries(path), book.read(path)
        losing = [] if found.plies % 2 else [root.canonical()]
        losing += [board.push(move).canonical() for board, move in moves.items()]
        ends = {child for board in losing for child in book_maker.replies(board) if child not in moves}
        assert all(Prover(1).prove(board, leaf).value > 0 for board in ends)
        assert not any(Prover(1).prove(board, leaf).value for board in moves if board not in before)
        assert before.items() <= moves.items() and found.leaf_nodes == leaf and prove(None, path)[:2] == (0, 0)
        sizes.append(len(moves))
    assert sizes[0] > sizes[1] < sizes[2]
    data = log.with_name("table.strategy").read_bytes()
    log.with_name("table.strategy").write_bytes(data[: len(data) // 2])  # killed on the way
    assert strategy.main([*words[:1], str(again), *words[2:]]) == 0 and again.read_bytes() == path.read_bytes()


def test_completed_book_that_is_too_large_is_refused_early(tmp_path, blind, monkeypatch, capsys):
    old, path = tmp_path / "old", tmp_path / "book"
    assert make_limited(old, "breakthrough4x5", 8) == 0
    words = "make", str(path), "--extend", str(old), "--leaf", "4", "--hash", "16"
    assert strategy.main(words) == 0
    positions = book.read(path).count
    path.unlink()
    monkeypatch.setattr(book_maker, "MOST_POSITIONS", positions)
    assert strategy.main(words) == 0
    path.unlink()
    monkeypatch.setattr(book_maker, "MOST_POSITIONS", positions - 1)
    monkeypatch.setattr(book_maker, "BATCH", 1)
    assert strategy.main(words) == 2 and not path.exists()
    assert f"more than {positions - 1:,} positions: expected a greater --leaf" in capsys.readouterr().err


def leave(path, games):
    """Write games that leave a book in three positions that a solver does not decide at once; returns their bitboards."""
    found, chance, ends = book.read(path), random.Random(5), set()
    rules, moves = get_rules(found.game), {board.bitboards: move for board, move in winning_entries(path).items()}
    start = Board.start(rules)
    winner, tags = Prover(1).prove(start).value < 0, {"FEN": fen(start), "Result": "*"}
    texts = [writer.pgn_text(tags, rules, [(move_text(start, start.moves()[0]), "")])]
    while len(ends) < 3:
        board, played = start, []
        while board.black_to_move != winner or board.canonical().bitboards in moves:
            move = chance.choice(board.moves())
            if board.black_to_move == winner:
                move = position_table.seen_from(board, moves[board.canonical().bitboards])
            played.append((move_text(board, move), ""))
            board = board.push(move)
        if board.is_game_over() or Prover(1).prove(board, 10).value:
            continue
        if board.canonical().bitboards not in ends:
            ends.add(board.canonical().bitboards)
            texts.append(writer.pgn_text(tags, rules, played))
    games.write_text("\n\n".join(texts))
    return ends


@pytest.mark.parametrize("name", ["twoflags6x6", "breakthrough4x5"])
def test_ends_are_the_positions_after_the_book(name, tmp_path, blind, capsys):
    path = tmp_path / "book"
    assert make_limited(path, name, 12) == 0
    found, root = book.read(path), Board.start(get_rules(name))
    moves, losing = winning_entries(path), [] if found.plies % 2 else [root.canonical()]
    losing += [board.push(move).canonical() for board, move in moves.items()]
    won = {
        child.bitboards
        for board in losing
        for child in book_maker.replies(board)
        if child not in moves and not {child.push(move).canonical() for move in child.moves()} & {*losing}
    }
    capsys.readouterr()
    drawn = {}
    for count in (5, 10**6):
        assert strategy.main(["ends", str(path), "--count", str(count)]) == 0
        drawn[count] = capsys.readouterr().out.splitlines()
    boards = [parse_fen(root.rules, line).canonical() for line in drawn[10**6]]
    assert {board.bitboards for board in boards} == won and len(boards) == len(won) > 20
    assert drawn[5] == drawn[10**6][:5]
    assert all(Prover(1).prove(board).value > 0 for board in boards)


@pytest.mark.parametrize("name", ["twoflags6x6", "breakthrough4x4", "twoflags5x7"])
def test_first_positions_are_those_after_the_first_replies(name, tmp_path, blind, capsys):
    """The winner plays the book's moves, and every move of the loser is tried. White wins one of the games, Black the others."""
    path, root = tmp_path / "book", Board.start(get_rules(name))
    assert make_limited(path, name, 10**6) == 0
    found = book.read(path)
    black = found.plies % 2 == 0

    def after(board, left):
        if board.is_game_over():
            return set()
        if board.black_to_move != black:
            return set().union(*(after(board.push(move), left - 1) for move in board.moves()))
        entry = found.probe(board)
        return {board.canonical()} if not left else after(board.push(entry.move), left) if entry else set()

    for replies in 1, 2, 3:
        capsys.readouterr()
        assert strategy.main(["ends", str(path), "--replies", str(replies), "--count", "100000"]) == 0
        printed = capsys.readouterr().out.splitlines()
        boards = [parse_fen(root.rules, line).canonical() for line in printed]
        assert set(boards) == after(root, replies) and len(boards) == len(set(boards)) > replies
    drawn = []
    for _ in range(2):
        assert strategy.main(["ends", str(path), "--replies", "3", "--count", "3"]) == 0
        drawn.append(capsys.readouterr().out.splitlines())
    assert drawn[0] == drawn[1] and len(set(drawn[0])) == 3 and set(drawn[0]) <= set(printed)


def test_limited_book_goes_on_from_its_log(tmp_path, blind, capsys):
    """After a kill at any byte, the same command makes the same book; a log of another book is refused."""
    whole, path, log = tmp_path / "whole", tmp_path / "book", tmp_path / "table.lines"
    words = "twoflags6x6", 10**6, "--save", str(tmp_path / "table")
    assert make_limited(whole, *words) == 0
    data = log.read_bytes()
    head, record = data.index(b"\n") + 1, line_log.RECORD.itemsize
    for size in (head - 3, head, head + 1, head + record, head + 2 * record + 5, head + 40 * record, len(data) - 1):
        log.write_bytes(data[:size] if size >= head else b"")
        assert make_limited(path, *words) == 0
        assert path.read_bytes() == whole.read_bytes()
    log.write_bytes(data.replace(b'"leaf": 10', b'"leaf": 11'))
    capsys.readouterr()
    assert make_limited(path, *words) == 2
    assert f"{log} is of another game, solver or --leaf: expected a file that the same" in capsys.readouterr().err


@pytest.fixture
def opening(tmp_path, capsys):
    """Make the opening of a game by all three commands; (strategy.py's exit code, what was printed, the file)."""

    def run(name, plies, change=lambda records: records):
        listed, values, path = (tmp_path / file for file in ("all.epd", "values", "opening"))
        capsys.readouterr()
        assert positions.main(["all", str(plies), "--variant", name]) == 0
        listed.write_text(capsys.readouterr().out)
        assert positions.main(["value", str(listed), str(values), "--variant", name, "--hash", "16"]) == 0
        head, *records = values.read_text().splitlines()
        values.write_text("\n".join([head, *change(records), ""]))
        status = strategy.main(["opening", str(path), str(values), "--plies", str(plies)])
        return status, capsys.readouterr(), path

    return run


@pytest.mark.parametrize("name, plies", [("twoflags4x5", 5), ("hexapawn4x4", 4), ("breakthrough3x5", 3)])
def test_opening_has_every_lost_position_by_exhaustive_play(opening, name, plies):
    """By the naive rules, all up to the plies; the bounds are none too small."""
    rules = get_rules(name)
    state, memory = exhaustive.record(rules), exhaustive.memory(22)
    status, printed, path = opening(name, plies)
    assert status == 0
    level, made, lost = {naive.start(naive.GAMES[name])}, book.Book(path), set()
    for _ in range(plies + 1):
        for position in level:
            board = board_of(position, rules)
            value = exhaustive.value(*map(np.uint64, board.bitboards), state, memory)
            entry = made.probe(board)
            assert (entry is not None) == (value <= 0 and not naive.over(position))
            if entry:
                lost.add(board.canonical().bitboards)
                assert entry.value == -1 and entry.plies >= -value
        level = {naive.play(position, move) for position in level for move in naive.moves(position)}
    assert made.count == len(lost) > 10
    assert f"{len(lost):,} entries, {path.stat().st_size:,} bytes" in printed.out
    assert f"lost       {len(lost):,} of" in printed.out


def test_opening_needs_the_value_of_every_position(opening):
    status, printed, path = opening("twoflags4x5", 2, lambda records: records[1:])
    assert status == 2 and not path.exists()
    assert "the values of 1 of 9 positions are missing, " in printed.err and "/4 w - - 0 1 among them" in printed.err


@pytest.mark.parametrize("within", [-1, 0.5, '"7"', "true", 6, 7, 256, 10**30])
def test_opening_refuses_a_bound_that_cannot_be(opening, within):
    """A position that is won ends after an odd number of plies, a lost one after an even one."""

    def change(records):
        return [re.sub(r'"within": \d+', f'"within": {within}', record) for record in records]

    status, printed, _ = opening("twoflags4x5", 1, change)
    assert status == 2 and "expected 'within' to be a number of plies up to 255" in printed.err


def test_opening_does_not_replace_its_values(opening, capsys):
    _, _, path = opening("twoflags4x5", 2)
    values = path.with_name("values")
    before = values.read_bytes()
    assert strategy.main(["opening", str(values), str(values), "--plies", "2"]) == 2
    assert "is given twice, as an input or an output" in capsys.readouterr().err and values.read_bytes() == before


def test_opening_is_no_book(opening, tmp_path, capsys):
    _, _, path = opening("twoflags4x5", 2)
    for words in (["prove", str(path), "--proof", str(tmp_path / "proof")], ["walk", str(path), "--engine", "none"]):
        assert strategy.main(words) == 2
        assert f"{path} is an opening: expected a book" in capsys.readouterr().err
    assert not (tmp_path / "proof").exists()


def test_games_end_before_the_plies(opening, capsys):
    """All lost positions of the game are then in its opening, and no value is needed."""
    many, (_, _, path) = str(10**20), opening("hexapawn", 3)
    assert positions.main(["all", many, "--variant", "hexapawn"]) == 0 and capsys.readouterr().out == ""
    assert strategy.main(["opening", str(path), str(path.with_name("values")), "--plies", many]) == 0
    assert book.Book(path).count > 4


@pytest.fixture
def prove(books, tmp_path, capsys):
    """Write the proof of a book and check it; (verify.py's exit code, what both printed)."""

    def run(name, path=None, words=()):
        proof = tmp_path / "proof"
        made = strategy.main(["prove", str(path or books[name]), "--proof", str(proof), "--hash", "16", *words])
        checked = verify.main([str(proof)]) if made == 0 else None
        return made, checked, capsys.readouterr(), proof

    return run


@pytest.mark.parametrize("name", BOOKS)
def test_proof_of_a_book_is_verified_and_follows_it(prove, books, name):
    made, checked, printed, path = prove(name)
    assert (made, checked) == (0, 0) and printed.out.splitlines()[-1] == "verified"
    proof, opened = prooffile.read(path), book.Book(books[name])
    start = opened.probe(Board.start(get_rules(name)))
    longest = next(line.split()[1] for line in printed.out.splitlines() if line.startswith("longest"))
    assert proof.winner == BOOKS[name][0] and int(longest) <= start.plies
    rules, black = get_rules(name), proof.winner == "b"
    passed, named = rules.ranks - 3, 0
    for white, black_pawns, plan in proof.records.tolist():
        own, opp = (rules.flip(black_pawns), rules.flip(white)) if black else (white, black_pawns)
        board = Board(rules, own, opp, 1 << 8 * passed + (plan >> 4 & 15) - 1 if plan >> 4 & 15 else 0, black)
        if entry := opened.probe(board):
            squares = [
                square if not black else rules.flip(1 << square).bit_length() - 1
                for square in prooffile.plan_squares(plan)
            ]
            assert squares == [entry.move & 63, entry.move >> 6]
            named += 1
    assert named == sum(entry.value > 0 for _, entry in book_maker.walk(opened, Board.start(rules)))


def test_saved_table_of_a_game_with_a_short_name_is_read(prove, tmp_path):
    """A book has the game's full name, hexapawn3x3, and a table its short name."""
    path, table = tmp_path / "book", str(tmp_path / "table")
    words = "make", str(path), "--variant", "hexapawn", "--leaf", "1", "--hash", "16", "--save", table
    assert strategy.main(words) == 0 and len(winning_entries(path)) > 1
    assert prove(None, path, ["--table", table])[:2] == (0, 0)


def test_book_with_a_losing_move_is_not_proven(prove, books, tmp_path):
    """Each of the winner's moves in turn is replaced by one that loses, until there was one to replace."""
    rules, opened, prover, refused = get_rules("twoflags6x6"), book.Book(books["twoflags6x6"]), Prover(16), 0
    entries = dict(book_maker.walk(opened, Board.start(rules)))
    for board, entry in entries.items():
        losing = [move for move in board.moves() if entry.value > 0 and prover.prove(board.push(move)).value > 0]
        if losing:
            path = tmp_path / "wrong"
            moves = {other: one.move for other, one in entries.items()} | {board: losing[0]}
            listed = [(other, moves[other], one.plies) for other, one in entries.items()]
            book_maker.write(path, rules.full_name, 100, listed)
            made, _, printed, _ = prove(None, path)
            assert made == 2 and "does not find won" in printed.err
            refused += 1
            if refused == 3:
                return
    pytest.fail("no move of the winner could be replaced by one that loses")


def test_saved_table_gives_the_same_book_again(tmp_path, capsys):
    words = ["--variant", "twoflags6x6", "--leaf", "100", "--hash", "16", "--save", str(tmp_path / "table")]
    for name, keep in (("one", []), ("two", ["--keep", "1"])):
        assert strategy.main(["make", str(tmp_path / name), *words, *keep]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("book")]
    two = tmp_path / "two"
    assert f"{two.stat().st_size:,} bytes" in told[1] and f"{book.Book(two).count:,} entries" in told[1]


def test_book_begins_with_the_first_move_that_is_given(prove, tmp_path, capsys):
    """Every first move that wins gives a book whose proof holds; one that loses is refused."""
    rules, prover = get_rules("twoflags5x7"), Prover(16)
    start = Board.start(rules)
    words = ["--variant", rules.name, "--leaf", "30", "--hash", "16"]
    winning = [move for move in start.moves() if prover.prove(start.push(move)).value < 0]
    for number, move in enumerate(winning):
        path = tmp_path / str(number)
        assert strategy.main(["make", str(path), "--first", move_text(start, move), *words]) == 0
        after = start.push(book.Book(path).probe(start).move)
        assert after.canonical().bitboards == start.push(move).canonical().bitboards
        made, checked, *_ = prove(None, path)
        assert (made, checked) == (0, 0)
    losing = next(move_text(start, move) for move in start.moves() if move not in winning)
    assert strategy.main(["make", str(tmp_path / "lost"), "--first", losing, *words]) == 2
    assert f"'{losing}' loses: expected" in capsys.readouterr().err
    assert strategy.main(["make", str(tmp_path / "none"), "--first", "a1a9", *words]) == 2
    assert "'a9' is not a square" in capsys.readouterr().err


def test_stopped_run_goes_on_from_its_decisions(tmp_path, capsys):
    """The file has only half of the decisions, and the last record is cut off; or it was made with another --leaf."""
    words = ["--variant", "twoflags6x6", "--hash", "16", "--threads", "2", "--save", str(tmp_path / "table")]
    kept, made = tmp_path / "table.strategy", {}
    for leaf in ("30", "100"):
        kept.unlink(missing_ok=True)
        assert strategy.main(["make", str(tmp_path / leaf), *words, "--leaf", leaf]) == 0
        made[leaf] = kept.read_bytes()
    kept.write_bytes(made["100"][: len(made["100"]) // 2 + 5])
    assert strategy.main(["make", str(tmp_path / "again"), *words, "--leaf", "100"]) == 0
    assert (tmp_path / "again").read_bytes() == (tmp_path / "100").read_bytes()
    assert len(kept.read_bytes()) == len(made["100"])
    for leaf, other in (("30", "100"), ("100", "30")):
        kept.write_bytes(made[other])
        assert strategy.main(["make", str(tmp_path / "again"), *words, "--leaf", leaf]) == 0
        assert (tmp_path / "again").read_bytes() == (tmp_path / leaf).read_bytes()


def test_decisions_of_another_game_or_file_are_refused(tmp_path, capsys):
    def run(name, data):
        kept.write_bytes(data)
        words = ["--variant", name, "--leaf", "30", "--hash", "16", "--save", str(tmp_path / name)]
        return strategy.main(["make", str(tmp_path / "book"), *words])

    kept = tmp_path / "twoflags4x5.strategy"
    assert run("twoflags4x5", b"") == 0
    known, kept = kept.read_bytes(), tmp_path / "twoflags5x5.strategy"
    for data, fault in ((known, "is of another game, solver or --leaf"), (b"{}\n" * 50, "is of another kind")):
        assert run("twoflags5x5", data) == 2
        told = capsys.readouterr().err
        assert fault in told and "twoflags5x5:" not in told, "the game is not proven before"
        assert kept.read_bytes() == data
    words = ["--variant", "twoflags4x5", "--hash", "16", "--save", str(tmp_path / "twoflags5x5")]
    assert strategy.main(["make", str(kept), *words]) == 2 and kept.read_bytes() == data


@pytest.fixture
def walk(tmp_path, capsys):
    """Have a fake engine play a game's book; (strategy.py's exit code, what it printed)."""

    def run(name, mode, *words):
        path = str(tmp_path / "book")
        assert strategy.main(["make", path, "--variant", name, "--leaf", "1", "--hash", "1"]) == 0
        return strategy.main(["walk", path, "--engine", fake(mode), *words]), capsys.readouterr()

    return run


@pytest.mark.parametrize(
    "name, words, status, told, lost",
    [
        ("hexapawn1x5", [], 0, "White won 1 of 1 game ", 0),
        ("hexapawn", [], 1, "Black won 0 of 2 games", 2),
        ("hexapawn", ["--sample", "1"], 1, "Black won 0 of 1 game ", 1),
    ],
)
def test_walk_counts_the_games_that_the_engine_wins_and_shows_the_others(walk, name, words, status, told, lost):
    found, printed = walk(name, "good", "--replies", "1", *words)
    assert found == status and told in printed.out and printed.out.count("lost ") == lost


def test_walk_counts_games_that_are_lost_before_its_random_part(walk):
    status, printed = walk("hexapawn", "good", "--replies", "3")
    assert status == 1 and printed.out.count("lost ") >= 1 and "illegal" not in printed.err
    assert " moves \n" in printed.out  # at once


def test_walk_without_a_game_says_so(walk):
    status, printed = walk("hexapawn1x3", "good")
    assert status == 1 and "White won 0 of 0 games" in printed.out
    assert "no game was left to play, as White had won before Black's move 3 in every line: expected" in printed.err


def test_walk_against_an_engine(walk):
    """It plays only the loser, and gets its options."""
    words = ["--replies", "1", "--against-option", "Hash=1", "--against-movetime", "5", "--against"]
    status, printed = walk("hexapawn", "good", *words, fake("good"))
    assert status == 1 and "Black won 0 of 2 games" in printed.out
    status, printed = walk("hexapawn", "good", *words, fake("illegal"))
    assert status == 2 and "strategy.py: illegal move 'a1a1'" in printed.err
    status, printed = walk("hexapawn", "good", *words, "no-such-engine")
    assert status == 2 and "no-such-engine" in printed.err


def test_walk_ends_with_an_engine_that_plays_no_legal_move(walk):
    status, printed = walk("hexapawn", "illegal")
    assert status == 2 and "strategy.py: illegal move 'a1a1'" in printed.err


@pytest.mark.parametrize(
    "words",
    [
        ["make", "{folder}"],
        ["make", "{folder}/book", "--save", "/dev/null"],
        ["opening", "{folder}/none/opening", "{folder}/values", "--plies", "2"],
        ["prove", "{folder}/none/book", "--proof", "{folder}/none/book"],
        ["make", "{folder}/book", "--save", "{folder}/none/../book"],
    ],
)
def test_file_that_cannot_be_written_is_told_before_the_work(tmp_path, capsys, monkeypatch, words):
    for name in ("Run", "book"):
        monkeypatch.setattr(strategy, name, None)
    assert strategy.main([word.format(folder=tmp_path) for word in words]) == 2
    said = capsys.readouterr().err
    assert ("none/" in said or "not a regular file" in said) and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words, named",
    [
        (["make", "{folder}/book", "--variant", "chess"], "'chess'"),
        (["make", "{folder}/book", "--variant", "twoflags4x5", "--save", "{folder}/none/table"], "none"),
        (["opening", "{folder}/opening", "{folder}/none", "--plies", "2"], "none"),
        (["opening", "{folder}/opening", str(client.ROOT / "README.md"), "--plies", "2"], "is not the results file"),
        (["prove", str(client.ROOT / "README.md"), "--proof", "{folder}/proof"], "is not a valid book"),
        (["prove", SHIPPED, "--proof", "{folder}/proof", "--table", "{folder}/none"], "none"),
        (
            ["prove", SHIPPED, "--proof", "{folder}/proof", "--table", SHIPPED],
            "twoflags8x8.book is not a complete saved file",
        ),
        ([*EXTEND, SHIPPED, "--moves", "500001"], "twoflags8x8.book is not a valid line book"),
        ([*EXTEND, SHIPPED_LINES, "--moves", "500000"], "moves already, expected a larger number"),
    ],
)
def test_bad_input_is_named(tmp_path, capsys, words, named):
    assert strategy.main([word.format(folder=tmp_path) for word in words]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("strategy.py: ") and named in said


@pytest.mark.parametrize(
    "words",
    [
        "make x --leaf 0",
        "make x --leaf 4294967296",
        "make x --moves 0",
        "make x --games y",
        "make x --extend y --moves 5",
        "make x --extend y --games z",
        "make x --extend y --games z --moves 5 --first a2a3",
        "make x --extend y --games z --moves 5 --variant hexapawn",
        "make x --extend y --games z --moves 5 --leaf 10",
        "make x --extend y --moves 5 --leaf 10",
        "make x --extend y --leaf 10 --first a2a3",
        "prove x",
        "opening x y",
        "opening x y --plies 0",
    ],
)
def test_bad_words_are_refused(capsys, words):
    with pytest.raises(SystemExit, match="2"):
        strategy.main(words.split())
    assert "usage" in capsys.readouterr().err
