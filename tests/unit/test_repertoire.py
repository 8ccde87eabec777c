"""Opening books in the engine: the moves of a position, the random choice of one, and damaged files."""

import itertools
import random
from collections import Counter
from pathlib import Path

import pytest
from boards import board, play, random_games, texts
from repertoires import content, ship  # noqa: F401  a fixture

from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.notation import move_text, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import GAMES, get_rules
from pawnstorm.openings import repertoire
from pawnstorm_tools.common import table_file

RULES = get_rules("breakthrough5x5")
START = Board.start(RULES)


@pytest.fixture
def read(tmp_path):
    """A function that returns the Repertoire of a file with some data."""

    def made(data):
        (tmp_path / "test").write_bytes(data)
        return repertoire.Repertoire(tmp_path / "test")

    return made


def move(one, text):
    return parse_move(one, text)


def named(one, choices):
    """{move as text: (weight, score)}, in their order."""
    return {move_text(one, choice.move): (choice.weight, choice.score) for choice in choices}


def test_moves_of_a_position_come_with_weight_and_score_the_best_first(read):
    one = play(START, "a2a3")
    found = read(
        content({one: [(move(one, "b4b3"), 3, -20), (move(one, "c4c3"), 15, 7), (move(one, "e4e3"), 1, -300)]})
    )
    assert found.game == "breakthrough5x5" and found.count == 3
    assert list(named(one, found.choices(one)).items()) == [("c4c3", (15, 7)), ("b4b3", (3, -20)), ("e4e3", (1, -300))]
    assert found.choices(START) == found.choices(play(START, "a2b3")) == []


def test_mirror_image_has_the_mirrored_moves(read):
    one, other = play(START, "a2b3", "a4a3"), play(START, "e2d3", "e4e3")
    found = read(content({one: [(move(one, "b2c3"), 15, 10)]}))
    assert named(one, found.choices(one)) == {"b2c3": (15, 10)} and named(other, found.choices(other)) == {
        "d2c3": (15, 10)
    }


def test_a_position_that_is_its_own_image_offers_both_images_of_a_move(read):
    found = read(content({START: [(move(START, "a2b3"), 15, 10), (move(START, "c2c3"), 8, 4)]}))
    assert named(START, found.choices(START)) == {"a2b3": (15, 10), "e2d3": (15, 10), "c2c3": (8, 4)}


def test_every_position_of_a_large_book_is_found_and_no_other(read):
    boards = list({one.canonical(): one for one in random_games(RULES, 900, 4)}.values())
    chance = random.Random(8)
    given = {one: chance.sample(one.moves(), min(3, len(one.moves()))) for one in boards[::2]}
    found = read(
        content({one: [(move, 5, number) for number, move in enumerate(moves)] for one, moves in given.items()})
    )
    for one, moves in given.items():
        offered = {choice.move for choice in found.choices(one)}
        assert set(moves) <= offered and (offered == set(moves) or one.mirrored().bitboards == one.bitboards)
    assert len(boards) > 300 and [one for one in boards[1::2] if found.choices(one)] == []


def test_colours_do_not_matter(read):
    found = read(content({START: [(move(START, "b2c3"), 15, 10)]}))
    black = Board(RULES, START.own, START.opp, START.ep, True)
    assert named(black, found.choices(black)) == {"b4c3": (15, 10), "d4c3": (15, 10)}


def test_a_move_that_is_not_legal_or_has_no_weight_is_not_offered(read):
    legal = move(START, "b2c3")
    assert read(content({START: [(legal, 0, 5), (8 | 35 << 6, 4, 5)]})).choices(START) == []


def test_only_positions_of_the_same_game_are_answered(read):
    twoflags = Board.start(get_rules("twoflags5x5"))
    assert read(content({START: [(move(START, "b2c3"), 1, 0)]})).choices(twoflags) == []


