"""Point 25: lines that an engine must survive: odd words, bytes that are no text, and ten megabytes of anything."""

import pytest
from uci_audit import audit, root
from uci_engine import command, engine, info_strings, process  # noqa: F401


def test_25_unknown_words_before_a_command_are_skipped(engine):
    engine.send("joho debug on")
    engine.send("foo bar isready")
    assert engine.expect("readyok")[-1] == "readyok"
    engine.send("please go depth 2")
    engine.asked += 1  # Client counts only lines that begin with go
    audit(root(), engine.expect("bestmove.*"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "\t",
        "\r",
        "debug on",
        "bestmove e2e4",
        "go perft",
        "go perft 0",
        "d d d",
        "setoption name Hash value 16 value 32",
        "\x00",
        "é ü ß",
        "\u2028",
        "\ufeffisready",
        "position startpos moves \x1b[31m",
    ],
)
def test_25_odd_lines_do_no_harm(engine, line):
    lines = engine.ask(line)
    assert not [line for line in lines if line.startswith("bestmove")]
    engine.send("position startpos")
    audit(root(), engine.go("depth 3"))


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\xfd",
        b"position startpos moves e2\xc3",
        b"setoption name UCI_Variant value \xe2\x82",
        b"go depth \xb2",
    ],
)
def test_25_invalid_utf8_is_survived(engine, line):
    engine.send(line)
    if line.startswith(b"go"):
        engine.stop()
    engine.ask("position startpos")
    audit(root(), engine.go("depth 3"))


TEN_MB = 10_000_000
LONG = {
    "word": b"a" * TEN_MB,
    "words": b"a " * (TEN_MB // 2),
    "spaces": b" " * TEN_MB,
    "fen": b"position fen " + b"p" * TEN_MB,
    "moves": b"position startpos moves " + b"a2a3 " * (TEN_MB // 5),
    "name": b"setoption name " + b"a" * TEN_MB,
    "variant": b"setoption name UCI_Variant value " + b"a" * TEN_MB,
    "number": b"setoption name Hash value " + b"9" * TEN_MB,
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_25_a_line_of_ten_megabytes_is_survived(engine, line):
    lines = engine.ask(line)
    assert all(len(line) < 10_000 for line in lines), "a line that long is not for a human"
    engine.send("position startpos")
    audit(root(), engine.go("depth 3"))


def test_25_a_number_of_ten_megabytes_is_survived(engine):
    lines = engine.go("depth 3 nodes " + "9" * TEN_MB)
    assert all(len(line) < 10_000 for line in lines)


def test_25_a_list_of_10000_moves_is_survived(engine):
    """No game is that long: the list breaks off at the first illegal move."""
    assert info_strings(engine.ask("position startpos moves " + "a2a3 a7a6 " * 5000))
    audit(root(moves="a2a3 a7a6"), engine.go("depth 3"))
    for _ in range(3):
        engine.ask("position startpos moves " + "nonsense " * 10_000)
    audit(root(), engine.go("depth 3"))


def test_25_thousands_of_commands_at_once_are_all_answered(engine):
    engine.send("\n".join(["position startpos moves a2a3", "isready"] * 2000))
    for _ in range(2000):
        engine.expect("readyok")
