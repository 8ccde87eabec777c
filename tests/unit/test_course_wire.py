"""The course's protocol without a socket: bytes to lines, and lines to messages."""

import random
import re

import pytest
from course_talk import SETUP, START

from pawnstorm.games.notation import move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.course import dialects, messages
from pawnstorm_protocol.course.messages import BLACK, LONGEST, WHITE, LineBuffer, TooLong, parse


def kinds(text):
    return [message.kind for message in parse(text)]


# Bytes and lines.


def test_lines_are_the_same_however_the_bytes_are_cut():
    data = b"OK\nSetup Wa2 Ba7\r\n\n  Time 30 \ne2e4"
    for cuts in range(1, len(data)):
        wire, lines = LineBuffer(), []
        for start in range(0, len(data), cuts):
            lines += wire.feed(data[start : start + cuts])
        assert lines == ["OK", "Setup Wa2 Ba7", "Time 30"] and wire.partial == b"e2e4" and wire.peek() == "e2e4"


def test_the_other_side_s_newline_is_remembered():
    wire = LineBuffer()
    assert wire.newline is None
    wire.feed(b"a\r\n")
    assert wire.newline == b"\r\n"
    wire.feed(b"a\nb")
    assert wire.newline == b"\n" and wire.take() == "b" and wire.newline == b"" and wire.partial == b""


def test_long_lines_are_refused_and_forgotten():
    wire = LineBuffer()
    assert wire.feed(b"x" * LONGEST) == []
    with pytest.raises(TooLong, match=str(LONGEST)):
        wire.feed(b"x")
    assert wire.feed(b"OK\n") == ["OK"]
    with pytest.raises(TooLong):
        wire.feed(b"OK\n" + b"y" * 5000 + b"\nOK\n")


def test_bytes_that_are_no_text_do_no_harm():
    rng, wire = random.Random(1), LineBuffer()
    for _ in range(2000):
        try:
            for line in wire.feed(rng.randbytes(rng.randrange(1, 60))):
                assert line.isascii() and isinstance(parse(line), list)
        except TooLong:
            pass


# Lines and messages.


@pytest.mark.parametrize(
    "text, expected",
    [
        ("OK", [("ok", None)]),
        ("Ready", [("ready", None)]),
        ("TOURNAMENT 100", [("tournament", 100)]),
        ("Reset", [("reset", None)]),
        ("TournamentAccepted 100", [("accepted", 100)]),
        ("Begin", [("begin", None)]),
        ("Welcome", [("greeting", False)]),
        ("Connected", [("greeting", True)]),
        ("Connected with client!", [("greeting", True)]),
        ("Time 30", [("time", 30.0)]),
        ("30", [("time", 30.0)]),
        ("White", [("colour", WHITE)]),
        ("Black", [("colour", BLACK)]),
        ("Color W", [("colour", WHITE)]),
        ("Role White", [("colour", WHITE)]),
        ("ASSIGN White", [("colour", WHITE)]),
        ("Your turn", [("turn", None)]),
        ("move", [("turn", None)]),
        ("MOVE e2e4", [("move", "e2e4")]),
        ("e2e4", [("move", "e2e4")]),
        ("E7E8Q", [("move", "e7e8q")]),
        ("TIMER W:12.5 B:3", [("clocks", (12.5, 3.0))]),
        ("TIMER W:12s B:3s", [("clocks", (12.0, 3.0))]),
        ("TimeRemaining 12.34", [("remaining", 12.34)]),
        ("exit", [("exit", None)]),
        ("gameover", [("over", None)]),
        ("GameOver WHITE plies=34", [("over", WHITE)]),
        ("WIN:W", [("over", WHITE)]),
        ("win: Black wins", [("over", BLACK)]),
        ("Win", [("verdict", True)]),
        ("Lost", [("verdict", False)]),
    ],
)
def test_every_word_of_the_list_is_understood(text, expected):
    assert [(message.kind, message.value) for message in parse(text)] == expected
    assert [message.kind for message in parse(f"  {text} \t")] == [kind for kind, _ in expected]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "e2",
        "i2i4",
        "e2e4x",
        "Setup",
        "Setup Wa2",
        "Setup Wa2 Bz7",
        "Setup Wa2 Ba2",
        "Black wins!",
        "TOURNAMENT -3",
        "Windows",
        "Time x",
        "9" * 400,
        "move e2e",
        "connect",
    ],
)
def test_anything_else_is_not(text):
    assert parse(text) == []


