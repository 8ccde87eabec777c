"""The workers of a dask cluster, for whoever has jobs. Each worker has some jobs at a time and does them by the functions
of one of our modules.

Every second the scheduler is asked which workers there are. A new worker first has to get ready. A worker that cannot,
or whose answer shows that it would do other work than this, gets no jobs, and the user is told so once. A worker that
has gone has lost its jobs. What is sent goes by value, so that of all the cluster only the workers need our modules.

A master of hundreds of workers has a thousandth of a second or two for a job. So jobs are sent many at a time, and
answers come as events of the scheduler, over the connections that are open; as dask's results each would have to be
asked for, from its worker.
"""

import asyncio
import contextlib
import importlib.util
import logging
import pickle
import queue
import re
import sys
import time
import uuid
from collections import defaultdict
from pathlib import Path

from common.bar import tqdm
from pawnstorm.protocol import parse
from pawnstorm.protocol.system import signals
from pawnstorm.protocol.system.terminal import printable

POLL = 1.0  # seconds between two looks at who is there
TIMEOUT = 10  # seconds to reach a scheduler, once or again
PATIENCE = 8  # seconds for a worker to end what it is at
# Ctrl-C goes to all processes of a terminal: the master ends them.
QUIET = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
PREPARING = -1  # the number of the slot in which a worker gets ready
TCP = "tcp://"  # before the address of a scheduler
TOPIC = "pawnstorm"  # of the events by which all workers answer


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


def answering(function):
    """A function for tasks of dask that does the same, and whose answer is an event: (the task's key, bytes)."""

    def call(*words):
        import pickle

        from distributed import get_worker

        worker, found = get_worker(), function(*words)
        worker.log_event(TOPIC, (worker.get_current_task(), pickle.dumps(found)))

    return call


