"""The commands of the documents: the programs exist and accept the arguments. tests/slow/test_short_commands.py runs
those that end within a minute."""

import argparse
import importlib
import runpy

import pytest
from client import ROOT
from document_commands import commands

from pawnstorm_protocol import codingame, play
from pawnstorm_protocol.course import arguments as course
from pawnstorm_protocol.main import TOOLS
from pawnstorm_tools.referee import commandline

pytestmark = pytest.mark.compiled
OWN = [(f"{command.name} {program or 'pawnstorm'}", program, words)
       for command in commands() for program, words in command.own()]  # fmt: skip
ELLIPSIS = "-engine name=one cmd=one -engine name=two cmd=two -each st=1 -variant breakthrough".split()
"""What `...` stands for in a command of match.py."""


class Accepted(Exception):
    """A parser has accepted all arguments."""


@pytest.fixture
def parsers_only(monkeypatch):
    """argparse reads the words as always; then the program ends with Accepted."""
    known = argparse.ArgumentParser.parse_args

    def parse_args(self, args=None, namespace=None):
        known(self, args, namespace)
        raise Accepted

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_args)
    monkeypatch.chdir(ROOT)


def test_commands_are_found():
    assert len(OWN) > 80 and {"README.md", "protocol/COURSE.md"} < {command.document for command in commands()}


@pytest.mark.parametrize("program, words", [pytest.param(*rest, id=name) for name, *rest in OWN])
def test_program_takes_the_words(program, words, parsers_only):
    if program is None:
        main = {"play": play.run, "course": course.parse, "codingame": codingame.run}.get(words[0])
        if main is None:
            assert words[0] in ("--version", "go")  # not argparse's: the slow tests run them
            return
        words = words[1:]
    elif program == "match":
        if "..." in words:
            words[words.index("...") :] = ELLIPSIS
        assert commandline.help_or_version(words) or commandline.parse(words)
        return
    elif program in TOOLS:
        main = importlib.import_module(f"pawnstorm_tools.programs.{program}").main
    else:
        main = runpy.run_path(str(ROOT / f"scripts/{program}.py"))["main"]
    helps = "-h" in words
    with pytest.raises(SystemExit if helps else Accepted) as ended:
        main(words)
    assert not helps or ended.value.code == 0
