"""Gives jobs to the workers of a dask cluster, and takes their answers.

Each worker has one or more jobs at a time, and does them with the functions of one of our modules. Every second, the master asks
the scheduler for the list of workers. A new worker first prepares itself. If it cannot, or if its answer shows that it runs other
code, it gets no jobs, and the user is told once. If a worker leaves, its jobs are lost. Functions are sent by value, so in the
cluster only the workers need our modules. Answers come back as data (data_client.py) and are checked: a worker whose answer is
invalid gets no more jobs.

A master of hundreds of workers has one or two milliseconds for a job. So it sends many jobs at a time, and answers come as events
of the scheduler, over the open connections. If they were dask's results, the master would have to request each from its worker.
"""

import asyncio
import contextlib
import json
import queue
import sys
import time
import uuid
from collections import defaultdict
from pathlib import Path

from pawnstorm.system import signals
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools.cluster.joining import TIMEOUT, ClusterError, check, join
from pawnstorm_tools.common.bar import tqdm

TOPIC = "pawnstorm"  # the topic of the events by which workers answer
POLL = 1.0  # seconds between two requests for the list of workers
PATIENCE = 8  # seconds for a worker to end its jobs
PREPARING = -1  # the number of the slot in which a worker gets ready
UNANSWERED = "it has ended a job without an answer"
GIVEN_UP = "dask has given up one of its jobs: see its log or the scheduler's"
LONGEST = 1000  # the most characters of an error that are printed


class RefusedWorker(Exception):
    """A worker cannot have jobs. The text says why."""


class Call:
    """A call of a function for a slot.

    key      the key of dask's task
    words    the arguments
    job      whether the call does a job; False if it prepares the worker
    sent     when the call was made, in monotonic seconds
    future   dask's future of the task, once the call was sent to the scheduler
    said     the worker's answer, once it has come
    """

    def __init__(self, slot, name, words, job):
        self.slot, self.key, self.name, self.words, self.job = slot, f"{name}-{uuid.uuid4()}", name, words, job
        self.sent = time.monotonic()
        self.future = self.said = None


