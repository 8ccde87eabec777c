"""The course's server and client as real processes."""

import contextlib
import sys

import client
import pytest
from course_sessions import COURSE
from processes import Process

WORDS = [sys.executable, "-m", "pawnstorm", "course"]
QUICK = ["--nodes", 300, "--hash", 1, *COURSE]


@pytest.fixture(scope="module", autouse=True)
def core():
    client.build_core()


@contextlib.contextmanager
def server(*words, under=()):
    """(Process, port) of a server. under: the words of a program that runs it."""
    with Process([*under, *WORDS, "--serve", 0, *words]) as process:
        yield process, int(process.expect(r"^listening on \S+ port ([0-9]+)$")[1])


def ours(port, *words, host="127.0.0.1"):
    return Process([*WORDS, "--connect", f"{host}:{port}", *QUICK, *words])
