"""What the engine needs of the operating system; also what Windows alone uses, as far as it runs here."""

import signal
import threading

import pytest

from pawnstorm.system import WINDOWS, clock, files, pages, signals

KINDS = sorted({threading.Timer, clock.Timer, clock._SteppedTimer}, key=str)
WAITS = [clock.wait, clock._wait_in_parts]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seconds", [0, 0.002, 0.05])
def test_timer_calls_once_and_never_early(kind, seconds):
    called, start = threading.Event(), clock.now_ns()
    ends = []
    timer = kind(seconds, lambda word: (ends.append((word, clock.now_ns())), called.set()), ("word",))
    timer.start()
    assert called.wait(10)
    timer.join(10)
    ((word, end),) = ends
    assert word == "word" and end - start >= seconds * 1e9 and not timer.is_alive()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seconds", [0.05, 1000])
def test_cancelled_timer_ends_without_a_call(kind, seconds):
    called, start = [], clock.now_seconds()
    timer = kind(seconds, called.append, (1,))
    timer.start()
    timer.cancel()
    late = clock.now_seconds() - start >= seconds  # on a busy machine
    timer.join(10)
    assert not timer.is_alive() and (late or not called)


@pytest.mark.parametrize("wait", WAITS)
def test_wait_tells_whether_the_event_came(wait):
    event = threading.Event()
    start = clock.now_seconds()
    assert wait(event, 0.15) is False and clock.now_seconds() - start >= 0.149
    assert wait(event, 0) is False
    threading.Timer(0.15, event.set).start()
    assert wait(event) is True and wait(event, 0) is True and wait(event, 5) is True


def test_clock_counts_nanoseconds_and_seconds_alike():
    before, middle, after = clock.now_ns(), clock.now_seconds(), clock.now_ns()
    assert before <= middle * 1e9 + 1000 and middle * 1e9 <= after + 1000


def test_pages_are_zero_and_so_again_after_a_drop():
    memory = pages.Pages(1 << 20)
    words = (pages.ctypes.c_uint64 * (1 << 17)).from_address(memory.address)
    assert not any(words)
    words[0] = words[-1] = 7
    if memory.drop():
        assert not any(words)
    else:
        assert words[0] == 7


def test_machine_has_memory():
    assert 64 < pages.physical_mebibytes() < 1 << 30


def test_replace_gives_the_new_file_the_old_name(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")
    files.replace(new, old)
    assert old.read_text() == "new" and not new.exists()


@pytest.mark.skipif(WINDOWS, reason="Windows has access lists instead")
def test_others_are_kept_from_a_file(tmp_path):
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o666)
    assert files.is_owned(path.stat()) and files.writable_by_others(path.stat())
    files.deny_others(path, path.stat())
    assert not files.writable_by_others(path.stat()) and path.stat().st_mode & 0o777 == 0o644


def test_interrupt_at_the_end_of_a_deferred_block_restores_every_handler(monkeypatch):
    before = [signal.getsignal(number) for number in signals.NUMBERS]
    real = signal.signal

    def interrupted(number, handler):
        real(number, handler)
        if handler is signal.default_int_handler:
            raise KeyboardInterrupt

    usual = real(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), signals.deferred():
            monkeypatch.setattr(signals.signal, "signal", interrupted)
        monkeypatch.undo()
        real(signal.SIGINT, usual)
        assert [signal.getsignal(number) for number in signals.NUMBERS] == before
    finally:
        for number, handler in zip(signals.NUMBERS, before):
            real(number, handler)
