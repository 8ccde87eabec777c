"""A prover at work, watched by the thread that asked for it: so that progress is seen and Ctrl-C heard."""

from concurrent.futures import ThreadPoolExecutor, wait

from engine.prover import NO_LIMIT, UNLIMITED

MOMENT = 0.2   # seconds between two looks


def call(prover, work, look=lambda: None):
    """What work(), which has the prover do something, returns; look() is called every MOMENT meanwhile.

    An exception of look(), or Ctrl-C, ends the work and is passed on when no thread is at work any more.
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            done = False
            while not done:
                done = wait([future], MOMENT).done
                look()
        finally:
            while not future.done():   # it may not have begun when Ctrl-C came
                prover.stop()
                wait([future], 0.1)
        return future.result()


def prove(prover, board, look, nodes=UNLIMITED, within=NO_LIMIT):
    """The Proof of a board, by at most about `nodes` positions and under a limit as Prover.prove() does, as call() gets it."""
    return call(prover, lambda: prover.prove(board, nodes, within), look)
