"""What a process does that plays games for a match led from elsewhere: prepare() and play(), as plain values, by whatever way they travel.

A setup is (the match's id, VERSION of the master, its Settings, pickled without the rules, the game's name, the number of the process's
first worker). The process may serve several matches at once; the engines of the others that are not in a game are ended when one comes.
"""

import collections
import contextlib
import pickle
import threading
from dataclasses import replace

from engine import job, native
from engine.rules import game
from protocol.debuglog import DebugLog
from protocol.pump import Stopped

from referee import ROOT
from referee.schedule import Pairing
from referee.tournament import Match

PATIENCE = 5   # seconds for the engines of a game to end: each is given one before it is killed
MOST_ROOMS = 16   # a master that is killed leaves its room behind: of more than that, the oldest goes
_rooms = {}   # by the match's id


VERSION = "".join([job.VERSION, *(job.digest(ROOT / folder) for folder in ("protocol", "scripts/referee"))])
"""Of the sources that decide a game, as they were loaded."""


def pack(settings):
    """(the settings in bytes, the game's name), as they stand in a setup."""
    return pickle.dumps(replace(settings, rules=None)), settings.rules.name


def prepare(setup):
    """Make this process ready for a match; returns (VERSION, the engines' names, warnings), without names if it is not that of the setup.

    Raises EngineError if an engine cannot play here.
    """
    if setup[1] != VERSION:
        return VERSION, [], []
    native.core()
    for match in list(_rooms)[:-MOST_ROOMS + 1]:
        stop(match)
    for room in list(_rooms.values()):
        room.clear()
    room = _rooms[setup[0]] = Room(setup)
    warnings = room.check_engines()
    return VERSION, room.match.names, warnings


def play(setup, seat, pairing):
    """(the record of a game, the log's lines since the last one) by the seat's engines, None if the match was stopped or is not known here.

    pairing: the fields of a Pairing. Raises EngineError.
    """
    room = _rooms.get(setup[0])
    return room and room.play(seat, Pairing(*pairing))


def stop(match):
    """End the games of a match and its engines, from another thread; returns when they have ended."""
    if match in _rooms:
        _rooms.pop(match).close()


class Shelf(DebugLog):
    """A log that is kept here until its lines are taken."""

    def __init__(self):
        self._lines = collections.deque()
        self.write = self._lines.append

    def take(self):
        """All lines since the last time, as one text in bytes."""
        lines = []
        with contextlib.suppress(IndexError):
            while True:
                lines.append(self._lines.popleft())
        return b"".join(lines)

    def close(self):
        pass


class Room:
    """The engines of one match in this process, a set for each seat: as many games are played at a time."""

    def __init__(self, setup):
        _, _, packed, rules, self._number = setup
        settings = pickle.loads(packed)
        self._shelf = Shelf() if settings.debug else None
        self.match = Match(replace(settings, rules=game(rules), debug=None), self._shelf, self._number)
        self._seats = {0: (threading.Lock(), self.match.first)}   # seat -> (held during a game, players)

    def check_engines(self):
        """As the Match's; the engines are the first seat's."""
        with self._seats[0][0]:
            return self.match.check_engines()

    def play(self, seat, pairing):
        if seat not in self._seats:
            self._seats[seat] = threading.Lock(), self.match.new_players(self._number + seat)
        lock, players = self._seats[seat]
        with lock:
            try:
                return self.match.play(players, pairing), self._shelf.take() if self._shelf else b""
            except BaseException as error:
                quit(players)
                if isinstance(error, Stopped):
                    return None
                raise

    def clear(self, wait=0):
        """End the engines that are not in a game, or no longer after so many seconds; returns whether those were all."""
        held = [(lock, players) for lock, players in list(self._seats.values()) if lock.acquire(timeout=wait)]
        for lock, players in held:
            quit(players)
            lock.release()
        return len(held) == len(self._seats)

    def close(self):
        self.match.stop()
        if self.clear(PATIENCE):
            self.match.close()


def quit(players):
    for player in players:
        player.engine.quit()
