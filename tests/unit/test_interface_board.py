"""pawnstorm.Board, and what the package says is public."""

import copy
import inspect
import pickle

import pytest
from client import ROOT

import pawnstorm
from pawnstorm import AmbiguousMove, Board, IllegalMove, ParseError, UnknownGame
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.uci import NAME

WON = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"  # Black wins in three, by f6f5
FINISHED = "4P3/8/8/8/8/8/p7/8 b - - 0 1"


def test_all_public_names_are_there_and_documented():
    assert set(pawnstorm.__all__) <= set(dir(pawnstorm))
    for name in pawnstorm.__all__:
        value = getattr(pawnstorm, name)
        assert name == "Side" or value.__doc__, name
        for inner, member in inspect.getmembers(value, inspect.isfunction):
            assert inner.startswith("_") or member.__doc__, f"{name}.{inner}"
    with pytest.raises(AttributeError, match="no attribute 'Bord'"):
        _ = pawnstorm.Bord


def test_version_is_the_same_everywhere():
    assert NAME == f"Pawnstorm {pawnstorm.__version__}"
    citation = (ROOT / "scripts" / "pawnstorm_tools" / "solving" / "README.md").read_text()
    assert f"note   = {{Version {pawnstorm.__version__}." in citation


def test_board_begins_at_the_start_with_white_to_move():
    board = Board()
    assert board.game == "twoflags" and board.fen == get_rules("twoflags").start_fen and board.turn == "white"
    assert len(board.legal_moves) == 16 and "e2e4" in board.legal_moves and board.winner is None and board.moves == []
    assert Board("Breakthrough6X6").game == "breakthrough6"


@pytest.mark.parametrize(
    "name", ["twoflags", "breakthrough", "hexapawn8x8", "breakthrough5", "twoflags3x5", "hexapawn"]
)
def test_start_tells_its_game(name):
    board = Board(fen=get_rules(name).start_fen)
    assert board.game == name and board == Board(name)


def test_any_pawns_can_be_set_up_in_a_named_game():
    assert Board("twoflags", get_rules("breakthrough").start_fen).game == "twoflags"


def test_moves_are_played_and_taken_back():
    board = Board("twoflags", WON)
    before = board.copy()
    board.push("f6f5")
    assert board.turn == "white" and board.moves == ["f6f5"] and board != before and before.moves == []
    assert board.pop() == "f6f5" and board == before and board.fen == WON
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()
    with pytest.raises(IllegalMove):
        board.push("e2e5")
    assert board == before and board.moves == []


@pytest.mark.parametrize("fen, winner", [(FINISHED, "white"), ("8/8/8/8/8/8/p7/P7 w - - 0 1", "black"), (WON, None)])
def test_winner(fen, winner):
    board = Board("twoflags", fen)
    assert board.winner == winner and (board.legal_moves == []) == (winner is not None)


def test_board_is_drawn_and_written():
    board = Board("hexapawn")
    board.push("a1a2")
    assert str(board).startswith("3  p p p\n2  P . .\n1  . P P\n   a b c\n") and board.fen in str(board)
    assert eval(repr(board), {"Board": Board}) == board


def test_boards_are_equal_by_game_and_fen():
    one, other = Board(), Board()
    for move in ("a2a3", "a7a6", "b2b3"):
        one.push(move)
    for move in ("b2b3", "a7a6", "a2a3"):
        other.push(move)
    assert one == other and one != Board() and Board("breakthrough") != Board() and one != one.fen
    assert Board("twoflags", FINISHED) != Board("pawnsonly", FINISHED)
    assert hash(one) == hash(other) and len({one, other, Board(), Board("breakthrough")}) == 3


@pytest.mark.parametrize("way", [Board.copy, copy.copy, copy.deepcopy, lambda board: pickle.loads(pickle.dumps(board))])
def test_copies_keep_the_moves_and_go_their_own_ways(way):
    board = Board("twoflags", WON)
    board.push("f6f5")
    twin = way(board)
    assert twin == board and twin.moves == ["f6f5"]
    twin.pop()
    assert twin != board and board.moves == ["f6f5"] and twin == Board("twoflags", WON)


@pytest.mark.parametrize(
    "given, error, text",
    [
        (("chess",), UnknownGame, "'chess'"),
        (("twoflags", "8/8/8 w"), ParseError, "'8/8/8': expected 8 ranks"),
        ((None, WON), ParseError, "several games, twoflags, breakthrough, hexapawn8x8: expected the name"),
        ((None, "8/8/8/8/8/8/8/pppppppp/pppppppp"), ParseError, "8 wide and 9 high"),
        ((None, "8/8/pppppppp/pppppppp/ppppp3/8/P7/8"), ParseError, "no game leads to the position"),
        ((7,), TypeError, "game must be a str, not int"),
        ((None, 7), TypeError, "fen must be a str, not int"),
    ],
)
def test_board_names_the_token_that_is_wrong(given, error, text):
    with pytest.raises(error, match=text):
        Board(*given)


