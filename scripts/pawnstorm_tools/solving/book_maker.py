"""Makes a book from a proof: the part of the winner's strategy that a solver alone would take long to find
(engine/pawnstorm/proof/book.py).

A BookMaker follows the winner's moves and every reply of the loser from the root. It stops at each position whose win a
solver with an empty table proves within a few expansions, since the engine can do this again during a game. Then it
measures the strategy below each position, from the leaves up: its size, in which a transposition counts each time it is
met, and the maximum number of plies. write() writes the book, and walk() yields its positions from a root.

make_opening() makes the opening of a game from the values of all positions after a number of plies.
"""

import time
from typing import NamedTuple

from pawnstorm.games import position_table
from pawnstorm.games.notation import COLOURS, fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.proof import book
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common import table_file
from pawnstorm_tools.common.random_openings import levels
from pawnstorm_tools.solving import Missing, NotWon, output, winning_strategy
from pawnstorm_tools.solving.output import print_row
from pawnstorm_tools.solving.plans import Planner
from pawnstorm_tools.solving.progress import PositionsBar

SMALL = 1  # MiB of the solver that stands in for the engine's: it loses nothing of some thousand expansions


class Subtree(NamedTuple):
    """The strategy below a position.

    work    the number of its positions, with those that the solver expands at the leaves
    plies   to the end of the game, at most
    move    the winner's move, or the reply of the loser that leaves most work; 0 at a leaf
    """

    work: int
    plies: int
    move: int = 0


class BookMaker:
    """The strategy from a root that a prover has proven, and its measures. All boards are canonical.

    A position that the solver proves won within `leaf_nodes` expansions is a leaf. first: the winner's move at the root, if
    only the position after it has been proven; 0 if the root has been. Raises NotWon if `first` does not win.
    """

    def __init__(self, prover, root, first, leaf_nodes):
        self.leaf_nodes, self.root = leaf_nodes, root.canonical()
        self._planner, self._leaf_prover = Planner(prover, root.rules), Prover(SMALL)
        self._first = first and position_table.seen_from(root, first)
        self._wins = prover.prove(root.push(first) if first else root).value * (-1 if first else 1) > 0
        if first and not self._wins:
            raise NotWon(f"'{move_text(root, first)}' loses: expected the first move of a player who wins with it")
        self.black = root.black_to_move == self._wins  # whether Black is the winner
        self.plans = {}  # position of the winner -> (move, board after it)
        self.replies = {}  # position of the loser -> [(move, board after it)]
        self.subtrees = {}  # position -> Subtree; filled from the leaves up

    def grow(self):
        """Find every position of the strategy."""
        waiting = [self.root] if self._wins else self._reply(self.root)
        seen = set(waiting)
        with PositionsBar(desc="strategy") as bar:
            for board in waiting:
                bar.total = len(waiting)
                bar.update()
                if leaf := self._at_leaf(board):
                    self.subtrees[board] = leaf
                    continue
                move = self._first if self._first and board == self.root else self._planner.move(board)
                after = board.push(move).canonical()
                self.plans[board] = move, after
                if after not in self.replies:
                    fresh = [child for child in self._reply(after) if child not in seen]
                    seen.update(fresh)
                    waiting += fresh

    def _at_leaf(self, board):
        """The Subtree of a position if it is a leaf, otherwise None."""
        work, plies = 0, 0
        for side in (board, board.mirrored()):  # they may take different numbers of expansions
            self._leaf_prover.clear()
            proof = self._leaf_prover.prove(side, self.leaf_nodes)
            if proof.value <= 0:
                return None
            work, plies = max(work, self._leaf_prover.nodes + 1), max(plies, proof.plies)
        return Subtree(work, plies)

    def _reply(self, board):
        """Note the replies in a position of the loser; returns the positions after them, each once."""
        self.replies[board] = [(move, board.push(move).canonical()) for move in board.moves()]
        return list(dict.fromkeys(child for _, child in self.replies[board]))

    def measure(self, board):
        """The Subtree of a position. Measures the positions below it first; a recursion is no deeper than a game is long."""
        if board not in self.subtrees:
            if board in self.plans:
                move, after = self.plans[board]
                behind = self.measure(after)
                self.subtrees[board] = Subtree(behind.work + 1, behind.plies + 1, move)
            else:
                behind = [(self.measure(child), move) for move, child in self.replies[board]]
                work = sum(below.work for below, _ in behind)
                _, move = max(behind)
                self.subtrees[board] = Subtree(work, max(below.plies for below, _ in behind) + 1, move)
        return self.subtrees[board]

    def entries(self):
        """[(board, move, plies)] of the book's positions."""
        self.measure(self.root)
        return [(board, below.move, below.plies) for board, below in self.subtrees.items() if below.move]


