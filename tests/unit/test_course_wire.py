"""The course's protocol without a socket: bytes to lines, lines to messages, and what a client says to them."""

import random

import pytest

from pawnstorm.engine.engine import Engine
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.notation import fen, parse_fen, parse_move
from pawnstorm.engine.games.rules import UnknownGame, game
from pawnstorm.engine.limits import Limits
from pawnstorm.protocol.course import dialects, messages
from pawnstorm.protocol.course.agent import Agent
from pawnstorm.protocol.course.client import WAITS, Client
from pawnstorm.protocol.course.client_board import ClientBoard, rules_of
from pawnstorm.protocol.course.messages import BLACK, WHITE, read
from pawnstorm.protocol.course.wire import LONGEST, TooLong, Wire

START = game("twoflags").start_fen
SETUP = "Setup " + " ".join(f"W{file}2" for file in "abcdefgh") + " " + " ".join(f"B{file}7" for file in "abcdefgh")


def kinds(text):
    return [message.kind for message in read(text)]


# Bytes and lines.


def test_lines_are_the_same_however_the_bytes_are_cut():
    data = b"OK\nSetup Wa2 Ba7\r\n\n  Time 30 \ne2e4"
    for cuts in range(1, len(data)):
        wire, lines = Wire(), []
        for start in range(0, len(data), cuts):
            lines += wire.feed(data[start : start + cuts])
        assert lines == ["OK", "Setup Wa2 Ba7", "Time 30"] and wire.partial == b"e2e4" and wire.peek() == "e2e4"


def test_the_other_side_s_newline_is_remembered():
    wire = Wire()
    assert wire.newline is None
    wire.feed(b"a\r\n")
    assert wire.newline == b"\r\n"
    wire.feed(b"a\nb")
    assert wire.newline == b"\n" and wire.take() == "b" and wire.newline == b"" and wire.partial == b""


def test_long_lines_are_refused_and_forgotten():
    wire = Wire()
    assert wire.feed(b"x" * LONGEST) == []
    with pytest.raises(TooLong, match=str(LONGEST)):
        wire.feed(b"x")
    assert wire.feed(b"OK\n") == ["OK"]
    with pytest.raises(TooLong):
        wire.feed(b"OK\n" + b"y" * 5000 + b"\nOK\n")


def test_bytes_that_are_no_text_do_no_harm():
    rng, wire = random.Random(1), Wire()
    for _ in range(2000):
        try:
            for line in wire.feed(rng.randbytes(rng.randrange(1, 60))):
                assert line.isascii() and isinstance(read(line), list)
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
        ("BEGIN", [("begin", None)]),
        ("Welcome", [("greeting", False)]),
        ("Connected", [("greeting", True)]),
        ("Connected to the server!", [("greeting", True)]),
        ("Connected with client!", [("greeting", True)]),
        ("Time 30", [("time", 30.0)]),
        ("30", [("time", 30.0)]),
        ("time 0.5", [("time", 0.5)]),
        ("White", [("colour", WHITE)]),
        ("Black", [("colour", BLACK)]),
        ("Color W", [("colour", WHITE)]),
        ("Role White", [("colour", WHITE)]),
        ("ASSIGN White", [("colour", WHITE)]),
        ("ASSIGN black", [("colour", BLACK)]),
        ("Your turn", [("turn", None)]),
        ("move", [("turn", None)]),
        ("MOVE e2e4", [("move", "e2e4")]),
        ("e2e4", [("move", "e2e4")]),
        ("E7E8Q", [("move", "e7e8q")]),
        ("e2e1q", [("move", "e2e1q")]),
        ("TIMER W:12.5 B:3", [("clocks", (12.5, 3.0))]),
        ("TIMER W:12s B:3s", [("clocks", (12.0, 3.0))]),
        ("TimeRemaining 12.34", [("remaining", 12.34)]),
        ("exit", [("exit", None)]),
        ("EXIT", [("exit", None)]),
        ("gameover", [("over", None)]),
        ("GameOver WHITE plies=34", [("over", WHITE)]),
        ("GameOver BLACK plies=7", [("over", BLACK)]),
        ("WIN:W", [("over", WHITE)]),
        ("win: Black wins", [("over", BLACK)]),
        ("Win", [("verdict", True)]),
        ("Lost", [("verdict", False)]),
    ],
)
def test_every_word_of_the_list_is_understood(text, expected):
    assert [(message.kind, message.value) for message in read(text)] == expected
    assert [message.kind for message in read(f"  {text} \t")] == [kind for kind, _ in expected]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "e2",
        "e2e9",
        "i2i4",
        "e2e4x",
        "Setup",
        "Setup Wa2",
        "Setup Wa2 Wb",
        "Setup Wa2 Bz7",
        "Setup Wa2 Ba2",
        "Black wins!",
        "TOURNAMENT",
        "TOURNAMENT -3",
        "Windows",
        "Losing",
        "OKAY",
        "Time",
        "Time x",
        "9" * 400,
        "\\xff\\xfe",
        "move e2e",
        "connect",
    ],
)
def test_anything_else_is_not(text):
    assert read(text) == []


