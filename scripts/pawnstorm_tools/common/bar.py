"""Progress bars that use the monotonic clock. tqdm uses the system's clock, which may be set while a program runs."""

import time

from tqdm import tqdm as by_system_clock


class tqdm(by_system_clock):  # keeps the name by which everybody knows it
    """A bar whose elapsed time, rate and estimate stay correct if the date is changed."""

    _time = property(lambda self: time.monotonic, lambda self, clock: None)
