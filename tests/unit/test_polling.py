"""Waits for sockets and pipes; also the code for Windows alone, as far as it runs on other systems."""

import os
import socket
import threading

import pytest

from pawnstorm.system import WINDOWS, clock, console
from pawnstorm_protocol.system import pipes, polling

POLLS = sorted({polling.Poll, polling._Select}, key=str)
WRITERS = sorted({pipes.Writer, *pipes.WRITERS}, key=str)
READERS = sorted({pipes.Reader, pipes._Forwarded}, key=str)


@pytest.fixture
def pair():
    ends = socket.socketpair()
    yield ends
    for end in ends:
        end.close()


@pytest.fixture
def waker():
    waker = polling.Waker()
    yield waker
    waker.close()


@pytest.mark.parametrize("kind", POLLS)
def test_poll_tells_who_can_be_read(kind, pair, waker):
    one, other = pair
    poll = kind([one, waker])
    assert poll.wait(0) == []
    other.send(b"x")
    assert poll.wait(10) == [one]
    waker.wake()
    assert set(poll.wait(10)) == {one, waker}
    waker.take()
    poll.unregister(one)
    assert poll.wait(0) == []
    other.close()
    assert kind([one]).wait() == [one]


@pytest.mark.parametrize("kind", POLLS)
def test_poll_of_nothing_waits_its_time(kind):
    start = clock.now_seconds()
    assert kind([]).wait(0.15) == [] and clock.now_seconds() - start >= 0.149


@pytest.mark.parametrize("kind", POLLS)
def test_waker_ends_a_wait_from_another_thread(kind, waker):
    threading.Timer(0.15, waker.wake).start()
    assert kind([waker]).wait() == [waker]


def test_closed_waker_is_woken_in_vain():
    waker = polling.Waker()
    waker.close()
    waker.wake()


def test_some_sources_can_be_waited_for():
    assert polling.max_sources() > 64


@pytest.mark.parametrize("kind", READERS)
def test_reader_has_all_that_comes_through_a_pipe(kind):
    end, start = os.pipe()
    with open(end, "rb", buffering=0) as file, open(start, "wb", buffering=0) as writer:
        reader = kind(file)
        poll = polling.Poll([reader])
        assert poll.wait(0) == []
        writer.write(b"one\n")
        assert poll.wait(10) == [reader] and reader.read() == b"one\n"
        big = bytes(300_000)
        threading.Thread(target=lambda: (writer.write(big), writer.close())).start()
        data = b""
        while poll.wait(10) and (more := reader.read()):
            data += more
        assert data == big
        reader.close()


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("wait", POLLS)
def test_writer_takes_what_fits_and_can_be_waited_for(wait, kind):
    end, start = os.pipe()
    with open(end, "rb") as reader, open(start, "wb", buffering=0) as file:
        writer, left = kind(file), memoryview(bytes(range(250)) * 8_000)
        poll = wait([writer])
        while poll.wait(0.2):  # until it and what forwards from it are full
            left = left[writer.write(left) :]
        assert left
        read = []
        thread = threading.Thread(target=lambda: read.append(reader.read(2_000_000)))
        thread.start()
        while left and poll.wait(10):
            left = left[writer.write(left) :]
        thread.join(10)
        assert read == [bytes(range(250)) * 8_000]
        poll.unregister(writer)
        assert poll.wait(0) == []
        writer.close()


def test_line_is_read_from_a_stream(tmp_path, monkeypatch):
    path = tmp_path / "lines"
    path.write_bytes(b"one\ntwo")
    for windows in (WINDOWS, True):
        monkeypatch.setattr(console, "WINDOWS", windows)
        with open(path, "rb") as stream:
            assert [console.read_line(stream) for _ in range(3)] == [b"one\n", b"two", b""]
