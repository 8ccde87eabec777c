"""A file of records that a long run appends to, and from which the same run continues.

The first line is JSON and identifies the run. Records of one size follow. They are only appended.
"""

import json
import os

import numpy as np

from pawnstorm.system import files, pages
from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_tools.common import jsonline
from pawnstorm_tools.solving.savefile import BadSave


class RecordLog:
    """The log at a path. If the path is None, nothing is read or written.

    records     what the file held when it was opened, an array of `dtype`

    magic: the kind of the file; run: values that JSON can store, the same in each run that may continue the file. Raises OSError,
    and BadSave if the file is of another kind or run.
    """

    def __init__(self, path, magic, run, dtype):
        self._file, self.records = None, np.empty(0, dtype)
        if path is None:
            return
        head = json.dumps({"file": magic} | run).encode() + b"\n"
        if os.path.exists(path):
            self.records = _read(path, magic, head, dtype)
        self._file = AppendFile(path)
        if not os.path.getsize(path):
            self._file.write(head)

    def append(self, records):
        """Append records. Raises OSError."""
        if self._file and len(records):
            self._file.write(records.tobytes())

    def close(self):
        if self._file:
            self._file.close()


def _read(path, magic, head, dtype):
    """The records of a file. Cuts off the last one if it is not complete."""
    try:
        with files.open_regular(path) as file:
            first = file.readline(len(head))
            if first and first != head:
                kind = (
                    "another game, solver or --leaf" if jsonline.parse(first).get("file") == magic else "another kind"
                )
                raise BadSave(
                    f"{path} is of {kind}: expected a file that the same command has written, or no file; "
                    "delete it, or name another file"
                )
            data = files.read_rest(file, pages.physical_mebibytes() << 20)
    except files.NotRegular:
        raise BadSave(f"{path} is not a regular file: expected the log of the same command") from None
    torn = len(data) % dtype.itemsize
    if torn:  # a kill has cut off the last record
        os.truncate(path, os.path.getsize(path) - torn)
    return np.frombuffer(data[: len(data) - torn], dtype)