class Workers:
    """The workers of a cluster. `where` names the cluster.

    local:N                                  N workers, which are started on this machine with `threads` threads each
    tcp://host:port, tls://host:port         the workers of the scheduler at this address

    Making a Workers raises ClusterError if `where` names no cluster. The first wait() joins the cluster. wait() raises
    ClusterError if the cluster cannot be joined, or cannot do the work. A job is known by its slot: (a worker's address, a
    number from 0 to slots() - 1). A subclass defines the work:

    PROGRAM     the program's name in messages to the user
    MODULE      the module with the work's functions: prepare(setup) prepares a worker, stop(*stopping) ends the work there,
                and the others do the jobs
    SOURCES     what a worker without MODULE needs, for the error message
    OVERDUE     the most seconds for a job, after which its worker gets no more jobs; None for no limit
    stopping    the arguments of stop()
    """

    PROGRAM = MODULE = SOURCES = ""
    OVERDUE = None
    stopping = ()

    def __init__(self, where, threads):
        check(where)
        self._where, self._threads = where, threads
        self._client = self._local = None
        self._polled, self._waited = 0.0, False
        self._workers = {}  # address -> (setup, number of slots) of every worker of the cluster
        self._ready = set()  # addresses of the workers that can have jobs
        self._idle = {}  # the slots of these workers that have no job, as keys; those idle for longest come first
        self._running = {}  # slot -> Call that has not ended
        self._called = {}  # key -> Call that has not ended
        self._outbox = []  # Calls to be sent
        self._done = queue.SimpleQueue()  # Calls that have ended, from dask's thread
        self._lost = []  # lost jobs of refused workers, which the next wait() returns
        self._refusal, self._worked = "", False  # why a worker was last refused; whether jobs succeed

    # Methods that a subclass defines. `about` is dask's description of a worker.

    def setup(self, about):
        """The first argument of prepare() and of every job on this worker, as plain values. Raises RefusedWorker."""
        raise NotImplementedError

    def slots(self, about):
        """The number of jobs that the worker has at a time."""
        return 1

    def accept(self, answer):
        """Check the answer of prepare(), as decoded JSON. Raises RefusedWorker."""
        raise NotImplementedError

    def read(self, words, answer):
        """The result of a job. Raises ValueError if the answer is invalid.

        words: the arguments with which the job was submitted. answer: decoded JSON.
        """
        raise NotImplementedError

    # Methods for the code that has the jobs.

    @property
    def count(self):
        """The number of workers that can have jobs."""
        return len(self._ready)

    def idle(self):
        """The slots without a job."""
        running = self._client and self._client.status == "running"
        # Sorted so that each worker gets one job before any gets two.
        return sorted(self._idle, key=lambda slot: slot[1]) if running else []

    def wait(self, seconds):
        """Wait at most `seconds` for jobs to end; returns [(slot, result)]. The result of a lost job is None."""
        ended, self._lost = self._lost, []
        if time.monotonic() - self._polled >= POLL:
            ended += self._poll()
        self._send()
        try:
            ended += self._collect(self._done.get(timeout=0.0 if ended else seconds))
            while True:
                ended += self._collect(self._done.get_nowait())
        except queue.Empty:
            return ended

    def close(self):
        """Stop the workers' jobs and leave the cluster. A second call does nothing."""
        if self._workers and self._client.status == "running":
            # Cancelled so that no queued call begins.
            self._client.cancel([call.future for call in self._called.values() if call.future])
            for address in self._client.sync(self._stop_all, sorted(self._workers)):
                self._print(f"worker {address} does not answer: its job may still run there")
        self._workers.clear()
        for one in (self._client, self._local):
            if one:
                one.close(timeout=PATIENCE)
        self._client = self._local = None

    async def _stop_all(self, addresses):
        """Have workers stop; returns the addresses of those that do not answer."""
        function = shipped(self.MODULE, "stop")
        answers = await asyncio.gather(
            *(
                asyncio.wait_for(self._client.call(function, *self.stopping, worker=address), PATIENCE)
                for address in addresses
            ),
            return_exceptions=True,
        )
        return [address for address, answer in zip(addresses, answers) if isinstance(answer, TimeoutError)]

    def submit(self, slot, name, *words, job=True):
        """Have a function of MODULE called for a slot. The next wait() sends the call."""
        setup, _ = self._workers[slot[0]]
        self._idle.pop(slot, None)
        call = self._running[slot] = Call(slot, name, (setup, *words), job)
        self._called[call.key] = call
        self._outbox.append(call)

    def refuse(self, slot, why):
        """Give no more jobs to the worker of a slot, because its answer is wrong. Its present jobs are lost."""
        self._worked = False
        self._lost += [(call.slot, None) for call in self._drop_calls(slot[0]) if call.job]
        self._leave(slot[0], why)

    def _send(self):
        """Send the submitted calls, all calls of a function together. While the scheduler cannot be reached, do nothing."""
        if self._client.status != "running":
            return
        together = defaultdict(list)
        for call in self._outbox:
            if call.key in self._called:  # false if its worker has left meanwhile
                together[call.name].append(call)
        self._outbox = []
        for name, calls in together.items():
            import dask  # installed together with distributed

            keys = [call.key for call in calls]
            with dask.annotate(workers={call.key: call.slot[0] for call in calls}.get):
                function = answering(shipped(self.MODULE, name))
                futures = self._client.map(function, *zip(*(call.words for call in calls)), key=keys, pure=False)
            for call, call.future in zip(calls, futures):
                call.future.add_done_callback(lambda _, call=call: self._done.put(call))

    def _hear(self, event):
        """Take an event of TOPIC, in dask's thread. Events for other masters arrive too, and are ignored.

        Only the first answer to a call counts, and only from the worker that has the call.
        """
        said = event[1]
        call = self._called.get(str(said.get("key"))) if isinstance(said, dict) else None
        if call and not call.said and said.get("worker") == call.slot[0]:
            call.said = said

    def _poll(self):
        """Update the list of workers; returns the lost jobs of workers that have left, as wait() does."""
        if not self._client:
            with signals.deferred():  # so that Ctrl-C cannot leave half of a local cluster running
                self._client, self._local = join(self._where, self._threads, TOPIC, self._hear)
        self._polled = time.monotonic()
        if self._client.fault:
            raise ClusterError(f"the scheduler of {self._where} has sent {self._client.fault}: expected plain data")
        scheduler = self._client.scheduler
        if not scheduler:
            raise ClusterError(f"the scheduler of {self._where} has gone: expected it to stay")
        try:
            there = self._client.sync(scheduler.ncores, callback_timeout=TIMEOUT)
            if not there.keys() <= self._workers.keys():  # asked only then, because the answer is long
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
        for call in list(self._running.values()) if self.OVERDUE else ():
            if call.job and self._polled - call.sent > self.OVERDUE and call.key in self._called:
                self.refuse(call.slot, f"it has not answered a job in {self.OVERDUE:.0f} seconds")
        if not (self._ready or self._running):
            if self._refusal and not self._worked:
                raise ClusterError(f"no worker of {self._where} can have a job: {self._refusal}")
            if not self._waited:
                self._waited = True
                self._print(f"{self._where} has no workers that can have jobs: waiting for a `dask worker`")
        return ended

    def _greet(self, address, about):
        """Add a new worker, and ask it to prepare itself."""
        self._workers[address] = None, 0
        with self._refusing(address):
            for name, least in (("nthreads", 1), ("memory_limit", 0)):
                value = about.get(name)
                if type(value) is not int or value < least:
                    raise RefusedWorker(f"it has {value!r:.40} as {name}, expected a whole number from {least}")
            self._workers[address] = self.setup(about), self.slots(about)
            self.submit((address, PREPARING), "prepare", job=False)

    def _collect(self, call):
        """Process a call that has ended; returns its result as wait() does."""
        if not self._called.pop(call.key, None):
            return []  # the call was dropped before, because its worker had left or was refused
        del self._running[call.slot]
        found = self._take(call, self._drop_future(call))
        return [(call.slot, found)] if call.job else []

    def _drop_future(self, call):
        """Drop a call's future; returns its status.

        The future's __del__ swallows exceptions, so signals are deferred until it has returned. Otherwise a KeyboardInterrupt
        would be lost, and later signals would do nothing.
        """
        with signals.deferred():
            status, call.future = call.future.status, None
            return status

    def _take(self, call, status):
        """Process a call that has ended; returns the result of a job, or None if it is lost.

        status: the status of the call's future.
        """
        address = call.slot[0]
        if status == "error":
            return self._fail(call, GIVEN_UP)
        if status != "finished":  # lost
            return self._greet_again(address)
        if not call.said:
            return self._fail(call, UNANSWERED)
        if "error" in call.said:
            return self._fail(call, self._error_line(str(call.said["error"])))
        try:
            answer = json.loads(call.said["answer"])
            if answer is None:  # a new process, which is not prepared, has replaced the worker's process
                return self._greet_again(address)
            if not call.job:
                return self._make_ready(address, answer)
            found = self.read(call.words[1:], answer)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            return self.refuse(call.slot, f"its answer is wrong: {error}")
        self._worked = True
        if address in self._ready:
            self._idle[call.slot] = None
        return found

    def _make_ready(self, address, answer):
        """Give jobs to a worker from now on, if accept() accepts its answer to prepare()."""
        with self._refusing(address):
            self.accept(answer)
            self._ready.add(address)
            slots = ((address, number) for number in range(self._workers[address][1]))
            self._idle |= {slot: None for slot in slots if slot not in self._running}
            self._waited = False

    def _greet_again(self, address):
        """Remove a worker. If the next poll finds it, the master asks it to prepare itself again."""
        self._retire(address)
        self._workers.pop(address, None)

    def _fail(self, call, why):
        """Give no more jobs to a worker at which a call has failed."""
        self._worked &= not call.job
        if call.slot[0] in self._ready or not call.job:  # only once if several jobs fail
            self._leave(call.slot[0], why)

    @contextlib.contextmanager
    def _refusing(self, address):
        """Give no more jobs to a worker if the block raises RefusedWorker."""
        try:
            yield
        except RefusedWorker as why:
            self._leave(address, why)

    def _leave(self, address, why):
        """Give no more jobs to a worker, and print why."""
        self._retire(address)
        self._refusal = f"worker {address}: {why}"
        self._print(f"no jobs for {self._refusal}")

    def _error_line(self, line):
        """A worker's error as it is printed, with the remedy if a module is missing."""
        missing = line.startswith(("ImportError:", "ModuleNotFoundError:"))
        return f"{line[:LONGEST]}; expected {self.SOURCES}" if missing else line[:LONGEST]

    def _print(self, text):
        tqdm.write(f"{self.PROGRAM}: {escaped(str(text))}", file=sys.stderr)

    def _forget(self, address):
        self._retire(address)
        del self._workers[address]
        self._drop_calls(address)

    def _drop_calls(self, address):
        """Stop expecting answers to the calls of a worker; returns these calls."""
        calls = [call for call in self._running.values() if call.slot[0] == address]
        for call in calls:
            del self._running[call.slot], self._called[call.key]
            if call.future:
                call.future.cancel()
                self._drop_future(call)
        return calls

    def _retire(self, address):
        """Give no more jobs to a worker."""
        self._ready.discard(address)
        for slot in [slot for slot in self._idle if slot[0] == address]:
            del self._idle[slot]


