"""Make training positions from the engine's own games: `python scripts/datagen.py -h`.

Each game begins with random moves and goes on with searches of a fixed number of nodes until one side has proven its win. Of its
positions those are kept in which the static score counts: nothing is won by force or by running, the opponent does not stand a step
from home, and the best move takes nothing. The file is a plain array of RECORD. It follows from the command line and the engine's
version alone, and a run that was interrupted goes on when it is started again with the same words.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import multiprocessing
import random
import signal
import sys
from pathlib import Path

import numpy as np
from tqdm import tqdm

import referee  # noqa: F401  makes engine/ importable
from learning.errors import Unfit
from learning.games import RECORD, resume
from proving import arguments

from engine import native
from engine.board import Board
from engine.engine import Engine, Limits, mate_in
from engine.rules import UnknownGame, game


class Source:
    """Plays games one by one; one in each process."""

    def __init__(self, name, nodes, seed, plies):
        self.rules, self.nodes, self.seed, self.plies = game(name), nodes, seed, plies
        self.engine = Engine(on_info=lambda info: setattr(self, "info", info))

    def game(self, number):
        """RECORDs of game `number`; none where the random moves already ended it."""
        chance = random.Random(f"{self.seed} {number}")
        board = Board.start(self.rules)
        for _ in range(chance.randint(*self.plies)):
            board = board.push(chance.choice(sorted(board.moves())))
            if board.over():
                return np.empty(0, RECORD)
        self.engine.new_game()
        kept, ply = [], 0
        while not board.over():
            self.engine.go(board, Limits(nodes=self.nodes))
            self.engine.wait()
            score, best = self.info.score, self.info.line[0]
            if mate_in(score) is not None:
                break
            quiet = not ((board.opp | board.ep) >> (best >> 6) & 1 or board.opp & self.rules.home << 8 or board.ep)
            if quiet and not native.race(self.rules, board.own, board.opp, board.ep):
                kept.append((board.own, board.opp, number, score, ply, board.black))
            board, ply = board.push(best), ply + 1
        # Who is to move in the last position has lost, or holds the proven score.
        winner_black = board.black if not board.over() and self.info.score > 0 else not board.black
        records = np.array(kept, RECORD) if kept else np.empty(0, RECORD)
        records["won"] = records["won"] == winner_black
        return records


_source = None


def _begin(*arguments):
    global _source
    signal.signal(signal.SIGINT, signal.SIG_IGN)   # the parent ends the run
    _source = Source(*arguments)


def _game(number):
    return _source.game(number)


def parse(words):
    parser = argparse.ArgumentParser(description="Make training positions of the engine's games; run again with the same words to go on.")
    parser.add_argument("game", help="twoflags, breakthrough, or a size such as breakthrough6x6")
    parser.add_argument("file", type=Path, help="the file to write or to complete")
    parser.add_argument("--games", type=arguments.positive, default=30_000, help="(%(default)s)")
    parser.add_argument("--nodes", type=arguments.positive, default=5_000, help="for each move (%(default)s)")
    parser.add_argument("--plies", type=int, nargs=2, default=(3, 9), metavar=("LEAST", "MOST"), help="random plies before (3 9)")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves (%(default)s)")
    parser.add_argument("--processes", type=arguments.positive, default=multiprocessing.cpu_count(), help="(%(default)s)")
    asked = parser.parse_args(words)
    if not 0 <= asked.plies[0] <= asked.plies[1]:
        parser.error(f"argument --plies: {asked.plies[0]} {asked.plies[1]}: expected LEAST from 0 to MOST")
    return asked


def main(words):
    asked = parse(words)
    try:
        rules = game(asked.game)
        first = resume(asked.file, rules)
        native.core()
        settings = asked.game, asked.nodes, asked.seed, asked.plies
        with (open(asked.file, "ab") as file, multiprocessing.get_context("spawn").Pool(asked.processes, _begin, settings) as pool,
              tqdm(total=asked.games, initial=min(first, asked.games), unit="game", file=sys.stderr, smoothing=0) as bar):
            for records in pool.imap(_game, range(first, asked.games), chunksize=8):
                file.write(records.tobytes())
                file.flush()
                bar.update()
    except (UnknownGame, Unfit, OSError, MemoryError) as error:
        print(f"datagen.py: {error or 'not enough memory'}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("datagen.py: stopped; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
