"""pawnstorm.Game, read_pgn() and parse_pgn(): what is written is read back, and no text stops the reading."""

import copy
import io
import pickle
import random
import textwrap
import time
from itertools import islice

import chess.pgn
import pytest

import pawnstorm
import pawnstorm.chess  # python-chess knows the games by it
from pawnstorm import AmbiguousMove, Board, Game, IllegalMove, ParseError, UnknownGame, parse_pgn, read_pgn
from pawnstorm.games.rules import NAMES

COMMENTS = ("", "", "a move", "+0.25/12 0.051s [%clk 0:00:00.959]", "1-0", "(e4 e5)", '[Event "x"]', "; % \\ \" *", "é 💥", "long " * 60 + "end")  # fmt: skip
"""Texts that are written as they are."""
SHORT = '[White "Ann"]\n\n1. e4 e5 2. d4 exd4 *\n'


def random_game(name, chance, plies=1000):
    """A Game of random moves, from the start or from a position after some of them, with comments and tags."""
    board = Board(name)
    for _ in range(chance.choice((0, 0, 1, 4, 9))):
        if len(board.legal_moves) > 1:
            board.push(chance.choice(board.legal_moves))
            if board.is_game_over():
                board.pop()
    board = Board(board.game, board.fen)
    while not board.is_game_over() and len(board.moves) < plies:
        board.push(chance.choice(board.legal_moves))
    game = Game(board, {"White": "Ann", "Black": chance.choice(COMMENTS[2:])})
    game.comment, game.comments = chance.choice(COMMENTS), chance.choices(COMMENTS, k=len(board.moves))
    if not board.is_game_over():
        game.result = chance.choice(("1-0", "0-1", "1/2-1/2", "*"))
    return game


@pytest.mark.compiled
def test_random_games_of_all_games_and_sizes_are_read_back(tmp_path):
    chance, games = random.Random(12), []
    for name in NAMES:
        for plies in (chance.randrange(9), 1000):
            games.append(random_game(name, chance, plies))
            (read,) = parse_pgn(str(games[-1]))
            assert read == games[-1] and not read.errors and read.board().game == Board(name).game, str(games[-1])
    assert len({game.board().game for game in games}) > 100
    for game in games:
        game.append(tmp_path / "games.pgn")
    assert list(read_pgn(tmp_path / "games.pgn")) == games


@pytest.mark.parametrize("name", ["twoflags", "breakthrough"])
def test_python_chess_reads_the_same_game(name):
    chance = random.Random(13)
    for _ in range(5):
        game = random_game(name, chance)
        theirs = chess.pgn.read_game(io.StringIO(str(game)))
        assert not theirs.errors and theirs.headers["White"] == "Ann" and theirs.headers["Result"] == game.result
        written = game.tags["Black"].replace("\\", "\\\\").replace('"', '\\"')  # python-chess leaves the escapes
        assert theirs.headers["Black"] == written and theirs.comment == game.comment
        nodes = list(theirs.mainline())
        assert [node.move.uci() for node in nodes] == game.moves and [node.comment for node in nodes] == game.comments
        for node, (before, move, _) in zip(nodes, game.mainline(), strict=True):
            assert node.parent.board().fen().split()[:4] == before.fen.split()[:4] and node.move.uci() == move
        (read,) = parse_pgn(str(theirs))
        assert (read.moves, read.comments, read.result) == (game.moves, game.comments, game.result) and not read.errors


def test_game_is_built_from_a_board():
    board = Board("hexapawn")
    for move in ("b1b2", "a3b2", "a1b2"):
        board.push(move)
    game = Game(board, {"White": "Ann"})
    board.pop()
    assert game.moves == ["b1b2", "a3b2", "a1b2"] and game.result == "*" and game.errors == []
    assert game.board().fen == "1pp/1P1/2P b - - 0 2" and game.board().moves == game.moves
    game.comments[1] = "forced"
    assert [(before.fen.split()[0], move, note) for before, move, note in game.mainline()] == [
        ("ppp/3/PPP", "b1b2", ""),
        ("ppp/1P1/P1P", "a3b2", "forced"),
        ("1pp/1p1/P1P", "a1b2", ""),
    ]
    assert str(game) == (
        '[White "Ann"]\n[Variant "hexapawn"]\n[SetUp "1"]\n[FEN "ppp/3/PPP w - - 0 1"]\n[Result "*"]\n\n'
        "1. b1b2 a3b2 {forced} 2. a1b2 *"
    )
    assert repr(game) == "<Game Ann - ?: hexapawn, 3 moves, *>"
    assert Game().board() == Board() and Game().result == "*"


def test_examples_of_the_docstrings_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    board = Board("breakthrough")
    for move in ("a2b3", "h7g6"):
        board.push(move)
    for documented in (Game, read_pgn):
        example = documented.__doc__.partition("Example::\n\n")[2].partition("\n\n    ")[0]
        exec(textwrap.dedent(example), {"pawnstorm": pawnstorm, "board": board})
    assert capsys.readouterr().out == "white a2b3 my favourite opening\nblack h7g6 \n"