def test_messages_without_anything_between_them_are_told_apart():
    assert kinds(f"{SETUP}Time 30Begin") == ["setup", "time", "begin"]
    assert kinds("OKReadye2e4exit") == ["ok", "ready", "move", "exit"]
    assert kinds(f"Welcome{SETUP}") == ["greeting", "setup"] and kinds("Connected with client!Time 30") == [
        "greeting",
        "time",
    ]
    assert kinds("GameOver WHITE plies=34Reset") == ["over", "reset"] and kinds("e7e8qGameOver WHITE plies=1") == [
        "move",
        "over",
    ]


def test_half_a_message_is_none():
    """But for what lacks nothing: a Setup with pawns of both sides."""
    for whole, least in (
        (SETUP, 41),
        ("Begin", 5),
        ("Reset", 5),
        ("e2e4", 4),
        ("exit", 4),
        ("TournamentAccepted 10", 18),
    ):
        for cut in range(1, len(whole)):
            assert not read(whole[:cut]) or cut >= least, whole[:cut]


@pytest.mark.parametrize("text", [START, "8/8/8/8/1p6/1P6/P7/8 w - - 0 1", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"])
@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_a_setup_reads_back(text, case):
    board = parse_fen(game("twoflags"), text)
    (message,) = read(case(messages.setup(board)))
    assert messages.board(board.rules, message.value) == board
    assert messages.setup(Board.start(game("twoflags"))) == SETUP


@pytest.mark.parametrize("name", dialects.DIALECTS)
def test_every_dialect_is_understood(name):
    dialect = dialects.DIALECTS[name]
    assert not dialect.greeting or kinds(dialect.greeting) == ["greeting"]
    assert [message.value for message in read(dialects.time_text(dialect, 1800))] == [1800 if dialect.seconds else 30]
    for side in (WHITE, BLACK):
        assert not dialect.colours[side] or [(m.kind, m.value) for m in read(dialect.colours[side])] == [
            ("colour", side)
        ]
        for won in (True, False):
            (message,) = read(dialects.ending(dialect, side, won, 34))
            assert (message.kind, message.value) in (("over", side), ("verdict", won), ("exit", None))
    assert [m.value for m in read(dialect.move.format(move="e2e4"))] == ["e2e4"]
    assert not dialect.turn or kinds(dialect.turn.format(white="3.20", black="4", own="3.2"))[0] in (
        "clocks",
        "remaining",
        "turn",
    )


# En passant.

PASSING = "8/8/8/8/1p6/1P6/P7/8 w - - 0 1"  # after a2a4 Black can only take in passing


def test_modes_of_en_passant_are_games():
    standard, ghost, off = (rules_of(mode) for mode in ("standard", "ghost", "off"))
    assert (standard.name, ghost.name, off.name) == ("twoflags", "twoflags-ghost", "twoflags-noep")
    assert game("twoflags8x8-ghost") is ghost and game("TwoFlags5x6-noep").full_name == "twoflags5x6-noep"
    assert {rules.family for rules in (standard, ghost, off, game("twoflags5x6-ghost"))} == {"twoflags"}
    for name in ("breakthrough-ghost", "twoflags-", "twoflags-ghos", "twoflags-ghost-noep", "ghost"):
        with pytest.raises(UnknownGame):
            game(name)
    after = {}
    for rules in (standard, ghost, off):
        board = parse_fen(rules, PASSING)
        board = board.push(parse_move(board, "a2a4"))
        after[rules.name] = [fen(board.push(move)) for move in board.moves()]
    assert after == {
        "twoflags": ["8/8/8/8/8/pP6/8/8 w - - 0 2"],
        "twoflags-ghost": ["8/8/8/8/P7/pP6/8/8 w - - 0 2"],
        "twoflags-noep": [],
    }


@pytest.mark.parametrize("seconds", [0.2, 0.5, 1, 2, 5, 7.7, 60, 100.25, 86400])
def test_any_time_can_be_told(seconds):
    (message,) = read(dialects.time_text(dialects.DIALECTS["course"], seconds))
    assert message.kind == "time" and message.value * 60 == pytest.approx(seconds, abs=0.001)


@pytest.mark.parametrize("name", dialects.DIALECTS)
def test_a_loser_on_time_is_not_told_that_it_has_won(name):
    agent, said = Agent.__new__(Agent), []
    agent.dialect, agent.say = dialects.DIALECTS[name], said.append
    agent.over(BLACK, False, 3, False)
    talk = Talk()
    talk.hear(SETUP, "Time 1", "White", *said)
    assert "exit" not in " ".join(said).lower() and not talk.client.results[-1][0]


def test_a_client_finds_out_that_captured_pawns_stay():
    seen = ClientBoard("standard", parse_fen(game("twoflags"), PASSING))
    assert [seen.play(move) for move in ("a2a4", "b4a3")] == ["", ""]
    assert "'ghost'" in seen.play("a4a5") and seen.mode == "ghost"
    assert fen(seen.board) == "8/8/8/P7/8/pP6/8/8 b - - 0 2" and seen.plies == 3
    assert seen.play("a3a2") == "" and not seen.board.over() and seen.play("a5a6") == seen.play("a2a1") == ""
    assert seen.board.over()


def test_a_client_puts_onto_its_board_what_no_rule_allows():
    seen = ClientBoard("standard", Board.start(game("twoflags")))
    assert "illegal move 'e2e5'" in seen.play("e2e5") and fen(seen.board) == "8/pppppppp/8/4P3/8/8/PPPP1PPP/8 b - - 0 1"
    assert seen.play("d7d5") == "" and "legal with" not in seen.play("e5d6")  # standard en passant still works
    assert seen.board.black_pawns.bit_count() == 7
    assert (
        seen.play("h8h3")
        and seen.board.white == parse_fen(game("twoflags"), "8/ppp1pppp/3P4/8/8/7p/PPPP1PPP/8 w").white
    )
    assert seen.play("g2h3") == "" and seen.plies == 5


# The client.


class Talk:
    """A Client, what it has said, and a mover that plays its first legal move."""

    def __init__(self, *arguments, **keywords):
        self.said, self.notes = [], []
        self.client = Client(self.said.append, self.notes.append, *arguments, **keywords)

    def hear(self, *lines):
        """What the client says to these lines."""
        self.said.clear()
        for line in lines:
            found = read(line)
            for message in found:
                self.client.hear(message)
        return list(self.said)

    def move(self, text=None):
        """Have it move; what it says."""
        self.said.clear()
        board = self.client.turn()
        self.client.move(parse_move(board, text) if text else board.moves()[0], 1.0)
        return list(self.said)


def test_the_course_s_own_server():
    talk = Talk(tournament=2)
    talk.client.silence(WAITS)
    assert talk.said == ["OK"]
    talk.client.silence(WAITS)
    assert talk.said == ["OK"]  # once
    assert talk.hear(SETUP) == ["OK"] and talk.hear("Time 30") == ["OK", "TOURNAMENT 2"] and talk.client.left == 1800
    assert talk.hear("TournamentAccepted 2") == [] and talk.hear("Reset") == ["Ready"]
    assert talk.client.turn() is None and talk.hear("Begin") == [] and talk.client.turn() is not None
    assert talk.move("e2e4") == ["e2e4"] and talk.client.left == 1799 and talk.client.turn() is None
    assert (
        talk.hear("e7e5") == [] and talk.move("d2d3") == ["d2d3"] and talk.hear("exit", "GameOver WHITE plies=3") == []
    )
    assert talk.hear("Reset") == ["Ready"] and talk.client.left == 1800
    assert talk.hear("e2e4") == [] and talk.client.colour == BLACK and talk.move("e7e5") == ["e7e5"]
    assert talk.client.results == [(True, 3)]


@pytest.mark.parametrize(
    "greeting, said",
    [("Welcome", []), ("Connected", ["OK"]), ("Connected to the server!", ["OK"]), ("Connected with client!", ["OK"])],
)
def test_greetings(greeting, said):
    talk = Talk()
    assert talk.hear(greeting) == said
    talk.client.silence(WAITS)
    assert talk.said == said, "a greeting that expects no answer gets none"
    assert talk.hear("30", SETUP.lower()) == ["OK", "OK"] and talk.client.left == 1800


def test_a_greeting_after_its_own_ok_is_not_answered_again():
    talk = Talk()
    talk.client.silence(WAITS)
    assert talk.hear("Connected") == []


def test_setup_and_time_in_either_order_repeated_or_missing():
    assert Talk().hear("Time 30", SETUP, SETUP, "Time 20") == ["OK"] * 4
    talk = Talk()
    assert talk.hear("Begin") == [] and talk.client.left is None and fen(talk.client.turn()) == START
    talk = Talk()
    talk.hear("Time 5", "ASSIGN White", SETUP)
    assert talk.client.turn() is None  # perhaps a Begin is still to come
    talk.client.silence(WAITS)
    assert talk.client.turn() is not None


@pytest.mark.parametrize(
    "words, colour",
    [
        (["Begin"], WHITE),
        (["White"], WHITE),
        (["Black"], BLACK),
        (["Color B"], BLACK),
        (["Role White", "Your turn"], WHITE),
        (["ASSIGN Black", "BEGIN"], BLACK),
        (["move"], WHITE),
        (["TIMER W:60 B:60", "White"], WHITE),
    ],
)
def test_colour(words, colour):
    talk = Talk()
    talk.hear(SETUP, "Time 1", *words)
    talk.client.silence(WAITS)
    assert talk.client.colour == colour and (talk.client.turn() is not None) == (colour == WHITE)


def test_black_begins_where_the_setup_says_so():
    talk = Talk()
    talk.hear("Setup WF4 WG4 BF7 BF6 BH6 BLACK", "Time 1", "Begin")
    assert talk.client.colour == BLACK and fen(talk.client.turn()) == "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"
    talk = Talk()
    talk.hear("Setup Wf4 Wg4 Bf7 Bf6 Bh6 BLACK", "Time 1", "f6f5")
    assert talk.client.colour == WHITE and talk.move("g4g5") == ["g4g5"]


@pytest.mark.parametrize(
    "dialect, text, seconds",
    [(None, "30", 1800), (None, "300", 300), (None, "Time 300", 18000), ("course", "300", 18000), ("assign", "30", 30)],
)
def test_a_bare_number_that_is_too_large_for_minutes_counts_seconds(dialect, text, seconds):
    talk = Talk(dialect and dialects.DIALECTS[dialect])
    talk.hear(text, SETUP)
    assert talk.client.left == seconds


def test_what_comes_before_its_own_first_move_waits():
    talk = Talk()
    talk.hear(SETUP, "Time 1", "e2e4", "MOVE e2e4", "d2d4")
    assert talk.client.colour == BLACK and fen(talk.client.turn()).startswith("8/pppppppp/8/8/4P3/8/PPPP1PPP/8 b")
    assert talk.move("e7e5") == ["e7e5"]
    assert fen(talk.client.turn()).startswith("8/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/8 b") and not talk.notes


def test_a_first_move_outweighs_a_begin_that_both_were_told():
    talk = Talk()
    talk.hear(SETUP, "Time 1", "Begin", "e2e4")
    assert talk.client.colour == BLACK and talk.client.turn() is not None


def test_its_own_move_heard_again_means_nothing():
    talk = Talk()
    talk.hear(SETUP, "Begin")
    talk.move("e2e4")
    assert talk.hear("e2e4") == [] and talk.client.turn() is None and talk.notes == []


def test_exit_is_said_after_a_loss_and_never_after_a_win():
    talk = Talk()
    talk.hear("Setup Wa7 Bh2 Bg7", "Begin")
    assert talk.move("a7a8") == ["a7a8"] and talk.client.results == [(True, 1)]
    assert talk.hear("exit", "GameOver WHITE plies=1") == [] and talk.client.results == [(True, 1)]
    talk = Talk()
    talk.hear("Setup Wa6 Bh2 Bg7", "Begin")
    assert talk.move("a6a7") == ["a6a7"] and talk.hear("h2h1q") == ["exit"] and talk.client.results == [(False, 2)]
    assert talk.hear("GameOver BLACK plies=2", "exit") == [] and talk.client.results == [(False, 2)]


@pytest.mark.parametrize(
    "words, won",
    [
        ("exit", True),
        ("EXIT", True),
        ("gameover", None),
        ("GameOver WHITE plies=1", True),
        ("GameOver BLACK plies=1", False),
        ("WIN:W", True),
        ("WIN:B", False),
        ("win: White wins", True),
        ("Win", True),
        ("Lost", False),
    ],
)
def test_endings_of_an_undecided_game(words, won):
    talk = Talk()
    talk.hear(SETUP, "Begin")
    talk.move("e2e4")
    assert talk.hear(words) == [] and talk.client.over and talk.client.results == [(won, 1)]
    assert talk.hear("e7e5") == [] and talk.client.turn() is None


def test_moves_are_sent_with_four_characters_and_taken_with_five():
    talk = Talk()
    talk.hear("Setup Wa6 Wb6 Bb7 Bh3 BLACK", "h3h2")
    assert talk.move("a6b7") == ["a6b7"] and talk.hear("h2h1q") == ["exit"]
    talk = Talk()
    talk.hear("Setup Wa7 Bh7", "Begin")
    assert talk.move("a7a8") == ["a7a8"]


def test_a_client_switches_to_ghost_pawns_with_a_warning_and_keeps_to_them():
    talk = Talk()
    talk.hear("Setup Wa2 Wb3 Bb4", "a2a4")
    assert talk.move("b4a3") == ["b4a3"] and talk.hear("a4a5") == []
    assert "ghost" in talk.notes[0] and talk.client.turn() is not None
    talk.hear("Reset", "a2a4")
    talk.move("b4a3")
    assert talk.hear("a4a5") == [] and sum("ghost" in note for note in talk.notes) == 1


def test_a_client_survives_any_order_of_messages():
    rng = random.Random(7)
    words = [
        SETUP,
        "Setup Wa7 Bh2",
        "Setup Wa2 Wb3 Bb4 BLACK",
        "Time 30",
        "30",
        "Begin",
        "White",
        "Black",
        "Your turn",
        "e2e4",
        "e7e5",
        "a7a8",
        "h2h1q",
        "exit",
        "GameOver WHITE plies=3",
        "Win",
        "Lost",
        "Reset",
        "TIMER W:1 B:1",
        "TimeRemaining 3",
        "Welcome",
        "Connected",
        "OK",
        "TournamentAccepted 3",
        "garbage",
    ]
    for _ in range(400):
        talk = Talk(mode=rng.choice(["standard", "ghost", "off"]), tournament=rng.randrange(2))
        for _ in range(40):
            talk.hear(rng.choice(words))
            board = talk.client.turn()
            if board is not None and board.over():
                talk.client.lose()
            elif board is not None and rng.random() < 0.8:
                talk.move()
            if rng.random() < 0.2:
                talk.client.silence(WAITS)


def test_the_engine_plays_under_every_mode():
    for mode in ("standard", "ghost", "off"):
        found = []
        engine = Engine(on_best=lambda board, best, _: found.append((board, best)))
        engine.go(parse_fen(rules_of(mode), PASSING), Limits(nodes=200))
        engine.wait()
        ((board, best),) = found
        assert best in board.moves()
