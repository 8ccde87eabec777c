"""An engine that does not read what it is sent keeps nobody waiting, and loses nothing."""

import shlex
import signal
import sys

import pytest

from pawnstorm_protocol.client.process import EngineError, EngineProcess
from pawnstorm_protocol.client.pump import SECOND, EngineFault, Stopped
from pawnstorm_protocol.system.polling import Waker

pytestmark = pytest.mark.timeout(60)  # what is tested here would hang
LONG = "x" * 300_000  # more than a pipe holds

# Its input is full: a signal now ends a blocking write in the middle.
FULL = """
import array, fcntl, os, signal, sys, termios, time
held = array.array("i", [0])
while held[0] < fcntl.fcntl(0, 1032):     # F_GETPIPE_SZ
    time.sleep(0.001)
    fcntl.ioctl(0, termios.FIONREAD, held)
os.kill(os.getppid(), signal.SIGUSR1)
"""
TALKATIVE = """
import sys
for number in range(10_000):
    print("info string", number, "y" * 100)
"""
ECHO = """
for line in sys.stdin:
    print("id name", len(line), flush=True)
    if line == "uci\\n":
        print("uciok", flush=True)
"""
DEAF = """
import time
input()
print("uciok", flush=True)
time.sleep(1000)
"""


@pytest.fixture
def engine():
    """Makes an EngineProcess of the text of a Python program."""
    made = []

    def make(program, *words, **how):
        made.append(EngineProcess(shlex.join([sys.executable, "-c", program, *words]), **how))
        return made[-1]

    yield make
    for process in made:
        process.kill()


@pytest.mark.parametrize("program", [FULL + ECHO, TALKATIVE + ECHO], ids=["signal", "talkative"])
def test_a_long_line_arrives_whole_while_the_engine_is_busy(program, engine, monkeypatch):
    names = []
    monkeypatch.setattr(
        EngineProcess, "name", property(lambda self: names[-1], lambda self, name: names.append(name)), raising=False
    )
    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    try:
        engine(program, initstr=(LONG,)).start()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert names[1:] == [str(len(LONG) + 1), "4"]


def test_an_engine_that_has_stopped_reading_hangs(engine):
    deaf = engine(DEAF)
    deaf.start()
    with pytest.raises(EngineFault, match="no read of its input within 0.1 s") as fault:
        deaf.send(LONG, timeout=SECOND // 10)
    assert fault.value.kind == "hang"
    deaf.quit()


def test_the_wait_for_an_engine_that_has_stopped_reading_can_be_ended(engine):
    waker = Waker()
    deaf = engine(DEAF, waker=waker)
    deaf.start()
    waker.wake()
    with pytest.raises(Stopped):
        deaf.send(LONG)
    deaf.quit()  # must not raise: the caller has other engines to end after it
    waker.close()


@pytest.mark.parametrize(
    "command, options, named",
    [
        ("/none/engine", {}, ["'/none/engine'"]),
        ("true", {"directory": "/none/dir"}, ["'true'", "dir='/none/dir'"]),
        ("true", {"stderr": "/none/log"}, ["'true'", "stderr='/none/log'"]),
    ],
)
def test_an_engine_that_cannot_be_run_names_each_file_once_with_its_option(command, options, named):
    with pytest.raises(EngineError) as caught:
        EngineProcess(command, **options).start()
    said = str(caught.value)
    assert "'" not in said.replace(named[0], "", 1).replace(named[-1], "", 1)
    assert all(said.count(part) == 1 for part in named) and "Errno" not in said and "No such file" in said
