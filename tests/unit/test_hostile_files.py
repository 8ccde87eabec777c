"""Files that somebody has damaged or made up: a fault is one line that names the file, the place and what is wrong."""

import json
import random

import pytest

from pawnstorm.games.rules import get_rules
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.referee import commandline, config, game_record, opening_book
from pawnstorm_tools.referee.results import Results

SETTINGS = {"variant": "hexapawn", "engine 1": {"name": "one"}, "engine 2": {"name": "two"}}
RECORD = {
    "game": 1,
    "round": "1.1",
    "date": "2025.01.31",
    "white": "one",
    "black": "two",
    "first": "white",
    "limits": {"white": "1+0", "black": "1+0"},
    "opening": "ppp/3/PPP w - - 0 1",
    "result": "1-0",
    "reason": "normal",
    "detail": "White wins",
    "moves": [["a1a2", 1.5, None, 25, 3, 100, 1], ["b3b2", 1.5, 900.0, "-M3", None, None, None]],
    "lags": [7],
}
HEAD = {"match": "0123456789ab", "settings": SETTINGS}


def resumed(tmp_path, *lines):
    """The games of a results file of these lines, objects or bytes, once a PGN was written of them."""
    path = tmp_path / "r"
    path.write_bytes(
        b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    )
    results = Results(SETTINGS, str(path), str(tmp_path / "g.pgn"))
    results.close()
    return results.games


def test_a_whole_record_is_taken(tmp_path):
    assert resumed(tmp_path, HEAD, RECORD) == {1: RECORD}


WRONG = (None, True, -1, 1.5, 10**400, float("nan"), "", "x", "\x1b[2J", [], {}, [[]], {"white": 1}, "a" * 3000)


@pytest.mark.parametrize("field", game_record.FIELDS)
def test_a_field_that_is_missing_or_of_another_type_is_named(field, tmp_path):
    place = "line 2" if field == "game" else "game 1"
    with pytest.raises(JournalError, match=f"/r.*{place}: .*'{field}'") as missing:
        resumed(tmp_path, HEAD, {key: value for key, value in RECORD.items() if key != field})
    assert len(str(missing.value).splitlines()) == 1
    for value in WRONG:
        if not game_record.FIELDS[field][0](value):
            with pytest.raises(JournalError, match=f"/r.*'{field}'"):
                resumed(tmp_path, HEAD, RECORD | {field: value})


@pytest.mark.parametrize(
    "move",
    [
        [],
        ["a1a2", 1.5, None, 25, 3, 100, 1, 1],
        [1, 1.5, None, 25, 3, 100, 1],
        ["a9", 1.5, None, 25, 3, 100, 1],
        ["a1a2", None, None, 25, 3, 100, 1],
        ["a1a2", 1, 1, "mate", 3, 100, 1],
        ["a1a2", 1, 1, 25, -1, 100, 1],
        ["a1a2", 1, 1, 25, 3, 10**400, 1],
        ["a1a2", float("nan"), 1, 25, 3, 1, 1],
        ["a1a2", 10**400, 1, 25, 3, 1, 1],
        "a1a2",
        {},
    ],
)
def test_a_move_that_no_match_has_written_is_refused(move, tmp_path):
    with pytest.raises(JournalError, match="/r, game 1: 'moves' is .*, expected moves"):
        resumed(tmp_path, HEAD, RECORD | {"moves": [move]})


@pytest.mark.parametrize(
    "field, value", [("white", "three"), ("opening", "ppp/3/PPP w"), ("opening", "8/8/8 w - - 0 1")]
)
def test_a_game_that_this_match_cannot_have_is_refused(field, value, tmp_path):
    with pytest.raises(JournalError, match="/r, game 1: "):
        resumed(tmp_path, HEAD, RECORD | {field: value})


