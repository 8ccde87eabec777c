"""The workers of a dask cluster, as proving/jobs.py wants them: each has one job at a time, and does it by engine/job.py.

Who is there is asked every second. A worker that comes is first asked to get ready, by making its table; one that cannot, or whose engine
is another one, is left alone, and told about once. A worker that has gone has lost its job.
What is sent goes by value, so that of all the cluster only the workers need the engine, and nothing but that.
"""

import contextlib
import importlib.util
import logging
import queue
import re
import sys
import time

from tqdm import tqdm

from engine import job

POLL = 1.0            # seconds between two looks at who is there
TIMEOUT = 10          # seconds to reach a scheduler, once or again
QUIET = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"   # Ctrl-C goes to all processes of a terminal: the master ends them


class ClusterError(RuntimeError):
    """No cluster as it was asked for, or one that cannot do the work."""


def shipped(name):
    """A function of engine/job.py, looked up where it is called."""
    def call(*words):
        import importlib   # by value goes what is defined here, and nothing around it
        return getattr(importlib.import_module("engine.job"), name)(*words)
    return call


def told(error):
    """One line about what went wrong in a worker."""
    line = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"{line}; expected the package installed there, or a clone on its PYTHONPATH" if isinstance(error, ImportError) else line


class Cluster:
    """The workers of `local:N`, started on this machine with `threads` threads each, or of the scheduler at `tcp://host:port`.

    game, mebibytes: which game they work on, and the size of each one's table. Raises ClusterError, here for words that mean no cluster;
    the cluster is joined when something is asked of it, and then the error tells that it cannot be had, or cannot work.
    """

    def __init__(self, where, game, mebibytes, threads):
        if not re.fullmatch(r"local:[1-9]\d{0,3}|tcp://(\[[^\s\]]+\]|[^\s/:\[\]]+):\d{1,5}", where):
            raise ClusterError(f"bad cluster '{where[:80]}': expected local:N for N processes here, or a scheduler's tcp://host:port")
        if not importlib.util.find_spec("distributed"):
            raise ClusterError("--cluster needs dask.distributed, which is not installed: expected after pip install '.[cluster]'")
        self._where, self._game, self._mebibytes, self._threads = where, game, mebibytes, threads
        self._client = self._local = None
        self._looked = 0.0
        self._setups = {}     # by address, of every worker that is there
        self._ready = set()   # addresses of those that can have jobs
        self._asked = {}      # address -> future, of those that are at something
        self._done = queue.SimpleQueue()   # (address, future), from dask's thread
        self._refusal, self._worked = "", False   # why the last was left alone; whether jobs are done at all

    @property
    def count(self):
        return len(self._ready)

    def idle(self):
        running = self._client and self._client.status == "running"
        return sorted(self._ready - set(self._asked)) if running else []

    def send(self, worker, position, nodes):
        self._ask(worker, "solve", *position, nodes)

    def wait(self, seconds):
        ended = self._look() if time.monotonic() - self._looked >= POLL else []
        try:
            ended += self._take(*self._done.get(timeout=0.0 if ended else seconds))
            while True:
                ended += self._take(*self._done.get_nowait())
        except queue.Empty:
            return ended

    def close(self):
        """Leave the workers; what they are at ends soon."""
        if self._ready and self._client.status == "running":
            with contextlib.suppress(OSError):
                self._client.run(shipped("stop"), workers=sorted(self._ready), on_error="ignore")
        for one in (self._client, self._local):
            if one:
                one.close()

    def _join(self):
        import distributed   # a second, and an optional extra
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)   # what is lost is no news
        try:
            if self._where.startswith("local:"):
                self._local = distributed.LocalCluster(
                    n_workers=int(self._where[6:]), threads_per_worker=self._threads, memory_limit=None, dashboard_address=None,
                    silence_logs=logging.CRITICAL, preload=QUIET)
            self._client = distributed.Client(self._local or self._where, timeout=TIMEOUT, set_as_default=False)
        except (OSError, RuntimeError, ValueError) as error:
            raise ClusterError(f"cannot join {self._where}: expected a `dask scheduler` there ({error})") from error

    def _look(self):
        """Meet the workers that have come; returns the jobs lost with those that have gone, as wait() does."""
        if not self._client:
            self._join()
        self._looked = time.monotonic()
        scheduler = self._client.scheduler
        if not scheduler:
            raise ClusterError(f"the scheduler of {self._where} has gone: expected it to stay")
        try:
            there = self._client.sync(scheduler.identity, n_workers=-1)["workers"]
        except OSError:
            return []   # dask tries for TIMEOUT seconds to reach it again
        lost = [address for address in self._setups if address not in there]
        ended = [(address, None) for address in lost if address in self._ready and address in self._asked]
        for address in lost:
            self._forget(address)
        for address in there:
            if address not in self._setups:
                self._meet(address, there[address])
        if self._refusal and not (self._worked or self._ready or self._asked):
            raise ClusterError(f"no worker of {self._where} can have a job: {self._refusal}")
        return ended

    def _meet(self, address, about):
        """Ask a worker to get ready."""
        self._setups[address] = self._game, self._mebibytes, about["nthreads"]
        limit = about["memory_limit"] >> 20
        if limit and 2 * self._mebibytes > limit:
            # dask would hold its jobs back, or end it, once the table has filled
            self._refuse(address, f"its limit of {limit} MiB is too low for a table of {self._mebibytes}; expected --memory-limit 0")
        else:
            self._ask(address, "prepare")

    def _ask(self, address, name, *words):
        future = self._client.submit(shipped(name), self._setups[address], *words, workers=[address], pure=False)
        self._asked[address] = future
        future.add_done_callback(lambda future: self._done.put((address, future)))

    def _take(self, address, future):
        """What a worker was at has ended; returns that as wait() does."""
        if self._asked.get(address) is not future:
            return []   # it was thought to have gone
        del self._asked[address]
        working, found, error = address in self._ready, None, None
        try:
            found = future.result(timeout=TIMEOUT)   # which never comes from a worker that dies just now
        except Exception as raised:   # anything: it went wrong elsewhere
            error = raised
        if future.status == "error":
            self._worked &= not working
            self._refuse(address, told(error))
        elif working:
            self._worked |= found is not None
        elif found is None:
            del self._setups[address]   # to be met again if it is still there
        elif found == job.version():
            self._ready.add(address)
        else:
            self._refuse(address, "its engine is another one; expected the same sources as here")
        return [(address, found)] if working else []

    def _refuse(self, address, why):
        """Leave a worker alone from now on."""
        self._ready.discard(address)
        self._refusal = f"worker {address}: {why}"
        tqdm.write(f"solve.py: no jobs for {self._refusal}", file=sys.stderr)

    def _forget(self, address):
        self._ready.discard(address)
        del self._setups[address]
        if address in self._asked:
            self._asked.pop(address).cancel()
