"""The boards for python-chess: the rules of naive.py and of the engine, and what a chess.Board can do besides."""

import copy
import io
import random
import runpy
import sys

import chess
import chess.pgn
import pytest

import pawnstorm.chess
from pawnstorm.chess import BreakthroughBoard, TwoFlagsBoard
from pawnstorm.games.notation import fen, move_text, parse_fen, parse_move
from pawnstorm_tools.checking import naive

TWINS = {TwoFlagsBoard: naive.twoflags(), BreakthroughBoard: naive.breakthrough()}
both = pytest.mark.parametrize("make", TWINS)


def legal(board):
    return sorted(move.uci() for move in board.legal_moves)


def games(make, number, seed):
    """Boards at the end of random games; in every other one en passant is captured wherever that is possible."""
    source = random.Random(seed)
    for game in range(number):
        board = make()
        while moves := list(board.legal_moves):
            eager = [move for move in moves if board.is_en_passant(move)] if game % 2 else []
            board.push(source.choice(eager or moves))
        yield board


@both
def test_rules_are_those_of_the_slow_twin(make):
    source = random.Random(5)
    for _ in range(10):
        board, position = make(), naive.start(TWINS[make])
        while not naive.over(position):
            assert not board.is_game_over() and board.outcome(claim_draw=True) is None and board.is_valid()
            assert legal(board) == sorted(naive.moves(position))
            move = source.choice(legal(board))
            board.push_uci(move)
            position = naive.play(position, move)
        assert board.is_game_over() and board.is_variant_end() and not list(board.legal_moves)
        assert board.outcome().winner == (not board.turn) and board.is_variant_loss() and not board.is_variant_win()
        assert board.result() == ("0-1" if board.turn else "1-0")


@pytest.mark.compiled
@both
def test_rules_are_those_of_the_engine_at_thousands_of_positions(make):
    """Moves, FEN, en passant and the end, at every position of random games."""
    positions = captures = 0
    for board in games(make, 100 if make is TwoFlagsBoard else 50, seed=6):
        ours, theirs = parse_fen(make.rules, make.starting_fen), make()
        for move in board.move_stack:
            assert sorted(move_text(ours, move) for move in ours.moves()) == legal(theirs)
            assert theirs.fen().split()[:4] == fen(ours).split()[:4]
            captures += theirs.is_en_passant(move)
            positions += 1
            ours = ours.push(parse_move(ours, move.uci()))
            theirs.push(move)
        assert ours.is_game_over() and theirs.is_game_over()
    assert positions > 3000 and (captures > 20) == (make is TwoFlagsBoard)


def test_two_flags_has_no_double_step_from_the_first_rank():
    assert legal(TwoFlagsBoard("8/7p/8/8/8/8/8/2P5 w - - 0 1")) == ["c1c2"]


def test_en_passant_removes_the_victim_and_comes_back_with_pop():
    board = TwoFlagsBoard("8/3p4/8/4P3/8/8/8/8 b - - 0 1")
    before = board.copy()
    board.push_uci("d7d5")
    assert board.fen() == "8/8/8/3pP3/8/8/8/8 w - d6 0 2" and legal(board) == ["e5d6", "e5e6"]
    board.push_san("exd6")
    assert board.result() == "1-0" and not board.occupied_co[chess.BLACK]
    board.pop(), board.pop()
    assert board == before and board.fen() == before.fen()


@both
def test_pop_takes_a_whole_game_back(make):
    for board in games(make, 5, seed=7):
        again = make()
        for move in board.move_stack:
            again.push(move)
        assert again == board
        while again.move_stack:
            fens = again.fen()
            again.push(again.pop())
            assert again.fen() == fens
            again.pop()
        assert again == make() == board.root() and again.fen() == make.starting_fen


@both
def test_copies_are_equal_and_go_their_own_ways(make):
    board = make()
    board.push(next(iter(board.legal_moves)))
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), make(board.fen())):
        assert type(twin) is make and twin == board
        twin.push(next(iter(twin.legal_moves)))
        assert twin != board
    assert board.copy(stack=False).move_stack == [] and board.mirror().mirror() == board


def test_boards_of_different_games_are_never_equal():
    board = "8/8/8/1p6/8/1P6/8/8 w - - 0 1"
    assert TwoFlagsBoard(board) != BreakthroughBoard(board) and TwoFlagsBoard(board) != chess.Board(board)


@both
def test_pgn_of_whole_games_is_replayed(make):
    for board in games(make, 15, seed=8):
        text = str(chess.pgn.Game.from_board(board))
        assert f'[Variant "{make.uci_variant}"]' in text and board.result() in text
        game = chess.pgn.read_game(io.StringIO(text))
        assert not game.errors and type(game.board()) is make and game.end().board() == board
        assert board.root().variation_san(board.move_stack)


