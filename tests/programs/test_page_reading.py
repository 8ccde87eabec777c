"""What the page reads from a text, under node: which game a position belongs to, as the engine has it, and texts of any kind."""

import random
import re

import pytest
from pages import page_reader  # noqa: F401  a fixture
from test_detection import EVERY_GAME

from pawnstorm.games.detection import possible_games
from pawnstorm.games.notation import ParseError, fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
LONG = 10_000_000  # letters
BREAKTHROUGH, TWO_FLAGS = get_rules("breakthrough").start_fen, get_rules("twoflags").start_fen
FEW = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"  # of several games


def played(chance):
    """A FEN out of a random game."""
    board = Board.start(get_rules(chance.choice(EVERY_GAME)))
    for _ in range(chance.randrange(80)):
        if not board.is_game_over():
            board = board.push(chance.choice(board.moves()))
    return fen(board)


def set_up(chance):
    """A FEN of random pawns on a random board, with an en passant square now and then."""
    files, ranks, part = chance.randint(1, 9), chance.randint(2, 9), chance.random() / 3
    weights = (part, part, 1 - 2 * part)
    rows = ("".join(chance.choices("Pp1", weights, k=files)) for _ in range(ranks))
    passed = chance.choice("abcdefgh") + chance.choice("36") if chance.random() < 0.3 else "-"
    return f"{'/'.join(rows)} {chance.choice('wb')} - {passed}"


def spoilt(chance):
    """A FEN with some letters changed, added or left out."""
    text = list(played(chance))
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(text))
        text[place : place + chance.randrange(2)] = chance.choices("Pp128/ wb-a3x09", k=chance.randrange(2))
    return "".join(text)


@pytest.mark.parametrize("kind", [played, set_up, spoilt])
def test_page_and_engine_agree_on_the_games_of_a_position(kind, page_reader):
    chance, read = random.Random(kind.__name__), 0
    for _ in range(1500):
        text = kind(chance)
        try:
            expected = {"answer": [rules.name for rules in possible_games(text)]}
            read += 1
        except ParseError:
            expected = None
        found = page_reader("gamesOf", text)
        assert found == expected if expected else "refused" in found, text
    assert read > 200


@pytest.mark.parametrize(
    "text, open_game, expected, told, others",
    [
        (BREAKTHROUGH, "twoflags", "breakthrough", "Its board and pawns fit only one game.", ["twoflags", "hexapawn8x8"]),
        (TWO_FLAGS, "breakthrough", "twoflags", "Its board and pawns fit only one game.", ["breakthrough", "hexapawn8x8"]),
        (FEW, "twoflags", "twoflags", "this is the one that was open.", ["breakthrough", "hexapawn8x8"]),
        (FEW, "pawnsonly", "pawnsonly", "this is the one that was open.", ["breakthrough", "hexapawn8x8"]),
        (FEW, "breakthrough5", "breakthrough", "this is the one that was open.", ["twoflags", "hexapawn8x8"]),
        ("8/8/4p3/8/8/3P4/3P4/3P4 w", "twoflags", "breakthrough", "several games lead to this position.", ["twoflags", "hexapawn8x8"]),
        ("8/8/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/p7", "hexapawn", "hexapawn8x8", "set up by hand.", ["twoflags", "breakthrough"]),
        (f'[FEN "{FEW}"]\n\n1... f5 2. g5 *', "breakthrough", "breakthrough", "this is the one that was open.", ["twoflags", "hexapawn8x8"]),
        ('[FEN "8/p7/8/8/8/8/P7/8 w - - 0 1"]\n\n1. a2a4 *', "breakthrough", "twoflags", "several games lead to", ["breakthrough", "hexapawn8x8"]),
        (f'[Variant "breakthrough"]\n[FEN "{FEW}"]\n\n*', "twoflags", "breakthrough", "position of Breakthrough", []),
        ("1. e4 a6 2. e5 *", "breakthrough", "twoflags", "3 moves of Two Flags, 8 by 8", []),
        ("1. b2c3 a7b6", "twoflags5x6", "breakthrough", "2 moves of Breakthrough, 8 by 8", []),
        ("1. a2a3", "breakthrough6", "breakthrough6", "1 move of Breakthrough, 6 by 6", []),
        ("file:///pawnstorm.html#game=breakthrough6&moves=a2a3f5f4&ply=1", "twoflags", "breakthrough6", "2 moves of Breakthrough, 6 by 6", []),
    ],
)  # fmt: skip
def test_game_of_a_text_is_told(text, open_game, expected, told, others, page_reader):
    answer = page_reader("textRead", text, open_game)["answer"]
    assert (answer["game"], answer["others"]) == (expected, others) and told in answer["told"]


