"""Progress bars by the monotonic clock: tqdm goes by the system's, which may be set while a program runs."""

import time

from tqdm import tqdm as by_system_clock


class tqdm(by_system_clock):  # its name everywhere
    """A bar whose elapsed time, rate and estimate survive a change of the date."""

    _time = property(lambda self: time.monotonic, lambda self, clock: None)
