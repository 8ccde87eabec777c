"""Shares work among several processes. Each has its own Source, and the records can be added to a file in order."""

import collections
import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection

from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_tools.common.bar import tqdm

_source = None  # the Source of this process


class PoolError(RuntimeError):
    """A process has ended before its work was done."""


def _begin(module, settings):
    global _source
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the run
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _source = importlib.import_module(module).Source(*settings)


def _end_with_parent():
    """End this process as soon as its parent has been killed, because nobody takes its results any more."""
    connection.wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


def records(item):
    """The records that the process's Source makes from an item."""
    return _source.records(item)


@contextlib.contextmanager
def workers(module, settings, processes):
    """An executor. Each of its processes has made Source(*settings) of the module, which this process need not import.

    The processes end with the block, even in the middle of their work. Raises PoolError if one of them ends earlier.
    """
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(processes, context, _begin, (module, settings))
    try:
        yield executor
    except BrokenProcessPool as error:
        raise PoolError(
            f"a process of {module} has ended too early: it was killed, maybe because memory ran out, or failed as said above"
        ) from error
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        executor.shutdown(cancel_futures=True)


def in_order(executor, items, ahead):
    """Yield the records() of each item, in the order of the items. At most `ahead` more items are worked on meanwhile."""
    items, pending = iter(items), collections.deque()
    for item in items:
        pending.append(executor.submit(records, item))
        if len(pending) > ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def append(path, module, settings, items, done, processes, unit, chunk=1):
    """Append to a file the records of each item except the first `done`. A module's Source(*settings) makes the records.

    Raises what workers() raises, and OSError.
    """
    with (
        contextlib.closing(AppendFile(path)) as file,
        workers(module, settings, processes) as executor,
        tqdm(total=len(items), initial=min(done, len(items)), unit=unit, file=sys.stderr, smoothing=0) as bar,
    ):
        for made in executor.map(records, items[done:], chunksize=chunk):
            file.write(made.tobytes())
            bar.update()