@both
def test_every_notation_of_a_move_is_read(make):
    for board in games(make, 5, seed=9):
        again = make()
        for move in board.move_stack:
            assert move == again.parse_san(again.san(move)) == again.parse_san(again.lan(move))
            assert move == again.parse_san(move.uci()) == again.parse_uci(move.uci())
            again.push(move)


@both
def test_package_board_answers_as_the_board_for_python_chess(make):
    """SAN written and read, captures, pawns and squares, at every position of random games."""
    passing = 0
    for board in games(make, 12 if make is TwoFlagsBoard else 2, seed=10):
        ours, theirs = pawnstorm.Board(make.uci_variant), make()
        for played in board.move_stack:
            for side, color in (("white", chess.WHITE), ("black", chess.BLACK)):
                squares = theirs.pieces(chess.PAWN, color)
                assert ours.pieces(side) == [chess.square_name(square) for square in sorted(squares)]
                assert {ours.piece_at(chess.square_name(square)) for square in squares} <= {side}
            empty = chess.SquareSet(~theirs.occupied)
            assert {ours.piece_at(chess.square_name(square)) for square in empty} == {None}
            assert not ours.is_game_over()
            for move in theirs.legal_moves:
                assert ours.is_capture(move.uci()) == theirs.is_capture(move)
                san = theirs.san(move)
                assert ours.san(move.uci()) == san.rstrip("#")
                for text in (san, theirs.lan(move), theirs.uci(move)):
                    assert ours.parse_san(text) == move.uci()
                assert theirs.parse_san(ours.san(move.uci())) == move
                passing += theirs.is_en_passant(move)
            assert ours.push_san(theirs.san(played)) == played.uci()
            theirs.push(played)
        assert ours.is_game_over() and ours.moves == [move.uci() for move in board.move_stack]
    assert (passing > 3) == (make is TwoFlagsBoard)


def test_last_step_is_written_as_chess_does_and_read_in_every_way():
    board = TwoFlagsBoard("8/4P3/8/8/8/8/p7/8 w - - 0 40")
    move = chess.Move.from_uci("e7e8")
    assert board.san(move) == "e8=Q#" and board.lan(move) == "e7-e8=Q#"
    assert {board.parse_san(text) for text in ("e8", "e8=Q", "e8Q", "e8=Q#", "e8#", "e7e8", "e7e8q")} == {move}
    with pytest.raises(chess.IllegalMoveError):
        board.parse_san("e8=N")


def test_null_move_lets_the_winner_be_seen():
    board = TwoFlagsBoard("8/4P3/8/8/8/8/p7/8 w - - 0 40")
    board.push_uci("e7e8")
    board.push(chess.Move.null())
    assert board.is_variant_win() and board.outcome().winner == chess.WHITE
    assert BreakthroughBoard().san(chess.Move.null()) == "--"


@both
def test_no_counter_makes_a_draw(make):
    board = make(make.starting_fen.replace("0 1", "150 90"))
    assert not board.is_game_over(claim_draw=True) and not board.can_claim_draw()


@both
@pytest.mark.parametrize(
    "text, named",
    [
        ("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1", "'r'"),
        ("8/8/8/1p6/8/1P6/8/8 w KQ - 0 1", "'KQ'"),
        ("8/8/8/1p6/8/1P6/8/8 w - e6 0 1", "'e6'"),
        ("8/8/8/1p6/8/1P6/8 w - - 0 1", "found 7"),
        ("8/8/8/8/8/1P6/8/8 w - - 0 1", "expected a pawn"),
        ("", "1 to 6 fields"),
    ],
)
def test_fen_is_refused_by_the_token_that_is_wrong(make, text, named):
    board = make()
    with pytest.raises(ValueError, match=named):
        board.set_fen(text)
    assert board == make()


@both
def test_chess960_is_refused(make):
    board = make()
    for set_up in (make.from_chess960_pos, board.set_chess960_pos):
        with pytest.raises(ValueError, match=f"{make.uci_variant} has no positions of Chess960"):
            set_up(518)
    assert board == make() and board.chess960_pos() is None


@both
def test_status_tells_of_boards_set_up_by_hand(make):
    assert make().status() == chess.STATUS_VALID and make(None).status() == chess.STATUS_EMPTY
    board = make()
    board.set_piece_at(chess.E4, chess.Piece.from_symbol("N"))
    assert board.status() == chess.STATUS_TOO_MANY_WHITE_PIECES
    board.set_piece_at(chess.E4, chess.Piece.from_symbol("p"))
    assert board.status() == chess.STATUS_TOO_MANY_BLACK_PAWNS


def test_missing_python_chess_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(ImportError, match="pawnstorm.chess needs python-chess: pip install chess"):
        runpy.run_path(pawnstorm.chess.__file__)
