"""The pool of processes: results in order, and an end whatever happens to a process."""

import gc
import os
import signal
import struct
import time
from multiprocessing import connection

import psutil
import pytest
from processes import DEADLINE, wait_until

from pawnstorm.system import WINDOWS
from pawnstorm_tools.common import pool


class TwoWords(Exception):
    """An exception that pickle cannot make again."""

    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


class Source:
    """Multiplies a number by a factor, and tells its process. For other items it fails, sleeps or kills the process."""

    def __init__(self, factor):
        if factor == 0:
            raise ValueError("no factor")
        self.factor = factor

    def records(self, item):
        if item == "sleep":
            time.sleep(3600)
        if item == "die in the middle of an answer":
            for pipe in [found for found in gc.get_objects() if isinstance(found, connection.Connection)]:
                os.write(pipe.fileno(), struct.pack("!i", 1000) + b"half")
            os.kill(os.getpid(), signal.SIGKILL)
        if item == "fail with two words":
            raise TwoWords("left", "right")
        if item == 13:
            raise ArithmeticError("an unlucky number")
        return self.factor * item, os.getpid()


def children():
    return {child for child in psutil.Process().children() if any("spawn_main" in word for word in child.cmdline())}


def test_records_come_in_the_order_of_their_items():
    with pool.workers(__name__, (3,), 2) as workers:
        found = list(workers.in_order(range(12), 4))
    assert [number for number, _ in found] == [3 * number for number in range(12)]
    assert len({process for _, process in found}) <= 2 and os.getpid() not in {process for _, process in found}


def test_no_process_starts_before_it_has_work():
    before = children()
    with pool.workers(__name__, (3,), 2) as workers:
        assert children() == before
        workers.submit(1).result(DEADLINE)
        assert len(children() - before) == 1
    assert children() == before


def test_a_fault_of_the_source_comes_as_it_is_and_the_work_goes_on():
    with pool.workers(__name__, (3,), 1) as workers:
        with pytest.raises(ArithmeticError, match="an unlucky number") as caught:
            workers.submit(13).result(DEADLINE)
        assert "in records" in str(caught.value.__cause__)  # its traceback
        assert workers.submit(2).result(DEADLINE)[0] == 6
    with pool.workers(__name__, (0,), 1) as workers, pytest.raises(ValueError, match="no factor"):
        workers.submit(2).result(DEADLINE)


def test_a_fault_that_cannot_be_sent_keeps_its_text():
    with pool.workers(__name__, (3,), 1) as workers:
        with pytest.raises(pool.PoolError, match="TwoWords: left and right"):
            workers.submit("fail with two words").result(DEADLINE)
        assert workers.submit(2).result(DEADLINE)[0] == 6


@pytest.mark.skipif(WINDOWS, reason="Windows has no SIGKILL")
def test_a_process_that_is_killed_in_the_middle_of_an_answer_is_reported():
    with pool.workers(__name__, (3,), 2) as workers:
        with pytest.raises(pool.PoolError, match=f"a process of {__name__} has ended too early"):
            workers.submit("die in the middle of an answer").result(DEADLINE)


def test_the_end_of_the_pool_ends_the_work():
    before = children()
    with pytest.raises(KeyboardInterrupt), pool.workers(__name__, (3,), 2) as workers:
        work = [workers.submit("sleep") for _ in range(5)]
        started = wait_until(lambda: (found := children() - before) and len(found) == 2 and found, "two processes")
        raise KeyboardInterrupt
    assert not any(process.is_running() for process in started)
    faults = [item.exception(DEADLINE) for item in work if not item.cancelled()]
    assert len(faults) == 2 and all(isinstance(fault, pool.PoolError) for fault in faults)
