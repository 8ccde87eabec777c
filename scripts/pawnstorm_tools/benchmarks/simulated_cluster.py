"""A dask cluster on this machine, of a real scheduler and any number of workers whose jobs are waits.

The scheduler is a process, and so is the master that sends the jobs. The workers are real too, dozens or hundreds in each
of a few processes. Each does one job at a time, as simulated_proof.py and simulated_match.py say. All of them communicate by
TLS, so that no other user of the machine can run code in them.
"""

import asyncio
import contextlib
import multiprocessing
import os
import resource
import tempfile
import threading
import time
from collections import namedtuple

from pawnstorm_tools.cluster import joining
from pawnstorm_tools.cluster.joining import ClusterError

SHARING, PROCESSES = 50, 4  # workers in a process, as long as no more processes are needed than so many
PATIENCE = 120  # seconds for all workers of a process to join
LONE = {
    "distributed.worker.profile.enabled": False,  # a thread for each worker
    "distributed.admin.system-monitor.interval": "1h",  # each worker asks about the same process
    "distributed.admin.tick.interval": "10s",
    "distributed.comm.timeouts.connect": f"{PATIENCE}s",
    "distributed.comm.timeouts.tcp": f"{PATIENCE}s",
}
"""What workers leave out that share a process, or take longer for."""

Reading = namedtuple("Reading", "time busy master scheduler")
Reading.__doc__ = """What a cluster has done so far, in seconds: by the clock; at jobs, all workers together; of the
processor, this process and the scheduler.
"""


class SimulatedCluster:
    """A scheduler at .address and `count` workers, which end with close(). Raises ClusterError.

    Until close(), its certificate is in dask's configuration, where anyone who joins the cluster finds it.
    """

    def __init__(self, count):
        import dask  # with distributed, which takes a second

        joining.check("local:1")  # so that a missing library is reported here, not by the processes
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # for all processes: a connection is a file
        certificate = _certificate()
        self._certified = dask.config.set(certificate)
        context = multiprocessing.get_context("spawn")
        self._folder = tempfile.TemporaryDirectory(prefix="bench-cluster-", ignore_cleanup_errors=True)
        self._processes, self._busy = [], []
        try:
            self._scheduler, said = self._start(context, _schedule, certificate)
            self.address = self._wait(said)
            processes = min(PROCESSES, -(-count // SHARING))
            self._busy += [context.Array("d", 2) for _ in range(processes)]
            ready = []
            for number, busy in enumerate(self._busy):
                part = count // processes + (number < count % processes)
                ready.append(self._start(context, _work, certificate, self.address, part, self._folder.name, busy)[1])
            for said in ready:
                self._wait(said)
        except BaseException:
            self.close()
            raise

    def reading(self):
        """The Reading of now."""
        now = time.monotonic()
        busy = 0.0
        for shared in self._busy:
            with shared:
                busy += shared[1] + shared[0] * now
        return Reading(now, busy, _processor(os.getpid()), _processor(self._scheduler.pid))

    def close(self):
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        self._folder.cleanup()
        self._certified.__exit__(None, None, None)

    def _start(self, context, function, *words):
        """(a process, the pipe on which it says that it is ready)."""
        ours, theirs = context.Pipe()
        process = context.Process(target=function, args=(theirs, *words), daemon=True)
        self._processes.append(process)
        process.start()
        theirs.close()
        return process, ours

    def _wait(self, pipe):
        """What a process says as soon as it is ready."""
        try:
            if pipe.poll(PATIENCE):
                return pipe.recv()
            raise ClusterError(f"the simulated cluster is not ready after {PATIENCE} seconds")
        except EOFError:
            raise ClusterError("the simulated cluster cannot be started") from None


def _processor(pid):
    """Seconds of the processor that a process has had."""
    import psutil  # comes with distributed

    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def _certificate():
    """dask's configuration with a certificate for all parts of a cluster."""
    from distributed.security import Security

    made = Security.temporary()
    tls = "distributed.comm.tls."
    return {tls + "ca-file": made.tls_ca_file} | {
        f"{tls}{role}.{part}": getattr(made, f"tls_{role}_{part}")
        for role in ("client", "scheduler", "worker")
        for part in ("cert", "key")
    }


def _schedule(pipe, certificate):
    """A process: the scheduler, which says its address."""
    import dask
    import distributed

    async def run():
        host = joining.SECURE + "127.0.0.1"
        async with distributed.Scheduler(host=host, port=0, dashboard=False) as scheduler:
            pipe.send(scheduler.address)
            await scheduler.finished()

    with dask.config.set(certificate):
        _run(run())


def _work(pipe, certificate, address, count, folder, shared):
    """A process: so many workers."""
    import dask
    import distributed

    global busy
    busy = shared

    async def run():
        async with contextlib.AsyncExitStack() as stack:
            words = {"nthreads": 1, "memory_limit": 0, "dashboard": False, "local_directory": folder}
            for _ in range(count):
                await stack.enter_async_context(distributed.Worker(address, host=joining.SECURE + "127.0.0.1", **words))
            pipe.send(count)
            await asyncio.Event().wait()

    with dask.config.set(LONE | certificate):
        _run(run())


def _run(coroutine):
    """Run it to its end; Ctrl-C is for the program, which then ends this process."""
    import logging
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    asyncio.run(coroutine)


# What the jobs of these workers do.

busy = None
"""Two numbers that all workers of this process share with whoever measures: jobs under way, and the seconds of all jobs
that have ended, less the times at which those under way began.
"""
_stopped = threading.Event()


def stop(*_):
    """End all jobs of this process soon, those to come too."""
    _stopped.set()


class Job:
    """A block of code that takes .seconds, set in it, by waiting for the rest of them."""

    def __enter__(self):
        self._began, self.seconds = time.monotonic(), 0.0
        self._count(1, -self._began)
        return self

    def __exit__(self, *_):
        _stopped.wait(max(0.0, self._began + self.seconds - time.monotonic()))
        self._count(-1, time.monotonic())

    def _count(self, jobs, now):
        with busy:
            busy[0] += jobs
            busy[1] += now
