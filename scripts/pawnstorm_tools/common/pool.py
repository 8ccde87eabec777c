"""Shares work among several processes. The caller names a module that has a class Source, and each process makes a Source of
its own. The method records(item) of a Source does the work of one item. append() adds the results to a file, in the order of
the items.

A thread serves each process through a pipe of its own. concurrent.futures.ProcessPoolExecutor has one pipe for all processes:
the run hangs if a process is killed while it writes to the pipe. Before Python 3.11.6, and in 3.12.0, the run also hangs if very
many items wait (python/cpython issue 105829).
"""

import collections
import contextlib
import importlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import connection, resource_tracker

from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_tools.common.bar import tqdm

AHEAD = 64
"""For each process, the most items that append() gives to its Pool ahead of the item that it writes next."""


class PoolError(RuntimeError):
    """A process has ended before its work was done, or the Pool was closed before the process was started."""


def _serve(pipe, module, settings):
    """Answer each item from the pipe by (records, None, "") or (None, the exception, its traceback)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the run
    threading.Thread(target=_end_with_parent, daemon=True).start()
    source = None
    while True:
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            return  # the parent has ended
        try:
            if source is None:
                source = importlib.import_module(module).Source(*settings)
            answer = source.records(item), None, ""
        except Exception as error:
            answer = None, _portable(error), traceback.format_exc()
        with contextlib.suppress(BrokenPipeError):
            pipe.send(answer)


def _portable(error):
    """The exception, or a PoolError with its words if it cannot be sent through a pipe."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return PoolError("".join(traceback.format_exception_only(type(error), error)).strip())


def _end_with_parent():
    """End this process as soon as its parent has ended, because nobody takes its results any more."""
    connection.wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


class Pool:
    """At most `processes` processes that share work. Each makes a Source(*settings) when it gets its first item.

    module: the full name of the module that has the Source; the process that makes the Pool need not import it.
    """

    def __init__(self, module, settings, processes):
        self._words = module, settings
        self._processes, self._lock, self._closed = [], threading.Lock(), False
        self._threads, self._own = ThreadPoolExecutor(processes), threading.local()

    def submit(self, item):
        """The Future of the Source's records(item). It raises what Source() and records() raise, and PoolError if the process
        ends early. close() cancels it if the work has not begun.
        """
        return self._threads.submit(self._records, item)

    def in_order(self, items, ahead):
        """Yield the records() of each item, in the order of the items. At most `ahead` more items are worked on meanwhile.

        Raises what submit()'s Futures raise.
        """
        pending = collections.deque()
        for item in items:
            pending.append(self.submit(item))
            if len(pending) > ahead:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()

    def close(self):
        """End the processes, even in the middle of their work."""
        try:
            self._end()
        except KeyboardInterrupt:  # Ctrl-C again
            self._end()
            raise

    def _end(self):
        with self._lock:
            self._closed = True
        for process in self._processes:
            process.terminate()  # its thread reads the end of the pipe
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.join()

    def _records(self, item):
        """The records of an item, from the process of this thread."""
        pipe = self._pipe()
        try:
            pipe.send(item)
            made, error, trace = pipe.recv()
        except (EOFError, OSError):
            raise PoolError(
                f"a process of {self._words[0]} has ended too early: it was killed, maybe because memory ran out, "
                "or failed as said above"
            ) from None
        if error is not None:
            raise error from PoolError(f"in a process of {self._words[0]}\n{trace}")
        return made

    def _pipe(self):
        """The pipe to the process of this thread. The thread's first item starts the process."""
        if not hasattr(self._own, "pipe"):
            context = multiprocessing.get_context("spawn")
            ours, its = context.Pipe()
            with self._lock, its:  # at the end, `its` is closed here, so that only the process has it open
                if self._closed:
                    raise PoolError("the pool is closed")
                process = context.Process(target=_serve, args=(its, *self._words))
                if hasattr(signal, "pthread_sigmask"):  # not on Windows, which has no resource tracker either
                    resource_tracker.ensure_running()  # it unblocks SIGINT in this thread
                    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the process inherits this
                process.start()
                self._processes.append(process)
            self._own.pipe = ours
        return self._own.pipe


def workers(module, settings, processes):
    """A new Pool as a context manager, which closes the Pool at the end of the block."""
    return contextlib.closing(Pool(module, settings, processes))


def append(path, module, settings, items, done, processes, unit):
    """Append the records of the items to a file, without those of the first `done` items. A module's Source(*settings) makes
    the records, an array for each item.

    items: a list or a range. unit: the name of an item in the progress bar. Raises what the Source raises, PoolError and OSError.
    """
    with (
        contextlib.closing(AppendFile(path)) as file,
        workers(module, settings, processes) as pool,
        tqdm(total=len(items), initial=min(done, len(items)), unit=unit, file=sys.stderr, smoothing=0) as bar,
    ):
        for made in pool.in_order(items[done:], AHEAD * processes):
            file.write(made.tobytes())
            bar.update()
