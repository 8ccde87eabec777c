"""What a running engine has in its memory: none of numpy, numba and llvmlite; how it dies, and what it says in a terminal."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import client
import pexpect
import psutil
import pytest
from test_architecture import COMPILER

pytestmark = pytest.mark.compiled
SPACE = 1 << 30  # bytes of addresses: enough for some threads' stacks, and for no more than fifteen
THREADS = 64


@pytest.fixture(scope="module")
def command():
    return client.command("source")


def test_import_of_the_package_loads_nothing_else():
    """`python -m pawnstorm` and the executables begin with it; what it offers is loaded when it is asked for."""
    code = "import sys; before = set(sys.modules); import pawnstorm; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=client.ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "['pawnstorm']\n", done.stderr


def test_running_engine_maps_no_compiler(command):
    """No library of theirs is in the memory of a process that has searched."""
    if not Path("/proc/self/maps").exists():
        pytest.skip("the system does not tell what a process has mapped")
    with client.Client(command) as engine:
        engine.send("uci")
        engine.expect("uciok")
        engine.go("depth 6")
        # A one-file program is two processes, the second of which plays.
        started = [
            engine.process.pid,
            *(child.pid for child in psutil.Process(engine.process.pid).children(recursive=True)),
        ]
        maps = "".join(Path(f"/proc/{pid}/maps").read_text() for pid in started)
        assert "core-" in maps
        assert [name for name in (*COMPILER, "libLLVM") if name in maps] == []


def test_search_that_dies_says_so_and_ends_the_process(command):
    code = (
        "from pawnstorm.games.position import Board\nfrom pawnstorm.search.engine import Engine\nfrom pawnstorm.search.limits import Limits\nfrom pawnstorm.games.rules import get_rules\nimport time\n"
        "engine = Engine(on_info=lambda info: 1 // 0)\nengine.go(Board.start(get_rules('hexapawn')), Limits(depth=1))\ntime.sleep(20)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=client.ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr


def test_search_goes_on_with_the_threads_that_memory_allows(command):
    limited = ["sh", "-c", f'ulimit -v {SPACE >> 10} && exec "$@"', "sh", *command]
    with client.Client(limited) as engine:
        for line in ("setoption name OwnBook value false", f"setoption name Threads value {THREADS}", "ucinewgame"):
            engine.send(line)
        engine.sync()
        engine.send("go infinite")
        assert engine.expect(f"info string only [0-9]+ of {THREADS} search threads can be started; .*")
        assert engine.stop()


@contextlib.contextmanager
def typing(command, columns=120):
    """The engine behind a pseudo-terminal; what is typed is not shown."""
    program, *words = command
    terminal = pexpect.spawn(
        program,
        words,
        timeout=client.DEADLINE,
        cwd=str(client.ROOT),
        encoding="utf-8",
        echo=False,
        dimensions=(24, columns),
    )
    try:
        yield terminal
    finally:
        terminal.close(force=True)


@pytest.mark.parametrize("columns", [50, 120])
def test_bare_start_in_a_terminal_says_what_to_type(command, columns):
    with typing(command, columns) as terminal:
        terminal.expect("`pawnstorm play`[.]\r\n")
        said = (terminal.before + terminal.after).replace("\r\n", "\n")
        assert max(map(len, said.splitlines())) < columns and said.count("\n") <= 6
        typed = re.findall("`(.+?)`", " ".join(said.split()))
        assert typed == ["position startpos", "go movetime 1000", "help", "quit", "pawnstorm play"]
        for line in typed[:2]:
            terminal.sendline(line)
        terminal.expect("bestmove ")
        terminal.sendline("quit")
        terminal.expect(pexpect.EOF)
    assert terminal.exitstatus == 0


def test_unknown_command_is_named_to_whoever_types_it(command):
    with typing(command) as terminal:
        for line in "  e2e4 e7e5", "", "banana isready", "quit":  # UCI passes over what stands before a known word
            terminal.sendline(line)
        terminal.expect(pexpect.EOF)
        said = terminal.before.replace("\r\n", "\n").partition("pawnstorm play`.\n")[2]
    assert said == "info string unknown command 'e2e4': help lists the commands\nreadyok\n"
