"""Point 25: the end comes at once, by `quit` or by the end of the input, whatever the engine is at."""

import os
import subprocess
import time

import pytest
from client import ROOT, Client
from uci_audit import SEED
from uci_engine import command, engine, process  # noqa: F401

STATES = {
    "idle": ["uci", "isready"],
    "searching": ["go infinite", "info .*"],
    "only just searching": ["go infinite"],
    "searching by the clock": [
        "setoption name UCI_Variant value breakthrough",
        "go wtime 100000 btime 100000",
        "info .*",
    ],
    "searching on two threads": ["setoption name Threads value 2", "go infinite", "info .*"],
    "pondering": ["go ponder wtime 100000 btime 100000", "info .*"],
    "waiting, solved": [f"position fen {SEED}", "go infinite", r"info .* mate \d+ .*"],
    "counting": ["go perft 30"],
    "benching": ["bench"],
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("how", ["quit", "eof"])
def test_25_the_end_comes_at_once_in_any_state(command, state, how):
    with Client(command) as engine:
        for step in STATES[state]:
            if step.startswith("info"):
                engine.expect(step)
            else:
                engine.send(step)
        engine.leave(how)


def test_25_the_end_comes_when_nobody_reads_the_output(command):
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    )
    try:
        process.stdin.write(b"go infinite\n")
        process.stdout.read(1)
        process.stdout.close()
        time.sleep(0.2)
        process.stdin.close()
        process.wait(5)
    finally:
        process.kill()
        process.wait()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
@pytest.mark.parametrize("words", [[], ["--version"]])
def test_25_a_full_disk_is_an_error(command, words):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*command, *words], cwd=ROOT, input=b"uci\nquit\n", stdout=full, stderr=subprocess.PIPE, timeout=20
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"pawnstorm: ") and done.stderr.endswith(b"No space left on device\n")
    assert done.stderr.count(b"\n") == 1
