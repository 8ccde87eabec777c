"""A file of JSON lines, with which a killed run can be continued. The first line identifies the run; each later line is a record.

The first line is {"<kind>": id, "settings": {...}}, such as {"match": "0123456789ab", "settings": {...}}. Each line is written
with one write. If a kill has cut off the last line, the line is dropped when the run continues. The file is locked during a run,
so that no two runs do the same work.
"""

import json
import os
import uuid

from pawnstorm.system import files, pages
from pawnstorm_protocol.system.appendfile import AppendFile, check_regular
from pawnstorm_tools.common import jsonline

LONGEST = 1 << 20
"""The most bytes of the first line."""
ID = 12
"""Hexadecimal digits of a run's id."""


class JournalError(Exception):
    """The file belongs to another run, or is in use by one, or is not a journal of this kind."""


class Journal:
    """The records of one run, by the value of the field that `key` names. add() writes a record to the file, if there is a path.

    If two records have the same key, the later one counts. close(), or the end of the process, unlocks the file.
    """

    def __init__(self, path, kind, key, settings, check=None, changed=None):
        """settings: a dict of plain values that identify the run. It must not have settings that may change when the run
        continues. check(record) raises ValueError if a record of the file is invalid. changed(name, was, asked) returns the
        message about a setting that differs; `was` or `asked` is None if it was not given. By default, the message has the
        values as JSON.

        Raises JournalError, OSError; then the file is unchanged.
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
        """Take the records of the file. If the file belongs to another run, raise JournalError and do not change it."""
        *lines, torn = _lines(self.path, self.kind)  # torn: the rest of a last line that a kill has cut off
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
        """This run's first line, to replace `torn`, a first line that a kill has cut off.

        Raises JournalError if `torn` is not the beginning of this run's first line. Only the ids may differ.
        """
        head, first = self._head(), len(f'{{"{self.kind}": "')
        there = torn[first : first + ID]
        if there.strip(b"0123456789abcdef") or not (head[:first] + there + head[first + len(there) :]).startswith(torn):
            raise foreign(self.path, self.kind)
        return head


def _describe_change(name, was, asked):
    return f"'{name}' was {json.dumps(was)}, now {json.dumps(asked)}"


def foreign(path, kind, fault=""):
    """The JournalError about a file that is not a journal of this kind."""
    return JournalError(f"{path} is not the results file of a {kind}{fault and ': '}{fault}")


def parse(lines, path, kind, key):
    """Parse the complete lines of a file (bytes) as (id, settings, {key: record}). Raises JournalError."""
    head, *objects = map(jsonline.parse, lines or [b""])
    if not (isinstance(head.get(kind), str) and isinstance(head.get("settings"), dict)):
        raise foreign(path, kind)
    for number, record in enumerate(objects, 2):
        if not isinstance(record.get(key), (str, int)):
            raise foreign(path, kind, f"line {number}: expected a JSON object with '{key}'")
    return head[kind], head["settings"], {record[key]: record for record in objects}


def read(path, kind, key):
    """Read a file, which may be in use, as (id, settings, {key: record}). Raises JournalError, OSError."""
    return parse(_lines(path, kind)[:-1], path, kind, key)


def _lines(path, kind):
    """The lines of a file, as bytes. The last item is the text after the last newline. Raises JournalError, OSError.

    If the first line is not that of a journal of this kind, only the first line is read.
    """
    try:
        with files.open_regular(path) as file:
            first = file.readline(LONGEST)
            if not isinstance(jsonline.parse(first).get(kind), str):
                return first.split(b"\n")
            return (first + files.read_rest(file, pages.physical_mebibytes() << 20)).split(b"\n")
    except files.NotRegular:
        raise JournalError(f"{path} is not a regular file: expected the results file of a {kind}") from None
