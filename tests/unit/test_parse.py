"""Lines of UCI: what each asks for, and which word is named where one is not understood."""

import pytest

from pawnstorm.numbers import MAX_LIMIT, parse_int
from pawnstorm_protocol import parse

KNOWN = {"go", "isready", "position", "quit"}


@pytest.mark.parametrize(
    "line, found",
    [
        ("go depth 3", ("go", "depth 3")),
        ("quit", ("quit", "")),
        ("  go   depth  3  \r\n", ("go", "depth  3")),
        ("\tgo\tdepth\t3", ("go", "depth 3")),
        ("joho debug  go depth 3", ("go", "depth 3")),
        ("x go", ("go", "")),
        ("goes position go", ("position", "go")),
        ("go quit", ("go", "quit")),
        ("", ("", "")),
        ("   ", ("", "")),
        ("xyzzy plugh", ("", "")),
        ("GO depth 3", ("", "")),
    ],
)
def test_command_is_the_first_known_word_and_the_rest_of_its_line(line, found):
    assert parse.command(line, KNOWN) == found


@pytest.mark.parametrize(
    "rest, found",
    [
        ("name Hash value 16", ("Hash", "16")),
        ("NAME Hash VALUE 16", ("Hash", "16")),
        ("name Move Overhead value 20", ("Move Overhead", "20")),
        ("name  Move   Overhead  value  20 ", ("Move Overhead", "20")),
        ("name Clear Hash", ("Clear Hash", None)),
        ("name EvalFile value", ("EvalFile", "")),
        ("name EvalFile value /a  b/c value name", ("EvalFile", "/a  b/c value name")),
    ],
)
def test_option_has_a_name_and_a_value_with_its_inner_spaces(rest, found):
    assert parse.option(rest) == found


@pytest.mark.parametrize(
    "rest, named",
    [
        ("", "''"),
        ("Hash value 16", "'Hash value 16'"),
        ("h" * 41, f"'{'h' * 40}'"),
        ("name", "no option name"),
        ("name  value 3", "no option name"),
    ],
)
def test_option_without_a_name_is_refused(rest, named):
    with pytest.raises(ValueError) as error:
        parse.option(rest)
    assert str(error.value).startswith(named) and "name NAME [value VALUE]" in str(error.value)


FEN = "8/8/8/8/3p3p/3P4/8/8 b - - 0 1"


@pytest.mark.parametrize(
    "rest, found",
    [
        ("startpos", (None, [])),
        ("startpos moves", (None, [])),
        ("startpos moves e2e4  e7e5", (None, ["e2e4", "e7e5"])),
        ("startpos moves moves e2e4", (None, ["moves", "e2e4"])),
        (f"fen {FEN}", (FEN, [])),
        (f"fen  {FEN.replace(' ', '   ')} moves d4d3", (FEN, ["d4d3"])),
        ("fen", ("", [])),
    ],
)
def test_position_is_a_setup_and_moves(rest, found):
    assert parse.position(rest) == found


@pytest.mark.parametrize(
    "rest, named, expected",
    [
        ("", "''", "startpos or fen FEN"),
        ("moves e2e4", "''", "startpos or fen FEN"),
        (FEN, f"'{FEN}'", "startpos or fen FEN"),
        ("p" * 41, f"'{'p' * 40}'", "startpos or fen FEN"),
        ("startpos e2e4 moves e7e5", "'e2e4'", "the word moves"),
        (f"startpos {'e' * 41}", f"'{'e' * 40}'", "the word moves"),
    ],
)
def test_position_of_another_kind_is_refused(rest, named, expected):
    with pytest.raises(ValueError) as error:
        parse.position(rest)
    said, _, wanted = str(error.value).partition(": expected ")
    assert said.startswith(named) and wanted.strip("`") == expected


