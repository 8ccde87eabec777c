"""The functions with which a worker plays the games of another process's match: prepare(), play() and stop().

Their arguments are plain values, and their results can be written as JSON. A setup is a tuple: the match's id, the master's
VERSION, its Settings (pickled, without the rules), the game's name, and the number that the log uses for the worker's first
slot. The worker may serve several matches at once. When a new match comes, the engines of other matches are ended, unless they
are in a game.
"""

import collections
import contextlib
import pickle
import threading
from dataclasses import replace
from pathlib import Path

import pawnstorm_protocol
from pawnstorm.core import native
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import cluster_job
from pawnstorm_protocol.client.debuglog import DebugLog
from pawnstorm_protocol.client.pump import Stopped
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.referee.local_match import LocalMatch
from pawnstorm_tools.referee.schedule import Pairing

PATIENCE = 5  # seconds for the engines of a game to end; each engine has one second before it is killed
MAX_SESSIONS = 16  # a killed master leaves its session; if there are more sessions than this, the oldest is ended
_sessions = {}  # the match's id -> MatchSession


_FOLDERS = [Path(pawnstorm_protocol.__file__), Path(__file__), Path(atomicfile.__file__)]
VERSION = "".join([cluster_job.VERSION, *(cluster_job.digest(path.parent) for path in _FOLDERS)])
"""A digest of the sources that can affect a game, as they were when they were loaded."""


def pack(settings):
    """The two parts of a setup that describe the match: (the settings in bytes, the game's name)."""
    return pickle.dumps(replace(settings, rules=None)), settings.rules.name


def prepare(setup):
    """Prepare this process for a match; returns (VERSION, the engines' names, warnings).

    If VERSION differs from that of the setup, the process is not prepared, and there are no names. Raises EngineError if an
    engine cannot play here.
    """
    if setup[1] != VERSION:
        return VERSION, [], []
    native.core()
    for match in list(_sessions)[: -MAX_SESSIONS + 1]:
        stop(match)
    for session in list(_sessions.values()):
        session.end_idle_engines()
    session = _sessions[setup[0]] = MatchSession(setup)
    warnings = session.check_engines()
    return VERSION, session.match.names, warnings


def play(setup, slot, pairing):
    """Play a game with the slot's engines; returns (its record, the log's lines since the last game).

    Returns None if the match was stopped or is not known here. Bytes of the lines that are not UTF-8 become surrogates.
    pairing: the fields of a Pairing. Raises EngineError.
    """
    session = _sessions.get(setup[0])
    return session and session.play(slot, Pairing(*pairing))


def stop(match):
    """End the games and the engines of a match. The call may come from another thread than the calls of play().

    Waits for the games to end, but at most PATIENCE seconds for each.
    """
    if match in _sessions:
        _sessions.pop(match).close()


class BufferedLog(DebugLog):
    """A log that keeps its lines until they are taken."""

    def __init__(self):
        self._lines = collections.deque()
        self.write = self._lines.append

    def take(self):
        """Take all lines since the last call, as one text."""
        lines = []
        with contextlib.suppress(IndexError):
            while True:
                lines.append(self._lines.popleft())
        return b"".join(lines).decode("utf-8", "surrogateescape")

    def close(self):
        pass


class MatchSession:
    """The engines of one match in this process: a set for each slot. Each slot plays one game at a time."""

    def __init__(self, setup):
        _, _, packed, rules, self._number = setup
        settings = pickle.loads(packed)
        self._log = BufferedLog() if settings.debug else None
        self.match = LocalMatch(replace(settings, rules=get_rules(rules), debug=None), self._log, self._number)
        self._slots = {0: (threading.Lock(), self.match.first_players)}  # slot -> (lock held during a game, players)

    def check_engines(self):
        """Check the engines of the first slot, as LocalMatch.check_engines() does."""
        with self._slots[0][0]:
            return self.match.check_engines()

    def play(self, slot, pairing):
        """Play a game; see the function play()."""
        if slot not in self._slots:
            self._slots[slot] = threading.Lock(), self.match.new_players(self._number + slot)
        lock, players = self._slots[slot]
        with lock:
            try:
                return self.match.play(players, pairing), self._log.take() if self._log else ""
            except BaseException as error:
                quit_engines(players)
                if isinstance(error, Stopped):
                    return None
                raise

    def end_idle_engines(self, wait=0):
        """End the engines of each slot that has no game, or whose game ends within `wait` seconds.

        Returns whether the engines of all slots were ended.
        """
        held = [(lock, players) for lock, players in list(self._slots.values()) if lock.acquire(timeout=wait)]
        for lock, players in held:
            quit_engines(players)
            lock.release()
        return len(held) == len(self._slots)

    def close(self):
        """End the games under way and all engines."""
        self.match.stop()
        if self.end_idle_engines(PATIENCE):
            self.match.close()


def quit_engines(players):
    for player in players:
        player.engine.quit()
