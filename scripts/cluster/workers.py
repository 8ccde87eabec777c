"""The workers of a dask cluster, for whoever has jobs: each has some at a time, and does them by the functions of one of our modules.

Who is there is asked every second. A worker that comes is first asked to get ready; one that cannot, or whose answer shows that it would
do other work than this, is left alone, and told about once. A worker that has gone has lost its jobs.
What is sent goes by value, so that of all the cluster only the workers need our modules, and nothing but those.
"""

import asyncio
import contextlib
import importlib.util
import logging
import queue
import re
import sys
import time

from tqdm import tqdm

from protocol import signals
from protocol.printable import printable

POLL = 1.0            # seconds between two looks at who is there
TIMEOUT = 10          # seconds to reach a scheduler, once or again
PATIENCE = 8          # seconds for a worker to end what it is at
QUIET = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"   # Ctrl-C goes to all processes of a terminal: the master ends them
PREPARING = -1        # a worker's seat for getting ready


class ClusterError(RuntimeError):
    """No cluster as it was asked for, or one that cannot do the work."""


class Unfit(Exception):
    """A worker cannot have jobs; the text says why."""


def shipped(module, name):
    """A function of one of our modules, looked up where it is called: in engine/, or in a package of the scripts/ beside it."""
    def call(*words):
        import importlib   # by value goes what is defined here, and nothing around it
        import pathlib
        import sys
        scripts = str(pathlib.Path(importlib.import_module("engine.rules").__file__).resolve().parents[1] / "scripts")
        if scripts not in sys.path:
            sys.path.append(scripts)
        return getattr(importlib.import_module(module), name)(*words)
    return call