def write(path, game, leaf_nodes, entries):
    """Write a book of entries (canonical board, move or 0, plies)."""
    rows = [(board, book.pack(board, move, plies)) for board, move, plies in entries]
    table_file.write(path, book.FORMAT, game, (leaf_nodes,), rows, book.ENTRY)


def walk(shipped, root):
    """Yield (canonical position, Entry) for each position to which a book leads from a root, each once."""
    waiting = [root.canonical()]
    seen = set(waiting)
    for board in waiting:
        entry = shipped.probe(board)
        if entry:
            yield board, entry
            for move in [entry.move] if entry.value > 0 else board.moves():
                child = board.push(move).canonical()
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)


def make(run, root, first, leaf_nodes, path):
    """Write the book of a root, and print its figures. The run has proven the root, or the position after the winner's move
    `first` if that is not 0.
    """
    start = time.monotonic()
    maker = BookMaker(run.prover, root, first, leaf_nodes)
    maker.grow()
    entries = maker.entries()
    write(path, root.rules.full_name, leaf_nodes, entries)
    leaves = [below.work - 1 for below in maker.subtrees.values() if not below.move]
    print_row("winner", f"{COLOURS[maker.black]}, in at most {pluralize(maker.measure(maker.root).plies, 'ply')}")
    print_row("length", "a bound, by the strategy of the book: the shortest win may be shorter")
    print_row("book", f"{path}: {pluralize(len(entries), 'entry')}, {path.stat().st_size:,} bytes")
    mean = sum(leaves) / len(leaves)
    print_row("leaves", f"{len(leaves):,}, of {mean:.0f} expansions on average and {max(leaves):,} at most")
    print_row("time", f"{run.seconds:.1f} s for the proof, {time.monotonic() - start:.1f} s for the book")


def write_proof(shipped, prover, path):
    """Write the strategy of a Book as a proof, and print its figures. A prover completes the strategy below the book."""
    root = Board.start(get_rules(shipped.game))
    moves = [(board, entry.move) for board, entry in walk(shipped, root) if entry.value > 0]
    known = shipped.probe(root)
    written = winning_strategy.write(prover, root, path, moves, known.value if known else 0)
    output.proof(path, *written, len(moves))


def make_opening(path, rules, known, plies):
    """Write the opening of a game, its lost positions up to `plies` plies from the start, and print its figures.

    known: the bounds of all positions after `plies` plies, {bitboards of a canonical Board: plies to the end, at most}. If
    a bound is even, the side to move loses. Raises Missing if one of these positions has no bound.
    """
    *earlier, last = levels(rules, plies)
    bounds = _last(last, known)
    boards = {board.bitboards: board for level in (*earlier, last) for board in level}
    for level in reversed(earlier):
        # A position can also be in a later level, or arise for the other colour: the lower bound counts.
        bounds |= {
            board.bitboards: min(bound := _bound(board, bounds), bounds.get(board.bitboards, bound)) for board in level
        }
    entries = [(boards[position], 0, bound) for position, bound in bounds.items() if bound % 2 == 0]
    write(path, rules.full_name, 0, entries)
    print_row("opening", f"{path}: {pluralize(len(entries), 'entry')}, {path.stat().st_size:,} bytes")
    print_row(
        "lost",
        f"{len(entries):,} of {pluralize(len(bounds), 'position')} up to {pluralize(plies, 'ply')} from the start",
    )


def _last(level, known):
    """The bounds of the positions in the last level. Raises Missing."""
    missing = [board for board in level if known.get(board.bitboards) is None]
    if missing:
        raise Missing(
            f"the values of {len(missing):,} of {pluralize(len(level), 'position')} are missing, {fen(missing[0])} among them: "
            "expected what `positions.py value` has written of all that `positions.py all` prints"
        )
    return {board.bitboards: known[board.bitboards] for board in level}


def _bound(board, bounds):
    """The bound of a position, from the bounds after its moves. After a move that ends the game, the bound is 0."""
    behind = [bounds.get(board.push(move).canonical().bitboards, 0) for move in board.moves()]
    lost = [plies for plies in behind if plies % 2 == 0]
    return 1 + (min(lost) if lost else max(behind))
