"""The bot of CodinGame's Breakthrough: what it reads, and what it does if that does not fit the rules."""

import io
import random

import pytest

from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.codingame import Bot, Turn, read_turn
from pawnstorm_tools.checking import naive


def turns(text):
    """All turns of a stream, and the error that ends it, if any."""
    source, found = io.BytesIO(text if isinstance(text, bytes) else text.encode()), []
    try:
        while (turn := read_turn(source)) is not None:
            found.append(turn)
    except ValueError as error:
        return found, str(error)
    return found, None


@pytest.mark.parametrize(
    "text, found",
    [
        ("", []),
        ("\n \n", []),
        ("None\n1\na2a3\n", [Turn(None, ["a2a3"])]),
        ("none\r\n\r\n2\r\na2a3\r\n b2b3 \r\n", [Turn(None, ["a2a3", "b2b3"])]),
        ("A7A6\n1\nB2B3", [Turn("A7A6", ["B2B3"])]),
        ("a7a6\n0\nNone\n1\na2a3\n", [Turn("a7a6", []), Turn(None, ["a2a3"])]),
    ],
)
def test_turns_are_read(text, found):
    assert turns(text) == (found, None)


@pytest.mark.parametrize(
    "text, part",
    [
        ("None", "the input ends after 'None': expected the number of legal moves"),
        ("None\n3\na2a3\n", "the input ends after 1 legal moves: expected 3"),
        ("None\na2a3\n", "'a2a3' after 'None' as the number of legal moves: expected a whole number from 0 to 1000"),
        ("a7a6\n-1\n", "'-1' after 'a7a6'"),
        ("a7a6\n1001\n", "'1001' after 'a7a6'"),
        ("a7a6\n" + "9" * 10**6, "'9999"),
        ("a" * 10**6 + "\n" + "b" * 10**6, "'bbbb"),
        (b"\xff\xfe\n\x00\n", "'\x00' after '\ufffd\ufffd'"),
    ],
)
def test_lines_that_are_no_turn_are_named(text, part):
    _, error = turns(text)
    assert part in error and len(error) < 250


class Judged(Bot):
    """A bot that makes little of its time; `said` are its messages, `calls` the numbers of moves that it searched."""

    def __init__(self, game="breakthrough5"):
        self.said, self.calls = [], []
        super().__init__(get_rules(game), 4, 4, None, self.said.append)

    def _think(self, moves):
        self.calls.append(len(moves))
        return super()._think(moves)


def legal(*moves, game="breakthrough5x5"):
    position = naive.start(naive.GAMES[game])
    for move in moves:
        position = naive.play(position, move)
    return naive.moves(position)


@pytest.mark.compiled
@pytest.mark.parametrize("white", [True, False])
def test_whole_games_in_one_process_with_lists_in_any_order_and_case(white):
    """A game that follows another begins with None, or with White's move."""
    bot, chance = Judged(), random.Random(1)
    for _ in range(4):
        position, last = naive.start(naive.GAMES["breakthrough5x5"]), None
        while moves := naive.moves(position):
            if (position.side == "w") == white:
                listed = chance.sample(moves, len(moves))
                listed = [move.upper() for move in listed] if chance.random() < 0.5 else listed
                last = bot.answer(Turn(last, listed))
                assert last in listed
                last = last.lower()
            else:
                last = chance.choice(moves)
            position = naive.play(position, last)
        if (position.side == "w") == white:  # its opponent has won, and the referee says so before it goes on
            assert bot.answer(Turn(last, [])) is None
    assert bot.said == [] and set(bot.calls) == {0}


@pytest.mark.compiled
def test_first_move_of_each_game_has_its_own_time():
    bot, asked = Judged(), []
    bot._first, go = 7, bot._engine.go
    bot._engine.go = lambda board, limits: (asked.append(limits.movetime), go(board, limits))
    for _ in range(2):
        own = bot.answer(Turn(None, legal()))
        reply = legal(own)[0]
        bot.answer(Turn(reply, legal(own, reply)))
    assert asked == [7, 4, 7, 4] and bot.said == []


@pytest.mark.compiled
@pytest.mark.parametrize(
    "listed, part",
    [
        (legal()[1:], f"the list of legal moves: '{legal()[0]}' is missing"),
        (["a1a5", *legal()], "the list of legal moves: 'a1a5' is illegal"),
        (["x" * 10**6, *legal()[:1]], "are missing"),
        ([legal()[0]], ", ... are missing"),
    ],
)
def test_list_with_other_moves_is_reported_and_a_legal_move_of_it_played(listed, part):
    bot = Judged()
    assert bot.answer(Turn(None, listed)) in set(listed) & set(legal())
    (said,) = bot.said
    assert part in said and len(said) < 250 and bot._board is not None


@pytest.mark.compiled
def test_list_without_any_legal_move_is_answered_by_its_first_and_the_next_game_is_played_well():
    bot = Judged()
    assert bot.answer(Turn(None, ["a1a5", "b1b5"])) == "a1a5" and len(bot.said) == 1
    assert bot.answer(Turn("c4c3", ["zz", "b1b5"])) == "zz" and len(bot.said) == 1  # nothing more is known
    assert bot.answer(Turn(None, legal())) in legal() and len(bot.said) == 1 and bot.calls == [0]


@pytest.mark.compiled
@pytest.mark.parametrize("move", ["a1a5", "a4a2", "pass", "a9a8", "\x00", "y" * 10**6])
def test_illegal_move_of_the_opponent_is_named_and_the_list_decides(move):
    bot = Judged()
    assert bot.answer(Turn(move, ["b4b3", "a4a3"])) == "b4b3"
    (said,) = bot.said
    assert said.startswith(f"the opponent's move '{move[:20]}': ") and len(said) < 250
    assert bot.calls == []


@pytest.mark.compiled
def test_list_without_moves_is_not_answered():
    bot = Judged()
    assert bot.answer(Turn(None, [])) is None and "are missing" in bot.said[0]
    assert bot.answer(Turn(None, legal())) in legal()


@pytest.mark.compiled
def test_message_after_the_opponents_move_is_passed_over():
    bot = Judged()
    listed = legal("a2a3")
    assert bot.answer(Turn("a2a3 good luck", listed)) in listed and bot.said == []
