"""The results of a match on disk: a journal, from which a killed match is resumed, and a PGN.

Each game's record is written before its PGN. When a match is resumed, an incomplete record or game at the end of a file is
dropped. Games that are in the journal and not in the PGN are added to the PGN. A PGN that is a device or a pipe is not read;
it gets only the games that are played now.
"""

import os
from functools import partial

from pawnstorm import pgn
from pawnstorm.games.rules import get_rules
from pawnstorm.system import textfile
from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_tools.common.journal import Journal
from pawnstorm_tools.referee import changes
from pawnstorm_tools.referee.game_record import check


class Results:
    """The finished games of one match. add() writes a game to the files; close(), or the end of the process, unlocks them.

    games   number -> record
    """

    def __init__(self, settings, path=None, pgn_path=None, tags=None, keep=True):
        """settings: as for a Journal. tags: the PGN's tags that differ from the usual ones. keep: whether a new match keeps
        the contents of the PGN file. Raises JournalError, OSError.
        """
        self.settings, self.tags = settings, tags or {}
        self._pgn_path, self._pgn_file = pgn_path, None
        names = [value["name"] for name, value in settings.items() if name.startswith("engine ")]
        checked = partial(check, rules=get_rules(settings["variant"]), names=names)
        self.journal = Journal(path, "match", "game", settings, checked, changes.describe_change)
        self.id, self.games = self.journal.id, self.journal.records
        if pgn_path:
            self._pgn_file = AppendFile(pgn_path)
            if os.path.isfile(pgn_path):
                if not (keep or self.games):
                    os.truncate(pgn_path, 0)
                self._complete_pgn()

    def add(self, record):
        self.journal.add(record)
        if self._pgn_file:
            self._pgn_file.write(self._pgn(record).encode())

    def pgn(self):
        """All games as one PGN text, in the order of their numbers."""
        return "".join(self._pgn(self.games[number]) for number in sorted(self.games))

    def close(self):
        self.journal.close()
        if self._pgn_file:
            self._pgn_file.close()

    def _complete_pgn(self):
        """Drop an incomplete game that a kill left at the end of the PGN. Then add the games that the PGN lacks."""
        text = textfile.read(self._pgn_path).decode("utf-8", "surrogateescape")
        there, end = set(), 0
        for found in pgn.games(text) if self.games else ():
            there.add(found.tags.get("GameId"))
            end = found.end_offset
        lacking = [self._pgn(self.games[number]) for number in sorted(self.games) if f"{self.id}.{number}" not in there]
        torn = text[end:].lstrip("\n").encode("utf-8", "surrogateescape")
        if torn and any(whole.encode().startswith(torn) for whole in lacking):
            os.truncate(self._pgn_path, os.path.getsize(self._pgn_path) - len(torn))
            text = text[:end] + "\n\n"
        for whole in [pgn.separator(text), *lacking]:
            self._pgn_file.write(whole.encode())

    def _pgn(self, record):
        variant = record.get("variant", self.settings["variant"])
        limits = [record["limits"][colour] for colour in ("white", "black")]
        tags = pgn.game_tags(
            f"{variant} match",
            record["round"],
            record["white"],
            record["black"],
            variant,
            record["opening"],
            record["date"],
        )
        tags |= self.tags
        tags |= (
            {"TimeControl": limits[0]}
            if limits[0] == limits[1]
            else {"WhiteTimeControl": limits[0], "BlackTimeControl": limits[1]}
        )
        return pgn.format_game(record, tags | {"GameId": f"{self.id}.{record['game']}"}, get_rules(variant))
