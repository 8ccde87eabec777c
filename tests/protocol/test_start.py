"""What a running engine has in its memory: none of numpy, numba and llvmlite, and no kernel as Python; and how it dies."""

import re
import subprocess
import sys
from pathlib import Path

import client
import pexpect
import psutil
import pytest
from test_architecture import COMPILER, KERNELS, top_package

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def command():
    return client.command("source")


def played(command):
    """A client whose engine has answered uci, isready and a short search."""
    engine = client.Client(command)
    engine.send("uci")
    engine.expect("uciok")
    engine.sync()
    engine.go("depth 6")
    return engine


def test_running_engine_imports_no_compiler(command):
    engine = played([command[0], "-X", "importtime", *command[1:]])
    engine.kill()  # its stderr is full of what it imported
    imported = {
        line.rpartition("|")[2].strip() for line in engine.stderr().splitlines() if line.startswith("import time:")
    }
    assert {"pawnstorm_protocol.uci", "pawnstorm.core.native", "ctypes"} <= imported
    assert {
        name for name in imported if top_package(name) in COMPILER or name in KERNELS or name == "pawnstorm.core.build"
    } <= {"pawnstorm.core.build"}


def test_import_of_the_package_loads_nothing_else():
    """`python -m pawnstorm` and the executables begin with it; what it offers is loaded when it is asked for."""
    code = "import sys; before = set(sys.modules); import pawnstorm; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=client.ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "['pawnstorm']\n", done.stderr


def test_running_engine_maps_no_compiler(command):
    """The same from outside, where there is no asking: no library of theirs is in the process's memory."""
    if not Path("/proc/self/maps").exists():
        pytest.skip("the system does not tell what a process has mapped")
    with played(command) as engine:
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
        "from pawnstorm.games.board import Board\nfrom pawnstorm.search.engine import Engine\nfrom pawnstorm.search.limits import Limits\nfrom pawnstorm.games.rules import game\nimport time\n"
        "engine = Engine(on_info=lambda info: 1 // 0)\nengine.go(Board.start(game('hexapawn')), Limits(depth=1))\ntime.sleep(20)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=client.ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("columns", [50, 120])
def test_bare_start_in_a_terminal_says_what_to_type(command, columns):
    program, *words = command
    terminal = pexpect.spawn(program, words, cwd=str(client.ROOT), encoding="utf-8", dimensions=(24, columns))
    terminal.timeout = client.DEADLINE
    try:
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
    finally:
        terminal.close(force=True)
    assert terminal.exitstatus == 0


@pytest.mark.parametrize("words", ["banana", "  e2e4 e7e5"])
def test_unknown_command_is_named_to_whoever_types_it(command, words):
    program, *first = command
    terminal = pexpect.spawn(
        program,
        first,
        timeout=client.DEADLINE,
        cwd=str(client.ROOT),
        encoding="utf-8",
        echo=False,
        dimensions=(24, 120),
    )
    try:
        for line in words, "", "banana isready", "quit":  # UCI passes over what stands before a known word
            terminal.sendline(line)
        terminal.expect(pexpect.EOF)
        said = terminal.before.replace("\r\n", "\n").partition("pawnstorm play`.\n")[2]
        assert said == f"info string unknown command '{words.split()[0]}': help lists the commands\nreadyok\n"
    finally:
        terminal.close(force=True)


def test_unknown_command_of_a_gui_gets_no_answer(command):
    with client.Client(command) as engine:
        for line in "banana", "e2e4", "isready":
            engine.send(line)
        assert engine.receive() == "readyok"
