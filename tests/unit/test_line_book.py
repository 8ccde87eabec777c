"""Line books: what the kernel reads is what the writer was given, and what becomes of a damaged file."""

import random
import zlib
from collections import deque
from itertools import chain

import pytest
from boards import walk

from pawnstorm.core import native
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.position import Board
from pawnstorm.games.position_table import mirror_move
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import book, line_book
from pawnstorm_tools.solving import line_book_writer

GAMES = "breakthrough4x5", "twoflags5x6", "breakthrough6x6", "twoflags8x8", "hexapawn5x5"
EDGE = 51  # plies from the positions without a move


def strategy(rules, winning, count, chance):
    """{bitboards of canonical positions: move}: random moves for one side, wherever its own moves lead, up to so many.

    As in a solved game, no reply reaches the far rank, and no position is met with either side to move.
    """
    root = Board.start(rules).canonical()
    waiting = deque([root] if winning else children(root))
    met, lost, moves = set(waiting), set() if winning else {root}, {}
    while waiting and len(moves) < count:
        board = waiting.popleft()
        after = dict(zip(board.moves(), children(board)))
        choices = [
            move
            for move, one in after.items()
            if one not in met
            and lost.isdisjoint(children(one))
            and not any(rules.goal >> (reply >> 6) & 1 for reply in one.moves())
        ]
        if not choices or (moves and chance.randrange(3) == 0):
            continue
        moves[board.bitboards] = move = chance.choice(choices)
        lost.add(after[move])
        waiting += [child for child in children(after[move]) if child not in met]
        met.update(children(after[move]))
    return moves


def children(board):
    """The canonical positions after the moves of a board, seen by the mover, without colours."""
    return [Board(board.rules, *board.push(move).canonical().bitboards, False) for move in board.moves()]


def reached(rules, winning, moves):
    """(bitboards of the winner's positions with a move, {bitboards: [replies that lead to one]} of the loser's) from the start."""
    root = Board.start(rules).canonical()
    waiting, found, losing = [(root, winning)], set(), {}
    for board, winner in waiting:
        if winner:
            if board.bitboards in moves and board.bitboards not in found:
                found.add(board.bitboards)
                waiting.append((board.push(moves[board.bitboards]).canonical(), False))
        elif board.bitboards not in losing and not board.is_game_over():
            after = {
                reply: board.push(reply).canonical() for reply in board.moves() if not rules.goal >> (reply >> 6) & 1
            }
            losing[board.bitboards] = [reply for reply, child in after.items() if child.bitboards in moves]
            waiting += [(child, True) for child in after.values()]
    return found, losing


def exchanged(rules, moves, found):
    """Positions that arise if the winner makes two moves of the book in the other order; the reply between them is the same."""
    for bitboards in found:
        board = Board(rules, *bitboards, False)
        after = board.push(moves[bitboards])
        for reply in after.moves():
            second = moves.get(after.push(reply).bitboards)
            if second in board.moves() and reply in board.push(second).moves():
                yield board.push(second).push(reply).canonical()


def write(path, rules, winning, moves):
    return line_book_writer.write(path, Board.start(rules), winning, 100, moves, lambda board: EDGE)