def test_games_are_equal_by_what_they_hold():
    board = Board()
    board.push("e2e4")
    game = Game(board)
    for way in (copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))):
        assert way(game) == game
    others = [
        Game(),
        Game(board, {"White": "Ann"}),
        Game(Board("twoflags", board.fen)),
        Game(board),
        Game(board),
        Game(board),
    ]
    others[3].comment, others[4].comments, others[5].result = "x", ["x"], "1-0"
    assert all(other != game for other in others) and game != board
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_result_of_a_new_game_is_that_of_the_board():
    assert Game(Board("twoflags", "4P3/8/8/8/8/8/p7/8 b - - 0 1")).result == "1-0"
    assert Game(Board("twoflags", "8/8/8/8/8/8/p7/P7 w - - 0 1")).result == "0-1"


def test_texts_that_pgn_cannot_hold_are_changed():
    board = Board()
    board.push("e2e4")
    game = Game(board, {"Event": 'a  "b"\n\\ {c}\0', "FEN": "x", "Result": "x"})
    game.comments = ["{two}\nlines\t\ud800"]
    (read,) = parse_pgn(str(game))
    assert read.tags == {"Event": 'a "b" \\ {c}?'} and read.comments == ["(two) lines ?"] and read.moves == ["e2e4"]


def test_files_are_written_and_extended(tmp_path):
    path, game = tmp_path / "g.pgn", random_game("breakthrough5", random.Random(1))
    game.save(path)
    assert path.read_bytes().decode() == f"{game}\n"
    game.append(path)
    game.append(str(path))
    assert list(read_pgn(path)) == [game] * 3 == list(read_pgn(str(path)))
    game.save(str(path))
    assert list(read_pgn(path)) == [game]
    with pytest.raises(OSError):
        game.save(tmp_path)
    game.result = "2-0"
    for method in (game.save, game.append):
        with pytest.raises(ValueError, match="'2-0' is not a result: expected one of 1-0, 0-1, 1/2-1/2, [*]"):
            method(path)
    assert path.read_bytes().decode().count("[FEN") == 1


@pytest.mark.parametrize(
    "change, error, text",
    [
        (lambda game: game.comments.append("x"), ValueError, "5 comments: expected 4, one for each move"),
        (lambda game: game.tags.update({"White player": "x"}), ValueError, "'White player' is not the name of a tag"),
        (lambda game: game.tags.update({"": "x"}), ValueError, "'' is not the name of a tag"),
    ],
)
def test_what_cannot_be_written_is_named(change, error, text):
    (game,) = parse_pgn(SHORT)
    with pytest.raises(error, match=text):
        change(game)
        str(game)
    if "comments" in text:
        with pytest.raises(error, match=text):
            game.mainline()


@pytest.mark.parametrize(
    "use, given, error, text",
    [
        (Game, ["x"], TypeError, "board must be a pawnstorm.Board, not str"),
        (parse_pgn, [b"x"], TypeError, "text must be a str, not bytes"),
        (parse_pgn, [SHORT, "chess"], UnknownGame, "unknown game 'chess'"),
        (parse_pgn, [SHORT, 8], TypeError, "game must be a str, not int"),
        (read_pgn, [io.BytesIO(b"x")], TypeError, "text must be a str, not bytes"),
        (read_pgn, [7], TypeError, "file must be a path or an open file, not int"),
        (read_pgn, [SHORT], ValueError, "the path has several lines: .*parse_pgn"),
        (read_pgn, ["/nowhere/g.pgn"], OSError, "/nowhere/g.pgn"),
    ],
)
def test_what_cannot_be_read_is_named(use, given, error, text):
    with pytest.raises(error, match=text):
        use(*given)


@pytest.mark.parametrize(
    "text, game, moves",
    [
        ("1. e4 e5 *", "twoflags", 2),
        ("1. e2e3 e7e6 *", "twoflags", 2),
        ("1. b2c3 a7b6 *", "breakthrough", 2),
        ("1. e4 e5 2. b2c3 *", "twoflags", 2),
        ("1. b2c3 a7b6 2. e4 *", "breakthrough", 2),
        ('[Variant "Two Flags"]\n\n1. e4 *', "twoflags", 1),
        ('[Variant "breakthrough6x6"]\n\n1. a2b3 *', "breakthrough6", 1),
        ('[FEN "pppp/pppp/4/PPPP/PPPP w"]\n\n1. a2b3 *', "breakthrough4x5", 1),
        ('[FEN "8/p7/8/8/8/8/P7/8 w - - 0 1"]\n\n1. a4 *', "twoflags", 1),
        ('[FEN "8/p7/8/8/8/8/P7/8 w - - 0 1"]\n\n1. a2b3 *', "breakthrough", 1),
        ('[FEN "p7/8/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/8"]\n\n1. a4a5 *', "twoflags", 1),
        ('[Site "http://www.LittleGolem.net/x"]\n\n1. a2a3 *', "breakthrough", 1),
        ('[Site "Little Golem"]\n[Event "breakthrough.6x5"]\n\n1. a2a3 *', "breakthrough6x5", 1),
        ('[Site "Little Golem"]\n[Variant "twoflags"]\n\n1. e4 *', "twoflags", 1),
    ],
)
def test_game_that_does_not_name_itself_is_found(text, game, moves):
    (read,) = parse_pgn(text)
    assert read.board().game == game and len(read.moves) == moves and len(read.errors) == ("2. " in text)


