"""The results of a match on disk: a file of JSON lines that a killed match resumes from, and the PGN that follows it.

The first line of the results file is {"match": id, "settings": {...}}; each other line is one game's record. A game's line is written
with one write, then its PGN: what the results file has and the PGN lacks after a kill is added when the match is resumed.
"""

import json
import os
import uuid

from referee import pgn


class ResultsError(Exception):
    """A results file that belongs to another match, or is none."""


class Results:
    """The finished games of one match, by number; add() puts one on disk."""

    def __init__(self, settings, path=None, pgn_path=None):
        """settings: a dict of plain values that fixes the match; what a resumed match may change does not belong in it."""
        self.settings, self.path, self.pgn_path = settings, path, pgn_path
        self.games = {}
        self.id = uuid.uuid4().hex[:12]
        if path and os.path.exists(path) and os.path.getsize(path):
            self._load()
        elif path:
            self._append(path, json.dumps({"match": self.id, "settings": settings}) + "\n")
        if pgn_path and self.games:
            self._complete_pgn()

    def add(self, record):
        self.games[record["game"]] = record
        if self.path:
            self._append(self.path, json.dumps(record) + "\n")
        if self.pgn_path:
            self._append(self.pgn_path, self._pgn(record))

    @staticmethod
    def _append(path, text):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            data = text.encode()
            while data:
                data = data[os.write(descriptor, data):]
        finally:
            os.close(descriptor)

    def _load(self):
        with open(self.path, "rb") as file:
            lines = file.read().split(b"\n")
        if lines[-1]:   # a line that a kill cut short
            os.truncate(self.path, os.path.getsize(self.path) - len(lines[-1]))
        try:
            head, *records = [json.loads(line) for line in lines[:-1]]
            self.id, settings = head["match"], head["settings"]
            self.games = {record["game"]: record for record in records}
        except (ValueError, KeyError, TypeError):
            raise ResultsError(f"{self.path} is not the results file of a match") from None
        for key in settings | self.settings:
            was, asked = settings.get(key), self.settings.get(key)
            if was != asked:
                raise ResultsError(f"{self.path} belongs to another match: its {key} is {json.dumps(was)}, "
                                   f"this command says {json.dumps(asked)}")

    def _complete_pgn(self):
        there = set()
        if os.path.exists(self.pgn_path):
            there = {game.tags.get("GameId") for game in pgn.read(self.pgn_path)}
        for number in sorted(self.games):
            if f"{self.id}.{number}" not in there:
                self._append(self.pgn_path, self._pgn(self.games[number]))

    def _pgn(self, record):
        limits = [record["limits"][colour] for colour in ("white", "black")]
        tags = {"Event": f"{self.settings['variant']} match", "Site": "?", "Date": record["date"],
                "Round": record["round"], "White": record["white"], "Black": record["black"],
                "Variant": self.settings["variant"], "SetUp": "1", "FEN": record["opening"]}
        tags |= {"TimeControl": limits[0]} if limits[0] == limits[1] else {"WhiteTimeControl": limits[0], "BlackTimeControl": limits[1]}
        return pgn.format_game(record, tags | {"GameId": f"{self.id}.{record['game']}"})
