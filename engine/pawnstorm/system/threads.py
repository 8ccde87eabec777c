"""Starts threads. The system may deny one if memory for its stack is short or if processes are limited."""

import os
import sys
import threading
from contextlib import contextmanager, nullcontext

THREAD_HINT = "expected more memory or a higher limit on processes (ulimit -v, ulimit -u)"
"""The end of the message if a thread cannot be started."""

DEEP_STACK = 64 << 20  # bytes, for a search or a proof, which recurse
SMALL_STACK = 1 << 20  # bytes, for threads that do not recurse, if there are many of them

_stack_lock = threading.Lock()  # the size of new threads' stacks is one setting of the whole process


def start_all(threads, deep=False):
    """Start threads in order until one cannot be started; returns those that run. deep: whether each has a DEEP_STACK."""
    with stacks_of(DEEP_STACK) if deep else nullcontext():
        for number, thread in enumerate(threads):
            try:
                thread.start()
            except RuntimeError:  # "can't start new thread"
                return threads[:number]
    return threads


@contextmanager
def stacks_of(size):
    """A block in which new threads have stacks of `size` bytes. At its end, the old size is restored.

    Keep the block short: the setting applies to the whole process, which may belong to another program.
    """
    with _stack_lock:
        usual = threading.stack_size(size)
        try:
            yield
        finally:
            threading.stack_size(usual)


def run_or_exit(function, *arguments):
    """Call a function. If it raises an exception, print it and end the process with exit code 1.

    A search thread that died silently would lose the game anyway.
    """
    try:
        function(*arguments)
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
