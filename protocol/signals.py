"""The first SIGINT, SIGTERM or SIGHUP raises KeyboardInterrupt; later ones are ignored."""

import signal
from contextlib import contextmanager

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupt_once():
    """Have the first of them raise KeyboardInterrupt.

    Ctrl-C is heard even where the parent has it ignored, as shells do for what runs in the background; nohup's wish is kept.
    """
    for number in NUMBERS:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)


def ignore():
    """Hear none of them any more."""
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def deferred():
    """What comes during the block is heard at its end, by whoever hears it otherwise. In the main thread only.

    For what must not be left half done, such as tqdm's display: an exception in there leaves its lock taken for ever.
    """
    heard = []
    try:
        with _handled(lambda number, frame: heard.append(number)):
            yield
    finally:
        if heard:
            signal.raise_signal(heard[0])


def uninterrupted():
    """A block during which they do nothing: its work has already been told to end. In the main thread only."""
    return _handled(signal.SIG_IGN)


@contextmanager
def _handled(handler):
    """Give them another handler during the block, but for those that are ignored."""
    before = {number: usual for number in NUMBERS if (usual := signal.getsignal(number)) not in (signal.SIG_IGN, None)}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


def _interrupt(number, frame):
    """A terminal that goes says so twice, and an impatient person too, while there is something to be ended well."""
    ignore()
    raise KeyboardInterrupt
