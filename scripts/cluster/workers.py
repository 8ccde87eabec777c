"""The workers of a dask cluster, for whoever has jobs. Each worker has some jobs at a time and does them by the functions
of one of our modules.

Every second the scheduler is asked which workers there are. A new worker first has to get ready. A worker that cannot,
or whose answer shows that it would do other work than this, gets no jobs, and the user is told so once. A worker that
has gone has lost its jobs. What is sent goes by value, so that of all the cluster only the workers need our modules.
"""

import asyncio
import contextlib
import importlib.util
import logging
import queue
import re
import sys
import time
from pathlib import Path

from tqdm import tqdm

from pawnstorm.protocol.system import signals
from pawnstorm.protocol.system.terminal import printable

POLL = 1.0  # seconds between two looks at who is there
TIMEOUT = 10  # seconds to reach a scheduler, once or again
PATIENCE = 8  # seconds for a worker to end what it is at
# Ctrl-C goes to all processes of a terminal: the master ends them.
QUIET = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
PREPARING = -1  # the number of the slot in which a worker gets ready


class ClusterError(RuntimeError):
    """No cluster as it was asked for, or one that cannot do the work."""


class RefusedWorker(Exception):
    """A worker cannot have jobs; the text says why."""


def shipped(module, name):
    """A function of one of our modules, looked up where it is called.

    A worker finds scripts/ by its sys.path, else in its working folder, if that is a checkout or its scripts/, else in
    the checkout that is installed there, else where it lies here.
    """
    ours = str(Path(__file__).parents[1])

    def call(*words):
        import importlib  # by value goes what is defined here, and nothing around it
        import importlib.util
        import pathlib
        import sys

        if not importlib.util.find_spec("startup"):
            here, installed = pathlib.Path.cwd(), importlib.util.find_spec("pawnstorm")
            checkouts = pathlib.Path(installed.origin).parents if installed else ()
            folders = [here / "scripts", here, *(folder / "scripts" for folder in checkouts), pathlib.Path(ours)]
            sys.path[:0] = [str(folder) for folder in folders if (folder / "startup").is_dir()][:1]
        if importlib.util.find_spec("startup"):
            importlib.import_module("startup")
        return getattr(importlib.import_module(module), name)(*words)

    return call