@pytest.mark.parametrize(
    "line", [b"", b"[]", b"7", b"{", b"\xff", b"[" * 100_000, b'{"game": ' + b"9" * 5000 + b"}", b'{"game": [1]}']
)
def test_a_line_that_is_no_record_is_named(line, tmp_path):
    with pytest.raises(
        JournalError, match="/r is not the results file of a match: line 3: expected a JSON object with 'game'"
    ):
        resumed(tmp_path, HEAD, RECORD, line)


@pytest.mark.parametrize(
    "text, fault",
    [
        (b'resume = "a\\u0000b"', "resume: 'a\\x00b' has a NUL"),
        (b'[openings]\nfile = "\\u0000"', "file: .* has a NUL"),
        (b"rounds = " + b"9" * 5000, "more digits"),
        (b"rounds = 0x" + b"f" * 5000, "more digits"),
        (b"x = " + b"[" * 3000, "nested too deep"),
        (b"a." * 3000 + b"b = 1", "nested too deep"),
        (b"\xff", "utf-8"),
        (b"\0", "line 1"),
        (b"x = 1979-05-27", "neither text nor a number"),
        (b"x = [[1]]", "neither text nor a number"),
        (b"x = [" + b"{}," * 3 + b"1]", "neither text nor a number"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_one_error(text, fault, tmp_path):
    path = tmp_path / "c.toml"
    path.write_bytes(text)
    with pytest.raises(config.ConfigError, match=fault.replace("\\x00", ".")) as found:
        config.groups(path)
    assert len(str(found.value)) < 300
    with pytest.raises(commandline.UsageError, match=f"-config {path}: "):
        commandline.parse(["-config", str(path)])


EPD = b"ppp/1P1/P1P b - - 0 1 ; c0\nppp/P2/1PP b\n# c\n\nppp/3/PPP w\n"
PGN = b'[Event "x"]\n[FEN "ppp/3/PPP w - - 0 1"]\n\n1. a2 {+0.25/12 0.051s} bxa2 2. bxa2 {x} 1-0\n'
CONFIG = b'rounds = 2\nvariant = "hexapawn"\n[[engine]]\ncmd = "a"\ntc = "1+0.1"\noption.Hash = 3\n[[engine]]\ncmd = "b"\nst = 1\n'
PIECES = rb"""\u0000 1e999 nan -1 { } " \ ( ) ; % 1-0 [a" """.split()
PIECES += [b"\0", b"\xff", b"\x1b[2J", b"\n", b"\r", b"\xe2\x80\xae", b"\xef\xbb\xbf"]
PIECES += [b"9" * 5000, b"[" * 3000, b"a." * 3000, b"0x" + b"f" * 5000, b'"' * 3]


def damaged(data, chance):
    """The bytes with one to five places replaced, doubled or left out."""
    for _ in range(chance.randint(1, 5)):
        start = chance.randrange(len(data) + 1)
        end = start + chance.choice((0, 1, 5, 40))
        middle = chance.choice((b"", chance.choice(PIECES), 2 * data[start:end], bytes([chance.randrange(256)])))
        data = data[:start] + middle + data[end:]
    return data


@pytest.mark.parametrize(
    "data, read, names_it",
    [
        (EPD, lambda path: opening_book.read_epd(path, get_rules("hexapawn")), True),
        (PGN, lambda path: opening_book.read_pgn(path, get_rules("hexapawn"), 1), True),
        (CONFIG, lambda path: commandline.parse(["-config", path]), False),
    ],
    ids=["epd", "pgn", "toml"],
)
def test_a_damaged_file_is_read_or_refused(data, read, names_it, tmp_path):
    chance, path, read_well = random.Random(11), tmp_path / "file", 0
    path.write_bytes(data)
    read(str(path))
    for _ in range(150):
        path.write_bytes(damaged(data, chance))
        try:
            read(str(path))
            read_well += 1
        except (opening_book.OpeningError, commandline.UsageError) as error:
            assert str(path) in str(error) or not names_it  # a word of the file may be named as one of the command line
    assert 0 < read_well < 150
