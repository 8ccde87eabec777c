"""The results of a match on disk: a file of JSON lines that a killed match resumes from, and the PGN that follows it.

The first line of the results file is {"match": id, "settings": {...}}; each other line is one game's record. A game's line is written
with one write, then its PGN: what a kill cut off, in either file, is dropped when the match is resumed, and what the results file has
and the PGN lacks is added. The results file is locked while a match runs, so that no two play the same games.
"""

import fcntl
import json
import os
import uuid

from engine.rules import game

from referee import pgn, san

ID = slice(11, 23)
"""Where the first line has the match's id, twelve hexadecimal digits."""


class ResultsError(Exception):
    """A results file that belongs to another match, or to one that is running, or is none."""


class Results:
    """The finished games of one match, by number; add() puts one on disk. Closing it, or the end of the process, unlocks the file."""

    def __init__(self, settings, path=None, pgn_path=None):
        """settings: a dict of plain values that fixes the match; what a resumed match may change does not belong in it."""
        self.settings, self.path, self.pgn_path = settings, path, pgn_path
        self.games = {}
        self.id = uuid.uuid4().hex[:12]
        self.file = None
        if path:
            self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                self._lock()
                if os.path.getsize(path):
                    self._load()
                else:
                    write(self.file, self._head())
            except BaseException:
                self.close()
                raise
        if pgn_path:
            self._complete_pgn()

    def add(self, record):
        self.games[record["game"]] = record
        if self.file is not None:
            write(self.file, json.dumps(record) + "\n")
        if self.pgn_path:
            append(self.pgn_path, self._pgn(record))

    def close(self):
        if self.file is not None:
            os.close(self.file)
            self.file = None

    def _lock(self):
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ResultsError(f"{self.path} is in use by a match that is running") from None

    def _head(self):
        return json.dumps({"match": self.id, "settings": self.settings}) + "\n"

    def _load(self):
        """Take over what the file holds; it stays as it is unless it is this match's."""
        with open(self.path, "rb") as file:
            *lines, torn = file.read().split(b"\n")     # torn: what a kill left of a last line
        try:
            head, *records = [json.loads(line) for line in lines or [self._untorn(torn)]]
            self.id, settings = head["match"], head["settings"]
            self.games = {record["game"]: record for record in records}
            keys = settings | self.settings
        except (ValueError, KeyError, TypeError):
            raise ResultsError(f"{self.path} is not the results file of a match") from None
        for key in keys:
            was, asked = settings.get(key), self.settings.get(key)
            if was != asked:
                raise ResultsError(f"{self.path} belongs to another match, in which '{key}' was {json.dumps(was)}; this command says "
                                   f"{json.dumps(asked)}: give the old words again or another -resume file")
        if torn:
            os.truncate(self.path, os.path.getsize(self.path) - len(torn))
        if not lines:
            write(self.file, self._head())

    def _untorn(self, torn):
        """This match's first line, of which `torn` must be the beginning, whatever its id was. Raises ValueError."""
        head = self._head().encode()
        if torn[ID].strip(b"0123456789abcdef") or not (head[:ID.start] + torn[ID] + head[ID.stop:]).startswith(torn):
            raise ValueError
        return head

    def _complete_pgn(self):
        """Add the games that the PGN lacks, after dropping the beginning of one of them that a kill left there."""
        append(self.pgn_path, "")   # so that it exists, or cannot be written before anything was played
        with open(self.pgn_path, "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape")
        there, end = set(), 0
        for found in pgn.games(text) if self.games else ():
            there.add(found.tags.get("GameId"))
            end = found.end
        lacking = [self._pgn(self.games[number]) for number in sorted(self.games) if f"{self.id}.{number}" not in there]
        torn = text[end:].lstrip("\n").encode("utf-8", "surrogateescape")
        if torn and any(whole.encode().startswith(torn) for whole in lacking):
            os.truncate(self.pgn_path, os.path.getsize(self.pgn_path) - len(torn))
            text = text[:end] + "\n\n"
        if text and not text.endswith("\n\n"):
            append(self.pgn_path, "\n" if text.endswith("\n") else "\n\n")
        for whole in lacking:
            append(self.pgn_path, whole)

    def _pgn(self, record):
        limits = [record["limits"][colour] for colour in ("white", "black")]
        tags = {"Event": f"{self.settings['variant']} match", "Site": "?", "Date": record["date"],
                "Round": record["round"], "White": record["white"], "Black": record["black"],
                "Variant": self.settings["variant"], "SetUp": "1", "FEN": record["opening"]}
        tags |= {"TimeControl": limits[0]} if limits[0] == limits[1] else {"WhiteTimeControl": limits[0], "BlackTimeControl": limits[1]}
        rules = game(self.settings["variant"])
        return pgn.format_game(record, tags | {"GameId": f"{self.id}.{record['game']}"},
                               [san.written(rules, move[0]) for move in record["moves"]])


def append(path, text):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        write(descriptor, text)
    finally:
        os.close(descriptor)


def write(descriptor, text):
    data = text.encode()
    while data:
        data = data[os.write(descriptor, data):]
