"""What needs a second process: a lock between two, a child and its own children, an interrupt of a wait."""

import os
import shlex
import subprocess
import sys

import pytest

from pawnstorm.system import WINDOWS, files
from pawnstorm_protocol.system import child, polling

HOLD = """
import sys
from pawnstorm.system import files
with open(sys.argv[1], "ab") as file:
    files.lock(file)
    print("held", flush=True)
    sys.stdin.read()
"""


def test_lock_is_refused_while_another_process_has_it(tmp_path):
    path, pipes = tmp_path / "file", {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLD, path], **pipes) as other:
        try:
            assert other.stdout.readline().split() == [b"held"]
            with open(path, "ab") as file:
                with pytest.raises(BlockingIOError):
                    files.lock(file, wait=False)
                file.write(b"a locked file can be written")
            assert path.read_bytes()  # and read
        finally:
            other.stdin.close()
        with open(path, "ab") as file:
            files.lock(file)


def test_interrupt_ends_a_wait_in_parts():
    program = """
import signal, threading
from pawnstorm.system import clock
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell that starts tests in the background has ignored
threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
try:
    clock._wait_in_parts(threading.Event())
except KeyboardInterrupt:
    print("heard", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "heard True\n", done.stderr


def test_child_ends_with_its_own_children():
    sleeper = "import time; print('up', flush=True); time.sleep(100)"
    program = f'import subprocess, sys; subprocess.run([sys.executable, "-c", "{sleeper}"])'
    quoted = subprocess.list2cmdline if WINDOWS else shlex.join
    command = quoted([sys.executable, "-c", program])
    process = child.ChildProcess(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, bufsize=0)
    try:
        assert process.err is None and polling.Poll([process.out]).wait(20) == [process.out]
        assert process.out.read().split() == [b"up"]
        other = os.dup(process.stdout.fileno())
    finally:
        process.end()
    assert process.returncode is not None
    with open(other, "rb") as left:  # ends when the sleeper has
        assert left.read().strip() == b""


def test_command_that_is_no_program_is_an_error():
    with pytest.raises(OSError):
        child.ChildProcess("/nonexistent/program", stdout=subprocess.PIPE)
