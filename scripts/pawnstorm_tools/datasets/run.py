"""A run from the first game to the last. The folder of a dataset then holds

    README.md               the card
    train-00000.parquet     shard 0: the rows of its games in the split `train`
    validation-00000.parquet    shard 0: the rows of its games in the split `validation`
    journal/                what is done, so that the same command can continue; not needed when no more games are wanted
        shards.jsonl        the settings, and a record of each shard
        games-00000.jsonl   the games of a shard that is not full

A game is in the journal as soon as it is finished. A shard is written, completely or not at all, after its last game and at the
end of the run, also at Ctrl-C. Its content depends only on the settings, not on interruptions.
"""

import importlib
import json
import os
import random
import sys
from collections import Counter
from functools import partial
from typing import NamedTuple

from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm_tools.common import atomicfile, fields, pool
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.journal import Journal
from pawnstorm_tools.datasets import DatasetError, card, counts
from pawnstorm_tools.datasets.columns import NAMES, check_row
from pawnstorm_tools.datasets.seen import Seen, key

FORMATS = {"parquet": "parquet_file", "npz": "npz_file"}
"""Format -> the module of this package that writes and reads it."""
GAME_NUMBER, FEN = NAMES.index("game_number"), NAMES.index("fen")


class Work(NamedTuple):
    """Where games come from.

    module, settings    the module and the arguments of the Source that makes them (pawnstorm_tools.common.pool)
    items               the argument of its records() for each game, in the order of the games' numbers
    """

    module: str
    settings: tuple
    items: object