def test_messages_without_anything_between_them_are_told_apart():
    assert kinds(f"{SETUP}Time 30Begin") == ["setup", "time", "begin"]
    assert kinds("OKReadye2e4exit") == ["ok", "ready", "move", "exit"]
    assert kinds(f"Welcome{SETUP}") == ["greeting", "setup"]
    assert kinds("Connected with client!Time 30") == ["greeting", "time"]
    assert kinds("GameOver WHITE plies=34Reset") == ["over", "reset"]
    assert kinds("e7e8qGameOver WHITE plies=1") == ["move", "over"]


def test_half_a_message_is_none():
    """But for what lacks nothing: a Setup with pawns of both sides."""
    lengths = {SETUP: 41, "Begin": 5, "Reset": 5, "e2e4": 4, "exit": 4, "TournamentAccepted 10": 18}
    for whole, least in lengths.items():
        for cut in range(1, len(whole)):
            assert not parse(whole[:cut]) or cut >= least, whole[:cut]


@pytest.mark.parametrize("text", [START, "8/8/8/8/1p6/1P6/P7/8 w - - 0 1", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"])
@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_a_setup_reads_back(text, case):
    board = parse_fen(get_rules("twoflags"), text)
    (message,) = parse(case(messages.setup(board)))
    assert messages.board(board.rules, message.value) == board
    assert messages.setup(Board.start(get_rules("twoflags"))) == SETUP


@pytest.mark.parametrize("name", dialects.DIALECTS)
def test_every_dialect_is_understood(name):
    dialect = dialects.DIALECTS[name]
    assert not dialect.greeting or kinds(dialect.greeting) == ["greeting"]
    assert [message.value for message in parse(dialects.time_text(dialect, 1800))] == [
        1800 if dialect.time_in_seconds else 30
    ]
    for side in (WHITE, BLACK):
        told = [(message.kind, message.value) for message in parse(dialect.colours[side])]
        assert told == [("colour", side)] * bool(dialect.colours[side])
        for won in (True, False):
            (message,) = parse(dialects.result_text(dialect, side, won, 34))
            assert (message.kind, message.value) in (("over", side), ("verdict", won), ("exit", None))
    assert [m.value for m in parse(dialect.move.format(move="e2e4"))] == ["e2e4"]
    turn = kinds(dialect.turn.format(white="3.20", black="4", own="3.2"))
    assert turn in ([], ["clocks"], ["remaining"], ["turn"]) and bool(turn) == bool(dialect.turn)


@pytest.mark.parametrize("seconds", [0.2, 0.5, 1, 2, 5, 7.7, 60, 100.25, 86400])
def test_any_time_can_be_told(seconds):
    (message,) = parse(dialects.time_text(dialects.DIALECTS["course"], seconds))
    assert message.kind == "time" and message.value * 60 == pytest.approx(seconds, abs=0.001)


# How clients of students read a line, as far as is known: what each takes it for, or nothing.
READERS = {
    "whole lines": lambda line: re.fullmatch(
        "[a-h][1-8][a-h][1-8]q?|exit|Begin|Reset|OK|GameOver .*|Setup .*|Time .*", line
    ),
    "a move anywhere": lambda line: re.search("[a-hA-H][1-8][a-hA-H][1-8]", line),
    "the first letter": lambda line: line[0].lower() in "abcdefgh" or line[0] in "WB" or line[0].isdigit(),
    "words anywhere": lambda line: re.search(
        "ok|ready|reset|begin|exit|game|over|win|won|lost|white|black|color|role|assign|time|turn|move|setup|welcome|connect",
        line.lower(),
    ),
}


def test_no_client_takes_the_line_about_an_illegal_move_for_anything():
    """At positions of random games, for every two squares; the readers do read what they are to read."""
    for takes in READERS.values():
        assert any(map(takes, ("e2e4", "exit", "GameOver WHITE plies=3"))) and not takes("Illegal")
    rng, squares = random.Random(5), [file + rank for file in "abcdefgh" for rank in "12345678"]
    for _ in range(20):
        board = Board.start(get_rules("twoflags"))
        while not board.is_game_over():
            legal = {move_text(board, move) for move in board.moves()}
            for move in rng.sample([a + b for a in squares for b in squares if a + b not in legal], 20):
                line = messages.illegal(board, move)
                assert line.startswith(f"Illegal {move[:2]}-{move[2:]}: expected ") and len(line) < 128
                assert parse(line) == [] and not [name for name, takes in READERS.items() if takes(line)]
                assert set(re.findall("([a-h][1-8])-([a-h][1-8])", line.partition(":")[2])) <= {
                    (text[:2], text[2:4]) for text in legal
                }
            board = board.push(rng.choice(board.moves()))
