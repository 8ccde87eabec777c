"""What others say reaches terminals, results and logs only in letters that can be shown."""

import pytest

from pawnstorm_protocol.client.debuglog import DebugLog
from pawnstorm_protocol.client.process import LONGEST_NAME, EngineError, EngineProcess
from pawnstorm_protocol.client.pump import EngineFault
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools.referee import output


@pytest.mark.parametrize(
    "text, shown",
    [
        ("plain Zürich 漢字", "plain Zürich 漢字"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\nb\rc\td", r"a\nb\rc\td"),
        ("\u202eabc", r"\u202eabc"),
        ("\u200b\ufeff", r"\u200b\ufeff"),
        ("\x9b\x7f\0", r"\x9b\x7f\x00"),
        ("\u2028", r"\u2028"),
        ("\udcff", r"\udcff"),
        ("\U000e0001", r"\U000e0001"),
    ],
)
def test_what_no_terminal_shows_is_written_as_an_escape(text, shown):
    assert escaped(text) == shown and escaped(shown) == shown


def test_names_and_faults_of_an_engine_are_escaped_where_they_come_in():
    engine = EngineProcess("engine")
    engine.on_line(b"id name \x1b[2J\xe2\x80\xaeevil\x07", 0)
    assert engine.name == r"\x1b[2J\u202eevil\x07"
    engine.on_line(b"id name " + b"x" * 10**6, 0)
    assert engine.name == "x" * LONGEST_NAME
    assert str(EngineFault(engine, "crash", "said \x1b]0;\x07")) == r"said \x1b]0;\x07"
    assert str(EngineError("plays '\x1b[2J'")) == r"plays '\x1b[2J'"


def test_details_of_an_old_results_file_are_escaped_in_the_summary():
    record = {
        "game": 1,
        "white": "a",
        "black": "b",
        "first": "white",
        "result": "0-1",
        "reason": "crash",
        "detail": "\x1b[2J\n",
        "opening": "8/8 w",
        "moves": [],
        "lags": [],
    }
    assert r"game 1: a: crash: \x1b[2J\n" in output.summary([record], ["a", "b"], pairs=False)


def test_name_of_an_engine_is_escaped_in_the_log(tmp_path):
    log = DebugLog(tmp_path / "log")
    log.writer("\x1b[2J\n.1")("<", b"\x1b\xff")
    log.close()
    assert (tmp_path / "log").read_text().endswith(" \\x1b[2J\\n.1 < \\x1b\\xff\n")