class Workers:
    """The workers of `local:N`, started on this machine with `threads` threads each, or of the scheduler at
    `tcp://host:port`.

    Raises ClusterError, here for words that mean no cluster; the cluster is joined when something is asked of it, and
    then the error tells that it cannot be had, or cannot work. Jobs are known by their slots: a worker's address and a
    number, from 0 to slots() - 1. What the work is, and for whom, a subclass says:

    PROGRAM     who speaks to the user
    MODULE      its prepare(setup) makes a worker ready, its stop(*stopping) ends the work there, its other functions do
                the jobs
    SOURCES     what is expected on a worker without it
    stopping    the words of stop()
    """

    PROGRAM = MODULE = SOURCES = ""
    stopping = ()

    def __init__(self, where, threads):
        if not re.fullmatch(r"local:[1-9]\d{0,3}|tcp://(\[[^\s\]]+\]|[^\s/:\[\]]+):\d{1,5}", where):
            raise ClusterError(
                f"bad cluster '{where[:80]}': expected local:N for N processes here, or a scheduler's tcp://host:port"
            )
        if not importlib.util.find_spec("distributed"):
            raise ClusterError(
                "a cluster needs dask.distributed, which is not installed: expected after pip install '.[cluster]'"
            )
        self._where, self._threads = where, threads
        self._client = self._local = None
        self._polled, self._waited = 0.0, False
        self._workers = {}  # address -> (setup, number of slots) of every worker that is there
        self._ready = set()  # addresses of those that can have jobs
        self._running = {}  # slot -> (future, whether it is a job), of those that are at something
        self._done = queue.SimpleQueue()  # (slot, future), from dask's thread
        self._refusal, self._worked = "", False  # why the last was left alone; whether jobs are done at all

    # What a subclass says of a worker that dask describes as `about`.

    def setup(self, about):
        """What every function of MODULE there is given first: plain values. Raises RefusedWorker."""
        raise NotImplementedError

    def slots(self, about):
        """Jobs at a time."""
        return 1

    def accept(self, answer):
        """Look at what prepare() has answered. Raises RefusedWorker."""
        raise NotImplementedError

    # For whoever has the jobs.

    @property
    def count(self):
        """How many workers can have jobs."""
        return len(self._ready)

    def idle(self):
        """The slots without a job."""
        running = self._client and self._client.status == "running"
        slots = {(address, slot) for address in self._ready for slot in range(self._workers[address][1])}
        return sorted(slots - set(self._running)) if running else []

    def wait(self, seconds):
        """[(slot, answer, or None where the slot has lost its job)] of jobs that have ended, within so many seconds."""
        ended = self._poll() if time.monotonic() - self._polled >= POLL else []
        try:
            ended += self._collect(*self._done.get(timeout=0.0 if ended else seconds))
            while True:
                ended += self._collect(*self._done.get_nowait())
        except queue.Empty:
            return ended

    def close(self):
        """Leave the workers; what they are at ends soon. A second call does nothing."""
        if self._workers and self._client.status == "running":
            for address in self._client.sync(self._stop_all, sorted(self._workers)):
                self._print(f"worker {address} does not answer: what it is at may go on there")
        self._workers.clear()
        for one in (self._client, self._local):
            if one:
                one.close(timeout=PATIENCE)
        self._client = self._local = None

    async def _stop_all(self, addresses):
        """Have workers stop; returns those that do not answer."""
        function = shipped(self.MODULE, "stop")
        answers = await asyncio.gather(
            *(
                asyncio.wait_for(self._client.run(function, *self.stopping, workers=[address]), PATIENCE)
                for address in addresses
            ),
            return_exceptions=True,
        )
        return [address for address, answer in zip(addresses, answers) if isinstance(answer, TimeoutError)]

    def submit(self, slot, name, *words, job=True):
        """Have a function of MODULE called for a slot."""
        setup, _ = self._workers[slot[0]]
        future = self._client.submit(shipped(self.MODULE, name), setup, *words, workers=[slot[0]], pure=False)
        self._running[slot] = future, job
        future.add_done_callback(lambda future: self._done.put((slot, future)))

    def _join(self):
        with signals.deferred():  # or half of a cluster would be left
            self._client = self._joined()

    def _joined(self):
        """A client of the cluster. Raises ClusterError."""
        import distributed  # a second, and an optional extra

        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is no news
        try:
            if self._where.startswith("local:"):
                self._local = distributed.LocalCluster(
                    n_workers=int(self._where[6:]),
                    threads_per_worker=self._threads,
                    memory_limit=None,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                    preload=QUIET,
                )
            return distributed.Client(self._local or self._where, timeout=TIMEOUT, set_as_default=False)
        except (OSError, RuntimeError, ValueError) as error:
            raise ClusterError(f"cannot join {self._where}: expected a `dask scheduler` there ({error})") from error

    def _poll(self):
        """Greet the workers that have come; returns the jobs lost with those that have gone, as wait() does."""
        if not self._client:
            self._join()
        self._polled = time.monotonic()
        scheduler = self._client.scheduler
        if not scheduler:
            raise ClusterError(f"the scheduler of {self._where} has gone: expected it to stay")
        try:
            there = self._client.sync(scheduler.identity, n_workers=-1, callback_timeout=TIMEOUT)["workers"]
        except OSError:
            return []  # dask tries for TIMEOUT seconds to reach it again
        lost = [address for address in self._workers if address not in there]
        ended = [(slot, None) for slot, (_, job) in self._running.items() if job and slot[0] in lost]
        for address in lost:
            self._forget(address)
        for address in there:
            if address not in self._workers:
                self._greet(address, there[address])
        if not (self._ready or self._running):
            if self._refusal and not self._worked:
                raise ClusterError(f"no worker of {self._where} can have a job: {self._refusal}")
            if not self._waited:
                self._waited = True
                self._print(f"{self._where} has no workers that can have jobs: waiting for a `dask worker`")
        return ended

    def _greet(self, address, about):
        """Ask a worker to get ready."""
        self._workers[address] = None, 0
        with self._refusing(address):
            self._workers[address] = self.setup(about), self.slots(about)
            self.submit((address, PREPARING), "prepare", job=False)

    def _collect(self, slot, future):
        """What a slot was at has ended; returns that as wait() does."""
        if self._running.get(slot, (None,))[0] is not future:
            return []  # it was thought to have gone
        address, (_, job), found, error = slot[0], self._running.pop(slot), None, None
        try:
            found = future.result(timeout=TIMEOUT)  # which never comes from a worker that dies just now
        except Exception as raised:  # anything: it went wrong elsewhere
            error = raised
        if future.status == "error":
            self._worked &= not job
            self._refuse(address, self._error_line(error))
        elif found is None:  # lost, or asked of a process that has taken the place of the one that was ready
            self._ready.discard(address)
            self._workers.pop(address, None)  # to be greeted again if it is still there
        elif job:
            self._worked = True
        else:
            with self._refusing(address):
                self.accept(found)
                self._ready.add(address)
                self._waited = False
        return [(slot, found)] if job else []

    @contextlib.contextmanager
    def _refusing(self, address):
        """Refuse a worker for which RefusedWorker is raised meanwhile."""
        try:
            yield
        except RefusedWorker as why:
            self._refuse(address, why)

    def _refuse(self, address, why):
        """Leave a worker alone from now on."""
        self._ready.discard(address)
        self._refusal = f"worker {address}: {why}"
        self._print(f"no jobs for {self._refusal}")

    def _error_line(self, error):
        """One line about what went wrong in a worker."""
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        return f"{line}; expected {self.SOURCES}" if isinstance(error, ImportError) else line

    def _print(self, text):
        tqdm.write(f"{self.PROGRAM}: {printable(str(text))}", file=sys.stderr)

    def _forget(self, address):
        self._ready.discard(address)
        del self._workers[address]
        for slot in [slot for slot in self._running if slot[0] == address]:
            self._running.pop(slot)[0].cancel()
