"""How programs end: errors that are expected in one line, Ctrl-C quietly, a missing library by its name."""

import sys

import pytest

from pawnstorm_tools import startup


class Expected(ValueError):
    pass


def ended(raised, **words):
    """The exit status of a program that ends with an exception, or returns a value."""

    @startup.program(Expected, **words)
    def main(words):
        if isinstance(raised, BaseException):
            raise raised
        return raised

    return main([])


@pytest.mark.parametrize(
    "error, line",
    [
        (Expected("'x': expected y"), "'x': expected y"),
        (FileNotFoundError(2, "No such file or directory", "f"), "'f': No such file or directory"),
        (MemoryError(), "not enough memory"),
        (Expected("a\nb\x1b[2J"), r"a\nb\x1b[2J"),
        (Expected("x" * 5000), "x" * startup.LONGEST),
    ],
)
def test_expected_error_is_one_line_with_the_name_of_the_program(error, line, capsys):
    assert ended(error) == 2
    assert capsys.readouterr() == ("", f"test_startup.py: {line}\n")


def test_other_errors_are_not_caught():
    with pytest.raises(ZeroDivisionError):
        ended(ZeroDivisionError())


def test_status_is_that_of_the_program_or_nought():
    assert [ended(value) for value in (None, 0, 1)] == [0, 0, 1]


def test_ctrl_c_is_told_unless_the_program_has_told_it(capsys):
    assert ended(KeyboardInterrupt()) == 130 and capsys.readouterr().err == "test_startup.py: stopped\n"
    assert ended(KeyboardInterrupt(), stopped=None) == 130 and capsys.readouterr().err == ""


def test_ctrl_c_is_told_with_what_becomes_of_the_work(capsys):
    @startup.program()
    def main(words):
        with startup.when_stopped("the same command goes on"):
            raise KeyboardInterrupt

    assert main([]) == 130 and capsys.readouterr().err == "test_startup.py: stopped; the same command goes on\n"


@pytest.mark.parametrize("extra, library, cure", [("match", "tqdm", "'.[match]'"), ("match", "jinja2", "'.[report]'")])
def test_missing_library_is_named_with_what_brings_it(extra, library, cure, monkeypatch, capsys):
    ended_with = []
    monkeypatch.setattr(startup.os, "_exit", ended_with.append)
    monkeypatch.setattr(startup.sys, "argv", ["scripts/program.py"])
    monkeypatch.setattr(sys.modules["__main__"], "__extra__", extra, raising=False)
    monkeypatch.setattr(startup, "_before", lambda *_: None)
    startup._hook(ModuleNotFoundError, ModuleNotFoundError(name=library), None)
    assert ended_with == [2]
    assert capsys.readouterr().err == f"program.py: {library} is missing; run pip install -e {cure}\n"


@pytest.mark.parametrize(
    "words, named",
    [
        ("-o f", "-o 'f'"),
        ("game ./f", "'f'"),
        ("-of", "-o 'f'"),
        ("--out=f", "--out 'f'"),
        ("-rounds 1 -openings format=epd file=f", "-openings 'f'"),
        ("-o other f", "'f'"),
        ("-o g", "'f'"),
    ],
)
def test_file_error_names_the_flag_that_named_the_file(words, named, capsys):
    @startup.program()
    def main(words):
        raise FileNotFoundError(2, "No such file or directory", "f")

    assert main(words.split()) == 2
    assert capsys.readouterr().err == f"test_startup.py: {named}: No such file or directory\n"