def test_game_that_is_named_for_those_that_do_not_say():
    named, other = parse_pgn('1. a2a3 *\n\n[Variant "twoflags"]\n\n1. e4 *', "breakthrough")
    assert (named.board().game, other.board().game) == ("breakthrough", "twoflags")
    (read,) = parse_pgn('[Site "www.littlegolem.net"] \n1. a2-b3 *', "breakthrough6")
    assert read.board().game == "breakthrough6"


def test_bad_games_are_between_good_ones():
    wrong = {
        '[Variant "chess"]\n\n1. e4 *': (UnknownGame, "unknown game 'chess'"),
        '[Variant "twoflags9x9"]\n\n*': (UnknownGame, "boards 3 to 8 wide"),
        '[FEN "8/8 w"]\n\n*': (ParseError, "8 wide and 2 high"),
        "1. e4 e5 2. Nf3 *": (ParseError, "'Nf3' is not a move"),
        "1. e4 e5 2. e5 *": (IllegalMove, "illegal move 'e5'"),
        '[Variant "breakthrough5"]\n[FEN "1p3/5/5/P1P2/1P3 w - - 0 1"]\n\n1. b3 *': (AmbiguousMove, "'b3'"),
        '[Result "1-0"]\n\n1. e4 0-1': (ParseError, "result '0-1' contradicts the tag"),
        '[Event "x"]\n\n1. e4': (ParseError, "cut off: expected a result"),
    }
    text = "".join(f"{SHORT}\n{bad}\n\n" for bad in wrong) + SHORT
    games = list(parse_pgn(text))
    assert games[::2] == list(parse_pgn(SHORT)) * (len(wrong) + 1) and not any(game.errors for game in games[::2])
    for game, (error, fault) in zip(games[1::2], wrong.values(), strict=True):
        assert len(game.errors) == 1 and type(game.errors[0]) is error and fault in str(game.errors[0])
    for game in games[1:6:2]:  # of which nobody knows the board
        for use in (game.board, game.mainline, lambda game=game: str(game)):
            with pytest.raises(ValueError, match="the game has no board: "):
                use()
        assert game.moves == game.comments == [] and "unknown game" in repr(game)
    assert games[1].tags == {"Variant": "chess"} and games[7].moves == ["e2e4", "e7e5"]


def test_comments_are_joined_and_stay_where_they_are():
    (read,) = parse_pgn("{one} ; two {2}\n1. e4 {a} {b} $1 (1. d4 {no}) e5 ; c\n{d} {e} 1-0 {after}")
    assert read.comment == "one two (2)" and read.comments == ["a b", "c d e"]
    assert list(parse_pgn(str(read))) == [read]


def test_lines_of_other_systems_and_a_mark_of_the_encoding():
    for text in (SHORT.replace("\n", "\r\n"), SHORT.replace("\n", "\r"), "\ufeff" + SHORT):
        assert list(parse_pgn(text)) == list(parse_pgn(SHORT))


@pytest.mark.parametrize("text", ["", "\n", "{only a comment}", "% escaped"])
def test_text_without_games_has_none(text):
    assert list(parse_pgn(text)) == []


UNITS = ["e", "(", ")", "[", "{", '"', "[a ", '[a "', "e4 ", "e5 ", "resign ", "$1 ", "1. ", "+", "* ", "{} ", "{a} ", "; x\n", "\\", "\0"]  # fmt: skip


@pytest.mark.parametrize("length", [50_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", UNITS)
def test_long_texts_are_read_in_linear_time(unit, length):
    start = time.process_time()
    for text in (unit * (length // len(unit)), f"{SHORT}1. e4 e5 " + unit * (length // len(unit))):
        for game in islice(parse_pgn(text), 1000):
            assert all(len(str(error)) < 400 for error in game.errors) and len(repr(game)) < 200
            assert len(str(game)) < 20_000
    assert time.process_time() - start < 1 + length / 50_000


def test_long_words_are_shortened_in_errors_and_marks_do_not_make_a_move_long():
    for word in ("x" * 1_000_000, "e4" + "+" * 1_000_000, "e4" + "e.p." * 250_000):
        (game,) = parse_pgn(f"1. {word} *")
        assert game.moves == [] and len(str(game.errors[0])) < 100


def test_many_games_of_an_unknown_name_are_read_quickly():
    start = time.process_time()
    games = list(parse_pgn('[Variant "atomic"]\n\n1. e4 *\n\n' * 2000))
    assert len(games) == 2000 and all(isinstance(game.errors[0], UnknownGame) for game in games)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("letter", ['"', "\\", "x"])
def test_longest_tag_is_read_as_it_was_written(letter):
    game = Game(tags={"White": 10_000 * letter})
    assert list(parse_pgn(str(game))) == [game]
