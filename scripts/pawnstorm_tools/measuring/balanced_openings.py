"""Files of balanced openings: random positions that an engine finds even."""

import contextlib
import os
import sys
from itertools import islice, tee

from pawnstorm.games.notation import fen
from pawnstorm.numbers import pluralize
from pawnstorm.system import textfile
from pawnstorm_protocol.client.info import parse_info
from pawnstorm_protocol.client.process import EngineFault
from pawnstorm_protocol.client.pump import pump
from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.random_openings import epd
from pawnstorm_tools.referee.clock import SECOND, TimeControl, now_ns
from pawnstorm_tools.referee.opening_book import OpeningError
from pawnstorm_tools.referee.player import Player
from pawnstorm_tools.referee.settings import EngineSettings

SETTLED = 8
"""The least depth at which an iteration's score counts: shallower scores swing."""
BARREN = 10_000
"""If this many candidates in a row do not match a line of a file, another command made the file."""
PATIENCE = 600 * SECOND
"""How long the engine may take for a position before it counts as hanging."""


class BalanceFilter:
    """An engine that tells balanced positions from others.

    A position is balanced if two conditions hold. From depth SETTLED on, no finished iteration reports a mate or a score beyond
    twice the bound. The last finished iteration reports a score within the bound. A search is stopped early once the first
    condition has failed; this changes no result.
    """

    def __init__(self, command, options, rules, limit, bound, optional=()):
        """limit: the words after `go`; bound: centipawns; optional: options that the engine may lack. Raises EngineError,
        EngineFault.
        """
        self.player = Player(EngineSettings(command, TimeControl(), options=options), rules)
        self.limit, self.bound = limit, bound
        self.player.engine.on_info = self.listen
        try:
            self.player.start()
            self.player.require_options(optional)
        except BaseException:
            self.close()
            raise

    def close(self):
        """End the engine."""
        self.player.engine.quit()

    def listen(self, line):
        """Take the score from an info line."""
        score, depth, *_ = parse_info(line)
        if depth is None or b"bound" in line:
            return
        self.last = score
        self.failed |= depth >= SETTLED and not (isinstance(score, int) and abs(score) <= 2 * self.bound)

    def balanced(self, board):
        """Whether a position is balanced. Raises EngineFault."""
        self.last, self.failed = None, False
        engine = self.player.engine
        engine.new_game()
        engine.go(f"position fen {fen(board)}", self.limit)
        if not pump((engine,), lambda: self.failed or engine.bestmove is not None, now_ns() + PATIENCE):
            raise EngineFault(engine, "hang", "no bestmove")
        engine.stop()
        return not self.failed and isinstance(self.last, int) and abs(self.last) <= self.bound


def make(path, count, boards, balanced):
    """Write the boards for which balanced(board) is true to a file of openings, until the file holds `count`.

    boards: an iterator over the candidates. If the file exists, it must hold some of them, in their order: the openings that
    an earlier run has found. Raises OSError; and OpeningError if the file holds others, or if there are too few candidates.
    """
    *lines, torn = textfile.read(path).split(b"\n") if path.exists() else [b""]
    # The file has the results of an earlier run, up to its last line.
    for number, line in enumerate(lines, 1):
        if not any(epd(board).encode() == line for board in islice(boards, BARREN)):
            raise foreign(path, number, line)
    if torn:  # a line that a kill cut short: its position is searched again
        boards, ahead = tee(boards)
        if not any(epd(board).encode().startswith(torn) for board in islice(ahead, BARREN)):
            raise foreign(path, len(lines) + 1, torn)
        os.truncate(path, path.stat().st_size - len(torn))
    with (
        contextlib.closing(AppendFile(path)) as file,
        tqdm(total=count, initial=len(lines), unit="opening", file=sys.stderr, smoothing=0) as bar,
    ):
        rejected = 0
        while bar.n < count:
            board = next(boards, None)
            if board is None:
                raise OpeningError(
                    f"{path}: only {pluralize(bar.n, 'opening')} found: expected a smaller --count, or other --plies"
                )
            if balanced(board):
                file.write(epd(board).encode() + b"\n")
                bar.update()
            else:
                rejected += 1
                bar.set_postfix_str(f"{rejected} rejected")


def foreign(path, number, line):
    """The error for a line of the file (as bytes) that is not the EPD of any candidate."""
    return OpeningError(
        f"{path}, line {number}: '{line[:80].decode('utf-8', 'backslashreplace')}' does not come from this game, --seed "
        "and --plies: expected those that made the file, or another file"
    )
