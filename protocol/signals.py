"""Ctrl-C, the system's request to end, and a terminal that goes: one KeyboardInterrupt, whichever it is and however often it comes."""

import signal

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


def _interrupt(number, frame):
    """A terminal that goes says so twice, and an impatient person too, while there is something to be ended well."""
    ignore()
    raise KeyboardInterrupt
