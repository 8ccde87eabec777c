"""Runs a prover in another thread, so that the caller can show its progress and react to Ctrl-C."""

from concurrent.futures import ThreadPoolExecutor, wait

from pawnstorm.proof.prover import NO_LIMIT, UNLIMITED
from pawnstorm.system import signals

TICK = 0.2  # seconds


def run(prover, work, on_tick=lambda: None, tick=TICK):
    """Call work(), which uses the prover, in another thread, and return its result.

    Meanwhile on_tick() is called every `tick` seconds. If on_tick() raises an exception, or Ctrl-C is pressed, the work is
    stopped. The exception is passed on after the thread has ended.
    """
    prover.clear_stop()
    with ThreadPoolExecutor(1) as pool:
        try:
            with signals.deferred():  # an interrupted submit() would leave a running thread that nobody stops
                future = pool.submit(work)
            done = False
            while not done:
                done = wait([future], tick).done
                on_tick()
        except BaseException:
            prover.stop()
            raise
        return future.result()


def prove(prover, board, on_tick, nodes=UNLIMITED, ply_limit=NO_LIMIT):
    """The Proof of a board, from prover.prove(board, nodes, ply_limit) by way of run()."""
    return run(prover, lambda: prover.prove(board, nodes, ply_limit), on_tick)
