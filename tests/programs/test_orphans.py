"""However a match ends, its engines end with it, and all that these have started."""

import os
import select
import signal
import subprocess
import sys

import psutil
import pytest
from client import DEADLINE
from course_matches import line
from matches import MATCH, fake, free_port, words
from processes import wait_until


@pytest.fixture
def stubborn(tmp_path):
    """(the command of an engine that hears neither SIGTERM, SIGHUP nor the end of its input, and has a child of its
    own; a file whose lines are what the engine is sent).
    """
    log, engine = tmp_path / "log", tmp_path / "engine"
    os.mkfifo(log)
    # In the half second before it says that it has started, the match names it to the process that is to end it.
    engine.write_text(
        f"#!/bin/sh\ntrap '' HUP TERM\nsleep 600 &\nsleep 0.5\necho started > {log}\n{fake('hang', log)}\nsleep 600\n"
    )
    engine.chmod(0o755)
    with open(os.open(log, os.O_RDWR), "rb", buffering=0) as sent:  # with a writer of its own it has no end
        yield engine, sent


def wait_for(sent, word):
    """Read the pipe up to a line that begins with the word."""
    text = b""
    while not any(line.startswith(word) for line in text.split(b"\n")[:-1]):
        assert select.select([sent], [], [], DEADLINE)[0], f"no {word!r} after {text!r}"
        text += sent.read(1 << 16)


def ended(asked, number, sent, word):
    """(status, stdout) of a match that gets a signal once the engine was sent the word; all its processes must end."""

    def started():
        # A child has its own name only once it runs its program.
        children = psutil.Process(process.pid).children(recursive=True)
        return children if {"sleep", "engine"} <= {child.name() for child in children} else None

    process = subprocess.Popen([sys.executable, str(MATCH), *asked], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        wait_for(sent, word)
        children = wait_until(started, "the engine and its child")
        process.send_signal(number)
        output = process.communicate(timeout=DEADLINE)[0]
        assert not psutil.wait_procs(children, timeout=DEADLINE)[1]
    finally:
        process.kill()
        process.wait()
    return process.returncode, output


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_stubborn_engine_and_its_child_end_with_a_match_that_is_ended_in_a_game(number, stubborn):
    engine, sent = stubborn
    status, output = ended(words(engine, fake("good"), limit="tc=1000"), number, sent, b"go ")
    if number == signal.SIGKILL:
        assert status == -number
    else:
        assert status == 130 and b"2 games left" in output


def test_program_of_an_agent_ends_with_a_match_that_is_killed(stubborn):
    agent, sent = stubborn
    asked = line(free_port(), agent=[f"cmd={agent}"])
    assert ended(asked, signal.SIGKILL, sent, b"started")[0] == -signal.SIGKILL
