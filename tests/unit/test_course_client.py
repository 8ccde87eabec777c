"""What the course's client says, message by message, without a socket."""

import random

import pytest
from course_talk import SETUP, START, Talk

from pawnstorm.games.notation import fen
from pawnstorm_protocol.course import dialects
from pawnstorm_protocol.course.agent import Agent
from pawnstorm_protocol.course.client import SILENCE_TIMEOUT
from pawnstorm_protocol.course.messages import BLACK, WHITE


@pytest.mark.parametrize("name", dialects.DIALECTS)
def test_a_loser_on_time_is_not_told_that_it_has_won(name):
    agent, said = Agent.__new__(Agent), []
    agent.dialect, agent.send_line = dialects.DIALECTS[name], said.append
    agent.send_result(BLACK, False, 3, False)
    talk = Talk()
    talk.hear(SETUP, "Time 1", "White", *said)
    assert "exit" not in " ".join(said).lower() and not talk.client.results[-1][0]


def test_the_line_about_an_illegal_move_changes_nothing():
    talk = Talk()
    talk.hear(SETUP, "Time 1", "Begin")
    talk.move("e2e4")
    before = talk.client.board_to_move(), fen(talk.client.game.board), talk.client.left
    assert talk.hear("Illegal e2-e4: expected e2-e3") == [] and talk.notes == []
    assert (talk.client.board_to_move(), fen(talk.client.game.board), talk.client.left) == before
    assert talk.hear("GameOver BLACK plies=0") == [] and talk.client.results == [(False, 1)]


def test_the_course_s_own_server():
    talk = Talk(tournament=2)
    talk.client.on_silence(SILENCE_TIMEOUT)
    assert talk.said == ["OK"]
    talk.client.on_silence(SILENCE_TIMEOUT)
    assert talk.said == ["OK"]  # once
    assert talk.hear(SETUP) == ["OK"] and talk.hear("Time 30") == ["OK", "TOURNAMENT 2"] and talk.client.left == 1800
    assert talk.hear("TournamentAccepted 2") == [] and talk.hear("Reset") == ["Ready"]
    assert talk.client.board_to_move() is None and talk.hear("Begin") == [] and talk.client.board_to_move() is not None
    assert talk.move("e2e4") == ["e2e4"] and talk.client.left == 1799 and talk.client.board_to_move() is None
    assert talk.hear("e7e5") == [] and talk.move("d2d3") == ["d2d3"]
    assert talk.hear("exit", "GameOver WHITE plies=3") == []
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
    talk.client.on_silence(SILENCE_TIMEOUT)
    assert talk.said == said, "a greeting that expects no answer gets none"
    assert talk.hear("30", SETUP.lower()) == ["OK", "OK"] and talk.client.left == 1800


def test_a_greeting_after_its_own_ok_is_not_answered_again():
    talk = Talk()
    talk.client.on_silence(SILENCE_TIMEOUT)
    assert talk.hear("Connected") == []


def test_setup_and_time_in_either_order_repeated_or_missing():
    assert Talk().hear("Time 30", SETUP, SETUP, "Time 20") == ["OK"] * 4
    talk = Talk()
    assert talk.hear("Begin") == [] and talk.client.left is None and fen(talk.client.board_to_move()) == START
    talk = Talk()
    talk.hear("Time 5", "ASSIGN White", SETUP)
    assert talk.client.board_to_move() is None  # perhaps a Begin is still to come
    talk.client.on_silence(SILENCE_TIMEOUT)
    assert talk.client.board_to_move() is not None


@pytest.mark.parametrize(
    "words, colour",
    [
        (["Begin"], WHITE),
        (["White"], WHITE),
        (["Black"], BLACK),
        (["Role White", "Your turn"], WHITE),
        (["ASSIGN Black", "BEGIN"], BLACK),
        (["move"], WHITE),
        (["TIMER W:60 B:60", "White"], WHITE),
    ],
)
def test_colour(words, colour):
    talk = Talk()
    talk.hear(SETUP, "Time 1", *words)
    talk.client.on_silence(SILENCE_TIMEOUT)
    assert talk.client.colour == colour and (talk.client.board_to_move() is not None) == (colour == WHITE)


def test_black_begins_where_the_setup_says_so():
    talk = Talk()
    talk.hear("Setup WF4 WG4 BF7 BF6 BH6 BLACK", "Time 1", "Begin")
    assert talk.client.colour == BLACK and fen(talk.client.board_to_move()) == "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"
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
    assert talk.client.colour == BLACK and fen(talk.client.board_to_move()).startswith(
        "8/pppppppp/8/8/4P3/8/PPPP1PPP/8 b"
    )
    assert talk.move("e7e5") == ["e7e5"]
    assert fen(talk.client.board_to_move()).startswith("8/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/8 b") and not talk.notes


def test_a_first_move_outweighs_a_begin_that_both_were_told():
    talk = Talk()
    talk.hear(SETUP, "Time 1", "Begin", "e2e4")
    assert talk.client.colour == BLACK and talk.client.board_to_move() is not None


def test_its_own_move_heard_again_means_nothing():
    talk = Talk()
    talk.hear(SETUP, "Begin")
    talk.move("e2e4")
    assert talk.hear("e2e4") == [] and talk.client.board_to_move() is None and talk.notes == []


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
        ("gameover", None),
        ("GameOver WHITE plies=1", True),
        ("GameOver BLACK plies=1", False),
        ("Win", True),
        ("Lost", False),
    ],
)
def test_endings_of_an_undecided_game(words, won):
    talk = Talk()
    talk.hear(SETUP, "Begin")
    talk.move("e2e4")
    assert talk.hear(words) == [] and talk.client.over and talk.client.results == [(won, 1)]
    assert talk.hear("e7e5") == [] and talk.client.board_to_move() is None


def test_a_client_switches_to_ghost_pawns_with_a_warning_and_keeps_to_them():
    talk = Talk()
    talk.hear("Setup Wa2 Wb3 Bb4", "a2a4")
    assert talk.move("b4a3") == ["b4a3"] and talk.hear("a4a5") == []
    assert "ghost" in talk.notes[0] and talk.client.board_to_move() is not None
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
            board = talk.client.board_to_move()
            if board is not None and board.is_game_over():
                talk.client.resign()
            elif board is not None and rng.random() < 0.8:
                talk.move()
            if rng.random() < 0.2:
                talk.client.on_silence(SILENCE_TIMEOUT)
