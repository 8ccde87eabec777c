"""The engine's process under limits of the system."""

import os
import subprocess

import client
import pytest

SPACE = 1 << 30  # bytes of addresses: enough for some threads' stacks, and for no more than fifteen
THREADS = 64


@pytest.mark.compiled
def test_search_goes_on_with_the_threads_that_memory_allows():
    client.build_core()
    limited = ["sh", "-c", f'ulimit -v {SPACE >> 10} && exec "$@"', "sh", *client.SOURCE]
    with client.Client(limited) as engine:
        for line in ("setoption name OwnBook value false", f"setoption name Threads value {THREADS}", "ucinewgame"):
            engine.send(line)
        engine.sync()
        engine.send("go infinite")
        assert engine.expect(f"info string only [0-9]+ of {THREADS} search threads can be started; .*")
        assert engine.stop()


@pytest.mark.parametrize(
    "words", [[b"\xff"], [b"go", b"\xff"], [b"position", b"fen", b"\xff"], [b"bench", b"\xff"]], ids=str
)
def test_word_that_is_not_utf8_ends_the_program_with_its_name(words):
    done = subprocess.run(
        [*client.SOURCE, *words],
        cwd=client.ROOT,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=client.DEADLINE,
    )
    assert (done.returncode, done.stdout) == (2, b"") and done.stderr.startswith(rb"pawnstorm: '\xff' is not UTF-8")
