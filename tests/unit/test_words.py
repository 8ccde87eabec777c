"""The words after `pawnstorm`: whatever is wrong with them is named in a line or two, and the exit code is 2."""

import io
import sys

import pytest

from pawnstorm_protocol import main as program
from pawnstorm_protocol.course.dialects import DIALECTS


@pytest.fixture
def wrong(monkeypatch, capfd):
    """wrong(*words) runs the program on words that it must not take; what it says, which is short."""

    def run(*words):
        sink = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
            patch.setattr(sys, "stdout", sink)
            try:
                code = program.run(list(words))
            except SystemExit as error:
                code = error.code
        said = sink.buffer.getvalue().decode() + capfd.readouterr().err
        assert code == 2 and 1 <= said.count("\n") <= 2, (code, said)
        assert "Traceback" not in said
        return said

    return run


@pytest.mark.parametrize("word, meant", [("plya", "play"), ("bnech", "bench"), ("-version", "--version")])
def test_unknown_word_is_named_with_the_one_that_may_be_meant(word, meant, wrong):
    said = wrong(word)
    assert f"unknown word '{word}' (did you mean {meant}?)" in said and "`pawnstorm -h`" in said


def test_word_like_no_other_is_named_alone(wrong):
    said = wrong("xyzzy", "depth", "3")
    assert (
        "unknown word 'xyzzy': expected play, course, ugi, codingame, build or a command of UCI" in said
        and "mean" not in said
    )


@pytest.mark.parametrize("words", [["--level=1000"], ["--black"]], ids=" ".join)
def test_flag_of_play_without_its_command_is_told_where_it_belongs(words, wrong):
    said = wrong(*words)
    assert f"'{words[0]}' is a flag of play: expected pawnstorm play {words[0]}" in said and "mean" not in said


@pytest.mark.parametrize("flag", ["--eval", "--levels", "-perft"])
def test_unknown_flag_is_taken_for_no_command(flag, wrong):
    said = wrong(flag)
    assert f"unknown word '{flag}'" in said and "mean" not in said


@pytest.mark.parametrize("line", ["go perft 2", "play --level 1000"])
def test_words_in_one_pair_of_quotes_are_to_be_written_without(line, wrong):
    said = wrong(line)
    assert f"'{line}' is one word" in said and "without quotes" in said and "mean" not in said


def test_long_word_is_cut(wrong):
    assert len(wrong("x" * 10**6)) < 250


@pytest.mark.parametrize(
    "words, named",
    [
        (["build", "it"], "'it' after build"),
        (["--version", "2"], "'2' after --version"),
        (["play", "--nonsense"], "--nonsense"),
        (["ugi", "uci"], "'uci' after ugi: expected nothing"),
        (["codingame", "--first", "0"], "--first: '0': expected a whole number from 1"),
        (["codingame", "None"], "None"),
        (["play", "--level", "9999"], "'9999'"),
        (["perft", "deep"], "'deep'"),
        (["bench", "0"], "'0'"),
        (["position", "here"], "'here'"),
        (["setoption", "name", "Hsah", "value", "1"], "'Hsah' (did you mean Hash?)"),
        (["play", "--variant", "Twoflag"], "'Twoflag' (did you mean twoflags?)"),
        (["course", "--serve", "0", "--dialect", "welcom"], "--dialect: 'welcom' (did you mean welcome?)"),
        (["course", "--serve", "0", "--dialect", "xyzzy"], "--dialect: 'xyzzy': expected one of auto, course"),
    ],
    ids=str,
)
def test_what_cannot_be_understood_is_named(words, named, wrong):
    assert named in wrong(*words)


@pytest.mark.parametrize(
    "words, named",
    [
        (["go", "dpeth", "5"], "'dpeth' after go (did you mean depth?)"),
        (["go", "perft", "4", "deep"], "'deep'"),
        (["go", "searchmoves", "e9e8"], "'e9'"),
    ],
    ids=str,
)
def test_go_that_is_not_understood_is_not_begun(words, named, wrong):
    """Nobody is there to stop it: it would go on for ever."""
    said = wrong(*words)
    assert named in said and "bestmove" not in said and "Nodes" not in said


@pytest.mark.parametrize("words", [[], ["go", "depth"], ["play"], ["build"]], ids=" ".join)
def test_word_that_is_not_utf8_is_shown_escaped(words, wrong):
    """As the system's bytes come into Python: each that is not UTF-8 as a surrogate."""
    assert r"'e\xff\xfe' is not UTF-8" in wrong(*words, "e\udcff\udcfe")


@pytest.mark.parametrize(
    "words, flag, near",
    [
        (["play", "--levle", "1000"], "--levle", "--level"),
        (["play", "--varaint=hexapawn"], "--varaint", "--variant"),
        (["course", "--serve", "0", "--engin", "x"], "--engin", "--engine"),
        (["play", "-level", "1000"], "-level", "--level"),
        (["play", "--xyzzy"], "--xyzzy", None),
        (["codingame", "--frist", "9"], "--frist", "--first"),
    ],
    ids=str,
)
def test_unknown_flag_is_named_with_the_one_that_may_be_meant(words, flag, near, wrong):
    assert f"unknown flag '{flag}'{f' (did you mean {near}?)' if near else ''}; -h lists all" in wrong(*words)


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("words", [["-h"], ["play", "-h"], ["codingame", "-h"], ["course", "-h"]], ids=" ".join)
def test_help_is_as_wide_as_the_terminal(words, columns, monkeypatch, capsys):
    """Words are not broken, and rows of tables begin their lines."""
    monkeypatch.setenv("COLUMNS", str(columns))
    try:
        program.run(words)
    except SystemExit as end:
        assert end.code == 0
    lines = capsys.readouterr().out.splitlines()
    broken = [line for line in lines if len(line) >= columns - 1]
    # Two of the course's lines cannot be broken: its usage, and the names of all dialects.
    assert [line for line in broken if columns > 70 or not line.strip().startswith(("usage: ", "--dialect {"))] == []
    assert max(map(len, lines)) > columns * 3 // 4
    if words == ["course", "-h"]:
        assert sum(line.startswith(f"  {name} ") for line in lines for name in DIALECTS) == len(DIALECTS)
