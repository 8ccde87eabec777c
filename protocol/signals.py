"""Ctrl-C, the system's request to end, and a terminal that goes: one KeyboardInterrupt, whichever it is and however often it comes."""

import signal

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupt_once():
    """Have the first of them raise KeyboardInterrupt. A parent that starts its children in the background has them ignore Ctrl-C."""
    for number in NUMBERS:
        signal.signal(number, _interrupt)


def ignore():
    """Hear none of them any more."""
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number, frame):
    """A terminal that goes says so twice, and an impatient person too, while there is something to be ended well."""
    ignore()
    raise KeyboardInterrupt
