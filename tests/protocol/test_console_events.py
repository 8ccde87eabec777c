"""What console_events.py, which Windows runs, waits for before it presses Ctrl-C; that part runs everywhere."""

import subprocess
import sys

import console_events
import pytest

SILENT = "import time; time.sleep(1000)"
LATE = "import time; time.sleep(1.5); print({!r}, flush=True); time.sleep(1000)"


def begun(program, *words):
    """What begun() hears of a Python program that it takes for one with those arguments."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, bufsize=0) as process:
        try:
            return console_events.begun(process, words)
        finally:
            process.kill()


@pytest.mark.parametrize(
    "line, words", [("info string 1", ["bench", "30"]), ("White> ", ["play"]), ("info depth 1", [])]
)
def test_a_program_that_takes_its_time_is_waited_for(line, words):
    assert line.encode() in begun(LATE.format(line), *words)


def test_a_program_that_says_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(console_events, "BEGINS", 0.2)
    assert begun(SILENT, "bench") == b""
