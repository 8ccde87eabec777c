"""How threads are started. The system may deny one: too little memory for its stack, or a limit on processes."""

import os
import sys
import threading
from contextlib import contextmanager, nullcontext

THREAD_HINT = "expected more memory or a higher limit on processes (ulimit -v, ulimit -u)"
"""What to say where a thread cannot be started."""

DEEP_STACK = 64 << 20  # bytes, for a search or a proof, which recurse
SMALL_STACK = 1 << 20  # bytes, for a thread that does not, where there are many

_stack_lock = threading.Lock()  # the size of new threads' stacks is one setting of the whole process


def start_all(threads, deep=False):
    """Start threads in order until one cannot be started; returns those that run. deep: with a DEEP_STACK each."""
    with stacks_of(DEEP_STACK) if deep else nullcontext():
        for number, thread in enumerate(threads):
            try:
                thread.start()
            except RuntimeError:  # "can't start new thread"
                return threads[:number]
    return threads


@contextmanager
def stacks_of(size):
    """A block in which new threads have stacks of `size` bytes. Keep it short: the setting applies to the whole process,
    which may belong to another program. The old size is restored at the end.
    """
    with _stack_lock:
        usual = threading.stack_size(size)
        try:
            yield
        finally:
            threading.stack_size(usual)


def run_or_exit(function, *arguments):
    """Call a function; an exception is printed and ends the process. A search thread that died in silence would lose
    the game anyway.
    """
    try:
        function(*arguments)
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
