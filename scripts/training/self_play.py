"""Training positions out of games that the engine plays against itself."""

import random

import numpy as np

from pawnstorm.engine import native
from pawnstorm.engine.engine import Engine
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.rules import game
from pawnstorm.engine.limits import Limits, mate_in
from training.game_positions import RECORD


class Source:
    """Plays games one by one; one in each process."""

    def __init__(self, name, nodes, seed, plies):
        self.rules, self.nodes, self.seed, self.plies = game(name), nodes, seed, plies
        self.engine = Engine(on_info=lambda info: setattr(self, "info", info))

    def records(self, number):
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
