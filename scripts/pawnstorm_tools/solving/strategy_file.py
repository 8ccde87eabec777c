"""The file in which a winner's strategy grows until it is a proof (checking/prooffile.py).

It can be larger than the memory. Until it is complete its name is FILE.part, and stopped work goes on from there. The
first `done` records have their plans, and the positions to which these lead are in the file too. Records are read and
written in order, and as the winner sees them (solving/winning_strategy.py).
"""

import contextlib
import errno
import os
import zlib

import numpy as np

from pawnstorm.games.notation import fen
from pawnstorm.games.rules import UnknownGame
from pawnstorm_tools.checking import prooffile
from pawnstorm_tools.common import jsonline
from pawnstorm_tools.solving import NotWon
from pawnstorm_tools.solving.savefile import BadSave, locked, require_locks

UNFINISHED = prooffile.MAGIC + ", unfinished"


def check(path, board, moves=()):
    """Find errors before hours of work: if open_strategy() would raise BadSave or OSError afterwards, raise it now.

    Raises UnknownGame for a game without proofs.
    """
    if "-" in board.rules.full_name:
        raise UnknownGame(
            f"there are no proofs of {board.rules.name}, because verify.py does not know this game: "
            f"expected {board.rules.full_name.partition('-')[0]}"
        )
    require_locks(path)
    part = part_path(path)
    if os.path.lexists(part):
        with locked(part) as handle:
            for black in (False, True):
                with contextlib.suppress(BadSave):
                    StrategyFile(handle, part, board, black, moves)
                    return
            StrategyFile(handle, part, board, False, moves)


def part_path(path):
    """The name of the unfinished file of a proof."""
    return f"{os.path.realpath(path)}.part"


@contextlib.contextmanager
def open_strategy(path, board, black, moves):
    """Yield the StrategyFile of a board: an empty one, or the unfinished one of a stopped run. Raises BadSave, OSError.

    black: whether Black is the winner; moves: (board, move) of positions whose move is given.

    If the block ends without an exception, the file gets its final name. If the strategy does not win (NotWon), the file
    is removed. After any other exception, it stays.
    """
    part = part_path(path)
    with locked(part) as handle:
        try:
            file = StrategyFile(handle, part, board, black, moves)
            yield file
            file.close()
            os.replace(part, os.path.realpath(path))
        except NotWon:
            os.unlink(part)
            raise
        except OSError as error:
            why = error.strerror or str(error)
            raise OSError(error.errno, f"{why}; fix this, then the same command continues", part) from error


class StrategyFile:
    """A proof that is being written.

    black: whether Black is the winner. within: a position needs no record if the winner reaches the far rank by threats
    within this many moves (prooffile.py). count: the number of records. done: how many of them, from the first on, have their
    plans.
    """

    def __init__(self, handle, part, board, black, moves):
        self.black, self.count, self.done = black, 0, 0
        self._handle, self._rules = handle, board.rules
        self.within = prooffile.MAX_WITHIN if board.rules.quiet_diagonals else prooffile.DEFAULT_WITHIN
        self._names = board.rules.full_name, fen(board), "wb"[black], self.within
        given = [(before.own, before.opp, before.ep, int(move)) for before, move in moves]
        self._given = zlib.crc32(repr(given).encode())
        self._first = len(self._header())
        size = os.fstat(handle).st_size
        if size:
            self._go_on(part, max(0, size - self._first) // prooffile.RECORD)

    def _go_on(self, part, count):
        """Go on from an unfinished file of `count` records. Raises BadSave if it is of another proof, or cut short."""
        found = os.pread(self._handle, self._first, 0)
        if found == prooffile.header(*self._names):  # stopped before it got its final name
            self.count = self.done = count
            return
        header, own = jsonline.parse(found), jsonline.parse(self._header())
        done = header.pop("done", None)
        own.pop("done")
        if header != own or type(done) is not int or done < 0:
            raise BadSave(
                f"{part} is left over from another proof or version: expected no file, or an unfinished proof of {self._names[0]}"
            )
        if done > count:
            raise BadSave(f"{part} is cut short: {count:,} records, expected {done:,} or more")
        if done:  # otherwise the records with which it begins may be incomplete
            self.count, self.done = count, done

    def append(self, records):
        """Write records at the end."""
        self._write(self.count, records)
        self.count += len(records)

    def read(self, first, end):
        """The records from `first` to `end`."""
        size, data = (end - first) * prooffile.RECORD, b""
        while len(data) < size:  # the system may read only a part
            more = os.pread(self._handle, size - len(data), self._first + first * prooffile.RECORD + len(data))
            if not more:
                raise OSError(errno.EIO, "the file has been cut short by another program")
            data += more
        return self._flipped(np.frombuffer(data, prooffile.WORD).astype(np.uint64).reshape(-1, 3))

    def finish(self, records):
        """Write back the records that follow the first `done`, now with their plans."""
        self._write(self.done, records)
        self.done += len(records)
        self._pwrite(self._header(), 0)

    def close(self):
        """Turn the file into a complete proof."""
        os.ftruncate(self._handle, self._first + self.count * prooffile.RECORD)
        os.fsync(self._handle)
        self._pwrite(prooffile.header(*self._names), 0)
        os.fsync(self._handle)

    def _header(self):
        return prooffile.header(*self._names, file=UNFINISHED, done=self.done, moves=self._given)

    def _write(self, first, records):
        data = np.ascontiguousarray(self._flipped(records), prooffile.WORD)
        self._pwrite(data.tobytes(), self._first + first * prooffile.RECORD)

    def _pwrite(self, data, place):
        data = memoryview(data)
        while data:  # the system may write only a part
            written = os.pwrite(self._handle, data, place)
            data, place = data[written:], place + written

    def _flipped(self, records):
        """Convert records from the winner's view to White's, or back: the same operation does both."""
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
