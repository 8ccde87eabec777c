"""The engine's rules against other programs': pyffish, OpenSpiel and the naive twin.

Positions are all those of random playouts from the start, by random.Random(SEED). At each one the legal moves must be
the same set of texts; a game must end for both at the same ply, lost by the side to move, with the same board.
"""

import random
import re
from itertools import product

import pytest
from oracle import VARIANTS, OpenSpiel, Pyffish

from pawnstorm.games.notation import ParseError, fen, move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.checking import naive

SEED = 20_240_601


def moves_by_text(board):
    return {move_text(board, move): move for move in board.moves()}


def compare(name, oracle, positions):
    """Play random games of both until this many different positions were compared; returns how many had an en passant
    capture.
    """
    rules, rng = get_rules(name), random.Random(f"{SEED} {name}")
    compared, en_passant = set(), 0
    while len(compared) < positions:
        board, theirs, finished = Board.start(rules), oracle(), False
        while not finished:
            ours = moves_by_text(board)
            finished = not ours
            if (position := (board.own, board.opp, board.ep, board.black_to_move)) not in compared:
                compared.add(position)
                en_passant += bool(board.ep)
                assert set(ours) == theirs.moves(), fen(board)
                assert board.is_game_over() == finished
                if finished:
                    assert theirs.lost() and theirs.board() == fen(board).split()[0], fen(board)
            if not finished:
                text = rng.choice(list(ours))
                board = board.push(ours[text])
                theirs.push(text)
    return en_passant


# Different positions of the full run, 100,000 in all, a third of them Two Flags under its two names. pyffish takes 1.4
# ms for each, so that the default run compares a 240th of them.
PYFFISH = {
    "twoflags": 24_000,
    "pawnsonly": 16_000,
    "breakthrough": 30_000,
    "breakthrough5": 10_000,
    "breakthrough6": 10_000,
    "breakthrough7": 10_000,
}
# The other boards of scripts/variants.ini; 135 positions can be reached in Hexapawn.
PYFFISH_SMALL = {
    "twoflags5x5": 30,
    "twoflags5x6": 30,
    "twoflags6x6": 30,
    "twoflags7x7": 30,
    "breakthrough4x4": 30,
    "breakthrough4x5": 30,
    "breakthrough5x6": 30,
    "breakthrough6x5": 30,
    "hexapawn": 60,
}


def test_every_variant_of_the_file_is_compared():
    variants = set(re.findall(r"^\[(\w+)", VARIANTS.read_text(), re.MULTILINE))
    assert variants | {"breakthrough"} == PYFFISH.keys() | PYFFISH_SMALL.keys()


@pytest.mark.parametrize(
    "share", [240, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.compiled])], ids=["few", "full"]
)
@pytest.mark.parametrize("name", PYFFISH)
def test_moves_and_ends_equal_pyffish(name, share):
    en_passant = compare(name, lambda: Pyffish(name), PYFFISH[name] // share)
    assert not get_rules(name).ep_squares or en_passant * 200 >= PYFFISH[name] // share, (
        "too few positions with en passant to mean much"
    )


@pytest.mark.parametrize("name, positions", PYFFISH_SMALL.items())
def test_moves_and_ends_equal_pyffish_on_small_boards(name, positions):
    compare(name, lambda: Pyffish(name), positions)


@pytest.mark.compiled
def test_moves_and_ends_equal_openspiel():
    compare("breakthrough", OpenSpiel, 1_000)


@pytest.mark.parametrize("files, ranks", [(2, 8), (3, 7), (6, 6), (7, 7), (8, 6)])
def test_moves_and_ends_equal_openspiel_on_other_sizes(files, ranks):
    compare(f"breakthrough{files}x{ranks}", lambda: OpenSpiel(files, ranks), 100)


# Naive


