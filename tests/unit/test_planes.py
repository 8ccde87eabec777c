"""Boards as arrays, and moves as action numbers, against the slow rules of pawnstorm_tools/checking/naive.py. Random games
are random.Random(seed)'s.
"""

import random
import sys

import numpy as np
import pytest
from boards import playout

import pawnstorm
from pawnstorm import Board, IllegalMove, ParseError, UnknownGame, planes
from pawnstorm.games.actions import action_of
from pawnstorm.games.notation import fen
from pawnstorm.games.rules import GAMES, get_rules
from pawnstorm_tools.checking import naive

pytestmark = pytest.mark.compiled  # plain Python would take minutes
PASSED = "8/8/8/pP6/8/8/8/8 w - a6 0 1"
OTHER_GAMES = ["pawnsonly", "twoflags-ghost", "twoflags-noep"]
EVERY_GAME = sorted({get_rules(name).name for name in GAMES} | set(OTHER_GAMES))


def naive_game(name, seed):
    """The positions of a random game of naive.py, from the start to the finished one."""
    chance, position = random.Random(seed), naive.start(naive.GAMES[name])
    while True:
        yield position
        if not (moves := sorted(naive.moves(position))):
            return
        position = naive.play(position, chance.choice(moves))


def expected_planes(position):
    """The planes of a position of naive.py, square by square."""
    game, board, side, passed = position
    array = np.zeros((4, game.ranks, game.files), int)
    for rank, row in enumerate(board):
        for file, piece in enumerate(row):
            array[0, rank, file], array[1, rank, file] = piece == "P", piece == "p"
    if passed != "-":
        file, rank = naive.coordinates(passed)
        array[2, rank, file] = 1
    array[3] = side == "b"
    return array


def expected_action(position, move):
    """The number of a move of naive.py, from its text."""
    (file, rank), (to_file, to_rank) = naive.coordinates(move[:2]), naive.coordinates(move[2:])
    direction = 3 if abs(to_rank - rank) == 2 else 1 + to_file - file
    rank = rank if position.side == "w" else position.game.ranks - 1 - rank
    return (direction * position.game.ranks + rank) * position.game.files + file


def batch(boards):
    """(bitboards, black) of positions."""
    return np.array([one.bitboards for one in boards], np.uint64), np.array([one.black_to_move for one in boards])


@pytest.mark.parametrize("name", sorted(naive.GAMES))
def test_planes_and_actions_are_those_of_the_slow_rules(name):
    for position in naive_game(name, seed=1):
        board = Board(name, naive.fen(position)) if naive.moves(position) else None
        if board is None:
            continue
        array, mask = board.to_array(), board.action_mask()
        assert array.dtype == np.uint8 and (array == expected_planes(position)).all()
        actions = {expected_action(position, move): move for move in naive.moves(position)}
        assert mask.dtype == np.bool_ and mask.shape == (board.action_count,)
        assert set(np.flatnonzero(mask)) == set(actions)
        for action, move in actions.items():
            assert board.action_to_move(action)[:4] == move and board.move_to_action(move) == action


@pytest.mark.parametrize("name", EVERY_GAME)
def test_batch_goes_to_planes_and_back(name):
    rules, chance = get_rules(name), random.Random(2)
    boards = [one for _ in range(3) for one in playout(rules, chance)]
    bitboards, black = batch(boards)
    arrays = planes.to_planes(rules, bitboards, black)
    masks = planes.action_masks(rules, bitboards)
    again, black_again = planes.from_planes(rules, arrays)
    assert (again == bitboards).all() and (black_again == black).all() and again.dtype == np.uint64
    for one, array, mask in zip(boards, arrays, masks):
        board = Board.from_array(array, name)
        assert board.fen.split()[:4] == fen(one).split()[:4] and (board.to_array() == array).all()
        assert {board.move_to_action(move) for move in board.legal_moves} == set(np.flatnonzero(mask))
    assert planes.from_planes(rules, arrays[:0])[0].shape == (0, 3)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_batch_is_played_as_one_board_at_a_time(name):
    rules, chance = get_rules(name), random.Random(6)
    moves = [(one, move) for one in playout(rules, chance) for move in one.moves()]
    actions = np.array([action_of(rules, move) for _, move in moves])
    after = planes.play(rules, batch([one for one, _ in moves])[0], actions)
    assert after.tolist() == [list(one.push(move).bitboards) for one, move in moves]


def test_planes_are_drawn_as_documented():
    board = Board("hexapawn")
    assert board.to_array().tolist() == [
        [[1, 1, 1], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [1, 1, 1]], [[0] * 3] * 3, [[0] * 3] * 3,
    ]  # fmt: skip
    board.push("a1a2")
    assert board.to_array()[3].all() and board.to_array()[0, 1, 0] == 1
    board = Board("twoflags", PASSED)
    assert np.argwhere(board.to_array()[2]).tolist() == [[5, 0]]


def test_actions_are_numbered_as_documented():
    board = Board("breakthrough")
    assert board.action_count == 192 and board.move_to_action("a2b3") == 136
    board.push("a2b3")
    assert board.move_to_action("a7b6") == 136 and board.action_to_move(np.int64(136)) == "a7b6"
    assert Board("twoflags").action_count == 256 and Board("twoflags").move_to_action("e2e4") == 3 * 64 + 8 + 4
    assert Board("pawnsonly", "8/P7/8/8/8/8/7p/8").action_to_move(64 + 48) == "a7a8q"


def test_every_legal_action_of_a_game_has_its_own_number_below_the_count():
    for name in EVERY_GAME:
        for one in playout(get_rules(name), random.Random(3))[:-1]:
            board = Board(name, fen(one))
            actions = [board.move_to_action(move) for move in board.legal_moves]
            assert len(set(actions)) == len(actions) and 0 <= min(actions) <= max(actions) < board.action_count


