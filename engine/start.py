"""Threads are started here: the system may deny one, for want of memory for its stack or by a limit of processes."""


def start_all(threads):
    """Start threads in order until one cannot be started; returns those that run."""
    for number, thread in enumerate(threads):
        try:
            thread.start()
        except RuntimeError:   # "can't start new thread"
            return threads[:number]
    return threads
