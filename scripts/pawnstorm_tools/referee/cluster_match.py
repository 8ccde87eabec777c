"""A match whose games are played by the workers of a cluster; in all else as local_match.py's LocalMatch."""

import collections
import dataclasses
import uuid

from pawnstorm.system import signals
from pawnstorm_protocol.client.debuglog import DebugLog
from pawnstorm_tools.cluster.workers import RefusedWorker, Workers
from pawnstorm_tools.referee import cluster_worker, game_record
from pawnstorm_tools.referee.local_match import record_header
from pawnstorm_tools.referee.schedule import Pairing


class ClusterMatch(Workers):
    """Plays pairings with `concurrency` games at a time on every worker, which has the engines' programs and files; a
    worker of fewer threads plays so many. Those whose engines have other names are left alone. Raises ClusterError,
    OSError.
    """

    PROGRAM, MODULE, SOURCES = (
        "match.py",
        "pawnstorm_tools.referee.cluster_worker",
        "a worker that is started in a clone",
    )

    def __init__(self, settings):
        super().__init__(settings.cluster, settings.concurrency)
        self.settings, self.names = settings, None
        self._id, self._packed, self._warnings = uuid.uuid4().hex, cluster_worker.pack(settings), []
        self.stopping = (self._id,)
        self._next_number = 1  # of the engines of a slot, in the log
        self._log = DebugLog(settings.debug) if settings.debug else None

    def check_engines(self):
        """As LocalMatch.check_engines(), on the first worker that is ready."""
        while not self.names:
            self.wait(0.2)
        return self._warnings

    def run(self, games):
        """As LocalMatch.run(). A game that is lost with its worker is played again."""
        todo, playing = collections.deque(games), {}
        try:
            while todo or playing:
                for slot in self.idle()[: len(todo)]:
                    playing[slot] = todo.popleft()
                    self.submit(slot, "play", slot[1], dataclasses.astuple(playing[slot]))
                for slot, answer in self.wait(0.2):
                    pairing = playing.pop(slot)
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

    def setup(self, info):
        number, self._next_number = self._next_number, self._next_number + self.slots(info)
        return self._id, cluster_worker.VERSION, *self._packed, number

    def slots(self, info):
        return min(self.settings.concurrency, info["nthreads"])

    def read(self, words, answer):
        """(the record, the log's lines). The record is checked: it is of the requested game, and follows the rules.
        Whether its engines really played it, in these times, cannot be checked.
        """
        record, lines = answer
        if not isinstance(lines, str):
            raise ValueError(f"{lines!r:.40}, expected the lines of a log")
        pairing, rules = Pairing(*words[1]), self.settings.rules
        game_record.check(record, rules, self.names)
        for field, value in record_header(pairing, self.names, self.settings.engines).items():
            if record[field] != value:
                raise ValueError(f"'{field}' is {record[field]!r:.80}, expected {value!r}")
        if "variant" in record:
            raise ValueError(f"'variant' is {record['variant']!r:.40}, expected none")
        game_record.replay(record, rules, self.settings.resign)
        return record, lines.encode("utf-8", "surrogateescape")

    def accept(self, answer):
        version, names, warnings = answer
        if not all(isinstance(text, str) for text in (version, *names, *warnings)):
            raise ValueError(f"{answer!r:.80}, expected texts")
        if version != cluster_worker.VERSION:
            raise RefusedWorker("its sources are others; expected the same as here")
        if self.names is None:
            self.names, self._warnings = names, warnings
        elif names != self.names:
            raise RefusedWorker(f"its engines are {', '.join(names)}; expected {', '.join(self.names)}")
