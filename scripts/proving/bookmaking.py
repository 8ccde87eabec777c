"""From a proof to a book (engine/book.py): the part of the winner's strategy that a solver on its own would take long to find.

A Maker follows the winner's moves and every reply of the loser from the root, and stops wherever a solver with an empty table proves the
win within a few expansions, as the engine can do again whenever it comes there. Then it measures from the end: how much of the strategy
is left behind a position, transpositions counted as often as they are met, and how many plies at most. write() makes the file of it, and
walk() goes through a book from a root.
"""

import zlib
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from proving import wholefile
from proving.tree import Guide

from engine import book
from engine.prover import Prover

SMALL = 1            # MiB of the solver that stands for the engine's: enough that it loses nothing of some thousand expansions


class Left(NamedTuple):
    """What is left of the strategy behind a position: positions, the solver's own among them; plies at most; the move, 0 at a leaf."""

    work: int
    plies: int
    move: int = 0


class Maker:
    """The strategy from a root that a prover has proven, down to `leaf` expansions, and its measures. Boards in it are canonical."""

    def __init__(self, prover, root, leaf):
        self.leaf, self.root = leaf, root.canonical()
        self._guide, self._small = Guide(prover, root.rules), Prover(SMALL)
        self._wins = prover.prove(root).value > 0
        self.plans = {}        # of the winner's positions: move and board behind it
        self.replies = {}      # of the loser's: [(move, board behind it)]
        self.left = {}         # Left of all, the leaves first

    def grow(self):
        """Find every position of the strategy."""
        waiting = [self.root] if self._wins else self._reply(self.root)
        met = set(waiting)
        with tqdm(desc="strategy", unit=" positions", unit_scale=True) as bar:
            for board in waiting:
                bar.total = len(waiting)
                bar.update()
                if leaf := self._at_leaf(board):
                    self.left[board] = leaf
                    continue
                move = self._guide.move(board)
                after = board.push(move).canonical()
                self.plans[board] = move, after
                if after not in self.replies:
                    fresh = [child for child in self._reply(after) if child not in met]
                    met.update(fresh)
                    waiting += fresh

    def _at_leaf(self, board):
        """The Left of a position that the solver can be left with, else None."""
        work, plies = 0, 0
        for side in (board, board.mirrored()):    # which may differ in what they take
            self._small.clear()
            proof = self._small.prove(side, self.leaf)
            if proof.value <= 0:
                return None
            work, plies = max(work, self._small.nodes + 1), max(plies, proof.plies)
        return Left(work, plies)

    def _reply(self, board):
        """The positions, each once, behind all moves of one of the loser's."""
        self.replies[board] = [(move, board.push(move).canonical()) for move in board.moves()]
        return list(dict.fromkeys(child for _, child in self.replies[board]))

    def measure(self, board):
        """The Left of a position; what it depends on is measured on the way, no deeper than the game is long."""
        if board not in self.left:
            if board in self.plans:
                move, after = self.plans[board]
                behind = self.measure(after)
                self.left[board] = Left(behind.work + 1, behind.plies + 1, move)
            else:
                behind = [(self.measure(child), move) for move, child in self.replies[board]]
                work = sum(left.work for left, _ in behind)
                _, move = max(behind)
                self.left[board] = Left(work, max(left.plies for left, _ in behind) + 1, move)
        return self.left[board]

    def entries(self):
        """(key, move, plies) of what the book holds."""
        self.measure(self.root)
        found = [(book.key(board), left.move, left.plies) for board, left in self.left.items() if left.move]
        assert len({key for key, *_ in found}) == len(found), "two positions have one key"
        return sorted(found)


def write(path, game, leaf, entries):
    """Write a book of (key, move, plies) in the order of their keys."""
    keys = np.array([key for key, *_ in entries], "<u8")
    words = np.array([move | plies << 12 for _, move, plies in entries], "<u4")
    body = keys.tobytes() + words.view(np.uint8).reshape(-1, 4)[:, :book.ENTRY].tobytes()
    with wholefile.replacing(path) as file:
        file.write(f"{book.MAGIC} {game} leaf {leaf} entries {len(entries)} check {zlib.crc32(body)}\n".encode() + body)


def walk(shipped, root):
    """Yield every (position, Entry) that a book leads to from a root, canonical, each once."""
    waiting = [root.canonical()]
    met = set(waiting)
    for board in waiting:
        entry = shipped.look(board)
        if entry:
            yield board, entry
            for move in [entry.move] if entry.value > 0 else board.moves():
                child = board.push(move).canonical()
                if child not in met:
                    met.add(child)
                    waiting.append(child)