@pytest.mark.parametrize("score", [-32768, -WIN + 8, -29001, -29000, -5, 0, 29000, 29001, WIN - 7, 32767])
def test_no_score_claims_a_proof(score, read):
    """A `mate` would need a line to the end of the game."""
    (found, _) = read(content({START: [(move(START, "b2c3"), 1, score)]})).choices(START)
    assert found.score == max(-MIN_WIN_SCORE, min(MIN_WIN_SCORE, score))


def test_line_goes_on_with_the_best_moves(read):
    one = play(START, "b2c3")
    two = play(one, "d4e3")
    entries = {START: ("a2b3", "b2c3"), one: ("d4e3", "a4a3"), two: ("c2b3", "a2a3")}
    found = read(content({
        at: [(move(at, text), 9, -number) for number, text in enumerate(moves)] for at, moves in entries.items()
    }))  # fmt: skip
    line = found.line(START, move(START, "b2c3"))
    assert line == [move(START, "b2c3"), move(one, "d4e3"), move(two, "c2b3")]
    assert found.line(START, move(START, "a2a3")) == [move(START, "a2a3")]


def test_moves_are_picked_as_often_as_their_weights_say(monkeypatch):
    choices = [repertoire.Choice(number, weight, 0) for number, weight in enumerate((15, 1, 4))]
    numbers = itertools.count()
    monkeypatch.setattr(repertoire.os, "urandom", lambda count: next(numbers).to_bytes(count, "little"))
    picked = Counter(repertoire.pick(choices).move for _ in range(40))
    assert picked == {0: 30, 1: 2, 2: 8}


def test_picks_differ_from_one_to_the_next():
    choices = [repertoire.Choice(number, 5, 0) for number in range(3)]
    assert {repertoire.pick(choices).move for _ in range(200)} == {0, 1, 2}


def test_writer_packs_what_the_reader_finds(tmp_path):
    one = board("ppppp/1pppp/p4/1PPPP/PPPPP w - - 0 1", "breakthrough5x5").canonical()
    moves = {text: (1 + number % 15, 500 - 100 * number) for number, text in enumerate(sorted(texts(one)))}
    given = {one: [(move(one, text), *numbers) for text, numbers in moves.items()]}
    rows = [(one, repertoire.pack(*row)) for one, listed in given.items() for row in listed]
    table_file.write(tmp_path / "x", repertoire.FORMAT, RULES.full_name, (), rows, repertoire.ENTRY)
    assert named(one, repertoire.Repertoire(tmp_path / "x").choices(one)) == moves


GOOD = content({START: [(START.moves()[0], 1, 0)]})


@pytest.mark.parametrize(
    "data, fault",
    [
        (b"", "not a valid opening book"),
        (GOOD.replace(b"repertoire 2", b"repertoire 1"), "not a valid opening book"),
        (GOOD.replace(b"breakthrough5x5", b"chess"), "'chess'"),
        (GOOD[:-1], "damaged"),
        (GOOD + b"\0", "too large"),
        (GOOD.replace(b"entries 1", b"entries 2"), "damaged"),
        (GOOD[:-2] + bytes([GOOD[-2] ^ 1]) + GOOD[-1:], "damaged"),
    ],
)
def test_damaged_file_is_refused_by_name(read, tmp_path, data, fault):
    with pytest.raises(BadFile, match="expected") as refused:
        read(data)
    assert fault in str(refused.value) and str(tmp_path) in str(refused.value)


def test_game_without_a_file_has_no_opening_book_and_a_damaged_one_is_told_each_time(ship):
    assert all(repertoire.for_game(get_rules(name)) is None for name in GAMES)
    ship(b"nothing")
    for _ in range(2):
        with pytest.raises(BadFile):
            repertoire.for_game(RULES)
    ship(GOOD)
    assert repertoire.for_game(RULES).count == 1 and repertoire.for_game(get_rules("breakthrough5x6")) is None


def test_shipped_opening_books_are_small_and_of_their_games():
    for path in sorted(Path(repertoire.FOLDER).glob("*")):
        assert path.stat().st_size <= 1_000_000
        shipped = repertoire.Repertoire(path)
        assert path.name == f"{shipped.game}.repertoire" and shipped.choices(Board.start(get_rules(shipped.game)))