# Functions that are sent to a worker.


def shipped(module, name):
    """A function of one of our modules, looked up on the machine that calls it.

    A worker imports our modules from its working folder, if that is a clone or a clone's scripts/; otherwise from the packages
    installed on its machine; otherwise from the path that the packages have on the master's machine.
    """
    ours = Path(__file__).parents[2]

    def call(*words):
        import importlib  # imported here: only this function's code is sent to the worker
        import importlib.util
        import pathlib
        import sys

        if "pawnstorm_tools" not in sys.modules:
            here = pathlib.Path.cwd()
            folders = [here / "scripts", here, *([] if importlib.util.find_spec("pawnstorm_tools") else [ours])]
            sys.path[:0] = [str(folder) for folder in folders if (folder / "pawnstorm_tools").is_dir()][:1]
        importlib.import_module("pawnstorm_tools")  # in a clone, this finds the other packages
        return getattr(importlib.import_module(module), name)(*words)

    return call


def answering(function):
    """A dask task that calls the function and answers by an event.

    The event is a dict with the task's "key" and either the "answer" as JSON or the "error" in one line.
    """

    def call(*words):
        import json

        from distributed import get_worker

        worker = get_worker()
        said = {"key": worker.get_current_task()}
        try:
            said["answer"] = json.dumps(function(*words))
        except Exception as error:
            said["error"] = f"{type(error).__name__}: {error}".splitlines()[0].encode("utf-8", "replace").decode()
        worker.log_event(TOPIC, said)

    return call