@pytest.mark.parametrize("winning", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_book_has_what_was_written_and_nothing_else(name, winning, tmp_path):
    rules, chance = get_rules(name), random.Random(f"{name} {winning}")
    count = 300 if not native.PLAIN_PYTHON else 30
    moves = strategy(rules, winning, count, chance)
    found, losing = reached(rules, winning, moves)
    read = write(tmp_path / "book", rules, winning, moves)
    assert type(book.read(tmp_path / "book")) is line_book.LineBook
    assert (read.game, read.leaf_nodes, read.moves) == (rules.full_name, 100, len(found))
    assert read.count == len(found) + len(losing) and read.moves > min(count // 3, 20)
    for bitboards in found:
        board = Board(rules, *bitboards, False)
        entry, image = read.probe(board), read.probe(board.mirrored())
        assert (entry.move, entry.value) == (moves[bitboards], 1) and EDGE < entry.plies <= read.plies
        assert read.probe(Board(rules, *bitboards, True)) == entry
        assert image == (entry.move if board.mirrored() == board else mirror_move(rules, entry.move), entry.plies, 1)
    for bitboards, replies in losing.items():
        entry = read.probe(Board(rules, *bitboards, False))
        assert (entry.value == -1 and entry.move in replies) if replies else entry is None
    transposed = 0
    random_boards = (walk(Board.start(rules), chance.randrange(16), chance).canonical() for _ in range(20 * count))
    for board in chain(random_boards, exchanged(rules, moves, found)):
        entry = read.probe(board)
        if board.bitboards in found or board.bitboards in losing:
            assert read.listed(board) == entry and bool(entry) == (
                board.bitboards in found or bool(losing[board.bitboards])
            )
            continue
        assert read.listed(board) is None
        wins = [move for move in board.moves() if board.push(move).canonical().bitboards in losing]
        assert (entry.move in wins and entry.value == 1 and EDGE < entry.plies <= read.plies) if wins else entry is None
        transposed += bool(wins)
    assert transposed or native.PLAIN_PYTHON
    assert read.probe(Board.start(get_rules("breakthrough5x5"))) is None


def test_reply_leads_to_most_moves(tmp_path):
    """After White's first move, one reply leads to one move, another to three, the rest to none."""
    start = Board.start(get_rules("breakthrough6x6")).canonical()
    moves = {start.bitboards: start.moves()[0]}
    after = start.push(start.moves()[0]).canonical()
    few, many, *_ = after.moves()
    for board, count in ((after.push(few), 1), (after.push(many), 3)):
        for _ in range(count):
            board = board.canonical()
            moves[board.bitboards] = board.moves()[0]
            board = board.push(board.moves()[0])
            board = board.push(board.moves()[-1])
    assert len(moves) == 5
    read = write(tmp_path / "book", start.rules, True, moves)
    assert read.probe(after).move == many and len(read.line(after)) > 5


@pytest.fixture
def whole(tmp_path):
    """The bytes of a book."""
    rules = get_rules("breakthrough5x5")
    write(tmp_path / "book", rules, True, strategy(rules, True, 40, random.Random(1)))
    return (tmp_path / "book").read_bytes()


def refused(path, data):
    """Whether a file of these bytes is refused, in one line that names it."""
    path.write_bytes(data)
    try:
        book.read(path)
    except BadFile as error:
        assert str(path) in str(error) and "\n" not in str(error)
        return True
    return False


def test_damaged_book_is_refused(whole, tmp_path):
    path, head = tmp_path / "damaged", whole.index(b"\n") + 1
    assert not refused(path, whole)
    for place in range(len(whole)):
        assert refused(path, whole[:place])
        if place >= head:
            assert refused(path, whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    assert refused(path, whole + b"x")
    for wrong in (
        b"moves 41",
        b"moves 39",
        b"positions 0",
        b"positions 99999999999",
        b"plies 0",
        b"plies 4",
        b"plies 256",
    ):
        word = wrong.split()[0]
        words = whole[:head].split()
        words[words.index(word) + 1] = wrong.split()[1]
        assert refused(path, b" ".join(words) + b"\n" + whole[head:]), wrong


def test_forged_data_are_refused_or_lead_to_legal_moves(tmp_path):
    """Random data with the right checksum: the kernel ends, and its moves are legal."""
    chance, rules, kept = random.Random(7), get_rules("breakthrough5x5"), 0
    for number in range(300 if not native.PLAIN_PYTHON else 5):
        data = chance.randbytes(chance.randrange(60)) if number % 3 else b"\0" * chance.randrange(9)
        moves, losing = (chance.randrange(1, 40), chance.randrange(40)) if number % 3 else (0, 0)
        numbers = 100, chance.randrange(1, 60), moves, moves + losing, zlib.crc32(data)
        if refused(tmp_path / "book", line_book.FORMAT.header("breakthrough5x5", *numbers) + data):
            continue
        kept, read = kept + 1, book.read(tmp_path / "book")
        board = Board.start(rules)
        while (entry := read.probe(board)) and entry.move:
            assert entry.move in board.moves()
            board = board.push(entry.move)
    assert kept
