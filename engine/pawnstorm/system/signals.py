"""Makes SIGINT, SIGTERM and SIGHUP raise one KeyboardInterrupt, delays them, or ignores them.

Windows also has SIGBREAK, for Ctrl-Break. It has no SIGHUP; console.interrupt_on_close() takes its place.
"""

import signal
import threading
from contextlib import contextmanager

from pawnstorm.system import console

NUMBERS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
HANGUP = getattr(signal, "SIGHUP", None)


def interrupt_once():
    """Make the first signal raise KeyboardInterrupt, and ignore the later ones.

    Ctrl-C works even if the parent process set SIGINT to be ignored, as shells do for background jobs. SIGHUP stays
    ignored under nohup.
    """
    for number in NUMBERS:
        if number != HANGUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)
    console.interrupt_on_close()


def ignore():
    """Ignore all these signals from now on."""
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def deferred():
    """Delay signals until the block ends, then raise the first one for the usual handler.

    Yields a list, to which the signals are added as they arrive. Outside the main thread it does nothing. It is for work
    that must not be left half done. For example, an exception in tqdm's display would leave tqdm's lock taken for ever.
    """
    heard = []
    if threading.current_thread() is not threading.main_thread():
        yield heard
        return
    try:
        with _handled(lambda number, frame: heard.append(number)):
            yield heard
    finally:
        if heard:
            signal.raise_signal(heard[0])


def uninterrupted():
    """A block in which signals do nothing: for the end of work that has already been told to stop. In the main thread only."""
    return _handled(signal.SIG_IGN)


@contextmanager
def _handled(handler):
    """A block with another handler for the signals that are not ignored."""
    before = {number: usual for number in NUMBERS if (usual := signal.getsignal(number)) not in (signal.SIG_IGN, None)}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        for number, usual in reversed(before.items()):  # SIGINT last: if it then raises, all others are restored
            signal.signal(number, usual)


def _interrupt(number, frame):
    # A closing terminal sends two signals, and so do impatient people; the second must not disturb an orderly end.
    ignore()
    raise KeyboardInterrupt
