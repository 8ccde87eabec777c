"""What an engine says while its options are set is shown, once."""

import os

import pytest
from matches import words

from pawnstorm_protocol.client.process import MAX_NOTES, EngineError, EngineProcess
from pawnstorm_protocol.system.pipes import Reader
from pawnstorm_tools.referee import commandline
from pawnstorm_tools.referee.local_match import LocalMatch
from pawnstorm_tools.referee.player import Player


class Scripted(EngineProcess):
    """An engine that is no process: each line that it is sent is answered by `says`."""

    def __init__(self, name, says):
        super().__init__("scripted")
        self.own, self.says = name, says
        ear, self.mouth = os.pipe()
        self.ear = open(ear, "rb")
        self.out = Reader(self.ear)

    def start(self):
        self.notes, self.options, self.option_names, self.variant_line = [], {}, [], None
        self.partial, self.input_writer, self.err = b"", None, None
        for line in (f"id name {self.own}", "info string before the options", "option name Hash type spin", "uciok"):
            self.take(line)

    def send(self, *lines):
        for line in lines:
            for answer in self.says(line):
                self.take(answer)

    def sync(self):
        self.send("isready")

    def take(self, line):
        os.write(self.mouth, line.encode() + b"\n")
        self.on_io(self.out)

    def kill(self):
        self.ear.close()
        os.close(self.mouth)


def check(line, *says):
    """The warnings of a match between scripted engines."""
    match = LocalMatch(commandline.parse(line))
    try:
        for player, one in zip(match.first_players, says):
            player.engine = Scripted("Same", one)
        return match.check_engines()
    finally:
        match.close()


def test_a_text_about_an_option_is_a_warning_once_for_each_engine():
    def refuses(line):
        return ["info string 'Hash' \x1b[2J is too large"] * 3 if line == "setoption name Hash value 9" else []

    shown = check(words("a", "b", limit="tc=1 option.Hash=9"), refuses, refuses)
    assert [text for text in shown if "Hash" in text] == [
        rf"{name}: 'Hash' \x1b[2J is too large" for name in ("Same", "Same (2)")
    ]
    assert not any("before" in text for text in shown)


def test_an_engine_that_talks_without_end_is_cut_short():
    shown = check(
        words("a", "b", limit="tc=1 option.Hash=9"),
        lambda _: [f"info string {number} {'x' * 10**4}" for number in range(99)],
        lambda _: [],
    )
    told = [text for text in shown if "xxx" in text]
    assert len(told) == MAX_NOTES and max(map(len, told)) < 400


def test_an_option_with_a_line_break_is_refused():
    asked = commandline.parse(words("a", "b", limit="tc=1") + ["-each", "option.Hash=1\nquit"])
    player = Player(asked.engines[0], asked.rules)
    player.engine = Scripted("Same", lambda _: [])
    with pytest.raises(EngineError, match=r"option.Hash='1\\nquit' has a line break: expected one line"):
        player.start()
    player.engine.kill()
