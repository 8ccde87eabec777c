"""A proof under way, watched by the thread that asked for it: so that progress is seen and Ctrl-C heard."""

import threading

from engine.prover import NO_LIMIT, UNLIMITED

MOMENT = 0.2   # seconds between two looks


def prove(prover, board, look, nodes=UNLIMITED, within=NO_LIMIT):
    """The Proof of a board, by at most about `nodes` positions and under a limit as Prover.prove() does; look() is called every MOMENT
    meanwhile.

    An exception of look(), or Ctrl-C, ends the proof and is passed on when no thread is at work any more.
    """
    proofs = []
    worker = threading.Thread(target=lambda: proofs.append(prover.prove(board, nodes, within)))
    try:
        worker.start()
        while worker.is_alive():
            worker.join(MOMENT)
            look()
    finally:
        while worker.is_alive():   # which may not have begun when Ctrl-C came
            prover.stop()
            worker.join(0.1)
    return proofs[0]