def test_position_of_a_link_is_shown(page_reader):
    answer = page_reader("textRead", "http://x/p.html?a=b#game=breakthrough6&moves=a2a3f5f4&ply=1", "twoflags")[
        "answer"
    ]
    assert (answer["moves"], answer["ply"]) == (2, 1)


@pytest.mark.parametrize(
    "prefix, unit, suffix, moves",
    [
        ('[Event "', "x", '"]\n\n1. e4 e5 *', 2),
        ('[Event "', "x\\\\", '"]\n\n1. e4 *', None),
        ("1. e4 {", "comment ", "} e5 *", 2),
        ("1. e4 {", "{", "} e5 *", 2),
        ("1. e4 ", "(1. d4 ", ") " * 3 + "e5 *", 1),
        ("1. e4 ", "(d4) ", "e5 *", 2),
        ("1. e4 ", "(", "e5", 1),
        ("1. e4 ", "(", ")" * 10_000_000 + " e5 *", 2),
        ("1. e4 ", "(d4 d5 (d6 ", "e5 *", 1),
        ("1. e4 ", ")", " e5 *", 2),
        ("1. e4 ", "$1 ", "e5 *", 2),
        ("1. e4 ", "!", " e5 *", None),
        ("1. e4 ", "?! ", "e5 *", 2),
        ("1. e4 (d4 ", "e5 ", ") e5 *", 2),
        ("1. e4 ", "() {} ; x\n", "e5 *", 2),
        ("1. e4 ", "e5 ", "", None),
        ("1. e4", "+", " e5", None),
        ("1. e4 ", "e.p. ", "e5 *", 2),
        ("1. e4 ", "resign ", "", 1),
        ("1. e4 ", "resign ", "e5 *", None),
        ("1. e4 ", "1", " e5", None),
        ("", "[", "", None),
        ("", '[A "', "", None),
        ("", "[A ", "", None),
        ("[A", " ", "", None),
        ("", "P", "/8/8/8 w", None),
        ("", "P/", "8 w", None),
        ("8/8/", "8", "/8 w", None),
        (f"{TWO_FLAGS} ", "1 ", "", None),
        ("", "\0\ufffd\x7f", "", None),
        ("#game=twoflags&moves=", "e2e4", "", None),
        ("#game=twoflags&moves=e2e4", "*d2d4.", "", None),
        ("#game=twoflags&moves=e2e4", "*d2d4d7d5*e7e5", "", None),
        ("#game=twoflags&moves=", "*", "", None),
        ("#game=twoflags&moves=e2e4", "-1", "", None),
        ("#game=twoflags&moves=e2e4", "&note=1+x", "", 1),
        ("#game=", "x", "", None),
        ("#game=twoflags&fen=", "P", "", None),
        ("#game=twoflags&ply=", "9", "", None),
        ('[White "A"]\n\n1. e4 e5 *\n\n', "[White \"B\"]\n\n1. d4 *\n\n", "", 2),
    ],
)  # fmt: skip
def test_long_texts_are_read_or_refused(prefix, unit, suffix, moves, page_reader):
    found = page_reader("repeated", "twoflags", prefix, unit, LONG // len(unit), suffix)
    if moves is None:
        assert 0 < len(found["refused"]) < 400, found
    else:
        assert found["answer"]["moves"] == moves


@pytest.mark.parametrize(
    "text, count, words, tags",
    [
        ("", 0, None, None),
        ("1. e4 e5", 1, ["1.", "e4", "e5"], {}),
        ('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *', 2, ["1.", "d4"], {"White": "B"}),
        ('[White "A"]\n\n*\n\n[White "B"]\n\n*', 2, [], {"White": "B"}),
        ('[White "A"]\n[White "B"]\n\n1. d4 *', 2, ["1.", "d4"], {"White": "B"}),
        ("1. e4 1-0 1. d4 0-1 {the end}", 2, ["1.", "d4"], {}),
        ("1. e4 e5 1-0 a fine game", 1, None, None),
        ("no moves here", 0, None, None),
        ('1. e4 {[White "A"] *} (1. d4 * [x]) e5 $1 2. d4 *', 1, ["1.", "e4", "e5", "2.", "d4"], {}),
        ('1. e4 (1. d4\n\n[White "B"]\n\n1. a3', 2, ["1.", "a3"], {"White": "B"}),
        (f"{BREAKTHROUGH}\n\n{FEW}\n", 2, [FEW], {}),
        (f"{BREAKTHROUGH}\n1. a3", 1, None, None),
    ],
)  # fmt: skip
def test_games_of_a_text_are_told_apart(text, count, words, tags, page_reader):
    found = page_reader("gamesIn", text)["answer"]
    assert found["count"] == len(found["items"]) == count, found
    if words is not None:
        last = found["items"][-1]
        assert (last["words"], last["tags"]) == (words, tags) and text.rstrip().endswith(last["text"].rstrip())


@pytest.mark.parametrize(
    "prefix, unit, suffix, count",
    [
        ("", '[White "A"]\n\n1. e4 *\n\n', "", None),
        ("", "[A", "", 0),
        ("", '[White "', "", 0),
        ("1. e4 ", "(", "", 1),
        ("", "* ", "", None),
        ("", "8/8/8/8 w\n", "", None),
        ("1. e4 {", "[White ", "", 1),
    ],
)
def test_games_of_a_long_text_are_told_apart(prefix, unit, suffix, count, page_reader):
    times = LONG // len(unit)
    wanted = times if count is None else count
    assert page_reader("gamesInRepeated", prefix, unit, times, suffix)["answer"] == [wanted, min(wanted, 1000)]


def passable(rules, placed, side):
    """The squares on which a FEN's side to move can take in passing."""
    found = []
    for name in (file + str(rank) for file in "abcdefgh"[: rules.files] for rank in {3, rules.ranks - 2}):
        try:
            found += [name] if parse_fen(rules, f"{placed} {side} - {name}").bitboards[2] else []
        except ParseError:
            continue
    return found


def test_set_up_positions_are_mirrored_and_swapped_as_boards_are(page_reader):
    def joined(rows):
        return "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)

    chance, seen = random.Random(5), set()
    for _ in range(400):
        text = played(chance)
        (rules, *_) = possible_games(text)
        placed, turn, _, passed, *counters = text.split()
        passed = chance.choice([passed, *passable(rules, placed, turn)])
        text = " ".join([placed, turn, "-", passed, *counters])
        rows = [re.sub(r"\d", lambda gap: "." * int(gap[0]), row) for row in placed.split("/")]
        letters = "abcdefgh"[: rules.files]
        other = {"w": "b", "b": "w"}[turn]
        wanted = {
            None: (placed, turn, lambda file, rank: file + rank),
            "mirror": (
                joined(row[::-1] for row in rows),
                turn,
                lambda file, rank, letters=letters: letters[-1 - letters.index(file)] + rank,
            ),
            "swap": (
                joined(row.swapcase() for row in reversed(rows)),
                other,
                lambda file, rank, ranks=rules.ranks: f"{file}{ranks + 1 - int(rank)}",
            ),
        }
        for method, (placement, side, square) in wanted.items():
            found = page_reader("setUp", rules.name, text, method)["answer"]
            name = passed if passed == "-" else square(*passed)
            assert found["fen"] == " ".join([placement, side, "-", name, *counters])
            assert sorted(found["passable"]) == sorted(passable(rules, placement, side)), found["fen"]
            seen.add((method, side, name != "-"))
    assert len(seen) == 12


def test_any_text_is_read_or_refused(page_reader):
    chance = random.Random(35)
    pieces = [
        *'[]{}();%"\\/ \n\t\0$*', "[FEN \"", '"]', "[Variant \"", "twoflags", "breakthrough", "1.", "e4", "e5", "exd5", "e2e4", "a2b3", "0-1", "1-0",
        "P" * 8, "8/", "pppppppp/", " w ", " b ", "- ", "#game=", "&moves=", "&ply=", "-1", "1e9", "NaN", "__proto__", "\ud800", "é", "💥", "%FF",
    ]  # fmt: skip
    kinds = {"answer": 0, "refused": 0}
    for _ in range(3000):
        text = "".join(chance.choices(pieces, k=chance.randrange(30)))
        assert "answer" in page_reader("gamesIn", text)
        for name, *more in (("textRead", text, chance.choice(EVERY_GAME)), ("addressed", text)):
            (kind,) = page_reader(name, *more)
            kinds[kind] += 1  # "failed" is no kind
    assert min(kinds.values()) > 100
