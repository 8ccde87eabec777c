"""A match whose games are played by the workers of a cluster. It has the methods of LocalMatch (local_match.py)."""

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
    """Plays pairings on all workers. Raises ClusterError, OSError.

    Every worker plays `concurrency` games at a time, or as many as it has threads, if these are fewer. It must have the
    engines' programs and files. A worker gets no games if its engines have other names than those of the first worker.
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
        self._next_number = 1  # the number in the log of the next slot's engines
        self._log = DebugLog(settings.debug) if settings.debug else None

    def check_engines(self):
        """Do what LocalMatch.check_engines() does, on the first worker that is ready."""
        while not self.names:
            self.wait(0.2)
        return self._warnings

    def run(self, games):
        """Do what LocalMatch.run() does. If a worker is lost, its games are played again."""
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
        """Check a worker's answer; returns (the record, the log's lines).

        The record must be of the requested game and follow the rules. The function cannot check whether the engines really
        played the game and took these times.
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
            raise ValueError(f"'variant' is {record['variant']!r:.40}, expected no such field")
        game_record.replay(record, rules, self.settings.resign)
        return record, lines.encode("utf-8", "surrogateescape")

    def accept(self, answer):
        version, names, warnings = answer
        if not all(isinstance(text, str) for text in (version, *names, *warnings)):
            raise ValueError(f"{answer!r:.80}, expected texts")
        if version != cluster_worker.VERSION:
            raise RefusedWorker("its sources differ; expected the same as here")
        if self.names is None:
            self.names, self._warnings = names, warnings
        elif names != self.names:
            raise RefusedWorker(f"its engines are {', '.join(names)}; expected {', '.join(self.names)}")