@pytest.mark.parametrize(
    "move, error, text",
    [
        ("e2", ParseError, "'e2'"),
        ("e2e5", IllegalMove, "illegal move 'e2e5'"),
        (None, TypeError, "move must be a str, not NoneType"),
    ],
)
def test_move_that_cannot_be_played_is_named(move, error, text):
    with pytest.raises(error, match=text):
        Board().push(move)


def test_set_of_boards_counts_the_positions_of_all_games_of_three_plies():
    boards = [Board("hexapawn")]
    for _ in range(3):
        children = []
        for board in boards:
            for move in board.legal_moves:
                children.append(board.copy())
                children[-1].push(move)
        boards = children
    assert len(set(boards)) == len({board.fen for board in boards}) < len(boards)
    assert {board: board.fen for board in boards}[boards[0].copy()] == boards[0].fen


def test_pawns_are_where_the_diagram_has_them():
    board = Board("breakthrough4x5")
    for move in ("b2b3", "c4b3", "a2b3"):
        board.push(move)
    rows = str(board).splitlines()[:5]
    drawn = {file + row[0]: letter for row in rows for file, letter in zip("abcd", row[3::2])}
    names = {"P": "white", "p": "black", ".": None}
    assert {square: board.piece_at(square) for square in drawn} == {s: names[letter] for s, letter in drawn.items()}
    assert board.pieces("white") == ["a1", "b1", "c1", "d1", "c2", "d2", "b3"]
    assert board.pieces("black") == ["a4", "b4", "d4", "a5", "b5", "c5", "d5"]


@pytest.mark.parametrize(
    "fen, captures",
    [
        ("8/5p2/5p1p/8/4PPP1/8/8/8 w - - 0 1", set()),
        ("8/8/8/8/pP1p4/P1P5/8/8 b - b3 0 1", {"a4b3", "d4c3"}),
        ("8/8/5p2/3pP3/8/8/8/8 w - d6 0 1", {"e5d6", "e5f6"}),
    ],
)
def test_captures_are_those_that_remove_a_pawn(fen, captures):
    board = Board("twoflags", fen)
    assert {move for move in board.legal_moves if board.is_capture(move)} == captures
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        assert (len(after.pieces(board.turn)), len(after.pieces(after.turn))) == (
            len(board.pieces(board.turn)),
            len(board.pieces(after.turn)) - (move in captures),
        )


def test_game_over():
    assert Board("twoflags", FINISHED).is_game_over() and not Board().is_game_over()


def test_moves_as_in_pgn_are_written_read_and_played():
    board = Board("twoflags", "8/P3p3/8/1p6/2P3p1/8/4P3/8 w - - 0 1")
    assert [board.san(move) for move in ("e2e4", "c4b5", "a7a8q")] == ["e4", "cxb5", "a8=Q"]
    for text in ("cxb5", "c4b5", "C4XB5", "c4-b5", "cb5!?"):
        assert board.parse_san(text) == "c4b5"
    assert [board.push_san(text) for text in ("e4", "bxc4", "a8=Q")] == ["e2e4", "b5c4", "a7a8"]
    assert board.moves == ["e2e4", "b5c4", "a7a8"] and board.winner == "white"


@pytest.mark.parametrize(
    "text, error, fault",
    [
        ("b3", AmbiguousMove, "'b3'"),
        ("a5", IllegalMove, "illegal move 'a5'"),
        ("Nf3", ParseError, "'Nf3' is not a move: expected one such as e4"),
        ("Bxc5", ParseError, "'Bxc5'"),
        ("", ParseError, "'' is not a move"),
        ("resign", ParseError, "'resign'"),
        ("e" * 1_000_000, ParseError, "'eeee"),
        ("b3" + "+" * 1_000_000, ParseError, "'b3++"),
        (7, TypeError, "text must be a str, not int"),
    ],
)
def test_text_that_names_no_move_is_named(text, error, fault):
    board = Board("breakthrough5", "1p3/5/5/P1P2/1P3 w - - 0 1")
    for method in (board.parse_san, board.push_san):
        with pytest.raises(error, match=fault) as found:
            method(text)
        assert len(str(found.value)) < 200 and board.moves == []


@pytest.mark.parametrize(
    "method, given, error, fault",
    [
        ("piece_at", "i1", ParseError, "'i1' is not a square of twoflags: expected a1 to h8"),
        ("piece_at", 7, TypeError, "square must be a str"),
        ("pieces", "red", ValueError, "'red' is not a side: expected 'white' or 'black'"),
        ("is_capture", "e2e5", IllegalMove, "'e2e5'"),
        ("is_capture", "e2", ParseError, "'e2'"),
        ("san", "e2e5", IllegalMove, "'e2e5'"),
        ("san", None, TypeError, "move must be a str"),
    ],
)
def test_question_that_has_no_answer_names_the_token(method, given, error, fault):
    with pytest.raises(error, match=fault):
        getattr(Board(), method)(given)
