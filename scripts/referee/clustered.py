"""A match whose games are played by the workers of a cluster; what matters otherwise is as in tournament.py's Match."""

import collections
import dataclasses
import uuid

from cluster.workers import Unfit, Workers

from protocol import signals
from protocol.debuglog import DebugLog
from referee import job


class ClusterMatch(Workers):
    """Plays pairings with `concurrency` games at a time on every worker, which has the engines' programs and files; a worker of fewer
    threads plays so many. Those whose engines have other names are left alone. Raises ClusterError, OSError."""

    PROGRAM, MODULE, SOURCES = "match.py", "referee.job", "a clone on its PYTHONPATH"

    def __init__(self, settings):
        super().__init__(settings.cluster, settings.concurrency)
        self.settings, self.names = settings, None
        self._id, self._packed, self._warnings = uuid.uuid4().hex, job.pack(settings), []
        self.stopping = (self._id,)
        self._met = 1       # workers' numbers in the log, of which the next is free
        self._log = DebugLog(settings.debug) if settings.debug else None

    def check_engines(self):
        """As Match.check_engines(), on the first worker that is ready."""
        while not self.names:
            self.wait(0.2)
        return self._warnings

    def run(self, games):
        """As Match.run(). A game that is lost with its worker is played again."""
        todo, playing = collections.deque(games), {}
        try:
            while todo or playing:
                for seat in self.idle()[:len(todo)]:
                    playing[seat] = todo.popleft()
                    self.ask(seat, "play", seat[1], dataclasses.astuple(playing[seat]))
                for seat, answer in self.wait(0.2):
                    pairing = playing.pop(seat)
                    if answer is None:
                        todo.appendleft(pairing)
                    else:
                        record, lines = answer
                        if self._log:
                            self._log.write(lines)
                        yield record
        finally:
            self.close()

    def close(self):
        with signals.uninterrupted():
            super().close()
        if self._log:
            self._log.close()

    def setup(self, about):
        number, self._met = self._met, self._met + self.seats(about)
        return self._id, job.VERSION, *self._packed, number

    def seats(self, about):
        return min(self.settings.concurrency, about["nthreads"])

    def judge(self, answer):
        version, names, warnings = answer
        if version != job.VERSION:
            raise Unfit("its sources are others; expected the same as here")
        if self.names is None:
            self.names, self._warnings = names, warnings
        elif names != self.names:
            raise Unfit(f"its engines are {', '.join(names)}; expected {', '.join(self.names)}")
