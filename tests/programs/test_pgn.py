"""PGN: what is written is read back, by us, by python-chess where the game is chess to it, and so is what others write."""

import random
import time

import chess.pgn
import pytest
from matches import fake, words

from pawnstorm import pgn
from pawnstorm.chess import BreakthroughBoard, TwoFlagsBoard
from pawnstorm.games.notation import move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.pgn import comment, format_game, move_san, parse_san
from pawnstorm_tools.programs import match as program


def play(*given, **more):
    """A match in this process, of a good engine against the one that is given."""
    assert program.main(words(fake("good"), *given, **more)) == 0


def test_pgn_is_read_back_and_python_chess_reads_it_too(tmp_path):
    path = tmp_path / "g.pgn"
    play(fake("crash"), "-pgnout", path, "-rounds", 1, variant="twoflags")
    games = list(pgn.read(path))
    assert len(games) == 2
    first = games[0]
    assert first.tags["White"] == "Fake good" and first.tags["Variant"] == "twoflags" and first.tags["SetUp"] == "1"
    assert first.tags["FEN"] == get_rules("twoflags").start_fen and first.tags["TimeControl"] == "10+0"
    assert first.tags["Termination"] == "abandoned" and first.result == first.tags["Result"] == "1-0"
    assert first.moves == ["a3", "a6", "b3"]
    assert first.comments[0].startswith("+0.12/3 0.0") and "n=100 t=0.005s [%clk 0:00:" in first.comments[0]
    assert first.last_comment == "Black loses: exited with status 3: something broke"


@pytest.mark.parametrize("variant", ["twoflags", "pawnsonly"])
def test_python_chess_reads_whole_games_without_a_complaint(variant, tmp_path, caplog):
    path, book = tmp_path / "g.pgn", tmp_path / "o.epd"
    # From the second position Black takes en passant, when "first legal move" is that.
    book.write_text(
        "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1\n8/8/8/8/pP6/7P/8/8 b - b3 0 5\n8/6P1/8/8/8/8/p7/8 w - - 0 40\n"
    )
    play(fake("good"), "-pgnout", path, "-rounds", 3, "-openings", f"file={book}", variant=variant)
    ours = list(pgn.read(path))
    with open(path) as file:
        theirs = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(ours) == len(theirs) == 6 and not caplog.records
    for mine, read in zip(ours, theirs):
        assert not read.errors and read.headers["Result"] == mine.result and read.headers["FEN"] == mine.tags["FEN"]
        board, node = parse_fen(get_rules(variant), mine.tags["FEN"]), read
        for text in mine.moves:
            node = node.next()
            move = parse_san(board, text)
            assert move_text(board, move)[:4] == node.move.uci() and node.clock() is not None and "/3 " in node.comment
            board = board.push(move)
        assert board.is_game_over() and node.is_end()
        assert isinstance(node.board(), TwoFlagsBoard) and node.board().result() == mine.result
    assert sum(text.endswith("=Q") for mine in ours for text in mine.moves) >= 4
    assert any("x" in text for mine in ours for text in mine.moves)


def test_breakthrough_is_written_in_coordinates(tmp_path):
    path = tmp_path / "g.pgn"
    play(fake("good"), "-pgnout", path, "-games", 1, variant="breakthrough")
    (read,) = pgn.read(path)
    board = Board.start(get_rules("breakthrough"))
    for text in read.moves:
        board = board.push(parse_move(board, text))
    assert board.is_game_over()
    with open(path) as file:
        theirs = chess.pgn.read_game(file)
    assert not theirs.errors and [move.uci() for move in theirs.mainline_moves()] == read.moves
    assert isinstance(theirs.board(), BreakthroughBoard) and theirs.end().board().result() == read.result


def test_pgn_escapes_and_long_texts_survive(tmp_path):
    record = {
        "result": "0-1",
        "reason": "crash",
        "detail": 'White loses: {x}\n"y" \\ ' + "long " * 60,
        "moves": [["a7a6", 1.0, None, "-M3", 5, None, None], ["b2b3", 61000.0, 3723004.25, 250, None, 7, 1]],
        "lags": [],
    }
    path = tmp_path / "g.pgn"
    text = format_game(record, {"White": 'a "b" \\', "FEN": "8/8 b - - 3 12"}, get_rules("breakthrough"))
    path.write_text(text * 2 + '[White "cut"]\n\n1. a2a3')
    first, second = pgn.read(path)
    assert vars(second) == vars(first) | {"end_offset": second.end_offset} and first.tags["White"] == 'a "b" \\'
    assert first.moves == ["a7a6", "b2b3"]
    assert first.comments == ["-M3/5 0.001s", "+2.50 61.000s n=7 t=0.001s [%clk 1:02:03.004]"]
    assert first.last_comment.startswith('White loses: (x) "y" \\ long long')


@pytest.mark.parametrize(
    "left, shown", [(59_999.6, "0:01:00.000"), (3_599_999.9996, "1:00:00.000"), (36_000_000, "10:00:00.000")]
)
def test_clock_never_shows_sixty_seconds(left, shown):
    assert f"[%clk {shown}]" in comment(1.0, left, None, None, None, None)


