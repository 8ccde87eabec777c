"""A stop, a ponderhit or a quit takes effect wherever the search's thread is: between any two lines of the engine's Python.

A trace function of the search's thread counts the lines that it runs and acts after a given number of them, as another
thread could, for which the search's thread waits there. What is measured is work, not time: the nodes of whatever began
after the stop.
"""

import sys
import threading
from pathlib import Path

import pytest
from engine_player import Player, start

from pawnstorm.core import native
from pawnstorm.proof import proof_search, time_sliced_solver
from pawnstorm.search import engine as module

pytestmark = pytest.mark.compiled  # plain Python would be counted, line by line, as well
FOLDER = str(Path(module.__file__).parents[1])
FEW = 300  # nodes that a kernel may count before it reads its stop field; a slice has 20 times as many
SLICE = 6000


class Hook:
    """Runs an action once, in the search's thread, after `count` lines of it. lines: those that were run."""

    def __init__(self, engine, count, action):
        self.lines, self.fired = 0, False
        self._engine, self._count, self._action = engine, count, action
        self._tracing = threading.Lock()

    def __enter__(self):
        self._run = threading.Thread.run

        def run(thread):
            self._trace(self._call)
            self._run(thread)

        threading.Thread.run = run  # type: ignore[method-assign]
        return self

    def __exit__(self, *error):
        threading.Thread.run = self._run  # type: ignore[method-assign]

    def _trace(self, function):
        """Trace this thread; one thread at a time, as Python refuses to while another thread begins or ends it."""
        with self._tracing:
            sys.settrace(function)

    def _call(self, frame, event, argument):
        return self._line if frame.f_code.co_filename.startswith(FOLDER) else None

    def _line(self, frame, event, argument):
        if event == "line":
            self.lines += 1
            # Where the search's thread holds the lock no other thread could act.
            if self.lines > self._count and not self.fired and not self._engine.lock.locked():
                self.fired = True
                self._trace(None)
                frame.f_trace = None
                self._action()
        return None if self.fired else self._line


@pytest.fixture
def work(monkeypatch):
    """The nodes of each call of the solver's and the search's kernels that began after `work.stopped` was set; of the
    search's from when there is a move to play.
    """

    class Work(list):
        stopped = False

    spent, library = Work(), native.core()
    solve, search = library.solve, library.search

    def counted_solve(state, table):
        stopped, word = spent.stopped, solve(state, table)
        spent.extend([state.nodes] * stopped)
        return word

    def counted_search(depth, alpha, beta, state, table):
        stopped, before = spent.stopped and depth > 1, state.nodes
        score = search(depth, alpha, beta, state, table)
        spent.extend([state.nodes - before] * stopped)
        return score

    monkeypatch.setattr(library, "solve", counted_solve)
    monkeypatch.setattr(library, "search", counted_search)
    monkeypatch.setattr(proof_search, "NODES", SLICE)
    monkeypatch.setattr(proof_search, "FIRST_DEPTH", 2)
    monkeypatch.setattr(time_sliced_solver, "SLICE", SLICE)
    return spent


SEARCHES = [{"prove": True}, {"infinite": True}, {"movetime": 10**6}, {"ponder": True, "movetime": 10**6}, {"mate": 9}]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limits", SEARCHES, ids=str)
def test_stop_between_any_two_lines_ends_the_search(limits, threads, work):
    one = Player(threads)
    board = start("twoflags7x7")
    # Up to the second slice of a proof; the search for a mate counts fewer lines, and a deep iteration between two.
    last = 450 if "mate" in limits else 1500
    for count in range(threads, last, 3 if "prove" in limits else 31):
        one.engine.new_game()
        work.stopped = False
        work.clear()

        def stop():
            work.stopped = True
            one.engine.stop()

        with Hook(one.engine, count, stop) as hook:
            one.go(board, **limits)
            one.answer()
        assert hook.fired, f"the search had ended after {hook.lines} lines"
        assert max(work, default=0) <= FEW, f"{max(work)} nodes after a stop that came after {count} lines"


def test_quit_between_any_two_lines_is_silent(work):
    board = start("twoflags7x7")
    for count in range(0, 1500, 31):
        one = Player()
        with Hook(one.engine, count, one.engine.quit) as hook:
            one.go(board, prove=True)
            assert one.engine.wait(10)
        assert hook.fired and one.bests == []


@pytest.mark.parametrize("limits", [{"depth": 1}, {"movetime": 1}, {"movetime": 30}], ids=str)
def test_ponderhit_between_any_two_lines_leads_to_one_best_move(limits, work):
    """Also where pondering had found all there is, and waits."""
    one = Player()
    board = start("twoflags5x5")
    for count in range(0, 400, 7):
        one.engine.new_game()
        with Hook(one.engine, count, one.engine.ponderhit) as hook:
            one.go(board, ponder=True, **limits)
            if not one.answered.wait(0.2 if hook.lines <= count else 10):
                one.engine.ponderhit()  # the search waits for it, and has no more lines to run
                one.answer()
                break
            one.answer()
