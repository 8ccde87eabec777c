"""Training records made by several processes at once and added to a file in order."""

import startup  # noqa: F401  a process that begins here needs the checkout's package too

import importlib
import multiprocessing
import signal
import sys

from tqdm import tqdm

_source = None  # of this process


def _begin(module, settings):
    global _source
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the run
    _source = importlib.import_module(module).Source(*settings)


def _records(item):
    return _source.records(item)


def append(path, module, settings, items, done, processes, unit, chunk=1):
    """Add to a file what the records() of a module's Source(*settings) returns for each item but the first `done`.

    Each process makes a Source of its own, so that this one need not import what that does.
    """
    with (
        open(path, "ab") as file,
        multiprocessing.get_context("spawn").Pool(processes, _begin, (module, settings)) as pool,
        tqdm(total=len(items), initial=min(done, len(items)), unit=unit, file=sys.stderr, smoothing=0) as bar,
    ):
        for records in pool.imap(_records, items[done:], chunksize=chunk):
            file.write(records.tobytes())
            file.flush()
            bar.update()
