"""The engine's process under limits of the system."""
import pytest

import client

SPACE = 1 << 30   # bytes of addresses: enough for some threads' stacks, and for no more than fifteen
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