class Run:
    """One dataset in a folder.

    settings    a dict that fixes the rows: game, seed, format, shard, validation, keep_duplicates, and others for the card
    work        the games, as many as are wanted
    head        other facts for the card (card.Head)

    Raises DatasetError, JournalError, OSError, and what the Source raises.
    """

    def __init__(self, folder, settings, work, head, processes):
        self.folder, self.settings, self.work, self.head, self.processes = folder, settings, work, head, processes
        self.rules, self.size = get_rules(settings["game"]), settings["shard"]
        self.format = importlib.import_module(f"{__package__}.{FORMATS[settings['format']]}")
        (folder / "journal").mkdir(parents=True, exist_ok=True)
        self.seen, self.current = Seen(), None  # (number of the shard that is being made, Journal of its games)
        self.shards = Journal(folder / "journal" / "shards.jsonl", "dataset", "shard", settings, check_shard)
        try:
            self._check_games(self._games_done())
            for record in self._full():
                self._recall(record)
        except BaseException:
            self.close()
            raise

    def close(self):
        self.shards.close()
        if self.current is not None:
            self.current[1].close()

    def go(self):
        """Make the missing games. At Ctrl-C write what is done, then raise KeyboardInterrupt."""
        total, first = len(self.work.items), len(self._full())
        if first * self.size >= total:
            self._write_card()
            return
        games = self._open_games(first)
        done = first * self.size + len(games.records)
        self._check_games(done)
        try:
            with (
                pool.workers(self.work.module, self.work.settings, self.processes) as workers,
                tqdm(total=total, initial=done, unit="game", file=sys.stderr, smoothing=0) as bar,
            ):
                made = workers.in_order(self.work.items[done:], 4 * self.processes)
                for number in range(done, total):
                    if len(games.records) == self.size:
                        self._end_shard()
                        games = self._open_games(number // self.size)
                    games.add(next(made))
                    bar.update()
        except KeyboardInterrupt:
            self._end_shard()
            raise
        self._end_shard()

    def rows(self):
        """{split: number of rows written}."""
        found = self.counts()
        return {split: found[f"{split}/rows"] for split in counts.SPLITS}

    def counts(self):
        """The sums of the counts of all shards."""
        return sum((Counter(record["counts"]) for record in self.shards.records.values()), Counter())

    def faults(self):
        """A text for each game that could not be read."""
        return [fault for record in self.shards.records.values() for fault in record["faults"]]

    # The shards.

    def _games_done(self):
        return sum(record["games"] for record in self.shards.records.values())

    def _full(self):
        """The records of the shards that are full, in order."""
        records = self.shards.records
        full = []
        while (record := records.get(len(full))) is not None and record["games"] == self.size:
            full.append(record)
        return full

    def _check_games(self, done):
        if done > len(self.work.items):
            raise DatasetError(
                f"{self.folder} holds {pluralize(done, 'game')} already: expected --games {done} or more"
            )

    def _recall(self, record):
        """Add the positions of a full shard to those seen. Raises DatasetError if one of its files has changed."""
        for name, size in record["files"].items():
            path = self.folder / name
            if not path.is_file() or os.path.getsize(path) != size:
                raise DatasetError(f"{path} is missing or has changed: expected a file of {pluralize(size, 'byte')}")
            try:
                for fen in self.format.read_fens(path):
                    self.seen.add(key(fen))
            except ValueError as error:
                raise DatasetError(f"{path} cannot be read: {error}") from None
        self._games_path(record["shard"]).unlink(missing_ok=True)

    def _open_games(self, shard):
        """Begin or continue the games of a shard; returns their Journal."""
        path = self._games_path(shard)
        games = Journal(path, "games", "game", self.settings, partial(check_game, name=self.rules.name))
        self.current = shard, games  # at once: Ctrl-C may come at any time
        wanted = range(shard * self.size, shard * self.size + len(games.records))
        if list(games.records) != list(wanted):
            raise DatasetError(f"{path} holds other games: expected the games from number {wanted.start} on, in order")
        return games

    def _games_path(self, shard):
        return self.folder / "journal" / f"games-{shard:05}.jsonl"

    def _end_shard(self):
        """Write the shard from its games, if this has not been done. Write the card in any case."""
        shard, journal = self.current
        games = list(journal.records.values())
        journal.close()
        if self.shards.records.get(shard, {}).get("games") != len(games):
            kept, new, found = self._select(games)
            files, about = {}, {"settings": json.dumps(self.settings)}
            for split, rows in kept.items():
                found += counts.count(split, rows)
                if rows:
                    path = self.folder / f"{split}-{shard:05}{self.format.SUFFIX}"
                    with atomicfile.replacing(path) as file:
                        self.format.write(file, self.rules, rows, about)
                    files[path.name] = os.path.getsize(path)
            faults = [f"game {game['game'] + 1} of the PGN: {game['fault']}" for game in games if "fault" in game]
            record = {"shard": shard, "games": len(games), "files": files, "counts": found, "faults": faults}
            self.shards.add(record)
            for number in new:
                self.seen.add(number)
        if len(games) == self.size:
            self._games_path(shard).unlink(missing_ok=True)
        self._write_card()

    def _select(self, games):
        """Choose the rows to write; returns ({split: rows}, keys of their positions, a Counter of outcomes and duplicates)."""
        kept, new, found = {split: [] for split in counts.SPLITS}, set(), Counter()
        for game in games:
            rows = kept[split_of(game["game"], self.settings["seed"], self.settings["validation"])]
            for row in game["rows"]:
                number = key(row[FEN])
                if not self.settings["keep_duplicates"] and (number in new or number in self.seen):
                    found["duplicates"] += 1
                else:
                    new.add(number)
                    rows.append(row)
            found[counts.outcome(game)] += 1
        return kept, new, found

    def _write_card(self):
        names = sorted(name for record in self.shards.records.values() for name in record["files"])
        text = card.text(
            self.head, self.settings, self._games_done(), len(self.work.items), self.counts(), self.faults(), names
        )
        atomicfile.write(self.folder / "README.md", text.encode(errors="replace"))


def split_of(number, seed, share):
    """The split of a game; about `share` of the games are for validation."""
    return "validation" if random.Random(f"{seed} {number} split").random() < share else "train"


def check_game(record, name):
    """Raise ValueError unless this is the record of a game whose rules have this name."""
    fields.require(record, {"game": (partial(fields.is_int, least=0), "a number"), "rows": (_is_list, "a list")})
    if "fault" in record and not fields.text(record["fault"]):
        raise ValueError("'fault' is not text")
    for row in record["rows"]:
        check_row(row)
        if row[0] != name or row[GAME_NUMBER] != record["game"]:
            raise ValueError(f"a row of {row[0]}, game {row[GAME_NUMBER]}: expected {name}, game {record['game']}")


def check_shard(record):
    """Raise ValueError unless this is the record of a shard."""
    is_count = partial(fields.is_int, least=0)
    fields.require(
        record,
        {
            "shard": (is_count, "a number"),
            "games": (is_count, "a number"),
            "files": (_counts, "names and sizes"),
            "counts": (_counts, "names and numbers"),
            "faults": (fields.is_list_of(fields.text), "texts"),
        },
    )


def _is_list(value):
    return isinstance(value, list)


def _counts(value):
    return isinstance(value, dict) and all(fields.is_int(number, least=0) for number in value.values())