@pytest.mark.parametrize(
    "rest, values, searchmoves",
    [
        ("", {}, []),
        ("infinite", {"infinite": True}, []),
        ("ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 7",
         {"ponder": True, "wtime": 1000, "btime": 2000, "winc": 10, "binc": 20, "movestogo": 7}, []),
        ("depth 3 nodes 4 movetime 5", {"depth": 3, "nodes": 4, "movetime": 5}, []),
        ("depth 1 nodes 1 mate 1", {"depth": 1, "nodes": 1, "mate": 1}, []),
        ("perft 0", {"perft": 0}, []),
        ("mate 3", {"mate": 3}, []),
        ("mate infinite depth 2", {"prove": True, "depth": 2}, []),
        ("wtime -5 btime 0 winc -1 movetime -7", {"wtime": -5, "btime": 0, "winc": -1, "movetime": -7}, []),
        (f"wtime {10**20} btime -{10**20}", {"wtime": MAX_LIMIT, "btime": -MAX_LIMIT}, []),
        ("searchmoves e2e4 d2d4", {}, ["e2e4", "d2d4"]),
        ("searchmoves e2e4 depth 3 searchmoves d2d4 infinite", {"depth": 3, "infinite": True}, ["e2e4", "d2d4"]),
        ("depth 3 depth 4", {"depth": 4}, []),
    ],
)  # fmt: skip
def test_go_has_limits_and_moves(rest, values, searchmoves):
    assert parse.go(rest) == (values, searchmoves, [])


@pytest.mark.parametrize("word", ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"])
def test_number_of_go_that_is_none_is_named_and_the_next_word_counts(word):
    """A missing number does not swallow the word that stands in its place."""
    for rest, token, others in (
        (f"{word} x ponder", "x", {"ponder": True}),
        (f"{word} ponder", "ponder", {"ponder": True}),
        (f"{word} perft 2", "perft", {"perft": 2}),
        (f"ponder {word}", "", {"ponder": True}),
        (f"{word} 1.5 searchmoves e2e4 ponder", "1.5", {"ponder": True}),
    ):
        values, searchmoves, faults = parse.go(rest)
        assert values == others and len(searchmoves) == rest.count("e2e4")
        (fault,) = faults
        assert fault.startswith(f"'{token}' ") and word in fault.split(":")[0] and "a whole number" in fault
        assert fault.endswith(" or infinite") == (word == "mate")


@pytest.mark.parametrize("word", ["depth", "nodes", "mate"])
@pytest.mark.parametrize("number", ["0", "-3"])
def test_go_of_less_than_one_is_refused(word, number):
    values, _, (fault,) = parse.go(f"{word} {number} ponder")
    assert values == {"ponder": True} and fault.startswith(f"'{number}' ") and "from 1" in fault


@pytest.mark.parametrize("rest, named", [("searchmoves", "''"), ("searchmoves depth 3", "'depth'")])
def test_searchmoves_without_a_move_is_named(rest, named):
    values, searchmoves, (fault,) = parse.go(rest)
    assert values == ({"depth": 3} if "depth" in rest else {}) and searchmoves == []
    assert fault.startswith(f"{named} after searchmoves: expected moves")


def test_words_that_go_does_not_know_are_named_one_by_one():
    values, searchmoves, faults = parse.go(f"foo depth 3 {'b' * 21} infinite")
    assert values == {"depth": 3, "infinite": True} and searchmoves == [] and len(faults) == 2
    assert faults[0].startswith("'foo' ") and faults[1].startswith(f"'{'b' * 20}' ")
    expected = faults[0].split("expected one of ")[1].replace("`", "").split(", ")
    assert sorted(expected) == sorted((*parse.INTEGERS, *parse.WORDS))


@pytest.mark.parametrize("rest, named", [("perft", "''"), ("perft x", "'x'"), ("perft -1", "'-1'")])
def test_perft_without_a_depth_is_refused(rest, named):
    with pytest.raises(ValueError, match=f"^{named} .*a whole number from 0$"):
        parse.go(rest)


def test_whole_number_may_be_either_bound_and_nothing_beyond():
    assert [parse_int(text, -1, 2) for text in ("-1", "2")] == [-1, 2]
    for text in ("-2", "3"):
        with pytest.raises(ValueError, match=f"^'{text}': expected a whole number from -1 to 2$"):
            parse_int(text, -1, 2)


def test_number_of_a_million_digits_is_larger_than_one_of_twenty():
    assert parse_int("1" + "0" * 10**6) > parse_int("9" * 20) == -parse_int("-" + "9" * 20)
    assert parse_int("-1" + "0" * 10**6) < parse_int("-" + "9" * 20)