class Workers:
    """The workers of `local:N`, started on this machine with `threads` threads each, or of the scheduler at `tcp://host:port`.

    Raises ClusterError, here for words that mean no cluster; the cluster is joined when something is asked of it, and then the error tells
    that it cannot be had, or cannot work. Jobs are known by their seats: a worker's address and a number, from 0 to seats() - 1.
    What the work is, and for whom, a subclass says:

    PROGRAM     who speaks to the user
    MODULE      its prepare(setup) makes a worker ready, its stop(*stopping) ends the work there, its other functions do the jobs
    SOURCES     what is expected on a worker without it
    stopping    the words of stop()
    """

    PROGRAM = MODULE = SOURCES = ""
    stopping = ()

    def __init__(self, where, threads):
        if not re.fullmatch(r"local:[1-9]\d{0,3}|tcp://(\[[^\s\]]+\]|[^\s/:\[\]]+):\d{1,5}", where):
            raise ClusterError(f"bad cluster '{where[:80]}': expected local:N for N processes here, or a scheduler's tcp://host:port")
        if not importlib.util.find_spec("distributed"):
            raise ClusterError("a cluster needs dask.distributed, which is not installed: expected after pip install '.[cluster]'")
        self._where, self._threads = where, threads
        self._client = self._local = None
        self._looked, self._waited = 0.0, False
        self._known = {}      # address -> (setup, seats) of every worker that is there
        self._ready = set()   # addresses of those that can have jobs
        self._asked = {}      # seat -> (future, whether it is a job), of those that are at something
        self._done = queue.SimpleQueue()   # (seat, future), from dask's thread
        self._refusal, self._worked = "", False   # why the last was left alone; whether jobs are done at all

    # What a subclass says of a worker that dask describes as `about`.

    def setup(self, about):
        """What every function of MODULE there is given first: plain values. Raises Unfit."""
        raise NotImplementedError

    def seats(self, about):
        """Jobs at a time."""
        return 1

    def judge(self, answer):
        """Look at what prepare() has answered. Raises Unfit."""
        raise NotImplementedError

    # For whoever has the jobs.

    @property
    def count(self):
        """How many workers can have jobs."""
        return len(self._ready)

    def idle(self):
        """The seats without a job."""
        running = self._client and self._client.status == "running"
        seats = {(address, seat) for address in self._ready for seat in range(self._known[address][1])}
        return sorted(seats - set(self._asked)) if running else []

    def wait(self, seconds):
        """[(seat, answer, or None where the seat has lost its job)] of jobs that have ended, within so many seconds."""
        ended = self._look() if time.monotonic() - self._looked >= POLL else []
        try:
            ended += self._take(*self._done.get(timeout=0.0 if ended else seconds))
            while True:
                ended += self._take(*self._done.get_nowait())
        except queue.Empty:
            return ended

    def close(self):
        """Leave the workers; what they are at ends soon. A second call does nothing."""
        if self._known and self._client.status == "running":
            for address in self._client.sync(self._farewell, sorted(self._known)):
                self._tell(f"worker {address} does not answer: what it is at may go on there")
        self._known.clear()
        for one in (self._client, self._local):
            if one:
                one.close(timeout=PATIENCE)
        self._client = self._local = None

    async def _farewell(self, addresses):
        """Have workers stop; returns those that do not answer."""
        function = shipped(self.MODULE, "stop")
        answers = await asyncio.gather(*(asyncio.wait_for(self._client.run(function, *self.stopping, workers=[address]), PATIENCE)
                                         for address in addresses), return_exceptions=True)
        return [address for address, answer in zip(addresses, answers) if isinstance(answer, TimeoutError)]

    def ask(self, seat, name, *words, job=True):
        """Have a function of MODULE called for a seat."""
        setup, _ = self._known[seat[0]]
        future = self._client.submit(shipped(self.MODULE, name), setup, *words, workers=[seat[0]], pure=False)
        self._asked[seat] = future, job
        future.add_done_callback(lambda future: self._done.put((seat, future)))

    def _join(self):
        with signals.deferred():     # or half of a cluster would be left
            self._client = self._joined()

    def _joined(self):
        """A client of the cluster. Raises ClusterError."""
        import distributed   # a second, and an optional extra
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)   # what is lost is no news
        try:
            if self._where.startswith("local:"):
                self._local = distributed.LocalCluster(
                    n_workers=int(self._where[6:]), threads_per_worker=self._threads, memory_limit=None, dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL, preload=QUIET)
            return distributed.Client(self._local or self._where, timeout=TIMEOUT, set_as_default=False)
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
            there = self._client.sync(scheduler.identity, n_workers=-1, callback_timeout=TIMEOUT)["workers"]
        except OSError:
            return []   # dask tries for TIMEOUT seconds to reach it again
        lost = [address for address in self._known if address not in there]
        ended = [(seat, None) for seat, (_, job) in self._asked.items() if job and seat[0] in lost]
        for address in lost:
            self._forget(address)
        for address in there:
            if address not in self._known:
                self._meet(address, there[address])
        if not (self._ready or self._asked):
            if self._refusal and not self._worked:
                raise ClusterError(f"no worker of {self._where} can have a job: {self._refusal}")
            if not self._waited:
                self._waited = True
                self._tell(f"{self._where} has no workers that can have jobs: waiting for a `dask worker`")
        return ended

    def _meet(self, address, about):
        """Ask a worker to get ready."""
        self._known[address] = None, 0
        with self._refusing(address):
            self._known[address] = self.setup(about), self.seats(about)
            self.ask((address, PREPARING), "prepare", job=False)

    def _take(self, seat, future):
        """What a seat was at has ended; returns that as wait() does."""
        if self._asked.get(seat, (None,))[0] is not future:
            return []   # it was thought to have gone
        address, (_, job), found, error = seat[0], self._asked.pop(seat), None, None
        try:
            found = future.result(timeout=TIMEOUT)   # which never comes from a worker that dies just now
        except Exception as raised:   # anything: it went wrong elsewhere
            error = raised
        if future.status == "error":
            self._worked &= not job
            self._refuse(address, self._told(error))
        elif found is None:    # lost, or asked of a process that has taken the place of the one that was ready
            self._ready.discard(address)
            self._known.pop(address, None)     # to be met again if it is still there
        elif job:
            self._worked = True
        else:
            with self._refusing(address):
                self.judge(found)
                self._ready.add(address)
                self._waited = False
        return [(seat, found)] if job else []

    @contextlib.contextmanager
    def _refusing(self, address):
        """Refuse a worker that is found to be unfit meanwhile."""
        try:
            yield
        except Unfit as why:
            self._refuse(address, why)

    def _refuse(self, address, why):
        """Leave a worker alone from now on."""
        self._ready.discard(address)
        self._refusal = f"worker {address}: {why}"
        self._tell(f"no jobs for {self._refusal}")

    def _told(self, error):
        """One line about what went wrong in a worker."""
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        return f"{line}; expected {self.SOURCES}" if isinstance(error, ImportError) else line

    def _tell(self, text):
        tqdm.write(f"{self.PROGRAM}: {printable(str(text))}", file=sys.stderr)

    def _forget(self, address):
        self._ready.discard(address)
        del self._known[address]
        for seat in [seat for seat in self._asked if seat[0] == address]:
            self._asked.pop(seat)[0].cancel()
