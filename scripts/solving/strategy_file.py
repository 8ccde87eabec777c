"""The file in which a winner's strategy grows until it is a proof (checking/prooffile.py): larger than the memory, if it
has to be, and left as FILE.part where the work is stopped, from which it goes on.

The first `done` records have their plans and all that follows from them is in the file. Records are read and written in
order and as the winner sees them (solving/winning_strategy.py).
"""

import contextlib
import os
import zlib

import numpy as np

from checking import prooffile
from common import jsonline
from pawnstorm.engine.games.notation import fen
from solving.savefile import BadSave

UNFINISHED = prooffile.MAGIC + ", unfinished"


@contextlib.contextmanager
def opened(path, board, black, moves):
    """The StrategyFile of a board that White wins, or Black, where moves are given: empty, or what is left of an
    unfinished one.

    Where the block ends well the file takes its name; where it is stopped, or the disk is full, it stays as it is, and
    after any other exception it is removed. Raises BadSave, OSError.
    """
    target = os.path.realpath(path)
    part = f"{target}.part"
    given = zlib.crc32(repr([(before.own, before.opp, before.ep, int(move)) for before, move in moves]).encode())
    about = (board.rules.full_name, fen(board), "wb"[black]), {"moves": given}
    handle = os.open(part, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        file = StrategyFile(handle, part, board.rules, black, about)
        yield file
        file.close()
        os.replace(part, target)
    except (KeyboardInterrupt, OSError, BadSave):
        raise
    except BaseException:
        os.unlink(part)
        raise
    finally:
        os.close(handle)


class StrategyFile:
    """The file. black: whether Black is the winner; count: the number of records, of which `done` have their plans."""

    def __init__(self, handle, name, rules, black, about):
        self.black, self.count, self.done = black, 0, 0
        self._handle, self._rules, self._about = handle, rules, about
        self._first = len(self._header())
        size = os.fstat(handle).st_size
        if size:
            self.done = self._read_header(name)
            self.count = max(0, size - self._first) // prooffile.RECORD
            if not 0 <= self.done <= self.count:
                raise BadSave(f"{name} is cut short: {self.count:,} records, expected {self.done:,} or more")
        self._write_header()

    def append(self, records):
        """Put records at the end."""
        self._write(self.count, records)
        self.count += len(records)

    def read(self, first, end):
        """The records from `first` to `end`."""
        data = os.pread(self._handle, (end - first) * prooffile.RECORD, self._first + first * prooffile.RECORD)
        return self._turned(np.frombuffer(data, prooffile.WORD).astype(np.uint64).reshape(-1, 3))

    def finish(self, records):
        """Put back the next records, with their plans."""
        self._write(self.done, records)
        self.done += len(records)
        self._write_header()

    def close(self):
        """Make a proof of the file."""
        os.ftruncate(self._handle, self._first + self.count * prooffile.RECORD)
        self._pwrite(prooffile.header(*self._about[0]), 0)
        os.fsync(self._handle)

    def _header(self):
        names, more = self._about
        return prooffile.header(*names, file=UNFINISHED, done=self.done, **more)

    def _write_header(self):
        self._pwrite(self._header(), 0)

    def _read_header(self, name):
        """The number of finished records that the file tells. Raises BadSave where it is of another proof."""
        found = jsonline.parse(os.pread(self._handle, self._first, 0))
        done = found.pop("done", None)
        own = jsonline.parse(self._header())
        own.pop("done")
        if found != own or type(done) is not int:
            raise BadSave(
                f"{name} is left of another proof: expected none, or one of {self._about[0][0]} that was stopped"
            )
        return done

    def _write(self, first, records):
        data = np.ascontiguousarray(self._turned(records), prooffile.WORD)
        self._pwrite(data.tobytes(), self._first + first * prooffile.RECORD)

    def _pwrite(self, data, place):
        data = memoryview(data)
        while data:  # the system may take a part only
            written = os.pwrite(self._handle, data, place)
            data, place = data[written:], place + written

    def _turned(self, records):
        """Records as the winner sees them, as White does, or the other way."""
        if not self.black:
            return records
        own, opp, plan = records.T
        shift, last = np.uint64(self._rules.flip_shift), np.uint64(8 * (self._rules.ranks - 1))
        moves, turned = plan & np.uint64(7), plan & np.uint64(255)
        for number in range(int(moves.max(initial=0)) + 1):
            place = np.uint64(8 + 6 * number)
            square = plan >> place & np.uint64(63)
            upside = last - (square & np.uint64(56)) | square & np.uint64(7)
            turned |= np.where((moves > 0) & (moves >= number), upside << place, np.uint64(0))
        return np.column_stack([opp.byteswap() >> shift, own.byteswap() >> shift, turned])
