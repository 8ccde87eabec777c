"""An engine for the tests that keeps what it tells, and whose every go() must have one legal best move."""

import threading

import pytest

from pawnstorm.core import native
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits

SOON = 20.0  # seconds that only a hang takes
FINISHED = "4P3/8/8/8/8/8/p7/8 b - - 0 1"


class Player:
    """An engine with what its last search has told. settings: attributes of the engine."""

    def __init__(self, threads=1, mebibytes=1, **settings):
        native.core()  # loaded before any clock of a test runs
        self.infos, self.bests, self.troubles, self.answered = [], [], [], threading.Event()
        self.engine = Engine(self.infos.append, self._on_best, self.troubles.append)
        for name, value in settings.items():
            setattr(self.engine, name, value)
        self.engine.set_hash(mebibytes)
        if threads > 1:
            self.engine.set_threads(threads)

    def _on_best(self, board, best, ponder):
        self.bests.append((board, best, ponder))
        self.answered.set()

    def go(self, board, **limits):
        """Start; the best move of this search is then the only one."""
        self.infos.clear(), self.bests.clear(), self.troubles.clear(), self.answered.clear()
        self.engine.go(board, Limits(**limits))

    def answer(self):
        """The best move, None where there is none; exactly one has come, and it is legal."""
        assert self.engine.wait(SOON) and self.answered.wait(SOON)
        ((board, best, ponder),) = self.bests
        assert best in board.moves() if board.moves() else best is None
        assert ponder is None or ponder in board.push(best).moves()
        assert self.infos and not self.engine.searching
        return best

    def play(self, board, **limits):
        """The best move of a search that ends by itself."""
        self.go(board, **limits)
        return self.answer()

    def silent(self, seconds=0.05):
        """Assert that no best move comes for a while, and that the engine says that it is still searching."""
        assert not self.answered.wait(seconds) and self.engine.searching and not self.engine.wait(0.001)


def start(name="twoflags"):
    return Board.start(get_rules(name))


@pytest.fixture
def player():
    one = Player(own_book=False)
    yield one
    one.engine.stop()
    assert one.engine.wait(SOON)
