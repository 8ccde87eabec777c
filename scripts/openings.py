"""Make a file of balanced random openings: `python scripts/openings.py -h`.

Plays random legal moves from the start, drops what is the same as an earlier opening by transposition or left-right mirror, and keeps
what a UCI engine, at a fixed depth or fixed nodes and with a cleared table for each position, judges undecided. The file follows from
the command line alone: candidates come from one generator in a fixed order. An interrupted run goes on where it was when it is
started again with the same words, and ends in the same file.

scripts/openings/*.epd were made with the frozen engine by

    python scripts/openings.py twoflags scripts/openings/twoflags.epd --depth 24 --bound 60 \\
      --engine dist/pawnstorm/pawnstorm --option Hash=256
    python scripts/openings.py breakthrough scripts/openings/breakthrough.epd --depth 20 --bound 30 \\
      --engine dist/pawnstorm/pawnstorm --option Hash=256

At these depths three of five Two Flags positions are rejected, most of them as proven, and one of thirty Breakthrough positions.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import os
import random
import sys
from itertools import islice, tee
from pathlib import Path

from tqdm import tqdm

from referee import ROOT
from referee.clock import SECOND, Control, now
from referee.game import search_info
from referee.openings import OpeningError
from referee.player import Player
from referee.settings import EngineSettings
from protocol.uciclient import EngineError, EngineFault, pump

from engine.board import Board
from engine.notation import fen
from engine.rules import UnknownGame, game

SETTLED = 8
"""Depth from which on an iteration's score counts: shallower ones swing."""
BARREN = 10_000
"""Candidates in a row without a match after which a file that is to be completed counts as another command's."""
PATIENCE = 600 * SECOND
"""How long the engine may take for a position before it counts as hanging."""


def candidates(rules, plies, seed):
    """Different Boards after some number of random moves in `plies` (least, most), until new ones have become too rare."""
    chance, seen, repeats = random.Random(seed), set(), 0
    while repeats < 10_000:
        repeats += 1
        board = Board.start(rules)
        for _ in range(chance.randint(*plies)):
            if board.over():
                break
            board = board.push(chance.choice(sorted(board.moves())))
        if not board.over() and (key := board.canonical()) not in seen:
            seen.add(key)
            repeats = 0
            yield board


def epd(board):
    """The four fields that are the position; the counters are not."""
    return " ".join(fen(board).split()[:4])


class Judge:
    """An engine that tells undecided positions from others.

    Undecided: no finished iteration from depth SETTLED on says mate or more than twice the bound, and the last one says at most the
    bound. A search that has already failed is cut short, which changes no verdict.
    """

    def __init__(self, command, options, rules, limit, bound):
        """limit: the words after `go`; bound: centipawns."""
        self.player = Player(0, EngineSettings(command, Control(), options=options), rules, ponder=False)
        self.limit, self.bound = limit, bound
        self.player.engine.scored = self.listen
        self.player.start()

    def listen(self, line):
        score, depth, *_ = search_info(line)
        if depth is None or b"bound" in line:
            return
        self.last = score
        self.failed |= depth >= SETTLED and not (isinstance(score, int) and abs(score) <= 2 * self.bound)

    def undecided(self, board):
        """The verdict on one position. Raises EngineFault."""
        self.last, self.failed = None, False
        engine = self.player.engine
        self.player.begin()
        engine.go(f"position fen {fen(board)}", self.limit)
        if not pump((engine,), lambda: self.failed or engine.answer is not None, now() + PATIENCE):
            raise EngineFault(engine, "hang", "no bestmove")
        engine.stop()
        return not self.failed and isinstance(self.last, int) and abs(self.last) <= self.bound


def make(path, count, boards, judge):
    """Fill the file up to `count` openings from the boards. Raises OpeningError if they do not lead to what it already holds."""
    *lines, torn = path.read_bytes().split(b"\n") if path.exists() else [b""]
    # Up to its last line the file tells the verdicts of an earlier run.
    for number, line in enumerate(lines, 1):
        if not any(epd(board).encode() == line for board in islice(boards, BARREN)):
            raise foreign(path, number, line)
    if torn:    # a line that a kill cut short: its position is judged again
        boards, ahead = tee(boards)
        if not any(epd(board).encode().startswith(torn) for board in islice(ahead, BARREN)):
            raise foreign(path, len(lines) + 1, torn)
        os.truncate(path, path.stat().st_size - len(torn))
    with open(path, "a") as file, tqdm(total=count, initial=len(lines), unit="opening", file=sys.stderr, smoothing=0) as bar:
        rejected = 0
        while bar.n < count:
            board = next(boards, None)
            if board is None:
                raise OpeningError(f"{path}: only {bar.n} openings found: too few positions after so many plies")
            if judge.undecided(board):
                print(epd(board), file=file, flush=True)
                bar.update()
            else:
                rejected += 1
                bar.set_postfix_str(f"{rejected} rejected")


def foreign(path, number, line):
    """The error for a line, in bytes, to which no candidate leads."""
    return OpeningError(f"{path}, line {number}: '{line[:80].decode('utf-8', 'backslashreplace')}' does not come from this game, seed and "
                        "number of plies")


def option(text):
    """(name, value) of NAME=VALUE, for argparse."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def parse(words):
    parser = argparse.ArgumentParser(description="Make a file of balanced random openings; run again with the same words to go on.")
    parser.add_argument("game", help="twoflags, breakthrough, or a size such as breakthrough6x6")
    parser.add_argument("file", type=Path, help="the EPD file to write or to complete")
    parser.add_argument("--count", type=int, default=500, help="openings in the file (%(default)s)")
    parser.add_argument("--plies", type=int, nargs=2, default=(4, 8), metavar=("LEAST", "MOST"), help="random plies (4 8)")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves (%(default)s)")
    parser.add_argument("--nodes", type=int, default=200_000, help="for each position (%(default)s)")
    parser.add_argument("--depth", type=int, help="to which each position is searched, instead of nodes")
    parser.add_argument("--bound", type=int, default=50, help="largest score of an opening, centipawns (%(default)s)")
    parser.add_argument("--engine", default="fairy-stockfish", metavar="COMMAND", help="the UCI engine that judges (%(default)s)")
    parser.add_argument("--option", action="append", type=option, default=[], metavar="NAME=VALUE",
                        help="a UCI option for it (Hash=64 and, for Fairy-Stockfish, VariantPath=scripts/variants.ini)")
    asked = parser.parse_args(words)
    least, most = asked.plies
    if not 0 <= least <= most:
        parser.error(f"argument --plies: {least} {most}: expected LEAST from 0 to MOST")
    return asked


def main(words):
    asked = parse(words)
    options = {"VariantPath": str(ROOT / "scripts" / "variants.ini"), "Hash": "64"}
    options |= dict(asked.option)
    limit = f"depth {asked.depth}" if asked.depth else f"nodes {asked.nodes}"
    judge = None
    try:
        rules = game(asked.game)
        judge = Judge(asked.engine, tuple(options.items()), rules, limit, asked.bound)
        make(asked.file, asked.count, candidates(rules, asked.plies, asked.seed), judge)
    except (UnknownGame, OpeningError, EngineError, EngineFault, OSError) as error:
        print(f"openings.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        if judge:
            judge.player.engine.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