def test_finished_board_has_no_action():
    board = Board("twoflags", "4P3/8/8/8/8/8/p7/8 b - - 0 1")
    assert not board.action_mask().any() and (Board.from_array(board.to_array(), "twoflags") == board)


def test_array_without_a_game_fits_one_game_or_is_refused():
    board = Board("breakthrough6")
    assert Board.from_array(board.to_array()) == board
    with pytest.raises(ParseError, match="fits several games"):
        Board.from_array(Board("twoflags", "8/5p2/5p1p/8/5PP1/8/8/8 b").to_array())
    with pytest.raises(ParseError, match="9 high|1 wide"):
        Board.from_array(np.zeros((4, 2, 1)))


def test_numbers_of_any_type_are_read():
    array = Board("twoflags", PASSED).to_array()
    for kind in (bool, np.int8, np.int64, np.float32, float):
        assert Board.from_array(array.astype(kind), "twoflags") == Board("twoflags", PASSED)
    assert Board.from_array(array.tolist(), "twoflags") == Board("twoflags", PASSED)


def test_right_to_capture_is_kept_only_where_a_pawn_can():
    array = Board("twoflags", "8/8/8/p1P5/8/8/8/8 w").to_array()
    array[2, 5, 0] = 1
    assert Board.from_array(array, "twoflags").fen.split()[3] == "-"
    assert planes.from_planes(get_rules("twoflags"), array[None])[0][0, 2] == 0


def changed(*changes, start="8/8/8/pP6/8/8/8/8 w"):
    """The planes of a position with other numbers at (plane, rank, file)."""
    array = Board("twoflags", start).to_array().astype(float)
    for place, value in changes:
        array[place] = value
    return array


@pytest.mark.parametrize(
    "array, error, text",
    [
        (np.zeros((3, 8, 8)), ValueError, r"3, 8, 8\): expected .*4, 8, 8\) for twoflags"),
        (np.zeros((4, 8, 7)), ValueError, r"4, 8, 7\): expected .*4, 8, 8\) for twoflags"),
        (np.zeros((4, 8)), ValueError, r"4, 8\): expected .*4, 8, 8\) for twoflags"),
        (np.full((4, 8, 8), "1"), ValueError, "array of <U1: expected numbers"),
        (changed(((0, 3, 2), 2)), ValueError, r"2.0 at \[.*0, 3, 2\] of an array: expected 0 or 1"),
        (changed(((0, 3, 2), 0.5)), ValueError, "0.5 at"),
        (changed(((0, 3, 2), -1)), ValueError, "-1.0 at"),
        (changed(((0, 3, 2), 256)), ValueError, "256.0 at"),
        (changed(((0, 3, 2), np.nan)), ValueError, "nan at"),
        (changed(((0, 4, 0), 1)), ParseError, "both have a pawn on a5"),
        (changed(((3, 2, 1), 1)), ParseError, "plane 3 has zeros and ones"),
        (changed(((2, 5, 0), 1), ((2, 5, 1), 1)), ParseError, "plane 2 has several squares"),
        (changed(((2, 4, 7), 1)), ParseError, "bad en passant square 'h5': expected '-' or a square just passed"),
        (changed(((2, 5, 1), 1)), ParseError, "bad en passant square 'b6'"),
        (changed(((2, 5, 0), 1), ((1, 5, 0), 1)), ParseError, "bad en passant square 'a6'"),
        (changed(((2, 5, 0), 1), ((0, 6, 0), 1)), ParseError, "bad en passant square 'a6'"),
        (changed(((1, 4, 0), 0)), ParseError, "'8/8/8/1P6/8/8/8/8': expected a pawn of the side that is not to move"),
        (changed(((0, 4, 1), 0), ((1, 4, 0), 0)), ParseError, "the board '8/8/8/8/8/8/8/8' is empty"),
        (changed(((0, 7, 1), 1)), ParseError, "expected no pawn of the side to move \\(w\\) on its far rank"),
        (changed((3, 1), ((1, 0, 0), 1)), ParseError, "expected no pawn of the side to move \\(b\\) on its far rank"),
    ],
)
def test_array_that_is_no_position_is_refused_one_at_a_time_and_in_a_batch(array, error, text):
    with pytest.raises(error, match=text) as one:
        Board.from_array(array, "twoflags")
    good = np.zeros((2, *array.shape), array.dtype)
    if array.shape == (4, 8, 8):
        good[:] = Board("twoflags").to_array()
    with pytest.raises(error, match=text) as several:
        planes.from_planes(get_rules("twoflags"), np.concatenate([good, array[None]]))
    assert type(one.value) is type(several.value) is error
    assert (error is ParseError) == str(several.value).startswith("position 2: ")


def test_faults_of_arrays_and_actions_are_named():
    board = Board("breakthrough")
    with pytest.raises(UnknownGame, match="'chess'"):
        Board.from_array(board.to_array(), "chess")
    with pytest.raises(TypeError, match="game must be a str, not int"):
        Board.from_array(board.to_array(), 7)
    for action in (-1, 0, 192, 10**30):
        with pytest.raises(IllegalMove, match=f"illegal action {action} in ppp"):
            board.action_to_move(action)
    with pytest.raises(TypeError):
        board.action_to_move(1.0)
    with pytest.raises(IllegalMove, match="'a2a4'"):
        board.move_to_action("a2a4")


def test_missing_numpy_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "pawnstorm.planes")
    monkeypatch.delattr(pawnstorm, "planes")
    for ask in (Board().to_array, Board().action_mask, lambda: Board.from_array([])):
        with pytest.raises(ImportError, match=r"pip install 'pawnstorm\[numpy\]'"):
            ask()