class Call:
    """A call of a function for a slot: its key among dask's tasks, its words, whether it is a job; once it is on its way
    the future, once it is done the answer, in bytes.
    """

    def __init__(self, slot, name, words, job):
        self.slot, self.key, self.name, self.words, self.job = slot, f"{name}-{uuid.uuid4()}", name, words, job
        self.future = self.answer = None


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
        try:
            if not re.fullmatch("local:[1-9][0-9]{0,3}", where):
                parse.address(where[len(TCP) :] if where.startswith(TCP) else "")
        except ValueError:
            raise ClusterError(
                f"bad cluster '{where[:80]}': expected local:N for N processes here, or a scheduler's tcp://host:port"
            ) from None
        if not importlib.util.find_spec("distributed"):
            raise ClusterError(
                "a cluster needs dask.distributed, which is not installed: expected after pip install '.[cluster]'"
            )
        self._where, self._threads = where, threads
        self._client = self._local = None
        self._polled, self._waited = 0.0, False
        self._workers = {}  # address -> (setup, number of slots) of every worker that is there
        self._ready = set()  # addresses of those that can have jobs
        self._idle = {}  # their slots without a job, longest first, as the keys
        self._running = {}  # slot -> Call, of those that are at something
        self._called = {}  # key -> Call, of the same
        self._outbox = []  # Calls to be sent
        self._done = queue.SimpleQueue()  # Calls, from dask's thread
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
        return sorted(self._idle, key=lambda slot: slot[1]) if running else []  # no worker two before each has one

    def wait(self, seconds):
        """[(slot, answer, or None where the slot has lost its job)] of jobs that have ended, within so many seconds."""
        ended = self._poll() if time.monotonic() - self._polled >= POLL else []
        self._send()
        try:
            ended += self._collect(self._done.get(timeout=0.0 if ended else seconds))
            while True:
                ended += self._collect(self._done.get_nowait())
        except queue.Empty:
            return ended

    def close(self):
        """Leave the workers; what they are at ends soon. A second call does nothing."""
        if self._workers and self._client.status == "running":
            self._client.cancel([call.future for call in self._called.values() if call.future])  # none is to begin
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
        """Have a function of MODULE called for a slot, as soon as wait() is called."""
        setup, _ = self._workers[slot[0]]
        self._idle.pop(slot, None)
        call = self._running[slot] = Call(slot, name, (setup, *words), job)
        self._called[call.key] = call
        self._outbox.append(call)

    def _send(self):
        """Send what was submitted, all calls of a function together; nothing while the scheduler cannot be reached."""
        if self._client.status != "running":
            return
        together = defaultdict(list)
        for call in self._outbox:
            if call.key in self._called:  # its worker has not gone meanwhile
                together[call.name].append(call)
        self._outbox = []
        for name, calls in together.items():
            import dask  # with distributed

            keys = [call.key for call in calls]
            with dask.annotate(workers={call.key: call.slot[0] for call in calls}.get):
                function = answering(shipped(self.MODULE, name))
                futures = self._client.map(function, *zip(*(call.words for call in calls)), key=keys, pure=False)
            for call, call.future in zip(calls, futures):
                call.future.add_done_callback(lambda _, call=call: self._done.put(call))

    def _hear(self, event):
        """An event of TOPIC, in dask's thread; those of other masters too."""
        key, answer = event[1]
        if call := self._called.get(key):
            call.answer = answer

    def _join(self):
        with signals.deferred():  # or half of a cluster would be left
            self._client = self._joined()
            self._client.subscribe_topic(TOPIC, self._hear)

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
            there = self._client.sync(scheduler.ncores, callback_timeout=TIMEOUT)
            if not there.keys() <= self._workers.keys():  # only then, since it tells much of each
                there = self._client.sync(scheduler.identity, n_workers=-1, callback_timeout=TIMEOUT)["workers"]
        except OSError:
            return []  # dask tries for TIMEOUT seconds to reach it again
        lost = self._workers.keys() - there.keys()
        ended = [(slot, None) for slot, call in self._running.items() if call.job and slot[0] in lost]
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

    def _collect(self, call):
        """A call has ended; returns that as wait() does."""
        if not self._called.pop(call.key, None):
            return []  # it was thought to have gone
        address = call.slot[0]
        del self._running[call.slot]
        found = pickle.loads(call.answer) if call.answer else None
        if call.future.status == "error":
            self._worked &= not call.job
            if address in self._ready or not call.job:  # once, of several jobs
                self._refuse(address, self._error_line(call.future.exception(timeout=TIMEOUT)))
        elif found is None:  # lost, or asked of a process that has taken the place of the one that was ready
            self._retire(address)
            self._workers.pop(address, None)  # to be greeted again if it is still there
        elif call.job:
            self._worked = True
            if address in self._ready:
                self._idle[call.slot] = None
        else:
            with self._refusing(address):
                self.accept(found)
                self._ready.add(address)
                slots = ((address, number) for number in range(self._workers[address][1]))
                self._idle |= {slot: None for slot in slots if slot not in self._running}
                self._waited = False
        return [(call.slot, found)] if call.job else []

    @contextlib.contextmanager
    def _refusing(self, address):
        """Refuse a worker for which RefusedWorker is raised meanwhile."""
        try:
            yield
        except RefusedWorker as why:
            self._refuse(address, why)

    def _refuse(self, address, why):
        """Leave a worker alone from now on."""
        self._retire(address)
        self._refusal = f"worker {address}: {why}"
        self._print(f"no jobs for {self._refusal}")

    def _error_line(self, error):
        """One line about what went wrong in a worker."""
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        return f"{line}; expected {self.SOURCES}" if isinstance(error, ImportError) else line

    def _print(self, text):
        tqdm.write(f"{self.PROGRAM}: {printable(str(text))}", file=sys.stderr)

    def _forget(self, address):
        self._retire(address)
        del self._workers[address]
        for slot in [slot for slot in self._running if slot[0] == address]:
            call = self._running.pop(slot)
            del self._called[call.key]
            if call.future:
                call.future.cancel()

    def _retire(self, address):
        """No more jobs for a worker."""
        self._ready.discard(address)
        for slot in [slot for slot in self._idle if slot[0] == address]:
            del self._idle[slot]