def test_pgn_of_other_programs():
    text = """[Event "x"]
[Site "?"]

% 1. h4 is no move of this game, and this no tag: [Event "w"]
{before the first move} 1.e4 $1 (1. d4 d5 {no} (1... c5)) e5 {of two
lines} 2. exd5!? ; to the end
2... c5 3. dxc6 e.p. dxc6 4. a4 b5 5. axb6 e.p.! a5 *
%

[Event "cut off"]

1. e4 {and not ended

[Event "y"]

1. a4 1-0{said}
[Event "z"]
0-1
"""
    first, second, third = pgn.games(text)
    assert first.moves == ["e4", "e5", "exd5!?", "c5", "dxc6", "dxc6", "a4", "b5", "axb6", "a5"] and first.result == "*"
    assert first.tags == {"Event": "x", "Site": "?"} and first.comments == ["", "of two lines", "to the end", *[""] * 7]
    assert second.tags == {"Event": "y"} and second.moves == ["a4"] and second.result == "1-0"
    assert third.tags == {"Event": "z"} and not third.moves and third.result == "0-1"


@pytest.mark.parametrize(
    "text, comments, ending",
    [
        ("{before} 1. e4 {own} {second} e5 {its own} {third} {the end} 1-0", ["own", "its own"], "the end"),
        ("{before} 1. e4 {own} {second} e5 {its own} 1-0", ["own", "its own"], ""),
        ("{White could not start} 0-1", [], "White could not start"),
    ],
)
def test_only_a_comment_after_the_last_move_is_the_end(text, comments, ending):
    (read,) = pgn.games(text)
    assert (read.comments, read.last_comment) == (comments, ending)


def test_a_comment_between_games_is_neither_a_game_nor_an_end():
    first, second = pgn.all_games('{a collection}\n[White "x"]\n\n1. a4 1-0 {said}\n\n[White "y"]\n\n0-1')
    assert (first.tags, second.tags, second.last_comment) == ({"White": "x"}, {"White": "y"}, "")


def test_quotes_inside_a_tag():
    (read,) = pgn.all_games('[Event "x"]\n[White "a"b"]\n[Black "c\\"] \\"" ]  \n[Round "1"] [Site "?"]\n1. e4 e5 1-0')
    assert read.tags == {"Event": "x", "White": 'a"b', "Black": 'c"] "', "Round": "1", "Site": "?"} and read.moves == [
        "e4",
        "e5",
    ]


@pytest.mark.parametrize("hostile", ["{", '[a "', '\n[a ""', "[a ", "(", '"', "{\n[a ", "1", "e.p.", "[", '\n[a "" '])
def test_reading_takes_linear_time(hostile):
    start = time.process_time()
    list(pgn.all_games(hostile * 50_000))
    assert time.process_time() - start < 2


def test_a_comment_that_never_ends_ends_with_its_game():
    cut, whole = pgn.all_games('[White "x"]\n\n1. e4 {no { end 1-0\n\n[White "y"]\n\n1. a4 1-0')
    assert cut.moves == ["e4"] and not cut.end_offset and whole.tags == {"White": "y"} and whole.end_offset


def test_moves_in_both_notations():
    board = parse_fen(get_rules("twoflags"), "8/P3p3/8/1p6/2P3p1/8/4P3/8 w - - 0 1")

    def named(text):
        return move_text(board, parse_san(board, text))

    for text in ("e4", "e2e4", "e2-e4", "Pe4", "e4!?"):
        assert named(text) == "e2e4"
    for text in ("cxb5", "c4b5", "c4xb5", "cb5", "cxb5+"):
        assert named(text) == "c4b5"
    for text in ("a8=Q", "a8Q", "a8", "a7a8q", "a8=Q#"):
        assert named(text) == "a7a8"
    for wrong in ("e5", "Nf3", "O-O", "exd3", "", "--", "a8=N"):
        with pytest.raises(ValueError):
            parse_san(board, wrong)
    board = parse_fen(get_rules("breakthrough5"), "1p3/5/5/P1P2/1P3 w - - 0 1")
    with pytest.raises(ValueError, match="ambiguous"):  # from a2 or c2, and no pawn stands on the b file below
        parse_san(board, "b3")
    assert move_text(board, parse_san(board, "ab3")) == "a2b3" and move_text(board, parse_san(board, "c3")) == "c2c3"


def test_every_move_of_random_games_is_written_and_read_back():
    chance = random.Random(11)
    for name in ("twoflags", "pawnsonly", "breakthrough", "breakthrough6", "hexapawn5x6", "twoflags5x6"):
        for _ in range(8):
            board = Board.start(get_rules(name))
            while not board.is_game_over():
                for move in board.moves():
                    assert parse_san(board, move_san(board.rules, move_text(board, move))) == move
                board = board.push(chance.choice(board.moves()))
