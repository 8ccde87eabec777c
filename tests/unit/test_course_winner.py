"""What becomes of a tournament that the client wins on the board, at a model of the course's own server
(course_relay.py).
"""

import course_relay
import pytest
from course_relay import LOSERS, recorded

from pawnstorm_protocol.course.client import EXIT_WAIT, LEAVE_TIMEOUT, Client
from pawnstorm_protocol.course.messages import parse


@pytest.mark.parametrize(
    "loser, hears_both, records",
    [
        ("exit", False, (["1"] * 4, "1111", "0000")),
        ("exit after 120 s", False, (["1"] * 4, "1111", "0000")),
        ("plays on, then silent", False, (["0", "0", "0", "stuck"], "1111", "111")),
        ("silent", False, (["stuck"], "1", "0")),
        ("exit", True, (["1"] * 4, "1111", "0000")),
        ("exit after 120 s", True, (["1"] * 4, "1111", "0000")),
        ("plays on, then silent", True, (["0", "0", "0", "stuck"], "1111", "111")),
        ("silent", True, (["0", "0", "0", "stuck"], "1111", "0000")),
    ],
)
def test_what_each_side_and_the_server_record(loser, hears_both, records):
    assert recorded(loser, hears_both) == records


@pytest.mark.parametrize("loser", ["silent", "plays on, then silent"])
def test_in_a_single_game_the_winner_neither_leaves_nor_says_exit(loser):
    said = course_relay.Party(Client, 0), course_relay.Party(LOSERS[loser], 0, 1)
    relay = course_relay.Relay(*said, 0, False)
    assert relay.books == ["stuck"] and not said[0].left and "exit" not in said[0].said
    assert said[0].quiet > EXIT_WAIT


def test_a_client_leaves_a_minute_after_a_game_that_all_agree_on():
    client = Client([].append, [].append)
    for line in ("Setup Wa7 Bh7", "Time 1", "Begin"):
        client.on_message(*parse(line))
    client.move(client.board_to_move().moves()[0], 1)
    assert client.over and client.next_timeout is None and not client.should_leave(10 * LEAVE_TIMEOUT)
    client.on_message(*parse("GameOver WHITE plies=1"))
    assert (
        client.next_timeout == LEAVE_TIMEOUT
        and client.should_leave(LEAVE_TIMEOUT)
        and not client.should_leave(LEAVE_TIMEOUT - 1)
    )


def test_a_server_that_books_a_win_as_a_loss_is_named():
    notes = []
    client = Client([].append, notes.append)
    for line in ("Setup Wa7 Bh7", "Time 1", "TournamentAccepted 2", "Reset", "Begin"):
        client.on_message(*parse(line))
    client.move(client.board_to_move().moves()[0], 1)
    client.on_message(*parse("h7h6"))
    client.on_message(*parse("GameOver BLACK plies=2"))
    assert "moves 'h7h6': said exit" in notes[1] and notes[2] == "warning: the server says that game 1 was lost"
    assert client.results == [(True, 1)]
