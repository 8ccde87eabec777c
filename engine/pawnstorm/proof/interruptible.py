"""A prover at work in another thread, so that whoever waits for it shows progress and hears Ctrl-C."""

from concurrent.futures import ThreadPoolExecutor, wait

from pawnstorm.proof.prover import NO_LIMIT, UNLIMITED
from pawnstorm.system import signals

TICK = 0.2  # seconds


def run(prover, work, on_tick=lambda: None, tick=TICK):
    """What work(), which has the prover do something, returns; on_tick() is called every `tick` seconds meanwhile.

    An exception of on_tick(), or Ctrl-C, ends the work and is passed on when no thread is at work any more.
    """
    prover.clear_stop()
    with ThreadPoolExecutor(1) as pool:
        try:
            with signals.deferred():  # an interrupted submit() would leave a thread at work that nobody stops
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
    """The Proof of a board, by about `nodes` positions at most and within so many plies, as Prover.prove() has them."""
    return run(prover, lambda: prover.prove(board, nodes, ply_limit), on_tick)