@pytest.mark.parametrize("name", naive.GAMES)
def test_moves_and_ends_equal_naive(name):
    """All positions of some random games; their FENs too, which say where en passant is possible."""
    rng = random.Random(f"{SEED} {name}")
    for _ in range(4):
        board, theirs = Board.start(get_rules(name)), naive.start(naive.GAMES[name])
        while True:
            ours = moves_by_text(board)
            assert set(ours) == set(naive.moves(theirs)), fen(board)
            assert fen(board).split()[:4] == naive.fen(theirs).split()
            if not ours:
                assert board.is_game_over() and naive.over(theirs)
                break
            text = rng.choice(list(ours))
            board, theirs = board.push(ours[text]), naive.play(theirs, text)


@pytest.mark.parametrize("name", naive.GAMES)
def test_set_up_positions_equal_naive(name):
    """Pawns thrown anywhere, with any square named as passed: refused where no such position exists, otherwise equal."""
    rules, twin = get_rules(name), naive.GAMES[name]
    rng = random.Random(f"{SEED} {name} set up")
    for _ in range(20):
        weights = rng.choice([(6, 1, 1), (2, 1, 1), (1, 1, 1), (10, 1, 2), (10, 2, 1), (20, 1, 0), (20, 0, 1)])
        squares = ["".join(rng.choices(".Pp", weights, k=twin.files)) for _ in range(twin.ranks)]
        position = naive.Position(twin, tuple(squares), rng.choice("wb"))
        text = naive.fen(position)
        if no_such_position(position):
            with pytest.raises(ParseError):
                parse_fen(rules, text)
            continue
        assert_same(parse_fen(rules, text), position)
        for rank, file in product(range(twin.ranks), range(twin.files)):
            passed = naive.square(file, rank)
            named = f"{naive.fen(position)[:-1]}{passed}"
            if double_step_passed(position, file, rank):
                assert_same(parse_fen(rules, named), naive.with_ep(position, passed))
            else:
                with pytest.raises(ParseError, match=passed):
                    parse_fen(rules, named)


def no_such_position(position):
    """Neither can be played on nor is finished: the side that has moved has no pawn, or the side to move has won
    before.
    """
    mine, theirs = naive.PAWN[position.side], naive.PAWN[naive.OTHER[position.side]]
    home = mine in position.board[naive.far_rank(position.game, position.side)]
    return home or not any(theirs in row for row in position.board)


def double_step_passed(position, file, rank):
    """A double step of the side that has just moved may have passed this square."""
    game_, board, side, _ = position
    mover = naive.OTHER[side]
    came_from = rank - naive.direction(mover)
    if not game_.en_passant or came_from != (1 if mover == "w" else game_.ranks - 2):
        return False
    stands = board[rank + naive.direction(mover)][file]
    return board[came_from][file] == board[rank][file] == "." and stands == naive.PAWN[mover]


def assert_same(board, position):
    """The same position, with the same moves, to the same positions."""
    assert fen(board).split()[:4] == naive.fen(position).split()
    ours = moves_by_text(board)
    assert set(ours) == set(naive.moves(position)), fen(board)
    assert board.is_game_over() == naive.over(position)
    for text, move in ours.items():
        assert fen(board.push(move)).split()[:4] == naive.fen(naive.play(position, text)).split(), (fen(board), text)


def reachable(name):
    """Every position that play from the start can reach."""
    found, left = set(), [naive.start(naive.GAMES[name])]
    while left:
        position = left.pop()
        if position not in found:
            found.add(position)
            left.extend(naive.play(position, move) for move in naive.moves(position))
    return found


def slow(name):
    return pytest.param(name, marks=pytest.mark.slow)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name",
    [
        "twoflags3x5",
        "twoflags3x6",
        "breakthrough2x4",
        "hexapawn3x4",
        slow("breakthrough2x5"),
        slow("twoflags3x7"),
        slow("twoflags4x5"),
        slow("hexapawn3x6"),
        slow("breakthrough2x6"),
        slow("breakthrough3x4"),
        slow("hexapawn4x4"),
    ],
)
def test_every_reachable_position_equals_naive(name):
    """Exhaustive, since rare positions are what a random playout misses."""
    rules = get_rules(name)
    for position in reachable(name):
        assert_same(parse_fen(rules, naive.fen(position)), position)
