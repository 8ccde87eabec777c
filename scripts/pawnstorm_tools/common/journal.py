"""A file of JSON lines that a killed run goes on from: the first line says what run it is, each other is one record.

The first line is {"<kind>": id, "settings": {...}}, as {"match": "0123456789ab", "settings": {...}}. A line is written
with one write; what a kill has cut off is dropped when the run goes on. The file is locked meanwhile, so that no two
runs do the same work.
"""

import json
import os
import uuid

from pawnstorm.system import files, pages
from pawnstorm_protocol.system.appendfile import AppendFile, check_regular
from pawnstorm_tools.common import jsonline

LONGEST = 1 << 20
"""Bytes of the first line."""
ID = 12
"""Hexadecimal digits of a run's id."""


class JournalError(Exception):
    """A file that belongs to another run, or to one that is going on, or is no such file."""


class Journal:
    """The records of one run, by the value of their field `key`; add() puts one on disk, if there is a path.

    Of two records with one key the later counts. close(), or the end of the process, unlocks the file.
    """

    def __init__(self, path, kind, key, settings, check=None, changed=None):
        """settings: a dict of plain values that fixes the run; what may change when it goes on does not belong in it.
        check(record) raises ValueError where a record of the file is none of such a run. changed(name, was, asked): what
        to say of a setting with another value, None if there was none; without it its values are shown as JSON.

        Raises JournalError, OSError; then the file is as it was.
        """
        self.path, self.kind, self.key, self.settings, self._check = path, kind, key, settings, check
        self._changed = changed or _describe_change
        self.id, self.records = uuid.uuid4().hex[:ID], {}
        self.file = None
        if path:
            check_regular(path, "which is read when the run goes on")
            self.file = AppendFile(path)
            try:
                self._lock()
                if os.path.getsize(path):
                    self._load()
                else:
                    self.file.write(self._head())
            except BaseException:
                self.close()
                raise

    def add(self, record):
        self.records[record[self.key]] = record
        if self.file is not None:
            self.file.write(json.dumps(record).encode() + b"\n")

    def close(self):
        if self.file is not None:
            self.file.close()
            self.file = None

    def _lock(self):
        try:
            files.lock(self.file, wait=False)
        except BlockingIOError:
            raise JournalError(f"{self.path} is in use by a {self.kind} that is running") from None

    def _head(self):
        return json.dumps({self.kind: self.id, "settings": self.settings}).encode() + b"\n"

    def _load(self):
        """Take over what the file holds; it stays as it is unless it is this run's."""
        *lines, torn = _lines(self.path, self.kind)  # torn: what a kill left of a last line
        self.id, settings, self.records = parse(lines or [self._untorn(torn)], self.path, self.kind, self.key)
        if changes := [
            self._changed(name, settings.get(name), self.settings.get(name))
            for name in settings | self.settings
            if settings.get(name) != self.settings.get(name)
        ]:
            raise JournalError(
                f"{self.path} belongs to another {self.kind}; give the old arguments again or another file: {'; '.join(changes)}"
            )
        for name, record in self.records.items() if self._check else ():
            try:
                self._check(record)
            except ValueError as error:
                raise JournalError(f"{self.path}, {self.key} {json.dumps(name)}: {error}") from None
        if torn:
            os.truncate(self.path, os.path.getsize(self.path) - len(torn))
        if not lines:
            self.file.write(self._head())

    def _untorn(self, torn):
        """This run's first line, of which `torn` must be the beginning, whatever its id was. Raises JournalError."""
        head, first = self._head(), len(f'{{"{self.kind}": "')
        there = torn[first : first + ID]
        if there.strip(b"0123456789abcdef") or not (head[:first] + there + head[first + len(there) :]).startswith(torn):
            raise foreign(self.path, self.kind)
        return head


def _describe_change(name, was, asked):
    return f"'{name}' was {json.dumps(was)}, now {json.dumps(asked)}"


def foreign(path, kind, fault=""):
    """The error of a file that is something else."""
    return JournalError(f"{path} is not the results file of a {kind}{fault and ': '}{fault}")


def parse(lines, path, kind, key):
    """(id, settings, records by key) of a file's whole lines, as bytes. Raises JournalError."""
    head, *objects = map(jsonline.parse, lines or [b""])
    if not (isinstance(head.get(kind), str) and isinstance(head.get("settings"), dict)):
        raise foreign(path, kind)
    for number, record in enumerate(objects, 2):
        if not isinstance(record.get(key), (str, int)):
            raise foreign(path, kind, f"line {number}: expected a JSON object with '{key}'")
    return head[kind], head["settings"], {record[key]: record for record in objects}


def read(path, kind, key):
    """(id, settings, records by key) of a file, which may be in use. Raises JournalError, OSError."""
    return parse(_lines(path, kind)[:-1], path, kind, key)


def _lines(path, kind):
    """A file's lines, as bytes, the last without an end; only the first one where that is none of such a run. Raises
    JournalError, OSError.
    """
    try:
        with files.open_regular(path) as file:
            first = file.readline(LONGEST)
            if not isinstance(jsonline.parse(first).get(kind), str):
                return first.split(b"\n")
            return (first + files.read_rest(file, pages.physical_mebibytes() << 20)).split(b"\n")
    except files.NotRegular:
        raise JournalError(f"{path} is no regular file: expected the results file of a {kind}") from None
