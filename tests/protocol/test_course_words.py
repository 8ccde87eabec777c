"""The words of `pawnstorm course`, and what it cannot reach or run."""

import pytest
from course_processes import WORDS, core  # noqa: F401
from processes import Process

from pawnstorm_protocol.course import command

ENGINE = ["--serve", "0", "--engine", "pawnstorm", "--option"]


@pytest.mark.parametrize(
    "words, part",
    [
        (["--connect", "host"], "'host': expected HOST:PORT, as in localhost:9999"),
        (["--connect", "localhost:00000123456"], "'00000123456' in 'localhost:00000123456': expected a port from 1 to"),
        (["--serve", "0", "--host", "a b"], "'a b': expected an address or a name"),
        (["--serve", "70000"], "'70000': expected a whole number from 0 to 65535"),
        ([], "required"),
        (["--serve", "0", "--connect", "a:1"], "not allowed with"),
        (["--serve", "0", "--nodes", "3"], "--nodes is for --connect"),
        (["--connect", "a:1", "--games", "3"], "--games is for --serve"),
        (["--serve", "0", "--time", "nan"], "'nan': expected a number of minutes"),
        (["--connect", "a:1", "--level", "3"], "800 to 3400"),
        (["--serve", "0", "--dialect", "french"], "'french'"),
        (["--serve", "0", "--fen", "8/8 w"], "'8/8': expected 8 ranks"),
        (["--serve", "0", "--option", "Hash"], "'Hash' is not NAME=VALUE"),
        (["--serve", "0", "--engine", "'"], "is not a command"),
        (["--serve", "0", "--role", "Red"], "'Red' does not tell White its colour"),
        (["--serve", "0", "--move", "go"], "expected e2e4 in it"),
        (["--serve", "0", "--colour", "black"], "expected --engine too"),
        (["--serve", "0", "--pgn", "/"], "argument --pgn: '/' cannot be written"),
        (["--serve", "0", "--name", 'a"b'], "is not a name"),
        (["--connect", "a:1", "--patience", "0"], "'0': expected a whole number from 1 to 86400"),
    ],
)
def test_wrong_words_are_named(words, part, capsys):
    with pytest.raises(SystemExit) as caught:
        command.run(words)
    assert caught.value.code == 2 and part in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, code, part",
    [
        (["--connect", "a..b:1"], 1, "cannot play at a..b:1"),
        (["--connect", "127.0.0.1:1"], 1, "cannot play at 127.0.0.1:1"),
        (["--serve", "0", "--log", "/none/log"], 2, "--log '/none/log': No such file"),
        (["--serve", "0", "--engine", "no-such-engine"], 2, "--engine: cannot run 'no-such-engine'"),
        (["--serve", "0", "--engine", "false"], 2, "--engine: 'false' does not answer uci: exited with status 1"),
        ([*ENGINE, "Hahs=1"], 2, "has no option 'Hahs' (did you mean Hash?)"),
        ([*ENGINE, "Hash=abc"], 2, ": 'abc' for option Hash: expected a whole number from 1 to "),
    ],
)
def test_what_cannot_be_reached_or_run_is_told_at_the_start(words, code, part):
    with Process([*WORDS, *words]) as process:
        out, errors = process.finish(code)
    assert out == "" and part in errors and errors.count("\n") == 1
